import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { hasName } from '../api/identity';
import { ignoredFields, requestChange } from '../api/records';
import {
	bodyFields,
	fieldCollection,
	ignoredHint,
	type BodyOptions,
	type CollectionOptions,
	type NormalizeFields,
} from './bodyFields';
import { recordSubject, type NamedRecordKind, type Simplifiable } from './recordKind';
import { simplifier, simplifyProperties } from './properties';
import type { ItemParameters, Operation } from './types';

/** What is specific to changing one kind of record. */
export interface UpdateOptions
	extends Pick<Operation, 'action' | 'description'>, CollectionOptions {
	/** The parameters in the collection Update Fields. */
	fields: INodeProperties[];
	normalize?: NormalizeFields;
}

/** Builds the operation that changes one record. */
export function updateOperation(
	kind: NamedRecordKind & Partial<Simplifiable>,
	{ fields, example, clearable, normalize, ...texts }: UpdateOptions,
): Operation {
	return {
		name: 'Update',
		...texts,
		properties: [
			kind.locator,
			fieldCollection('Update Fields', 'updateFields', fields, { example, clearable }),
			...simplifyProperties(kind),
		],
		prepare: (item) => {
			const { key, value, resolve } = kind.identify(item);
			const body = changedFields(item, { fields, normalize, clearable });
			const simplify = simplifier(kind, item, Object.keys(body));
			return {
				record: value,
				run: async (client, addHint) => {
					const record = await requestChange(client, {
						method: 'PATCH',
						path: [kind.path, await resolve(client)],
						body: { [kind.wrapper]: body },
						subject: recordSubject(kind, value),
					});
					if (record === undefined) return [{ updated: true, [key]: value }];
					ignoredHint(ignoredFields(record, { body: { body } }), addHint);
					const done = hasName(record) ? {} : { updated: true, [key]: value };
					return [{ ...done, ...simplify(record) }];
				},
			};
		},
	};
}

/**
 * Reads the collection Update Fields.
 *
 * @throws InputError if there is nothing to change, because an empty update would look like
 * success.
 */
export function changedFields(item: ItemParameters, options: BodyOptions = {}): IDataObject {
	const fields = bodyFields(item, 'updateFields', options);
	if (Object.keys(fields).length === 0) {
		throw new InputError(
			"'Update Fields' is empty",
			'Add the fields that you want to change, and fill them in. A blank field stays as it is.',
		);
	}
	return fields;
}
