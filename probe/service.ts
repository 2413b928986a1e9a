import { isRecord } from '../nodes/Supercast/api/json';

/** What the probe needs of its environment. Tests bring their own clock. */
export interface World {
	fetch: typeof fetch;
	now: () => number;
	sleep: (ms: number) => Promise<void>;
}

/** One response, read to its end. */
export interface Answer {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string>;
	/** Parsed JSON. Undefined for a web page, or without a body. */
	json: unknown;
	form: 'JSON' | 'a web page' | 'no body' | 'text';
}

export interface Ask {
	method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	body?: object;
	idempotencyKey?: string;
	/** Another address than the base URL. The token goes only there and to Supercast's hosts. */
	base?: string;
	withoutToken?: boolean;
	/** Sends without pacing, to find the limit. */
	unpaced?: boolean;
}

/** How many requests per minute the probe sends. This is less than half of Supercast's limit. */
export const REQUESTS_PER_MINUTE = 45;

const TIMEOUT_MS = 30_000;
const MOST_REFUSALS = 3;

/** Supercast could not be reached, or did not respond in time. */
export class Unreachable extends Error {}

/** Sends requests to Supercast at a fixed pace, one after another. Notes what the limit shows. */
export class Service {
	/** How many requests were sent. */
	requests = 0;

	/** The headers of the 429 responses. */
	readonly refusals: Array<Record<string, string>> = [];

	/** The times of the requests that Supercast accepted. */
	readonly accepted: number[] = [];

	private next = 0;

	/** How far Supercast's clock is ahead of this one, by the last response with a date. */
	private ahead = 0;

	constructor(
		readonly baseUrl: string,
		private readonly token: string,
		private readonly world: World,
		private readonly requestsPerMinute = REQUESTS_PER_MINUTE,
	) {}

	/**
	 * Sends one request, at the probe's pace. Retries a request that the limit refuses.
	 *
	 * @throws Unreachable when there is no response.
	 */
	async ask(path: string, ask: Ask = {}): Promise<Answer> {
		for (let refused = 0; ; refused++) {
			if (ask.unpaced !== true) await this.turn();
			const answer = await this.send(path, ask);
			if (answer.status !== 429) return answer;
			this.refusals.push(answer.headers);
			if (ask.unpaced === true || refused === MOST_REFUSALS) return answer;
			await this.world.sleep(this.waitOf(answer));
		}
	}

	/** The time by Supercast's own clock, according to its responses. */
	serviceTime(): number {
		return this.world.now() + this.ahead;
	}

	now(): number {
		return this.world.now();
	}

	async sleep(ms: number): Promise<void> {
		await this.world.sleep(ms);
	}

	private async turn(): Promise<void> {
		const at = Math.max(this.world.now(), this.next);
		this.next = at + 60_000 / this.requestsPerMinute;
		await this.world.sleep(at - this.world.now());
	}

	private async send(path: string, ask: Ask): Promise<Answer> {
		this.requests++;
		const sentAt = this.world.now();
		const response = await this.world
			.fetch(`${ask.base ?? this.baseUrl}${path}`, {
				method: ask.method ?? 'GET',
				headers: this.headersOf(ask),
				body: ask.body === undefined ? undefined : JSON.stringify(ask.body),
				redirect: 'manual',
				signal: AbortSignal.timeout(TIMEOUT_MS),
			})
			.then(async (answer) => ({ answer, text: await answer.text() }))
			.catch((error: unknown) => {
				throw new Unreachable(reasonOf(error));
			});
		const { answer, text } = response;
		if (answer.status !== 429) this.accepted.push(sentAt);
		const told = Date.parse(answer.headers.get('date') ?? '');
		if (!Number.isNaN(told)) this.ahead = told - this.world.now();
		return {
			status: answer.status,
			headers: Object.fromEntries(answer.headers),
			...parse(text, answer.headers.get('content-type') ?? ''),
		};
	}

	private headersOf({ body, idempotencyKey, withoutToken }: Ask): Record<string, string> {
		return {
			Accept: 'application/json',
			...(withoutToken === true ? {} : { Authorization: `Bearer ${this.token}` }),
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
			...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
		};
	}

	private waitOf({ headers }: Answer): number {
		const value = headers['retry-after'] ?? '';
		const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - this.world.now();
		return ms > 0 && ms < 120_000 ? ms : 61_000;
	}
}

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
