import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Mailbox } from '../harness/mailbox';
import { openListeners } from '../harness/sandbox';
import { messageOf } from '../harness/system/problem';
import { actions, type DeskWorld } from './deskActions';
import { deskPage, type DeskMember } from './deskPage';

/** A page in the browser with the actions of members, the emails, and the chat. */
export interface Desk {
	url: string;
	/** Connects the buttons to n8n. Before that, they report that n8n is not ready yet. */
	connect: (world: DeskWorld) => void;
	close: () => Promise<void>;
}

interface DeskState {
	mailbox: Mailbox;
	chat: string[];
	happened: string[];
	world?: DeskWorld;
}

/** Starts the desk on a free port of the loopback interface. */
export async function startDesk(mailbox: Mailbox): Promise<Desk> {
	const state: DeskState = { mailbox, chat: [], happened: [] };
	const server = createServer((request, response) => {
		if (!isOwn(request)) {
			response.writeHead(403).end('This address is not that of the desk.');
			return;
		}
		answer(state, request, response).catch((error: unknown) => {
			note(state, `The desk could not do that: ${messageOf(error)}.`);
			response.writeHead(303, { location: '/' }).end();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		connect: (world) => (state.world = world),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/**
 * Whether a request comes from the desk itself, or from a program on this machine. A web page that
 * makes its own host name point to this machine (DNS rebinding) sends that name, and one that sends
 * a form to the desk sends its own origin.
 */
function isOwn({ headers, socket }: IncomingMessage): boolean {
	const hosts = ['127.0.0.1', 'localhost'].map((name) => `${name}:${socket.localPort}`);
	const { host = '', origin } = headers;
	const isOtherPage = origin !== undefined && !hosts.some((own) => origin === `http://${own}`);
	return hosts.includes(host) && !isOtherPage;
}

async function answer(
	state: DeskState,
	request: IncomingMessage,
	response: ServerResponse,
): Promise<void> {
	const { pathname } = new URL(request.url ?? '/', 'http://localhost');
	const send = (type: string, text: string) =>
		void response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(text);
	if (pathname === '/chat') {
		const { text } = JSON.parse(await bodyOf(request)) as { text: string };
		state.chat.unshift(text);
		return send('application/json', '{}');
	}
	if (request.method !== 'POST') {
		const members = await membersOf(state);
		return send('text/html', deskPage({ ...state, members, mails: state.mailbox.mails }));
	}
	note(state, await act(state, pathname));
	response.writeHead(303, { location: '/' }).end();
}

function note({ happened }: DeskState, sentence: string): void {
	happened.unshift(`${new Date().toLocaleTimeString()}  ${sentence}`);
}

/** Runs a button's action. Returns what happened, or why nothing did, in plain words. */
async function act({ world }: DeskState, pathname: string): Promise<string> {
	const action = actions.find(({ path }) => path === pathname);
	if (world === undefined) return 'n8n is not ready yet. Try again in a moment.';
	if (action === undefined) return `The desk has no button ${pathname}.`;
	try {
		return await action.run(world);
	} catch (error) {
		return `${action.label} did not work: ${messageOf(error)}.`;
	}
}

/** Everyone who was ever a member at Stripe, and whether Supercast says that the feed is open. */
async function membersOf({ world }: DeskState): Promise<DeskMember[]> {
	if (world === undefined) return [];
	const listeners = await openListeners(world.sandbox).catch(() => undefined);
	const open = listeners && new Set(listeners.map(({ email }) => email));
	return [...world.stripe.customers.values()].map(({ id, email }) => ({
		email: email ?? '',
		stripe:
			world.stripe.subscriptions.filter(({ customer }) => customer.id === id).at(-1)?.status ?? '',
		feed: open === undefined ? 'unknown' : open.has(email ?? '') ? 'open' : 'closed',
	}));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}
