/** The fields of a record that do not decide about access, such as names. */

import { readFields } from '../operations/fields';
import type { ItemParameters } from '../operations/types';
import { subscriberFields } from '../subscriber/kind';
import type { OtherFields } from './record';

/** Fields that come from other parameters, so Other Fields must not contain them. */
const OWN_FIELDS = ['email', 'customer_id', 'state', 'uuid'];

/** Reads the other fields. What cannot be sent is left out, because it must keep no feed closed. */
export function readOtherFields(item: ItemParameters): OtherFields {
	const leftOut: string[] = [];
	const tell = (sentence: string): void => void leftOut.push(sentence);
	const kind = { ...subscriberFields, main: undefined, deciding: [] };
	try {
		const fields = readFields(item, kind, {}, 'additionalFields', tell);
		const own = OWN_FIELDS.filter((name) => name in fields);
		for (const name of own) delete fields[name];
		leftOut.push(...own.map((name) => `'Other Fields (JSON)' contains "${name}"`));
		return { fields, leftOut };
	} catch (error) {
		return { fields: {}, leftOut: [...leftOut, (error as Error).message] };
	}
}
