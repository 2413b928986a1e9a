import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import type { ItemParameters, ItemTask } from '../operations/types';
import { readStatus, type RecordAccess } from './records';

/** A person whose access Set Access leaves as it is. What the item does not say is empty. */
export interface LeftAsIs {
	access: RecordAccess;
	/** What the parameter Access was. */
	given: unknown;
	status: string;
	email: string;
	customerId: string;
}

/** Builds the output. */
export type TellLeft = (left: LeftAsIs) => IDataObject;

/** Changes nothing, without a request. Whatever the item says about the person, it is no failure. */
export function leave(item: ItemParameters, access: RecordAccess, tell: TellLeft): ItemTask {
	const [status = ''] = readStatus(item.parameter('status'));
	const [email, customerId] = [item.parameter('email'), item.parameter('customerId')];
	const output = tell({
		access,
		given: item.parameter('access'),
		status,
		email: textOf(email).trim(),
		customerId: textOf(customerId).trim(),
	});
	return {
		run: async (_, addHint) => {
			if (output.attention !== null) addHint?.(textOf(output.attention));
			return await Promise.resolve([output]);
		},
	};
}
