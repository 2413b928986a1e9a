/** What a run does about one person, in a few words: "opens", or "opened" after a real run. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../../api/json';
import { remainingLists } from '../wording';
import { isConflict } from '../../access/reasons';
import type { Absence, AccessAction, AccessDecision } from '../../access/rules';

/** In a dry run, and after a real one. */
const WORDS: Record<Exclude<AccessAction, 'kept' | 'updated'>, [string, string]> = {
	closed: ['closes', 'closed'],
	created: ['opens', 'opened'],
	reopened: ['reopens', 'reopened'],
	unchanged: ['stays as it is', 'unchanged'],
};

export function whatOf(decision: AccessDecision, dryRun: boolean): string {
	const { action, write } = decision;
	if (action === 'kept') return whatIsKept(decision, dryRun);
	if (action === 'updated') return `${dryRun ? 'gets' : 'got'} ${fieldsText(write)}`;
	return WORDS[action][dryRun ? 0 : 1];
}

function whatIsKept(decision: AccessDecision, dryRun: boolean): string {
	if (isConflict(decision)) return 'needs a decision';
	const { absence } = decision;
	return absence === undefined ? 'skipped' : whenClosed(absence, dryRun);
}

function whenClosed(absence: Absence, dryRun: boolean): string {
	const remaining = remainingLists(absence, dryRun);
	if (remaining === 1) return 'closes with the next list';
	return `closes after ${remaining} ${dryRun ? 'lists' : 'more lists'}`;
}

/** Such as "ID cus_17, first name". */
function fieldsText({ customer_id: id, email, ...others }: IDataObject): string {
	const named = [
		textOf(id) === '' ? '' : `ID ${textOf(id)}`,
		textOf(email) === '' ? '' : `email ${textOf(email)}`,
		...Object.keys(others).map((key) => key.replaceAll('_', ' ')),
	];
	return named.filter((one) => one !== '').join(', ');
}
