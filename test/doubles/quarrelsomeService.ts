/**
 * A simulated Supercast that disagrees with the sandbox, and a network that breaks. It runs in
 * memory and on a virtual clock, for properties over thousands of schedules. It replaces n8n's
 * request helper.
 */

import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { VirtualClock } from '../support/virtualClock';

/** What happens to one request. `processed`: whether the change is made anyway. */
export type Quirk =
	| { kind: 'none' }
	/** The connection breaks, or was never made. */
	| { kind: 'network'; code: string; processed: boolean }
	/** A gateway's response. With `lateMs`, the change is made that much later. */
	| { kind: 'gateway'; status: number; isPage: boolean; processed: boolean; lateMs?: number }
	/** A success status, with another body than requested. */
	| { kind: 'odd'; body: unknown; processed: boolean }
	/** The right response, wrapped in this name. */
	| { kind: 'wrapped'; name: string }
	/** 429, not processed. */
	| { kind: 'refused' }
	/** Someone else creates the subscriber just before. */
	| { kind: 'stranger' };

/** Undocumented behavior of Supercast. */
export interface Habits {
	onExistingEmail: 'conflict' | 'duplicate' | 'reject';
	/** After how many milliseconds a new record can be read. */
	visibleMs: number;
	/** The response to a change. */
	writes: 'blank' | 'nothing' | 'record';
	honoursKeys: boolean;
}

/** A subscriber, as the simulated Supercast stores them. */
export interface Kept extends IDataObject {
	uuid: string;
	email: string;
}

interface Request {
	method: string;
	name: string | undefined;
	fields: IDataObject;
	key: unknown;
}

interface Answer {
	statusCode: number;
	body: unknown;
}

const LATENCY_MS = 40;
const PAGE = '<!DOCTYPE html><html><body>Not here</body></html>';

/** The simulated Supercast. Tests check what it received and stores. */
export class QuarrelsomeService {
	readonly kept: Kept[] = [];
	readonly received: string[] = [];
	private readonly visibleAt = new Map<string, number>();
	private readonly byKey = new Map<unknown, Answer>();
	private made = 0;

	constructor(
		private readonly clock: VirtualClock,
		private readonly quirks: Quirk[],
		private readonly habits: Habits,
	) {}

	/** The subscribers with an email, in any case. */
	named(email: string): Kept[] {
		return this.kept.filter((one) => one.email.toLowerCase() === email.toLowerCase());
	}

	/** Adds a subscriber whom everyone can see. */
	add(fields: IDataObject): Kept {
		const record = { uuid: `u-${++this.made}`, state: 'available', ...fields } as unknown as Kept;
		this.kept.push(record);
		return record;
	}

	/** Responds as n8n's request helper does: returns the response, or throws what n8n throws. */
	async answer(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		await this.clock.sleep(LATENCY_MS);
		const request = requestOf(options);
		this.received.push(`${request.method} ${request.name ?? ''}`.trim());
		const { statusCode, body } = await this.afterQuirk(request);
		return {
			statusCode,
			body: structuredClone(body),
			headers: {},
		} as unknown as IN8nHttpFullResponse;
	}

	private async afterQuirk(request: Request): Promise<Answer> {
		const quirk = this.quirks.shift() ?? { kind: 'none' };
		switch (quirk.kind) {
			case 'none':
				return this.process(request);
			case 'network':
				if (quirk.processed) this.process(request);
				throw Object.assign(new Error('by n8n'), { cause: { code: quirk.code } });
			case 'gateway':
				if (quirk.lateMs !== undefined) {
					void this.clock.sleep(quirk.lateMs).then(() => this.process(request));
				} else if (quirk.processed) this.process(request);
				return { statusCode: quirk.status, body: quirk.isPage ? PAGE : { message: 'No gateway' } };
			case 'odd':
				if (quirk.processed) this.process(request);
				return { statusCode: 200, body: quirk.body };
			case 'wrapped': {
				const { statusCode, body } = this.process(request);
				const isGood = statusCode < 300 && typeof body === 'object';
				return { statusCode, body: isGood ? { [quirk.name]: body } : body };
			}
			case 'refused':
				return { statusCode: 429, body: { message: 'Too many requests' } };
			case 'stranger':
				this.letStrangerIn(request);
				return this.process(request);
		}
	}

	private letStrangerIn({ name, fields }: Request): void {
		const email = name ?? (fields.email as string | undefined);
		if (email === undefined || this.named(email).length > 0) return;
		this.add({ email, first_name: 'Somebody else', made_by: 'stranger' });
	}

	/** Makes the change. A request with a known key was already processed. */
	private process(request: Request): Answer {
		const known = this.habits.honoursKeys ? this.byKey.get(request.key) : undefined;
		if (known !== undefined) return known;
		const answer = this.done(request);
		if (request.key !== undefined) this.byKey.set(request.key, answer);
		return answer;
	}

	private done(request: Request): Answer {
		const { method, name, fields } = request;
		if (method === 'POST') return this.create(fields);
		const found = this.kept.find(
			(one) => one.uuid === name || this.named(name ?? '').includes(one),
		);
		const isHidden =
			found !== undefined && (this.visibleAt.get(found.uuid) ?? 0) > this.clock.now();
		if (found === undefined || (isHidden && method === 'GET')) {
			return { statusCode: 404, body: { message: 'Not found' } };
		}
		if (method === 'PATCH') Object.assign(found, fields);
		if (method === 'DELETE') this.kept.splice(this.kept.indexOf(found), 1);
		return method === 'GET' ? { statusCode: 200, body: found } : this.written(found);
	}

	private create(fields: IDataObject): Answer {
		const isKnown = this.named(String(fields.email)).length > 0;
		const { onExistingEmail, visibleMs } = this.habits;
		if (isKnown && onExistingEmail === 'conflict') {
			return { statusCode: 409, body: { message: 'Conflict' } };
		}
		if (isKnown && onExistingEmail === 'reject') {
			return { statusCode: 422, body: { errors: { email: ['has already been taken'] } } };
		}
		const record = this.add(fields);
		this.visibleAt.set(record.uuid, this.clock.now() + visibleMs);
		return this.written(record);
	}

	private written(record: Kept): Answer {
		const body = { record: { ...record }, nothing: undefined, blank: ' ' }[this.habits.writes];
		return { statusCode: 200, body };
	}
}

function requestOf({ method = 'GET', url, body, headers }: IHttpRequestOptions): Request {
	const [, name] = new URL(url).pathname.replace(/^\/api\/v1\//, '').split('/');
	const [fields = {}] = Object.values((body ?? {}) as Record<string, IDataObject>);
	const key = headers?.['Idempotency-Key'];
	return { method, name: name === undefined ? undefined : decodeURIComponent(name), fields, key };
}
