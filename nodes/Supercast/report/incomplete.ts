/** Why a list is incomplete, and what to do about it. */

import { namelessItem } from '../access/sync/list/columns';
import type { NamelessItem } from '../access/sync/list/records';
import type { ShortList } from '../access/sync/list/completeList';
import { joinNames } from './page/names';

const CHECK_PAGES =
	'Check the node that reads your members. A page may be empty or incomplete, or may have come twice.';

/**
 * Why a list is incomplete, as the end of a sentence.
 * @param ofWhom Whose records are missing, with a space before it.
 */
export function incompletenessOf(
	{ read, expected, doubled, nameless }: ShortList,
	ofWhom = '',
): string {
	const missing = expected - read;
	return [
		missing > 0 ? `lacks ${missing} of ${expected} records${ofWhom}` : '',
		doubled.length > 0 ? `has ${records(doubled.length)} twice` : '',
		nameless.length > 0 ? `has ${records(nameless.length)} without an email and an ID` : '',
	]
		.filter((one) => one !== '')
		.join(', ');
}

function records(count: number): string {
	return count === 1 ? '1 record' : `${count} records`;
}

/** What to do about an incomplete list. */
export function detailsOf({ read, expected, doubled, nameless }: ShortList): string {
	const [first] = nameless;
	const pages = read < expected || doubled.length > 0 ? `${CHECK_PAGES} ` : '';
	const twice = doubled.length > 0 ? `Twice: ${joinNames(doubled)}. ` : '';
	return `${pages}${twice}${first === undefined ? '' : namelessText(first, nameless.length)}`;
}

function namelessText({ item, json }: NamelessItem, count: number): string {
	const others = count === 1 ? '' : ` and ${count - 1} others`;
	return `'Email' is empty in item ${item}${others} (n8n counts from 0). ${namelessItem(json).description} `;
}
