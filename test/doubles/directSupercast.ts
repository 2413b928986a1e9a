import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../nodes/Supercast/api/client';
import { Channel } from '../../nodes/Supercast/api/sharedChannel';
import { runtime } from '../../nodes/Supercast/api/clock';
import { ServiceError } from '../../nodes/Supercast/api/errors/errors';
import type { ApiRequest, ApiResponse } from '../../nodes/Supercast/api/types';
import { type Answer, fieldsOf, SimulatedSupercast } from './supercast';

/** What the simulated Supercast stores of a subscriber. */
export type Held = {
	uuid: string;
	email: string;
	customer_id: string | null;
	first_name: string | null;
	state: string;
	plan_id: number | null;
	created_at: string;
	updated_at: string;
};

/** An ordinary subscriber. */
export function held(number: number, fields: Partial<Held> = {}): Held {
	const [created_at, updated_at] = ['2025-06-01T00:00:00.000Z', '2025-06-01T00:00:00.000Z'];
	return {
		...{ uuid: `u-${number}`, email: `m${number}@a.com`, customer_id: `c-${number}` },
		...{ first_name: 'Ann', state: 'available', plan_id: null, created_at, updated_at },
		...fields,
	};
}

/** Several ordinary subscribers. */
export function crowd(size: number): Held[] {
	return Array.from({ length: size }, (_, index) => held(index));
}

/** Whether a request fails, and if so, before or after Supercast has processed it. */
export type Trouble = 'after' | 'before' | undefined;

/** The simulated Supercast in place of the client. */
export class DirectSupercast extends SimulatedSupercast<Held> implements SupercastClient {
	readonly requests: ApiRequest[] = [];

	/** The time of decisions, in milliseconds. */
	passed = 0;

	readonly channel = new Channel({
		...runtime,
		clock: { ...runtime.clock, now: () => this.passed, date: () => 0 },
	});

	/** Decides which requests fail, by their number from 1. */
	trouble: (number: number, request: ApiRequest) => Trouble = () => undefined;

	/** Runs before each request is processed. */
	meanwhile: (number: number) => void = () => undefined;

	override perPage = 100;

	/** By how many milliseconds the dates of records are ahead of the first one. */
	set aheadMs(ms: number) {
		this.dates.aheadMs = ms;
	}

	private readonly dates: { aheadMs: number };

	constructor(subscribers: Held[], now: number) {
		let time = now;
		const dates = { aheadMs: 0 };
		super({ now: () => 0, date: () => (time += 1000) + dates.aheadMs });
		this.dates = dates;
		this.subscribers.push(...subscribers.map((one) => ({ ...one })));
	}

	get writes(): ApiRequest[] {
		return this.requests.filter(({ method }) => method !== 'GET');
	}

	async request(request: ApiRequest): Promise<ApiResponse> {
		this.requests.push(request);
		const number = this.requests.length;
		this.meanwhile(number);
		const trouble = this.trouble(number, request);
		if (trouble === 'before') throw failure(502, request);
		const {
			status,
			headers = {},
			body,
		} = this.process({
			...request,
			fields: fieldsOf(request.body),
		});
		if (trouble === 'after') throw failure(502, request);
		if (status >= 400) throw failure(status, request);
		return { status, headers, body: Array.isArray(body) ? body.map(shownOf) : shownOf(body) };
	}

	/** The state to compare. It lacks uuids and the times of created subscribers. */
	state(): IDataObject[] {
		const held = this.subscribers.map(({ email, customer_id, first_name, state, plan_id }) => ({
			email: email.toLowerCase(),
			customer_id,
			first_name,
			state,
			plan_id,
		}));
		return held.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
	}
}

/** A record with its private feed. */
function shownOf(one: Answer['body']): IDataObject {
	const record = one as IDataObject;
	return { ...record, feed_url: `https://feeds.example.com/${String(record.uuid)}` };
}

function failure(status: number, { method, path }: ApiRequest): ServiceError {
	const message = `${method} ${path.join('/')} gave ${status}`;
	return new ServiceError(message, 'A fault of the test.', { kind: 'status', status, body: {} });
}
