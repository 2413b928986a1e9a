import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { Mailbox } from '../../test/harness/mailbox';
import { messageOf } from '../../test/harness/system/problem';
import { actions, type DemoServices } from './dashboardActions';
import { DashboardLogin } from './dashboardLogin';
import { dashboardContent, dashboardPage } from './dashboardPage';
import type { DashboardN8n } from './dashboardRuns';
import { DashboardWatch } from './dashboardWatch';

/** A page in the browser with members, their feeds, the emails, and buttons that change them. */
export interface Dashboard {
	url: string;
	/** The address with which a browser also gets into n8n. Only for the reader of the terminal. */
	loginUrl: string;
	/** Connects the buttons and the lists. Before that, they say that n8n is not ready yet. */
	connect: (services: DemoServices, n8n?: DashboardN8n) => void;
	close: () => Promise<void>;
}

/** How often the dashboard looks for changes, even if no browser shows it. */
const LOOK_MS = 1_000;

/** The files that the page loads, by their address. */
const FILES: Record<string, string> = {
	'/dashboard.css': 'text/css',
	'/dashboard.browser.js': 'text/javascript',
};

/** Starts the dashboard on a free port of the loopback interface. */
export async function startDashboard(mailbox: Mailbox): Promise<Dashboard> {
	const watch = new DashboardWatch(mailbox);
	const login = new DashboardLogin();
	const server = createServer((request, response) => {
		if (!isOwn(request)) {
			response.writeHead(403).end('This address is not that of the dashboard.');
			return;
		}
		answer(watch, login, request, response).catch((error: unknown) => {
			watch.note(`The dashboard could not do that: ${messageOf(error)}.`);
			response.writeHead(303, { location: '/' }).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const timer = setInterval(() => void watch.look().catch(() => undefined), LOOK_MS).unref();
	const url = `http://127.0.0.1:${port}`;
	return {
		url,
		loginUrl: login.loginUrl(url),
		connect: (services, n8n) => watch.connect(services, n8n),
		close: async () => {
			clearInterval(timer);
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/**
 * Whether a request comes from the dashboard itself, or from a program on this machine. With DNS
 * rebinding, a web page's own host name points to this machine, but its requests still have that
 * name. A web page that sends a form to the dashboard sends its own origin.
 */
function isOwn({ headers, socket }: IncomingMessage): boolean {
	const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
	const { host = '', origin } = headers;
	const isOtherPage = origin !== undefined && !hosts.some((own) => origin === `http://${own}`);
	return hosts.includes(host) && !isOtherPage;
}

async function answer(
	watch: DashboardWatch,
	login: DashboardLogin,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const address = new URL(request.url ?? '/', 'http://localhost');
	const { pathname } = address;
	const send = (type: string, text: string) =>
		void response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
	const type = FILES[pathname];
	if (type !== undefined) return send(type, readFileSync(join(__dirname, pathname), 'utf8'));
	if (pathname === '/chat') {
		const { text } = JSON.parse(await bodyOf(request)) as { text: string };
		watch.chat(text);
		return send('application/json', '{}');
	}
	if (request.method === 'POST') {
		watch.note(await act(watch.connected, pathname));
		response.writeHead(303, { location: '/' }).end();
		return;
	}
	if (pathname === '/n8n' && watch.editor !== undefined)
		return await login.open(watch.editor, address, request, response);
	if (login.admit(address, response)) return;
	await watch.look();
	const view = watch.view();
	return send('text/html', pathname === '/view' ? dashboardContent(view) : dashboardPage(view));
}

/** Runs a button's action. Returns what happened, or why nothing did, in plain words. */
async function act(services: DemoServices | undefined, pathname: string): Promise<string> {
	const action = actions.find(({ path }) => path === pathname);
	if (services === undefined) return 'n8n is not ready yet. Try again in a moment.';
	if (action === undefined) return `The dashboard has no button ${pathname}.`;
	try {
		return await action.run(services);
	} catch (error) {
		return `${action.label} did not work: ${messageOf(error)}.`;
	}
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}
