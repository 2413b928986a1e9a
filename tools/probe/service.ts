import { isRecord } from '../../nodes/Supercast/api/json';
import { noAnswer, type Answer } from './answer';

/** What the probe needs from its environment. Tests provide their own clock. */
export interface ProbeRuntime {
	fetch: typeof fetch;
	now: () => number;
	sleep: (ms: number) => Promise<void>;
}

export interface Ask {
	method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	body?: object;
	/**
	 * An address other than the base URL. The token goes only to the base URL and to Supercast's
	 * hosts.
	 */
	base?: string;
	withoutToken?: boolean;
	/** Sends without pacing, to find the limit. */
	unpaced?: boolean;
}

/** How many requests per minute the probe sends. This is less than half of Supercast's limit. */
export const REQUESTS_PER_MINUTE = 45;

const TIMEOUT_MS = 30_000;
const MOST_REFUSALS = 3;

/** How often to retry a read request after a temporary failure. */
const MOST_REPEATS = 2;
const REPEAT_AFTER_MS = 3_000;

/** Supercast could not be reached, or did not respond in time. */
export class Unreachable extends Error {}

/** The user stopped the probe. */
export class Interrupted extends Error {}

/**
 * Sends requests to Supercast at a fixed pace, one after another. Records what it learns about the
 * limit.
 */
export class Service {
	/** How many requests were sent. */
	requests = 0;
	/** The headers of the 429 responses. */
	readonly refusals: Array<Record<string, string>> = [];
	/** The times of the requests that Supercast accepted. */
	readonly accepted: number[] = [];
	private next = 0;
	/** How far Supercast's clock is ahead of ours, according to the last response with a date. */
	private ahead = 0;

	constructor(
		readonly baseUrl: string,
		private readonly token: string,
		private readonly runtime: ProbeRuntime,
		private readonly requestsPerMinute = REQUESTS_PER_MINUTE,
		/** Stops the probe, which then sends nothing more. */
		private readonly signal?: AbortSignal,
	) {}

	/**
	 * Sends one request, at the probe's pace. Retries requests that the limit refuses, and read
	 * requests after a temporary failure.
	 * @throws Unreachable if there is no response to a write request, Interrupted if the probe is
	 * stopped.
	 */
	async ask(path: string, ask: Ask = {}): Promise<Answer> {
		const isRead = (ask.method ?? 'GET') === 'GET';
		for (let refused = 0, failed = 0; ;) {
			if (ask.unpaced !== true) await this.turn();
			this.throwIfStopped();
			const answer = await this.send(path, ask).catch((error: unknown) => {
				this.throwIfStopped();
				if (isRead && error instanceof Unreachable) return noAnswer(error.message);
				throw error;
			});
			if (answer.status === 429) this.refusals.push(answer.headers);
			if (ask.unpaced === true) return answer;
			if (answer.status === 429 && refused++ < MOST_REFUSALS) {
				await this.sleep(this.waitOf(answer));
			} else if (isRead && isPassing(answer) && failed++ < MOST_REPEATS) {
				await this.sleep(REPEAT_AFTER_MS);
			} else return answer;
		}
	}

	throwIfStopped(): void {
		if (this.signal?.aborted === true) throw new Interrupted();
	}

	/** The time by Supercast's clock, according to its responses. */
	serviceTime(): number {
		return this.runtime.now() + this.ahead;
	}

	now(): number {
		return this.runtime.now();
	}

	/** Waits. Ends early if the probe is stopped. */
	async sleep(ms: number): Promise<void> {
		this.throwIfStopped();
		let stop = (): void => undefined;
		const stopped = new Promise<void>((resolve) => (stop = resolve));
		this.signal?.addEventListener('abort', stop);
		await Promise.race([this.runtime.sleep(ms), stopped]);
		this.signal?.removeEventListener('abort', stop);
		this.throwIfStopped();
	}

	private async turn(): Promise<void> {
		const at = Math.max(this.runtime.now(), this.next);
		this.next = at + 60_000 / this.requestsPerMinute;
		await this.sleep(at - this.runtime.now());
	}

	private async send(path: string, ask: Ask): Promise<Answer> {
		this.requests++;
		const sentAt = this.runtime.now();
		const { method = 'GET', body, base = this.baseUrl } = ask;
		const timeOut = AbortSignal.timeout(TIMEOUT_MS);
		const isStoppable = method === 'GET' && this.signal !== undefined;
		const response = await this.runtime
			.fetch(`${base}${path}`, {
				method,
				headers: this.headersOf(ask),
				body: body && JSON.stringify(body),
				redirect: 'manual',
				signal: isStoppable ? AbortSignal.any([timeOut, this.signal]) : timeOut,
			})
			.then(async (answer) => ({ answer, text: await answer.text() }))
			.catch((error: unknown) => {
				throw new Unreachable(reasonOf(error));
			});
		const { answer, text } = response;
		if (answer.status !== 429) this.accepted.push(sentAt);
		const told = Date.parse(answer.headers.get('date') ?? '');
		if (!Number.isNaN(told)) this.ahead = told - this.runtime.now();
		return {
			status: answer.status,
			headers: Object.fromEntries(answer.headers),
			...parse(text, answer.headers.get('content-type') ?? ''),
		};
	}

	private headersOf({ body, withoutToken }: Ask): Record<string, string> {
		const headers: Record<string, string> = { Accept: 'application/json' };
		if (withoutToken !== true) headers.Authorization = `Bearer ${this.token}`;
		if (body !== undefined) headers['Content-Type'] = 'application/json';
		return headers;
	}

	private waitOf({ headers }: Answer): number {
		const value = headers['retry-after'] ?? '';
		const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - this.runtime.now();
		return ms > 0 && ms < 120_000 ? ms : 61_000;
	}
}

const isPassing = ({ status }: Answer): boolean => [0, 500, 502, 503, 504].includes(status);

function reasonOf(error: unknown): string {
	const { cause } = error as { cause?: unknown };
	if (isRecord(cause) && typeof cause.code === 'string') return cause.code;
	return error instanceof Error ? error.name : 'unknown';
}

function parse(text: string, type: string): Pick<Answer, 'form' | 'json'> {
	if (text.trim() === '') return { form: 'no body', json: undefined };
	try {
		return { form: 'JSON', json: JSON.parse(text) as unknown };
	} catch {
		const isPage = type.includes('html') || /^\s*</.test(text);
		return { form: isPage ? 'a web page' : 'text', json: undefined };
	}
}
