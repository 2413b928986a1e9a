import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { createClient, type Authentication } from '../api/client';
import { runtime, withinTime } from '../api/clock';
import { InputError } from '../api/errors/errors';
import { emailsOf, isEmail, isUuid } from '../api/identity';
import { textOf } from '../api/json';
import {
	LARGEST_PAGE,
	PAGES_AHEAD,
	readAhead,
	type FetchPage,
	type Page,
} from '../api/paging/readPages';
import { findRecord, pageReader } from '../api/records';
import { listRequest, readRequest, type RecordKind } from '../operations/kinds';
import { listedKinds } from '../resources';
import { toNodeError } from './nodeErrors';

/** This many matches fill the list. n8n requests more when the user scrolls past them. */
const ENOUGH_MATCHES = 20;

// The user is waiting, so an error after ten seconds helps more than a result after ten minutes.
const MAX_WAIT_MS = 10_000;

/** If this many records with different dates are in order, this is hardly a coincidence. */
const ENOUGH_IN_ORDER = 12;

/**
 * Fills the list of a resource locator with the records whose label contains `filter`, or with the
 * person whose complete email or uuid it is. Supercast cannot filter lists.
 * @throws NodeApiError if time runs out before the first match: an empty list would mislead.
 */
export async function searchRecords(
	context: ILoadOptionsFunctions,
	kind: RecordKind,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const wanted = filter.trim();
	const found: INodeListSearchResult = { results: [] };
	const add = (records: IDataObject[]): void => {
		found.results.push(...records.map((record) => itemOf(record, kind)));
	};
	const search = async (signal: AbortSignal): Promise<void> => {
		// The editor may omit a value that equals its default.
		const authentication =
			context.getCurrentNodeParameter('authentication') ??
			context.getNodeParameter('authentication', 'accessToken');
		const options = { maxWaitMs: MAX_WAIT_MS, signal };
		const client = await createClient(context, authentication as Authentication, options);
		const isName = kind.isPerson && (isEmail(wanted) || isUuid(wanted));
		if (isName && paginationToken === undefined) {
			const person = await findRecord(client, readRequest(kind, wanted));
			if (person !== undefined) return add([person]);
		}
		const readPage = pageReader(client, listRequest(kind));
		const ahead = wanted === '' ? 0 : PAGES_AHEAD;
		const from = Number(paginationToken ?? 0) || undefined;
		for await (const { records, next } of newestFirst(readPage, ahead, from)) {
			add(records.filter((one) => labelOf(one).toLowerCase().includes(wanted.toLowerCase())));
			found.paginationToken = next?.toString();
			if (found.results.length >= ENOUGH_MATCHES) return;
		}
	};
	try {
		const isLate = await withinTime({ clock: runtime.clock, ms: MAX_WAIT_MS }, search);
		if (isLate && found.results.length === 0) throw tooLong(kind, wanted);
		return found;
	} catch (error) {
		throw toNodeError(context, error);
	}
}

/**
 * Reads a list page by page, the newest records first if the order is known. `from` and `next` are
 * page numbers, with a minus sign to read backward.
 */
async function* newestFirst(
	fetchPage: FetchPage,
	ahead: number,
	from?: number,
): AsyncGenerator<{ records: IDataObject[]; next?: number }> {
	const first = from === undefined ? await fetchPage(1, LARGEST_PAGE) : undefined;
	const last = first && pageCount(first);
	if (first && last === 1) {
		yield { records: sorted(first.records) };
		return;
	}
	const start = from ?? (last && isOldestFirst(first.records) ? -last : 1);
	const offset = start < 0 ? start - 1 : 0;
	const readOn = readAhead(
		async (number, size) => {
			const place = offset + number;
			if (start < 0 && place >= 0) return { records: [] };
			return first && Math.abs(place) === 1 ? first : await fetchPage(Math.abs(place), size);
		},
		Infinity,
		ahead,
	);
	let before: string | undefined;
	for (let place = start; ; place++) {
		const page = await readOn(place - offset, LARGEST_PAGE);
		const { records } = page;
		// An API that ignores the page number sends the same page again. Backward, a page may be empty
		// because the total is too high.
		const top = JSON.stringify(records[0]);
		const isOver = records.length === 0 ? place > 0 : top === before;
		before = top;
		const isLast = isOver || place === -1 || place >= (pageCount(page) ?? Infinity);
		const shown = place < 0 ? [...records].reverse() : records;
		yield { records: isOver ? [] : shown, next: isLast ? undefined : place + 1 };
		if (isLast) return;
	}
}

function pageCount({ total, perPage = LARGEST_PAGE }: Page): number | undefined {
	return total === undefined ? undefined : Math.max(1, Math.ceil(total / perPage));
}

function dateOf({ created_at: createdAt }: IDataObject): number {
	return Date.parse(textOf(createdAt));
}

function isOldestFirst(records: readonly IDataObject[]): boolean {
	const dates = records.map(dateOf);
	const isRising = dates.every((date, index) => index === 0 || date >= dates[index - 1]!);
	return isRising && new Set(dates).size >= ENOUGH_IN_ORDER;
}

function sorted(records: IDataObject[]): IDataObject[] {
	if (records.map(dateOf).some(Number.isNaN)) return records;
	return [...records].sort((one, other) => dateOf(other) - dateOf(one));
}

/** People are selected by uuid or email, even if their record has an ID. */
function itemOf(record: IDataObject, kind: RecordKind): INodeListSearchItems {
	const { id, uuid, email, state = 'available' } = record;
	if (!kind.isPerson) return { name: labelOf(record), value: textOf(id ?? uuid) };
	// The workflow keeps the label, so the label omits the most common state, which may change.
	const closed = state === 'available' ? '' : `, ${textOf(state).replace('_', ' ')}`;
	return { name: `${labelOf(record)}${closed}`, value: textOf(uuid ?? email) };
}

function tooLong(kind: RecordKind, wanted: string): InputError {
	const what =
		wanted === ''
			? `The list of ${kind.plural} could not be read`
			: `No ${kind.singular} that matches "${wanted}" was found`;
	return new InputError(
		`${what} within 10 seconds`,
		kind.isPerson
			? 'Type the whole email, so that the node can look it up directly.'
			: "Choose 'By ID' instead of 'From List', or search again later.",
	);
}

/**
 * A person's name and email, or the email and what a record is about. The fields of most other
 * records are not documented, so their label is the title, name, message or ID.
 */
export function labelOf(record: IDataObject): string {
	const { first_name: first, last_name: last, title, name, message, id } = record;
	const person = `${textOf(first)} ${textOf(last)}`.trim();
	const main = [person, title, name, message].map(textOf).find((text) => text !== '');
	const [email = ''] = emailsOf(record);
	if (main === undefined) return email === '' ? `#${textOf(id)}` : email;
	if (email === '') return main;
	return textOf(record.email) === '' ? `${email}: ${main}` : `${main} (${email})`;
}

/** The search functions, by the names that the properties use. */
export const listSearch = Object.fromEntries(
	listedKinds().map((kind) => {
		const search = async function (this: ILoadOptionsFunctions, filter?: string, token?: string) {
			return await searchRecords(this, kind, filter, token);
		};
		return [kind.searchMethod, search] as const;
	}),
);
