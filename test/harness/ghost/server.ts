import { cpSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { ask } from '../system/http';
import { freePorts } from '../system/ports';
import { Problem } from '../system/problem';
import { lastLines, startNode, type RunningProgram } from '../system/processes';
import type { GhostInstall } from './install';

/** A Ghost that runs, on SQLite. */
export interface GhostServer {
	/** The address of the site and of the Admin API. */
	url: string;
	/** Ghost's log, a line for each request. */
	logFile: string;
	stop: () => Promise<void>;
}

const patience = 180_000;

/**
 * Starts Ghost without an account and without members, and waits until its Admin API responds.
 * @param folder An empty folder for its database, themes and log.
 */
export async function startGhost(install: GhostInstall, folder: string): Promise<GhostServer> {
	const stripe = await startStripe();
	const [port = 0] = await freePorts(1);
	const url = `http://127.0.0.1:${port}`;
	const logFile = join(folder, 'ghost.log');
	mkdirSync(folder, { recursive: true });
	cpSync(join(install.folder, 'content'), join(folder, 'content'), { recursive: true });
	const env = {
		PATH: install.path,
		HOME: folder,
		...settings(folder, url),
		...stripeSettings(stripe),
	};
	let program: RunningProgram | undefined;
	const stop = async () => {
		await program?.stop();
		stripe.closeAllConnections();
		await new Promise((resolve) => stripe.close(resolve));
	};
	try {
		program = startNode(install.node, ['index.js'], { cwd: install.folder, env, logFile });
		await untilReady(program, url, logFile);
	} catch (error) {
		await stop();
		throw error;
	}
	return { url, logFile, stop };
}

/** Ghost reads its configuration from these variables, where __ separates the levels. */
function settings(folder: string, url: string): NodeJS.ProcessEnv {
	return {
		// In production, Ghost with Stripe refuses addresses that begin with http://.
		NODE_ENV: 'development',
		url,
		server__host: '127.0.0.1',
		server__port: new URL(url).port,
		database__client: 'better-sqlite3',
		database__connection__filename: join(folder, 'ghost.db'),
		database__useNullAsDefault: 'true',
		paths__contentPath: join(folder, 'content'),
		logging__transports: '["stdout"]',
		// A login from a new browser would otherwise need a code from an email.
		security__staffDeviceVerification: 'false',
		sendWelcomeEmail: 'false',
		// Ghost sends no email here. If it tried, nothing would listen.
		mail__transport: 'SMTP',
		mail__options__host: '127.0.0.1',
		mail__options__port: '9',
		// No look-ups outside of this machine.
		privacy__useTinfoil: 'true',
		updateCheck__url: url,
		explore__update_url: url,
	};
}

/**
 * Without Stripe, Ghost takes a complimentary member for a free one. With it, Ghost announces its
 * webhook, and a product and prices for each tier. A new ID is all that it reads of the responses.
 */
async function startStripe(): Promise<Server> {
	let count = 0;
	const server = createServer((request, response) => {
		request.resume();
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify({ id: `stripe_${++count}`, secret: 'whsec_1', data: [] }));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return server;
}

function stripeSettings(stripe: Server): NodeJS.ProcessEnv {
	const { port } = stripe.address() as AddressInfo;
	return {
		STRIPE_API_HOST: '127.0.0.1',
		STRIPE_API_PORT: String(port),
		STRIPE_API_PROTOCOL: 'http',
	};
}

async function untilReady(program: RunningProgram, url: string, logFile: string): Promise<void> {
	const deadline = Date.now() + patience;
	let ended: string | undefined;
	void program.ended.then((how) => (ended = how));
	const answers = async () =>
		await ask(`${url}/ghost/api/admin/site/`).then(
			({ status }) => status === 200,
			() => false,
		);
	while (!(await answers())) {
		if (ended === undefined && Date.now() < deadline) {
			await new Promise((resolve) => setTimeout(resolve, 200));
			continue;
		}
		const how = ended === undefined ? `not ready after ${patience / 1000} s` : ended;
		throw new Problem(`Ghost did not start (${how}):\n${lastLines(logFile, 12)}\nSee ${logFile}`);
	}
}
