import type {
	IDataObject,
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
} from 'n8n-workflow';

import { authenticationOf, createClient, type SupercastClient } from '../api/client';
import { runtime, withinTime } from '../api/clock';
import { InputError } from '../api/errors/errors';
import { emailsOf, isUuid } from '../api/identity';
import { textOf, timeOf } from '../api/json';
import { LARGEST_PAGE, type FetchPage, type Page } from '../api/paging/page';
import { readAhead } from '../api/paging/readAhead';
import { findRecord, pageReader } from '../api/records';
import { listRequest, readRequest, type RecordKind } from '../operations/kinds';
import { newestFirst } from '../operations/getMany';
import { isEmail } from '../operations/texts';
import { resources } from '../resources';
import { toNodeError } from './nodeErrors';
import { isOpenState } from '../subscriber/states';

/** This many matches fill the list. n8n requests more when the user scrolls past them. */
const ENOUGH_MATCHES = 20;

// The user is waiting, so an error after ten seconds helps more than a result after ten minutes.
const MAX_WAIT_MS = 10_000;

/** If this many records with different dates are in order, this is hardly a coincidence. */
const ENOUGH_IN_ORDER = 12;

/**
 * Fills the list of a resource locator with the records whose label contains `filter`. If `filter`
 * is the complete email or uuid of a person, shows only that person. Supercast cannot filter lists.
 * @throws NodeApiError if a request fails. NodeOperationError if time runs out before the first
 * match, because an empty list would mislead.
 */
async function searchRecords(
	context: ILoadOptionsFunctions,
	kind: RecordKind,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const wanted = filter.trim();
	const found: INodeListSearchResult = { results: [], paginationToken };
	try {
		const isLate = await withinTime({ clock: runtime.clock, ms: MAX_WAIT_MS }, async (signal) => {
			// The editor may omit a value that equals its default.
			const authentication =
				context.getCurrentNodeParameter('authentication') ??
				context.getNodeParameter('authentication', 'accessToken');
			const options = { maxWaitMs: MAX_WAIT_MS, signal };
			const client = await createClient(context, authenticationOf(authentication), options);
			await findMatches(client, kind, wanted, found);
		});
		if (!isLate || found.results.length > 0) return found;
		const what =
			wanted === ''
				? `The list of ${kind.plural} could not be read`
				: `No ${kind.singular} that matches "${wanted}" was found`;
		throw new InputError(
			`${what} within 10 seconds`,
			kind.isPerson
				? 'Type the whole email, so that the node can look it up directly.'
				: "Choose 'By ID' instead of 'From List', or search again later.",
		);
	} catch (error) {
		throw toNodeError(context, error);
	}
}

/** Adds matches to `found` until there are enough. Its token says where the next ones are. */
async function findMatches(
	client: SupercastClient,
	kind: RecordKind,
	wanted: string,
	found: INodeListSearchResult,
): Promise<void> {
	const isName = kind.isPerson && (isEmail(wanted) || isUuid(wanted));
	if (isName && found.paginationToken === undefined) {
		const person = await findRecord(client, readRequest(kind, wanted));
		if (person !== undefined) {
			found.results.push(itemOf(person, kind));
			return;
		}
	}
	const isBrowsing = wanted === '';
	const fetchPage = pageReader(client, listRequest(kind));
	const list = new NewestFirst(isBrowsing ? fetchPage : readAhead(fetchPage), isBrowsing);
	const text = wanted.toLowerCase();
	let place: SearchPlace | undefined = searchPlaceOf(found.paginationToken);
	while (place !== undefined && found.results.length < ENOUGH_MATCHES) {
		const { records, next } = await list.read(place);
		const matches = records.filter((one) => labelOf(one).toLowerCase().includes(text));
		found.results.push(...matches.sort(newestFirst).map((one) => itemOf(one, kind)));
		place = next;
		found.paginationToken = place && tokenOf(place);
	}
}

