import fc from 'fast-check';

import type { ApiRequest, Attempt } from '../../nodes/Supercast/api/types';
import type { VirtualClock } from '../support/virtualClock';
import { fieldsOf, SimulatedSupercast } from './supercast';

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
	const body = { subscriber: { email: 'ann' } };
	return { method, path: ['subscribers'], body, subject, newName: 'ann' };
}

/** The simulated Supercast for single tries, behind a network with the given faults. */
export class RetriedSupercast extends SimulatedSupercast {
	readonly tries: Array<{ method: string; key: string | undefined }> = [];

	constructor(
		clock: VirtualClock,
		/** The faults of the next requests. */
		readonly faults: Fault[],
	) {
		super(clock);
	}

	async send(sent: ApiRequest, key: string | undefined): Promise<Attempt> {
		this.tries.push({ method: sent.method, key });
		const fault = this.faults.shift();
		if (fault === undefined) return this.attempt(sent);
		if (fault.done === true) this.attempt(sent);
		if ('code' in fault) return { failure: { kind: 'network', code: fault.code } };
		if ('truncated' in fault) return { failure: { kind: 'notJson', status: 200, truncated: true } };
		const { status, retryAfterMs } = fault;
		return { failure: { kind: 'status', status, body: {}, retryAfterMs } };
	}

	private attempt(sent: ApiRequest): Attempt {
		const { status, body } = this.process({ ...sent, fields: fieldsOf(sent.body) });
		if (status >= 400) return { failure: { kind: 'status', status, body: {} } };
		const date = new Date(this.clock.date()).toUTCString();
		return { response: { status, headers: { date }, body } };
	}
}
