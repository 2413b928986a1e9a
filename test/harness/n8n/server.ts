import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../system/http';
import { freePorts } from '../system/ports';
import { Problem } from '../system/problem';
import { lastLines, run, startNode, type RunningProgram } from '../system/processes';
import type { N8nInstall } from './install';

/** A separate n8n, with a user folder, ports and settings that no other n8n shares. */
export interface Instance {
	install: N8nInstall;
	/** Contains `.n8n/` with the database, the key and the community nodes. */
	userFolder: string;
	/** Address of the editor, the REST API and the webhooks. */
	url: string;
	logFile: string;
	env: NodeJS.ProcessEnv;
}

/** A server that responds. */
export interface N8nServer {
	instance: Instance;
	url: string;
	pid: number;
	/** Settles when the server has ended, on its own or through `stop`. */
	ended: Promise<string>;
	stop: () => Promise<void>;
}

const startupPatience = 120_000;

/** Prepares an instance on free ports. `env` adds to its settings or replaces them. */
export async function createInstance(
	install: N8nInstall,
	userFolder: string,
	env: NodeJS.ProcessEnv = {},
): Promise<Instance> {
	const [port = 0, brokerPort = 0] = await freePorts(2);
	const url = `http://127.0.0.1:${port}`;
	mkdirSync(userFolder, { recursive: true });
	return {
		install,
		userFolder,
		url,
		logFile: join(userFolder, 'n8n.log'),
		env: {
			...inheritedEnvironment(),
			...quietSettings,
			PATH: install.path,
			N8N_USER_FOLDER: userFolder,
			N8N_PORT: String(port),
			N8N_HOST: '127.0.0.1',
			N8N_EDITOR_BASE_URL: url,
			WEBHOOK_URL: url,
			N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			...env,
		},
	};
}

/** Runs one of n8n's commands until it ends, such as `import:workflow`. */
export async function runN8n(instance: Instance, args: string[]): Promise<void> {
	const { install, env, logFile, userFolder } = instance;
	await run(install.node, [install.cli, ...args], { cwd: userFolder, env, logFile });
}

/**
 * Starts the server and waits until it accepts requests. Stops it if it does not accept any.
 * @param command n8n's command: `start`, or `worker` with its flags.
 */
export async function startN8n(instance: Instance, command = ['start']): Promise<N8nServer> {
	const { install, env, logFile, userFolder, url } = instance;
	const program = startNode(install.node, [install.cli, ...command], {
		cwd: userFolder,
		env,
		logFile,
	});
	try {
		await untilReady(program, instance, pathsOf(command));
	} catch (error) {
		await program.stop();
		throw error;
	}
	return { instance, url, pid: program.pid, ended: program.ended, stop: program.stop };
}

/** The paths that must respond. n8n 1 reports readiness before the editor's requests work. */
function pathsOf([command]: string[]): string[] {
	const ready = '/healthz/readiness';
	return command === 'start' ? [ready, '/rest/settings'] : [ready];
}

async function untilReady(
	program: RunningProgram,
	{ url, logFile }: Instance,
	paths: string[],
): Promise<void> {
	const deadline = Date.now() + startupPatience;
	let ended: string | undefined;
	void program.ended.then((how) => (ended = how));
	while (!(await allAnswer(url, paths))) {
		if (ended !== undefined) {
			throw new Problem(
				`n8n ended while starting (${ended}):\n${lastLines(logFile, 12)}\nSee ${logFile}`,
			);
		}
		if (Date.now() > deadline) {
			throw new Problem(
				`n8n was not ready after ${startupPatience / 1000} s:\n${lastLines(logFile, 12)}\nSee ${logFile}`,
			);
		}
		await new Promise((resolve) => setTimeout(resolve, 200));
	}
}

async function allAnswer(url: string, paths: string[]): Promise<boolean> {
	for (const path of paths) if (!(await answers(`${url}${path}`))) return false;
	return true;
}

async function answers(url: string): Promise<boolean> {
	return await ask(url).then(
		({ status }) => status === 200,
		() => false,
	);
}

/** Settings of another n8n on this machine must not affect this one. */
const foreign = /^(n8n|db|queue|executions|credentials|nodes|node|webhook|external|npm)_/i;

function inheritedEnvironment(): NodeJS.ProcessEnv {
	const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
	return Object.fromEntries(kept);
}

const quietSettings: NodeJS.ProcessEnv = {
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	// The address begins with http://, for which browsers reject secure cookies.
	N8N_SECURE_COOKIE: 'false',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '3',
	// The sandbox runs on this machine, where a proxy can't reach it.
	NO_PROXY: '127.0.0.1,localhost',
	no_proxy: '127.0.0.1,localhost',
};
