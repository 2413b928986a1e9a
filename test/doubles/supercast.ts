/** A simulated Supercast in memory. It answers in the usual way, unless a test changes a field. */

import type { IDataObject } from 'n8n-workflow';

import { type Clock, runtime } from '../../nodes/Supercast/api/clock';
import { identifierKey } from '../../nodes/Supercast/api/identity';

/** A request, in whichever way it has come. */
export interface Request {
	method: string;
	/** The path without the version, decoded: `['feeds', 'ann@example.com']`. */
	path: readonly string[];
	query?: IDataObject;
	/** The fields in the body, without their wrapper. */
	fields: IDataObject;
	/** The idempotency key. */
	key?: unknown;
}

/** What Supercast answers. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	/** Undefined: an empty body. */
	body?: unknown;
	/** Over HTTP, the connection ends instead of an answer. */
	isReset?: boolean;
}

/** Answers a request in its own way. Returns undefined for the usual way. */
export type Habit = (request: Request, service: SimulatedSupercast) => Answer | undefined;

/** The answer about a record that does not exist. */
export const MISSING: Answer = { status: 404, body: { message: 'Not found' } };
const CONFLICT: Answer = { status: 409, body: { message: 'Conflict' } };
const TAKEN: Answer = { status: 422, body: { errors: { email: ['has already been taken'] } } };
const LONG_AGO = '2025-06-01T00:00:00Z';

/** The records, the requests that it received, and how it differs from the usual way. */
export class SimulatedSupercast<One extends IDataObject = IDataObject> {
	habit: Habit = () => undefined;
	onExistingEmail: 'conflict' | 'duplicate' | 'reject' = 'reject';
	/** How long reads lag behind changes. */
	lagMs = 0;
	/** After how many milliseconds a new record can be read. */
	visibleMs = 0;
	/** The response to a change. */
	changesShow: 'blank' | 'nothing' | 'record' = 'record';
	honoursKeys = false;
	mindsCapitals = false;
	/** Whether subscribers show the address of their feed. */
	showsFeeds = true;
	/** The most records on a page. With 0, every page has all records, and there are no headers. */
	perPage = 0;
	/** The total in a list. */
	total: () => number | undefined = () => this.subscribers.length;

	readonly subscribers: One[] = [];
	readonly received: string[] = [];
	private readonly lists: Record<string, IDataObject[]> = {
		subscribers: this.subscribers,
		channel: [{ title: 'Old' }],
	};
	/** What it stored at each time, the latest last. */
	private readonly seen: Array<{ at: number; lists: Record<string, IDataObject[]> }> = [];
	private readonly visibleAt = new Map<unknown, number>();
	private readonly byKey = new Map<unknown, Answer>();
	private made = 0;

	constructor(protected readonly clock: Pick<Clock, 'date' | 'now'> = runtime.clock) {}

	/** All requests that it received, except reads. */
	get changes(): string[] {
		return this.received.filter((one) => !one.startsWith('GET'));
	}

	/** The records of a resource. */
	list(resource: string): IDataObject[] {
		return (this.lists[collectionOf(resource)] ??= []);
	}

	/** Adds an old record that everyone can see. A person has an open feed. */
	add(fields: IDataObject, resource = 'subscribers'): One {
		const id = `${++this.made}`;
		const person = {
			...{ uuid: `new-${id}`, state: 'available', customer_id: null, first_name: null },
			...(this.showsFeeds && { feed_url: `https://feeds.example.com/feeds/${id}0000000.xml` }),
			...{ plan_id: null, created_at: LONG_AGO, updated_at: LONG_AGO },
		};
		const record = { id, ...('email' in fields ? person : {}), ...fields } as unknown as One;
		this.list(resource).push(record);
		return record;
	}

	/** The record with this uuid, email or ID. */
	find(name: string, resource = 'subscribers'): One | undefined {
		return this.named(name, this.list(resource) as One[]);
	}

	/** Answers in the way of the test or in the usual way. */
	process(request: Request): Answer {
		this.received.push(`${request.method} ${request.path.join('/')}`);
		if (this.seen.length === 0) this.keep(-Infinity);
		const answer = this.habit(request, this) ?? this.usual(request);
		this.keep(this.clock.now());
		return answer;
	}

