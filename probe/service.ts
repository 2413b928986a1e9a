import { isRecord } from '../nodes/Supercast/api/json';

/** What the probe needs of the world around it; tests bring their own clock. */
export interface World {
	fetch: typeof fetch;
	now: () => number;
	sleep: (ms: number) => Promise<void>;
}

/** One answer, read to its end. */
export interface Answer {
	status: number;
	/** Header names in lower case. */
	headers: Record<string, string>;
	/** Parsed JSON; undefined for a web page, or when there is no body. */
	json: unknown;
	form: 'JSON' | 'a web page' | 'no body' | 'text';
}

export interface Ask {
	method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
	body?: object;
	idempotencyKey?: string;
	/** Another address than the base URL; the token goes nowhere else but to hosts of the service. */
	base?: string;
	withoutToken?: boolean;
	/** Sends without keeping the pace, to find the limit. */
	unpaced?: boolean;
}

/** How many requests a minute the probe sends: under half of what the service allows. */
export const REQUESTS_PER_MINUTE = 45;

const TIMEOUT_MS = 30_000;
const MOST_REFUSALS = 3;

/** The service could not be reached, or did not answer in time. */
export class Unreachable extends Error {}

/** Talks to the service: paced, one request after another, and notes what the limit says. */
export class Service {
	/** How many requests were sent. */
	requests = 0;

	/** The headers of the 429s that were met. */
	readonly refusals: Array<Record<string, string>> = [];

	/** When each of the requests was sent that the service took. */
	readonly accepted: number[] = [];

	private next = 0;

	/** How far the service's clock is ahead of this one, by the last answer that told. */
	private ahead = 0;

	constructor(
		readonly baseUrl: string,
		private readonly token: string,
		private readonly world: World,
		private readonly requestsPerMinute = REQUESTS_PER_MINUTE,
	) {}

	/**
	 * Sends one request, at the probe's pace; one that the limit refuses is sent again later.
	 *
	 * @throws Unreachable when there is no answer.
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

	/** The time by the service's own clock, as its answers tell it. */
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
