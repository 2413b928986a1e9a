import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { createClient, type Authentication, type SupercastClient } from '../api/client';
import { pause } from '../api/clock';
import { InputError } from '../api/errors/errors';
import { emailsOf, isEmail, isUuid } from '../api/identity';
import { textOf } from '../api/json';
import { PAGES_AHEAD } from '../api/paging/readAhead';
import { findRecord, pageReader } from '../api/records';
import { runtime } from '../api/runtime';
import { listRequest, readRequest, type RecordKind } from '../operations/kinds';
import { listedKinds } from '../resources';
import { partsOf, type Cursor } from './listPages';
import { toNodeError } from './nodeErrors';

/**
 * The number of matches that fills the list. n8n requests more only when the user scrolls past
 * them.
 */
const ENOUGH_MATCHES = 20;

// The user is waiting for the list. An error after ten seconds helps more than a result after ten
// minutes.
const MAX_WAIT_MS = 10_000;

/**
 * Fills the list of a resource locator with the records whose label contains `filter`. Continues at
 * `paginationToken`, where the last search ended. If the user entered a complete email or uuid,
 * looks up that person directly.
 *
 * Because Supercast cannot filter lists, a search reads until it has found enough records or 10
 * seconds have passed.
 *
 * @throws NodeApiError or NodeOperationError if the list cannot be read. Also throws if the time
 * runs out before the search finds anything. An empty list would suggest that there is no such
 * record.
 */
export async function searchRecords(
	context: ILoadOptionsFunctions,
	kind: RecordKind,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const wanted = filter.trim();
	const overtime = new AbortController();
	try {
		const client = await openClient(context, overtime.signal);
		const search = new Search(client, kind, wanted, readCursor(paginationToken));
		const inTime = await Promise.race([
			search.run().then(() => true),
			pause(runtime.clock, MAX_WAIT_MS, overtime.signal).then(() => false),
		]);
		if (!inTime && search.result.results.length === 0) throw tooLong(kind, wanted);
		return search.result;
	} catch (error) {
		throw toNodeError(context, error);
	} finally {
		overtime.abort();
	}
}

async function openClient(
	context: ILoadOptionsFunctions,
	signal: AbortSignal,
): Promise<SupercastClient> {
	// The editor may omit a value that equals its default.
	const authentication =
		context.getCurrentNodeParameter('authentication') ??
		context.getNodeParameter('authentication', 'accessToken');
	return await createClient(context, authentication as Authentication, {
		maxWaitMs: MAX_WAIT_MS,
		signal,
	});
}

/** A search, and what it has found so far. */
class Search {
	result: INodeListSearchResult = { results: [] };

	constructor(
		private readonly client: SupercastClient,
		private readonly kind: RecordKind,
		private readonly wanted: string,
		private readonly from: Cursor | undefined,
	) {}

	async run(): Promise<void> {
		const { client, kind, wanted, from } = this;
		const person = from === undefined ? await this.lookUp() : undefined;
		if (person !== undefined) return this.add([person]);
		const ahead = wanted === '' ? 0 : PAGES_AHEAD;
		for await (const { records, next } of partsOf(
			pageReader(client, listRequest(kind)),
			ahead,
			from,
		)) {
			this.add(
				records.filter((record) => matches(record, wanted)),
				next,
			);
			if (this.result.results.length >= ENOUGH_MATCHES) return;
		}
	}

	/** Finds a person by a complete email or uuid. */
	private async lookUp(): Promise<IDataObject | undefined> {
		const { client, kind, wanted } = this;
		if (!kind.isPerson || !(isEmail(wanted) || isUuid(wanted))) return undefined;
		return await findRecord(client, readRequest(kind, wanted));
	}

	private add(records: IDataObject[], next?: Cursor): void {
		const results = [...this.result.results, ...records.map((one) => itemOf(one, this.kind))];
		const paginationToken = next === undefined ? undefined : `${next.step * next.page}`;
		this.result = paginationToken === undefined ? { results } : { results, paginationToken };
	}
}

/**
 * A token is the number of the next page, with a minus sign if the search reads the list backward.
 */
function readCursor(token: string | undefined): Cursor | undefined {
	const number = Number(token ?? 0);
	if (number === 0) return undefined;
	return { page: Math.abs(number), step: number < 0 ? -1 : 1 };
}

function matches(record: IDataObject, wanted: string): boolean {
	return labelOf(record).toLowerCase().includes(wanted.toLowerCase());
}

/**
 * A list item. People are selected by uuid or email, even if their record has an ID. All other
 * records are selected by ID.
 */
function itemOf(record: IDataObject, kind: RecordKind): INodeListSearchItems {
	const { id, uuid, email, state = 'available' } = record;
	if (!kind.isPerson) return { name: labelOf(record), value: textOf(id ?? uuid) };
	// The workflow keeps the label, so it names no state that most people have and that may change.
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
 * The label of a record in a list. A person's label consists of name and email. The label of a
 * record about a person begins with that person's email. The fields of most other records are not
 * documented. Their label is the title, name or message, or else the ID.
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

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

/** The methods that fill the lists of the resource locators, which refer to them by name. */
export const listSearch: Record<string, ListSearch> = Object.fromEntries(
	listedKinds().map((kind): [string, ListSearch] => [
		kind.searchMethod,
		async function (filter, paginationToken) {
			return await searchRecords(this, kind, filter, paginationToken);
		},
	]),
);