	/** Answers in the usual way. */
	usual(request: Request): Answer {
		const known = this.honoursKeys ? this.byKey.get(request.key) : undefined;
		if (known !== undefined) return known;
		const answer = request.method === 'GET' ? this.read(request) : this.write(request);
		if (request.key !== undefined) this.byKey.set(request.key, answer);
		return answer;
	}

	private read({ path: [resource = '', name], query }: Request): Answer {
		const shown = this.shown(resource);
		if (name === undefined && resource !== 'channel') return this.page(shown, query);
		const found = name === undefined ? shown[0] : this.named(name, shown);
		return found === undefined ? MISSING : { status: 200, body: { ...found } };
	}

	private page(list: IDataObject[], { page, per_page: asked }: IDataObject = {}): Answer {
		if (this.perPage === 0) return { status: 200, body: list };
		const size = Math.min(this.perPage, Number(asked));
		const total = this.total();
		const headers = {
			'x-per-page': String(size),
			...(total === undefined ? {} : { 'x-total': String(total) }),
		};
		const end = Number(page) * size;
		return { status: 200, headers, body: list.slice(end - size, end) };
	}

	private write({ method, path: [resource = '', name, verb], fields }: Request): Answer {
		const list = this.list(resource);
		if (method === 'POST') return this.create(fields, resource);
		const found = name === undefined ? list[0] : this.named(name, list);
		if (found === undefined) return MISSING;
		if (method === 'PATCH' && verb === undefined) return this.change(found, fields, list);
		list.splice(list.indexOf(found), 1);
		return this.written(found);
	}

	private create(fields: IDataObject, resource: string): Answer {
		const isKnown = this.named(fields.email, this.list(resource)) !== undefined;
		if (isKnown && this.onExistingEmail === 'conflict') return CONFLICT;
		if (isKnown && this.onExistingEmail === 'reject') return TAKEN;
		const time = this.time();
		const created = this.add({ ...fields, created_at: time, updated_at: time }, resource);
		this.visibleAt.set(created.id, this.clock.now() + this.visibleMs);
		return this.written(created, 201);
	}

	private change(found: IDataObject, fields: IDataObject, list: IDataObject[]): Answer {
		const holder = this.named(fields.email, list);
		if (holder !== undefined && holder !== found) return TAKEN;
		Object.assign(found, fields, { updated_at: this.time() });
		if (found.state === 'inactive') found.state = 'deactivated';
		return this.written(found);
	}

	private written(record: IDataObject, status = 200): Answer {
		const body = { record: { ...record }, nothing: undefined, blank: ' ' }[this.changesShow];
		return { status, body };
	}

	private named<T extends IDataObject>(name: unknown, list: T[]): T | undefined {
		if (name === undefined) return undefined;
		const keyOf = this.mindsCapitals ? (text: unknown): unknown => text : identifierKey;
		const key = keyOf(name);
		const hasEmail = (email: unknown): boolean => key !== '' && keyOf(email) === key;
		return list.find(({ uuid, id, email }) => uuid === name || id === name || hasEmail(email));
	}

	/** What reads show, which may be older than what is stored. */
	private shown(resource: string): IDataObject[] {
		const now = this.clock.now();
		const old = this.seen.filter(({ at }) => at <= now - this.lagMs);
		const list = this.lagMs === 0 ? this.list(resource) : old.at(-1)?.lists[collectionOf(resource)];
		return (list ?? []).filter(({ id }) => (this.visibleAt.get(id) ?? -Infinity) <= now);
	}

	private keep(at: number): void {
		if (this.lagMs > 0) this.seen.push({ at, lists: structuredClone(this.lists) });
	}

	private time(): string {
		return new Date(this.clock.date()).toISOString();
	}
}

function collectionOf(resource: string): string {
	return resource === 'feeds' ? 'subscribers' : resource;
}

/** The parts of a URL after the version, decoded. */
export function pathOf(url: string): string[] {
	return url
		.replace(/^.*\/api\/v1\/|\?.*$/g, '')
		.split('/')
		.map(decodeURIComponent);
}

/** The fields in a body, without their wrapper. */
export function fieldsOf(body: unknown): IDataObject {
	const [fields = {}] = Object.values((body ?? {}) as Record<string, IDataObject>);
	return fields;
}
