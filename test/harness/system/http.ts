import { Problem, messageOf } from './problem';

/** An n8n that works on thousands of items may not respond for a minute. */
const patience = 120_000;

/** A server's response: its status and its body, parsed if it is JSON. */
export interface HttpAnswer {
	status: number;
	body: unknown;
	headers: Headers;
}

/** A request. */
export interface Request {
	method?: string;
	headers?: Record<string, string>;
	json?: unknown;
}

/**
 * Sends a request over HTTP and accepts any status. Throws a problem only if it can't reach the
 * server.
 */
export async function ask(url: string, request: Request = {}): Promise<HttpAnswer> {
	const { method = 'GET', headers = {}, json } = request;
	const content: Record<string, string> =
		json === undefined ? {} : { 'content-type': 'application/json' };
	// n8n closes idle connections, also those that are about to be used.
	const connection = 'close';
	try {
		const response = await fetch(url, {
			method,
			headers: { connection, ...content, ...headers },
			body: json === undefined ? undefined : JSON.stringify(json),
			signal: AbortSignal.timeout(patience),
		});
		const text = await response.text();
		return { status: response.status, body: parse(text), headers: response.headers };
	} catch (error) {
		throw new Problem(`${method} ${url} got no answer: ${reasonOf(error)}`);
	}
}

/** A body in readable form. */
export function bodyText(answer: HttpAnswer): string {
	return typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

function reasonOf(error: unknown): string {
	const cause = error instanceof Error ? error.cause : undefined;
	return messageOf(cause ?? error);
}
