/** A Supercast that differs in one point: the sandbox, with a small server in front of it. */

import type { IncomingMessage } from 'node:http';

import type { IDataObject } from 'n8n-workflow';

import { createSandbox, type Sandbox, type SandboxOptions } from '../../../simulators/supercast';
import { readBody, startHttpServer } from '../httpServer';

export interface PassedRequest {
	method: string;
	/** The path without the version, decoded: `['feeds', 'ann@example.com']`. */
	path: string[];
	query: URLSearchParams;
	body: string;
}

export interface PassedAnswer {
	status: number;
	headers: Record<string, string>;
	/** JSON, or undefined if there is none. */
	body: unknown;
}

/** Stands between the node and the sandbox. */
export type Twist = (
	asked: PassedRequest,
	forward: (asked: PassedRequest) => Promise<PassedAnswer>,
	sandbox: Sandbox,
) => Promise<PassedAnswer>;

/** A running service, as the node sees it, and what it really holds. */
export interface DifferentService {
	/** The sandbox, with the address of the server in front of it. */
	sandbox: Sandbox;
	close(): Promise<void>;
}

/** Starts a sandbox without a limit, and a server with the twist in front of it. */
export async function startDifferentService(
	options: SandboxOptions,
	twist?: Twist,
): Promise<DifferentService> {
	const sandbox = await createSandbox({ rateLimit: 0, subscribers: 0, ...options });
	if (twist === undefined) return { sandbox, close: async () => await sandbox.close() };
	const server = await startHttpServer((request, response) => {
		void (async () => {
			const { authorization = '', 'content-type': type = '' } = request.headers;
			const headers = { authorization, ...(type === '' ? {} : { 'content-type': type }) };
			const forward = async (asked: PassedRequest): Promise<PassedAnswer> =>
				await send(sandbox, asked, headers);
			const answer = await twist(await readAsked(request), forward, sandbox);
			response.writeHead(answer.status, answer.headers);
			response.end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
		})();
	});
	return {
		sandbox: Object.create(sandbox, { baseUrl: { value: `${server.origin}/api/v1` } }) as Sandbox,
		close: async () => {
			await server.close();
			await sandbox.close();
		},
	};
}

async function readAsked(request: IncomingMessage): Promise<PassedRequest> {
	const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
	const path = pathname.replace('/api/v1/', '').split('/').map(decodeURIComponent);
	const body = await readBody(request);
	return { method: request.method ?? 'GET', path, query: searchParams, body };
}

async function send(
	{ baseUrl }: Sandbox,
	{ method, path, query, body }: PassedRequest,
	headers: Record<string, string>,
): Promise<PassedAnswer> {
	const address = `${baseUrl}/${path.map(encodeURIComponent).join('/')}?${query.toString()}`;
	const sent = body === '' ? {} : { body };
	const response = await fetch(address, { method, headers, ...sent });
	const text = await response.text();
	const kept = [...response.headers].filter(
		([name]) => !/^(content-|transfer|connection)/.test(name),
	);
	return {
		status: response.status,
		headers: { ...Object.fromEntries(kept), 'content-type': 'application/json' },
		body: text === '' ? undefined : (JSON.parse(text) as unknown),
	};
}

const isOk = ({ status }: PassedAnswer): boolean => status < 300;

/** Changes the records in matching responses, in lists too. */
export function withRecords(
	change: (record: IDataObject, asked: PassedRequest, sandbox: Sandbox) => IDataObject,
	matches: (asked: PassedRequest) => boolean = ({ path }) =>
		path[0] === 'subscribers' || path[0] === 'feeds',
): Twist {
	return async (asked, forward, sandbox) => {
		const answer = await forward(asked);
		if (!isOk(answer) || !matches(asked) || typeof answer.body !== 'object') return answer;
		const one = (record: IDataObject): IDataObject => change(record, asked, sandbox);
		const { body } = answer;
		return {
			...answer,
			body: Array.isArray(body) ? (body as IDataObject[]).map(one) : one(body as IDataObject),
		};
	};
}

/** Answers matching requests itself. */
export function instead(
	matches: (asked: PassedRequest) => boolean,
	status: number,
	body?: (asked: PassedRequest, sandbox: Sandbox) => unknown,
): Twist {
	return async (asked, forward, sandbox) =>
		matches(asked)
			? { status, headers: JSON_TYPE, body: body?.(asked, sandbox) }
			: await forward(asked);
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Processes matching requests, and answers them in another way. */
export function answered(
	matches: (asked: PassedRequest) => boolean,
	status: number,
	body?: unknown,
): Twist {
	return async (asked, forward) => {
		const answer = await forward(asked);
		return matches(asked) && isOk(answer) ? { status, headers: JSON_TYPE, body } : answer;
	};
}

/** Changes the whole response. */
export function withAnswers(
	change: (answer: PassedAnswer, asked: PassedRequest) => PassedAnswer,
): Twist {
	return async (asked, forward) => change(await forward(asked), asked);
}

/** Changes requests on their way. */
export function withRequests(change: (asked: PassedRequest) => PassedRequest): Twist {
	return async (asked, forward) => await forward(change(asked));
}
