/** What a run does about one person, in a few words: "opens", or "opened" after a real run. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../../api/json';
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
	if (action === 'kept') return whatIsKept(decision);
	if (action === 'updated') return `${dryRun ? 'gets' : 'got'} ${fieldsText(write)}`;
	return WORDS[action][dryRun ? 0 : 1];
}

function whatIsKept(decision: AccessDecision): string {
	if (isConflict(decision)) return 'needs a decision';
	const { absence } = decision;
	return absence === undefined ? 'left alone' : whenClosed(absence);
}

function whenClosed({ lists, closeAfter }: Absence): string {
	const remaining = closeAfter - lists;
	return remaining === 1 ? 'closes with the next list' : `closes after ${remaining} more lists`;
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
