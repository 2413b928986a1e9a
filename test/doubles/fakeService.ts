import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../nodes/Supercast/api/client';
import { CustomerIdRegister } from '../../nodes/Supercast/api/customerIdRegister';
import { RecentDecisions } from '../../nodes/Supercast/api/recentDecisions';
import { KeyedMutex } from '../../nodes/Supercast/api/clock';
import { isSameName } from '../../nodes/Supercast/api/identity';
import { ServiceError } from '../../nodes/Supercast/api/errors/errors';
import type { ApiRequest, ApiResponse } from '../../nodes/Supercast/api/types';

/** What the simulated Supercast stores of a subscriber. */
export interface Held {
	uuid: string;
	email: string;
	customer_id: string | null;
	first_name: string | null;
	state: string;
	plan_id: number | null;
	created_at: string;
	updated_at: string;
}

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

/** A simulated Supercast in memory, in place of the client. */
export class FakeService implements SupercastClient {
	subscribers: Held[];

	readonly requests: ApiRequest[] = [];

	readonly customerIds = new CustomerIdRegister(() => 0);

	readonly decisions = new RecentDecisions(() => 0);

	private readonly turns = new KeyedMutex();

	/** Decides which requests fail, by their number from 1. */
	trouble: (number: number, request: ApiRequest) => Trouble = () => undefined;

	/** Runs before each request is processed. */
	meanwhile: (number: number) => void = () => undefined;

	/** The total in a list. */
	total: () => number | undefined = () => this.subscribers.length;

	perPage = 100;

	/** Whether a create request for a known email makes a second subscriber. */
	takesDuplicates = false;

	private time: number;

	constructor(subscribers: Held[], now: number) {
		this.subscribers = subscribers.map((one) => ({ ...one }));
		this.time = now;
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
		if (trouble === undefined) return this.process(request);
		try {
			this.process(request);
		} catch {
			// The response is lost anyway.
		}
		throw failure(502, request);
	}

	async inTurn<T>(find: ApiRequest, work: () => Promise<T>, keys?: readonly string[]): Promise<T> {
		return (await this.turns.run(keys ?? [String(find.path[1])], work)) as T;
	}

	find(name: string): Held | undefined {
		return this.subscribers.find(({ uuid, email }) => uuid === name || isSameName(email, name));
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

	private process(request: ApiRequest): ApiResponse {
		const [resource, name] = request.path;
		const body = Object.values(request.body ?? {})[0] as Partial<Held>;
		if (request.method === 'POST') return answer(this.create(body, request));
		if (name === undefined) return this.list(request);
		const found = this.find(name);
		if (found === undefined) throw failure(404, request);
		if (request.method === 'PATCH') {
			if (resource === 'feeds') this.setFeed(found, body.state ?? '');
			else this.change(found, body, request);
		}
		return answer({ ...found });
	}

	private list({ query = {} }: ApiRequest): ApiResponse {
		const page = Number(query.page);
		const perPage = Math.min(this.perPage, Number(query.per_page));
		const records = this.subscribers.slice((page - 1) * perPage, page * perPage);
		const total = this.total();
		const headers = {
			'x-per-page': String(perPage),
			...(total === undefined ? {} : { 'x-total': String(total) }),
		};
		return { status: 200, headers, body: records.map(shownOf) };
	}

	private create(body: Partial<Held>, request: ApiRequest): Held {
		const isKnown = this.find(body.email ?? '') !== undefined;
		if (isKnown && !this.takesDuplicates) throw failure(422, request);
		const time = this.now();
		const created: Held = {
			uuid: `new-${this.subscribers.length}-${this.time}`,
			email: '',
			customer_id: null,
			first_name: null,
			state: 'available',
			plan_id: null,
			created_at: time,
			...body,
			updated_at: time,
		};
		this.subscribers.push(created);
		return created;
	}

	private change(found: Held, body: Partial<Held>, request: ApiRequest): void {
		const holder = body.email === undefined ? undefined : this.find(body.email);
		if (holder !== undefined && holder !== found) throw failure(422, request);
		Object.assign(found, body, { updated_at: this.now() });
	}

	private setFeed(found: Held, state: string): void {
		found.state = state === 'inactive' ? 'deactivated' : state;
		found.updated_at = this.now();
	}

	private now(): string {
		return new Date((this.time += 1000)).toISOString();
	}
}

function answer(body: Held): ApiResponse {
	return { status: 200, headers: {}, body: shownOf(body) };
}

/** A record with its private feed. */
function shownOf(one: Held): IDataObject {
	return { ...one, feed_url: `https://feeds.example.com/${one.uuid}` };
}

function failure(status: number, { method, path }: ApiRequest): ServiceError {
	const message = `${method} ${path.join('/')} gave ${status}`;
	return new ServiceError(message, 'A fault of the test.', { kind: 'status', status, body: {} });
}
