/**
 * A simulated Supercast that may or may not make a requested change. Its answer may be true, false,
 * unreadable or missing. It never tells a perfect lie, because no client could detect one.
 */

import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { VirtualClock } from '../support/virtualClock';

/** What it does with one request, and what it says about it. */
export interface Step {
	/** Whether it makes the change. */
	does: boolean;
	says:
		| 'cut'
		| 'empty'
		| 'error'
		| 'lost'
		| 'missing'
		| 'nothing'
		| 'other'
		| 'page'
		| 'truth'
		| 'words';
}

/** Steps of a service. Most of its responses are true. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
	fc.record({
		does: fc.boolean(),
		says: fc.oneof(
			{ weight: 2, arbitrary: fc.constant('truth' as const) },
			{
				weight: 3,
				arbitrary: fc.constantFrom(
					...(['cut', 'empty', 'error', 'lost', 'missing', 'nothing', 'other', 'page'] as const),
					'words' as const,
				),
			},
		),
	}),
	{ maxLength: 6 },
);

type Stored = IDataObject & { id: string };
type Answer = { statusCode: number; body: unknown };

const BOB = {
	uuid: 'u-bob',
	email: 'bob@example.com',
	id: '99',
	title: 'Other',
	state: 'available',
};

/** The simulated Supercast. Tests check what it stores. */
export class UnreliableService {
	readonly stored = new Map<string, Stored[]>();
	readonly answers: string[] = [];
	private made = 0;
	/** What it stored at each time, the latest last. */
	private readonly history: Array<{ at: number; stored: Map<string, Stored[]> }> = [];

	/** @param lagMs How long its reads lag behind its changes. */
	constructor(
		private readonly clock: VirtualClock,
		private readonly plan: Step[],
		private readonly lagMs = 0,
	) {}

	list(collection: string): Stored[] {
		const list = this.stored.get(collection) ?? [];
		this.stored.set(collection, list);
		return list;
	}

	add(collection: string, fields: IDataObject): Stored {
		const id = `${++this.made}`;
		const isPerson = 'email' in fields;
		const record = { ...(isPerson ? { uuid: `u-${id}`, state: 'available' } : {}), id, ...fields };
		this.list(collection).push(record);
		return record;
	}

	find(collection: string, name: unknown): Stored | undefined {
		const isNamed = (one: Stored) => [one.uuid, one.email, one.id].includes(name as string);
		return this.list(collection).find(isNamed);
	}

	/** Responds as n8n's request helper does. */
	async answer(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		await this.clock.sleep(40);
		const { method = 'GET', url } = options;
		const path = new URL(url).pathname.replace('/api/v1/', '').split('/').map(decodeURIComponent);
		const { does, says } = this.plan.shift() ?? { does: true, says: 'truth' };
		const isRead = method === 'GET';
		const truth = this.truth(method, path, options.body, does);
		this.answers.push(`${method} ${path.join('/')} ${does} ${says}`);
		const isChecked = method === 'POST' || path[0] === 'feeds';
		const { statusCode, body } = this.said(says, truth, { isRead, isChecked, isDone: does });
		return {
			statusCode,
			body: structuredClone(body),
			headers: {},
		} as unknown as IN8nHttpFullResponse;
	}

	private truth(method: string, path: string[], body: unknown, does: boolean): Answer {
		if (this.history.length === 0) this.keep(-Infinity);
		if (method === 'GET') return this.shown(path);
		const truth = does ? this.process(method, path, body) : this.refusal(method, path);
		this.keep(this.clock.now());
		return truth;
	}

	private keep(at: number): void {
		this.history.push({ at, stored: structuredClone(this.stored) });
	}

	/** What reads show, which may be older than what is stored. */
	private shown(path: string[]): Answer {
		const from = this.clock.now() - this.lagMs;
		const shown = this.history.filter(({ at }) => at <= from).at(-1)?.stored ?? [];
		const old = new UnreliableService(this.clock, []);
		for (const [name, list] of shown) old.stored.set(name, list);
		return old.process('GET', path, undefined);
	}

	private said(
		says: Step['says'],
		truth: Answer,
		{ isRead, isChecked, isDone }: { isRead: boolean; isChecked: boolean; isDone: boolean },
	): Answer {
		const silence = (statusCode: number, body: unknown): Answer =>
			isRead || truth.statusCode >= 300 || !(isDone || isChecked) ? truth : { statusCode, body };
		switch (says) {
			case 'lost':
				throw Object.assign(new Error('by n8n'), { cause: { code: 'ECONNRESET' } });
			case 'cut':
				return { statusCode: 200, body: '{ "id": ' };
			case 'page':
				return { statusCode: 502, body: '<html>Bad gateway</html>' };
			case 'error':
				return { statusCode: 200, body: { error: 'busy' } };
			// To claim that a record is missing, or that a change was made, would be a perfect lie.
			case 'missing':
				return isRead || isDone ? truth : { statusCode: 404, body: { message: 'Not found' } };
			case 'nothing':
				return silence(204, undefined);
			case 'empty':
				return silence(200, {});
			case 'words':
				return silence(200, { message: 'Accepted' });
			case 'other':
				return truth.statusCode < 300 && !Array.isArray(truth.body)
					? { statusCode: 200, body: BOB }
					: truth;
			case 'truth':
				return truth;
		}
	}

	/** What a truthful service says when it did not make the change. */
	private refusal(method: string, [collection = '', name]: string[]): Answer {
		const person = this.find(collection === 'feeds' ? 'subscribers' : collection, name);
		if (method !== 'PATCH' || person === undefined || collection === 'usage_alerts') {
			return { statusCode: 422, body: { message: 'Not now' } };
		}
		return { statusCode: 200, body: person };
	}

	private process(method: string, path: string[], body: unknown): Answer {
		const [collection = '', name, verb] = path;
		const [fields = {}] = Object.values((body ?? {}) as Record<string, IDataObject>);
		if (collection === 'channel') return this.processChannel(method, fields);
		const list = this.list(collection === 'feeds' ? 'subscribers' : collection);
		if (method === 'GET' && name === undefined) return { statusCode: 200, body: list };
		if (method === 'POST') {
			const isTaken = fields.email !== undefined && this.find(collection, fields.email);
			if (isTaken)
				return { statusCode: 422, body: { errors: { email: ['has already been taken'] } } };
			return { statusCode: 201, body: this.add(collection, fields) };
		}
		const found = list.find((one) => [one.uuid, one.email, one.id].includes(name));
		if (found === undefined) return { statusCode: 404, body: { message: 'Not found' } };
		const isGone = method === 'DELETE' || verb !== undefined;
		if (isGone) list.splice(list.indexOf(found), 1);
		else if (method === 'PATCH') Object.assign(found, fields);
		if (found.state === 'inactive') found.state = 'deactivated';
		return { statusCode: 200, body: found };
	}

	private processChannel(method: string, fields: IDataObject): Answer {
		const channel = this.list('channel')[0] ?? this.add('channel', { title: 'Old' });
		if (method === 'PATCH') Object.assign(channel, fields);
		return { statusCode: 200, body: channel };
	}
}
