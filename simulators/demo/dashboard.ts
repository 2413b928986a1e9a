import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import type { Mailbox } from '../../test/harness/mailbox';
import { messageOf } from '../../test/harness/system/problem';
import { actions, type DeskWorld } from './dashboardActions';
import { DeskDoor } from './dashboardLogin';
import { deskContent, deskPage } from './dashboardPage';
import type { DeskN8n } from './dashboardRuns';
import { DeskWatch } from './dashboardWatch';

/** A page in the browser with members, their feeds, the emails, and buttons that change them. */
export interface Desk {
	url: string;
	/** The address with which a browser also gets into n8n. Only for the reader of the terminal. */
	entrance: string;
	/** Connects the buttons and the lists. Before that, they say that n8n is not ready yet. */
	connect: (world: DeskWorld, n8n?: DeskN8n) => void;
	close: () => Promise<void>;
}

/** How often the desk looks for changes, even if no browser shows it. */
const LOOK_MS = 1_000;

/** The files that the page loads, by their address. */
const FILES: Record<string, string> = {
	'/desk.css': 'text/css',
	'/desk.browser.js': 'text/javascript',
};

/** Starts the desk on a free port of the loopback interface. */
export async function startDesk(mailbox: Mailbox): Promise<Desk> {
	const watch = new DeskWatch(mailbox);
	const door = new DeskDoor();
	const server = createServer((request, response) => {
		if (!isOwn(request)) {
			response.writeHead(403).end('This address is not that of the desk.');
			return;
		}
		answer(watch, door, request, response).catch((error: unknown) => {
			watch.note(`The desk could not do that: ${messageOf(error)}.`);
			response.writeHead(303, { location: '/' }).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const timer = setInterval(() => void watch.look().catch(() => undefined), LOOK_MS).unref();
	const url = `http://127.0.0.1:${port}`;
	return {
		url,
		entrance: door.entrance(url),
		connect: (world, n8n) => watch.connect(world, n8n),
		close: async () => {
			clearInterval(timer);
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/**
 * Whether a request comes from the desk itself, or from a program on this machine. With DNS
 * rebinding, a web page's own host name points to this machine, but its requests still have that
 * name. A web page that sends a form to the desk sends its own origin.
 */
function isOwn({ headers, socket }: IncomingMessage): boolean {
	const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
	const { host = '', origin } = headers;
	const isOtherPage = origin !== undefined && !hosts.some((own) => origin === `http://${own}`);
	return hosts.includes(host) && !isOtherPage;
}

async function answer(
	watch: DeskWatch,
	door: DeskDoor,
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
		return await door.open(watch.editor, address, request, response);
	if (door.admit(address, response)) return;
	await watch.look();
	const view = watch.view();
	return send('text/html', pathname === '/view' ? deskContent(view) : deskPage(view));
}

/** Runs a button's action. Returns what happened, or why nothing did, in plain words. */
async function act(world: DeskWorld | undefined, pathname: string): Promise<string> {
	const action = actions.find(({ path }) => path === pathname);
	if (world === undefined) return 'n8n is not ready yet. Try again in a moment.';
	if (action === undefined) return `The desk has no button ${pathname}.`;
	try {
		return await action.run(world);
	} catch (error) {
		return `${action.label} did not work: ${messageOf(error)}.`;
	}
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}
