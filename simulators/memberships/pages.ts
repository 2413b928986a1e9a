import type { FastifyReply } from 'fastify';

import { duePageFault, type PageFault, type PageFaultKind } from './pageFaults';

/** A page of a list, with its injected fault. */
export interface ListPage<Record_> {
	records: Record_[];
	/** From 1. */
	number: number;
	size: number;
	/** How many records the whole list has. Undefined if the system doesn't say. */
	total: number | undefined;
	/** How many pages the whole list has. */
	pages: number;
	/** How many records come before the next page, or null if there is none. */
	next: number | null;
	/** Text that is different in each response. */
	nonce?: string;
	fault?: PageFaultKind;
}

/** Which records a request asks for: how many to leave out first, and how many to send at most. */
export interface Slice {
	from: number;
	size: number;
}

/** Records to cut into pages. */
interface Listed {
	id: string;
	/** Milliseconds since 1970. */
	created: number;
}

/** How many records a total that is wrong has too many. */
export const TOO_MANY = 5;

/** Cuts a list into pages, and injects faults into them. */
export class ListPages<Record_ extends Listed> {
	/** The records that a fault has removed. */
	private readonly gone = new WeakMap<PageFault, Set<string>>();
	private responses = 0;

	constructor(private readonly faults: PageFault[]) {}

	/** One page of all records that the request asks for, in the order of the list. */
	page(all: Record_[], slice: Slice): ListPage<Record_> {
		this.responses += 1;
		const left = this.present(all);
		const page = cut(left, slice);
		const fault = duePageFault(this.faults, page.number);
		if (fault === undefined) return page;
		const change = this.changes(fault, left, page)[fault.kind];
		return { ...page, ...change?.(), fault: fault.kind };
	}

	/** The records that no fault has removed. */
	present(all: Record_[]): Record_[] {
		const gone = this.faults.flatMap((fault) => [...(this.gone.get(fault) ?? [])]);
		return gone.length === 0 ? all : all.filter(({ id }) => !gone.includes(id));
	}

	/** What a fault changes about a page. A fault that is not here only changes how it is sent. */
	private changes(
		fault: PageFault,
		left: Record_[],
		page: ListPage<Record_>,
	): Partial<Record<PageFaultKind, () => Partial<ListPage<Record_>>>> {
		const { records, number, size } = page;
		const first = () => ({ ...cut(left, { from: 0, size }), next: size });
		const total = left.length + TOO_MANY;
		const repeated = ((fault.page ?? 1) - 1) * size;
		return {
			errorsWithData: () => ({ records: records.slice(records.length / 2) }),
			emptyPage: () => ({ records: [] }),
			endsEarly: () => ({ next: null, pages: number }),
			recordLeftOut: () => ({ records: records.slice(1) }),
			recordGone: () => {
				this.remove(fault, records.at(-1));
				return {};
			},
			tiesShuffled: () => ({
				records: cut(shuffled(left, number), { from: (number - 1) * size, size }).records,
			}),
			totalAbove: () => ({ total, pages: Math.ceil(total / size) }),
			totalMissing: () => ({ total: undefined }),
			pageIgnored: first,
			nonce: () => ({ ...first(), nonce: String(this.responses) }),
			pagesAlternate: () => ({
				...cut(left, { from: (this.responses % 2) * size, size }),
				next: size,
			}),
			cursorRepeats: () => ({ ...cut(left, { from: repeated, size }), next: repeated }),
			// Each has another cursor.
			pagesEmpty: () => ({ records: [], next: (number + 1) * size }),
		};
	}

	private remove(fault: PageFault, record?: Record_): void {
		const gone = this.gone.get(fault) ?? new Set();
		if (record !== undefined) gone.add(record.id);
		this.gone.set(fault, gone);
	}
}

/** A page without a fault. */
function cut<Record_>(all: Record_[], { from, size }: Slice): ListPage<Record_> {
	const end = from + size;
	return {
		records: all.slice(from, end),
		number: Math.floor(from / size) + 1,
		size,
		total: all.length,
		pages: Math.max(1, Math.ceil(all.length / size)),
		next: end < all.length ? end : null,
	};
}

/**
 * The list as MySQL sorts it for one of its pages: equal records come in another order on each page.
 * Seen in Ghost (`ghost/server.ts`). Usually, those of the same second are equal.
 */
export function shuffled<Record_ extends Listed>(
	all: Record_[],
	page: number,
	tieOf: (record: Record_) => unknown = ({ created }) => Math.floor(created / 1000),
): Record_[] {
	const groups = new Map<unknown, Record_[]>();
	for (const record of all) {
		const group = groups.get(tieOf(record)) ?? [];
		group.push(record);
		groups.set(tieOf(record), group);
	}
	return [...groups.values()].flatMap((group) => {
		// Neighboring pages never have the same order.
		const by = ((group.length < 10 ? 1 : 7) * page) % group.length;
		return [...group.slice(by), ...group.slice(0, by)];
	});
}

const HTML =
	'<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head><body></body></html>';
const NOTICE =
	'<br />\n<b>Notice</b>:  Undefined index: page in <b>/plugins/example.php</b> on line <b>12</b><br />\n';
const ERRORS = { errors: [{ message: 'Something went wrong. Try again later.' }] };

/** Sends a page, or what its injected fault leaves of it. An object in `body` is sent as JSON. */
export async function sendPage(
	reply: FastifyReply,
	fault: PageFaultKind | undefined,
	body: object | string,
): Promise<FastifyReply> {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	if (typeof body !== 'string') void reply.type('application/json; charset=utf-8');
	if (fault === 'html') return await reply.type('text/html; charset=utf-8').send(HTML);
	return await reply.send(sentText(fault, body, text));
}

function sentText(fault: PageFaultKind | undefined, body: object | string, text: string): string {
	switch (fault) {
		case 'notice':
			return NOTICE + text;
		case 'cut':
			return text.slice(0, text.length / 2);
		case 'emptyObject':
			return '{}';
		case 'errors':
			return JSON.stringify(ERRORS);
		case 'errorsWithData':
			// Only an object has a place for errors.
			return typeof body === 'string' || Array.isArray(body)
				? text
				: JSON.stringify({ ...body, ...ERRORS });
		default:
			return text;
	}
}
