/** What Set Access does for a person whose access must not change. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import { isBlank } from '../operations/texts';
import type { ItemParameters, ItemTask } from '../operations/types';
import { readStatus, type RecordAccess } from './records';

/** Changes nothing, without a request. Whatever the item says about the person, it is no failure. */
export function leave(item: ItemParameters, access: RecordAccess): ItemTask {
	return {
		run: async (_, addHint) => {
			const output = leftOutput(item, access);
			if (output.attention !== null) addHint?.(textOf(output.attention));
			return await Promise.resolve([output]);
		},
	};
}

function leftOutput(item: ItemParameters, access: RecordAccess): IDataObject {
	const [email, customerId] = ['email', 'customerId'].map((name) =>
		textOf(item.parameter(name)).trim(),
	);
	const who = [email, customerId].filter(Boolean).join(', ') || 'a person without a name';
	const reason = access === 'keep' ? keepText(item, who) : unclearText(item, who);
	return {
		access,
		action: 'kept',
		email: email || null,
		state: null,
		previousState: null,
		uuid: null,
		customer_id: customerId || null,
		reason,
		attention: access === 'keep' ? null : `${reason} ${DECIDE}`,
		changes: {},
	};
}

function keepText(item: ItemParameters, who: string): string {
	const [status = "'Access' is keep"] = readStatus(item.parameter('status'));
	return `The access of ${who} stays as it is (${status}).`;
}

function unclearText(item: ItemParameters, who: string): string {
	const given = item.parameter('access');
	const value = isBlank(given) ? 'empty' : `"${textOf(given).slice(0, 100) || 'an object'}"`;
	const [status] = readStatus(item.parameter('status'));
	const suffix = status === undefined ? '' : `, with the status "${status}"`;
	return `The access of ${who} is unclear, so nothing changed. 'Access' is ${value}${suffix}.`;
}

const DECIDE =
	"Decide whether this person has access, and set it in Supercast. Then correct the expression in 'Access', so that it returns open, keep or close.";
