import { Problem, messageOf } from './problem';

const patience = 30_000;

/** What a server answered: its status and its body, parsed where it is JSON. */
export interface HttpAnswer {
	status: number;
	body: unknown;
	headers: Headers;
}

/** How something is asked for. */
export interface Request {
	method?: string;
	headers?: Record<string, string>;
	json?: unknown;
}

/** Asks over HTTP. Any status is an answer; only a server that cannot be reached is a problem. */
export async function ask(url: string, request: Request = {}): Promise<HttpAnswer> {
	const { method = 'GET', headers = {}, json } = request;
	const content: Record<string, string> =
		json === undefined ? {} : { 'content-type': 'application/json' };
	try {
		const response = await fetch(url, {
			method,
			headers: { ...content, ...headers },
			body: json === undefined ? undefined : JSON.stringify(json),
			signal: AbortSignal.timeout(patience),
		});
		const text = await response.text();
		return { status: response.status, body: parse(text), headers: response.headers };
	} catch (error) {
		throw new Problem(`${method} ${url} got no answer: ${reasonOf(error)}`);
	}
}

/** A body as it is shown to people. */
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
