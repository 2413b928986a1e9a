import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Mailbox } from '../harness/mailbox';
import { actions, type DeskWorld } from './deskActions';
import { deskPage } from './deskPage';

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
		answer(state, request, response).catch((error: unknown) => {
			response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
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
	if (pathname === '/members.csv') return send('text/csv', (await state.world?.members()) ?? '');
	if (request.method !== 'POST') {
		return send('text/html', deskPage({ ...state, mails: state.mailbox.mails }));
	}
	const act = actions.find(({ path }) => path === pathname);
	const { world } = state;
	const happened = act && world ? await act.run(world) : 'n8n is not ready yet.';
	state.happened.unshift(`${new Date().toLocaleTimeString()}  ${happened}`);
	response.writeHead(303, { location: '/' }).end();
}

async function bodyOf(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}
