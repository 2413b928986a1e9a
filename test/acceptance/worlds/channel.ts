/** Supercast in memory, with a journal of who changed what. */

import type { IDataObject } from 'n8n-workflow';

import type { VirtualClock } from '../../support/virtualClock';
import {
	fieldsOf,
	pathOf,
	SimulatedSupercast,
	type Answer,
	type Request,
} from '../../doubles/supercast';

/** A subscriber, as Supercast stores it. */
export interface Held extends IDataObject {
	uuid: string;
	email: string;
	customer_id: string | null;
	state: string;
	plan_id: number | null;
}

/** The owner of the channel works in Supercast's dashboard. */
export const OWNER = 'owner';

/** One change of one subscriber. */
export interface Change {
	at: number;
	/** The node that sent it, or the owner. */
	actor: string;
	kind: 'closed' | 'created' | 'deleted' | 'opened' | 'renamed';
	uuid: string;
	before: Held | undefined;
	after: Held | undefined;
}

let made = 0;

export class Channel extends SimulatedSupercast<Held> {
	readonly name = `channel-${(made += 1)}`;

	readonly journal: Change[] = [];

	/** How long a response takes. */
	readonly latencyMs = 150;

	override perPage = 100;

	constructor(clock: VirtualClock) {
		super(clock);
		Object.assign(this.list('channel')[0]!, { id: made });
	}

	/** Supercast's time, in milliseconds since 1970. */
	get now(): number {
		return this.clock.date();
	}

	get open(): Held[] {
		return this.subscribers.filter(isOpen);
	}

	byUuid(uuid: string): Held | undefined {
		return this.subscribers.find((one) => one.uuid === uuid);
	}

	/** Answers a request, and notes what has changed. */
	answer(request: Request, actor: string): Answer {
		this.received.length = 0;
		if (request.method === 'GET') return this.process(request);
		const [, name = ''] = request.path;
		const found = this.find(name || String(request.fields.email));
		const before = found && { ...found };
		const answer = this.process(request);
		if (answer.status < 300) this.note(actor, before);
		return answer;
	}

	/** Something that the owner does. */
	byHand(uuid: string, fields: Partial<Held>): void {
		const request = { method: 'PATCH', path: ['subscribers', uuid], fields: fields as IDataObject };
		this.answer(request, OWNER);
	}

	private note(actor: string, before: Held | undefined): void {
		const found = before ? this.byUuid(before.uuid) : this.subscribers.at(-1);
		const after = found && { ...found };
		const uuid = (before ?? after)?.uuid ?? '';
		const add = (kind: Change['kind']): void => {
			this.journal.push({ at: this.now, actor, kind, uuid, before, after });
		};
		if (before === undefined) return add('created');
		if (after === undefined) return add('deleted');
		if (before.email !== after.email) add('renamed');
		if (isOpen(before) && !isOpen(after)) add('closed');
		if (!isOpen(before) && isOpen(after)) add('opened');
	}
}

export function isOpen({ state }: Held): boolean {
	return state === 'available';
}

/** The request that the node sends through n8n. */
export function requestOf(options: {
	method: string;
	url: string;
	qs?: IDataObject;
	body?: unknown;
}): Request {
	const { method, url, qs: query, body } = options;
	return { method, path: pathOf(url), query, fields: fieldsOf(body) };
}
