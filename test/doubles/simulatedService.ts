import fc from 'fast-check';
import type { ApiRequest, Attempt } from '../../nodes/Supercast/api/types';
import type { VirtualClock } from '../support/virtualClock';

/** What happens to one request on its way. `done`: whether Supercast processed it. */
export type Fault =
	| { code: string; done?: boolean }
	| { status: number; done: boolean; retryAfterMs?: number }
	| { truncated: true; done: boolean };

/** Every fault that deserves a retry, before and after Supercast processed the request. */
export const FAULTS: Fault[] = [
	{ code: 'ECONNREFUSED' },
	{ status: 429, done: false },
	{ status: 429, done: false, retryAfterMs: 2000 },
	...[true, false].flatMap((done): Fault[] => [
		{ code: 'ECONNRESET', done },
		{ code: 'ETIMEDOUT', done },
		{ code: 'ECONNABORTED', done },
		{ status: 502, done },
		{ status: 503, done },
		{ status: 504, done },
		{ truncated: true, done },
	]),
];

/** The faults of the first requests, in order. */
export const faults = fc.array(fc.constantFrom(...FAULTS), { maxLength: 8 });

/** A request about one record. */
export function request(method: ApiRequest['method']): ApiRequest {
	const subject = { text: 'subscriber "ann"', isRecord: method !== 'POST' };
	if (method !== 'POST') return { method, path: ['subscribers', 'ann'], subject };
	return { method, path: ['subscribers'], subject, newName: 'ann' };
}

interface Received {
	method: string;
	key: string | undefined;
}

/** A simulated Supercast with one kind of record, behind a network with the given faults. */
export class Service {
	readonly records = new Map<string, object[]>();
	readonly received: Received[] = [];
	private made = 0;

	constructor(
		private readonly clock: VirtualClock,
		/** The faults of the next requests. */
		readonly faults: Fault[],
		/** Whether it creates a second record of the same name. It is unknown what Supercast does. */
		private readonly takesDuplicates: boolean,
	) {}

	newRecord(): object {
		return { number: ++this.made, created_at: this.time() };
	}

	async send(sent: ApiRequest, key: string | undefined): Promise<Attempt> {
		this.received.push({ method: sent.method, key });
		const fault = this.faults.shift();
		if (fault === undefined) return this.process(sent);
		if (fault.done === true) this.process(sent);
		if ('code' in fault) return { failure: { kind: 'network', code: fault.code } };
		if ('truncated' in fault) return { failure: { kind: 'notJson', status: 200, truncated: true } };
		const { status, retryAfterMs } = fault;
		return { failure: { kind: 'status', status, body: {}, retryAfterMs } };
	}

	private process({ method, path: [, name = 'ann'] }: ApiRequest): Attempt {
		const known = this.records.get(name);
		if (method === 'POST' && known !== undefined && !this.takesDuplicates) return failed(422);
		if (method === 'POST') this.records.set(name, [this.newRecord(), ...(known ?? [])]);
		else if (known === undefined) return failed(404);
		const [body] = this.records.get(name) ?? [];
		if (method === 'DELETE') this.records.delete(name);
		return { response: { status: 200, headers: { date: this.time() }, body } };
	}

	private time(): string {
		return new Date(this.clock.date()).toUTCString();
	}
}

function failed(status: number): Attempt {
	return { failure: { kind: 'status', status, body: {} } };
}
