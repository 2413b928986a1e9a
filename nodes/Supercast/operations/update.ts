import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { requestChange } from '../api/records';
import { bodyFields, fieldCollection } from './bodyFields';
import { recordSubject, type NamedRecordKind, type Simplifiable } from './recordKind';
import { simplifier, simplifyProperties } from './properties';
import type { ItemParameters, Operation } from './types';

/** What sets the change of one kind apart. */
export interface UpdateOptions extends Pick<Operation, 'action' | 'description'> {
	/** Parameters of the collection Update Fields. */
	fields: INodeProperties[];
	/** Brings fields into the service's form. Throws InputError when one is wrong. */
	normalize?: (fields: IDataObject, item: ItemParameters) => IDataObject;
}

/** Makes the operation that changes one record. */
export function updateOperation(
	kind: NamedRecordKind & Partial<Simplifiable>,
	{ fields, normalize = (given) => given, ...texts }: UpdateOptions,
): Operation {
	return {
		name: 'Update',
		...texts,
		properties: [
			kind.locator,
			fieldCollection('Update Fields', 'updateFields', fields),
			...simplifyProperties(kind),
		],
		prepare: (item) => {
			const { key, value, resolve } = kind.identify(item);
			const body = normalize(changedFields(item), item);
			const simplify = simplifier(kind, item);
			return {
				record: value,
				run: async (client) => {
					const record = await requestChange(client, {
						method: 'PATCH',
						path: [kind.path, await resolve(client)],
						body: { [kind.wrapper]: body },
						subject: recordSubject(kind, value),
					});
					return [record === undefined ? { updated: true, [key]: value } : simplify(record)];
				},
			};
		},
	};
}

/**
 * Reads the collection Update Fields.
 *
 * @throws InputError when nothing is in it: a change of nothing is a mistake, not a success.
 */
export function changedFields(item: ItemParameters): IDataObject {
	const fields = bodyFields(item, 'updateFields');
	if (Object.keys(fields).length === 0) {
		throw new InputError("'Update Fields' is empty", 'Add the fields that you want to change.');
	}
	return fields;
}
