import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Discord takes five messages in two seconds from a webhook, each of at most 2,000 characters. */
const MOST = 5;
const WINDOW_MS = 2_000;
const LONGEST = 2_000;

/** A request that a target has accepted. */
export interface Accepted {
	target: string;
	method: string;
	body: Record<string, unknown>;
}

/** Mock servers of Slack, Discord and Kit. */
export interface ChatServer {
	origin: string;
	accepted: Accepted[];
	/** How many requests Discord refused, because they came too fast or were too long. */
	refused: number;
	/** The targets that refuse everything. */
	broken: Set<string>;
	/** The emails that have the tag in Kit. */
	tagged: Set<string>;
	close: () => Promise<void>;
}

/** Starts a server with the paths `/slack`, `/discord` and `/kit`. */
export async function startChatServer(): Promise<ChatServer> {
	const times: number[] = [];
	const known = new Set<string>();
	const chats: ChatServer = {
		...{ origin: '', accepted: [], refused: 0, broken: new Set(), tagged: new Set() },
		close: async () => await new Promise((resolve) => server.close(() => resolve())),
	};
	const statusOf = (target: string, method: string, body: Record<string, unknown>): number => {
		if (chats.broken.has(target)) return 500;
		if (target === 'discord') return discord(body);
		if (target !== 'kit') return 200;
		const email = String(body.email_address);
		if ('first_name' in body) known.add(email);
		else if (!known.has(email)) return 404;
		else if (method === 'DELETE') chats.tagged.delete(email);
		else chats.tagged.add(email);
		return method === 'DELETE' ? 204 : 200;
	};
	const discord = (body: Record<string, unknown>): number => {
		const now = Date.now();
		const recent = times.filter((time) => time > now - WINDOW_MS).length;
		const isTooLong = String(body.content).length > LONGEST;
		if (recent < MOST && !isTooLong) return times.push(now) && 204;
		chats.refused++;
		return isTooLong ? 400 : 429;
	};
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Accepted['body'];
			const [, target = ''] = String(request.url).split('/');
			const method = String(request.method);
			const status = statusOf(target, method, body);
			if (status < 300) chats.accepted.push({ target, method, body });
			response.writeHead(status).end(status === 200 ? 'ok' : undefined);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	chats.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return chats;
}