/** Where the search continues. */
interface SearchPlace {
	page: number;
	/** Whether to read the pages backward, because the list begins with the oldest record. */
	isBackward: boolean;
}

const BACKWARD = 'back ';

function tokenOf({ page, isBackward }: SearchPlace): string {
	return `${isBackward ? BACKWARD : ''}${page}`;
}

function searchPlaceOf(token = ''): SearchPlace {
	const isBackward = token.startsWith(BACKWARD);
	const page = Number(isBackward ? token.slice(BACKWARD.length) : token) || 1;
	return { page, isBackward };
}

/**
 * Reads a list page by page. If the list begins with the oldest record, can start at its end.
 * Otherwise, the episode or member of today would come after thousands of older ones.
 */
class NewestFirst {
	/** The first record of the previous page. */
	private before: string | undefined;

	constructor(
		private readonly fetchPage: FetchPage,
		private readonly mayBeginAtEnd: boolean,
	) {}

	/** Reads one page. `next` is undefined at the end. */
	async read(place: SearchPlace): Promise<{ records: IDataObject[]; next?: SearchPlace }> {
		const answer = await this.fetchPage(place.page, LARGEST_PAGE);
		const { records } = answer;
		const last = lastPageOf(answer);
		if (this.beginsAtEnd(place, records, last)) {
			return { records: [], next: { page: last, isBackward: true } };
		}
		const { page, isBackward } = place;
		if (this.isOver(records, isBackward)) return { records: [] };
		const nextPage = isBackward ? page - 1 : page + 1;
		// After a full page, there may be more than a total that is too low says.
		const isFull = records.length >= (answer.perPage ?? LARGEST_PAGE);
		const isLast = nextPage < 1 || (nextPage > last && !isFull);
		return { records, next: isLast ? undefined : { page: nextPage, isBackward } };
	}

	private beginsAtEnd(
		{ page, isBackward }: SearchPlace,
		records: readonly IDataObject[],
		last: number,
	): boolean {
		if (!this.mayBeginAtEnd || page !== 1 || isBackward) return false;
		return last > 1 && last < Infinity && isOldestFirst(records);
	}

	/**
	 * An API that ignores the page number sends the same page again. When read backward, a page may
	 * be empty because the total is too high.
	 */
	private isOver(records: readonly IDataObject[], isBackward: boolean): boolean {
		const top = JSON.stringify(records[0]);
		const isSame = top === this.before;
		this.before = top;
		return records.length === 0 ? !isBackward : isSame;
	}
}

function lastPageOf({ total = Infinity, perPage = LARGEST_PAGE }: Page): number {
	return Math.ceil(total / perPage);
}

function isOldestFirst(records: readonly IDataObject[]): boolean {
	const dates = records.map((one) => timeOf(one.created_at));
	const isRising = dates.every((date, index) => index === 0 || date >= (dates[index - 1] ?? date));
	return isRising && new Set(dates).size >= ENOUGH_IN_ORDER;
}

/** People are selected by uuid or email, even if their record has an ID. */
function itemOf(record: IDataObject, kind: RecordKind): INodeListSearchItems {
	const { id, uuid, email, state = 'available' } = record;
	if (!kind.isPerson) return { name: labelOf(record), value: textOf(id ?? uuid) };
	// The workflow keeps the label, so the label omits the most common state, which may change.
	const closed = isOpenState(textOf(state)) ? '' : `, ${textOf(state).replace('_', ' ')}`;
	return { name: `${labelOf(record)}${closed}`, value: textOf(uuid ?? email) };
}

/**
 * A person's name and email, or the email and what a record is about. The fields of most other
 * records are not documented, so their label is the title, name, message or ID.
 */
function labelOf(record: IDataObject): string {
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
	Object.values(resources).map(({ kind }) => [
		kind.searchMethod,
		async function (this: ILoadOptionsFunctions, filter?: string, token?: string) {
			return await searchRecords(this, kind, filter, token);
		},
	]),
);
