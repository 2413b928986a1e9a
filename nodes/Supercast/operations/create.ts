import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { Operation, OperationItem } from '../resources/types';
import { requestChange } from '../transport/records';
import { bodyFields, fieldCollection } from './bodyFields';
import { newRecordSubject, type RecordKind, type Simplifiable } from './recordKind';
import { simplifier, simplifyProperties } from './simplify';

/** What sets the creation of one kind apart. */
export interface CreateOptions extends Pick<Operation, 'action' | 'description'> {
	/** Parameters at the top, which have to be filled in. */
	required: INodeProperties[];
	/** Reads those parameters, under the service's own names. Throws InputError when one is wrong. */
	readRequired: (item: OperationItem) => IDataObject;
	/** Parameters of the collection Additional Fields. */
	fields: INodeProperties[];
	/** Brings all fields into the service's form. Throws InputError when one is wrong. */
	prepare?: (fields: IDataObject, item: OperationItem) => IDataObject;
	/** Name of the new record in error messages. */
	nameOf: (required: IDataObject) => string;
}

/** Makes the operation that creates a record. */
export function createOperation(
	kind: RecordKind & Partial<Simplifiable>,
	{ required, readRequired, fields, nameOf, prepare = (given) => given, ...texts }: CreateOptions,
): Operation {
	return {
		name: 'Create',
		...texts,
		properties: [
			...required,
			fieldCollection('Additional Fields', 'additionalFields', fields),
			...simplifyProperties(kind),
		],
		execute: async (item) => {
			const given = readRequired(item);
			const body = prepare(bodyFields(item, 'additionalFields', given), item);
			const record = await requestChange(item.client, {
				method: 'POST',
				path: [kind.path],
				body: { [kind.wrapper]: body },
				subject: newRecordSubject(kind, nameOf(given)),
			});
			return [record === undefined ? { created: true, ...given } : simplifier(kind, item)(record)];
		},
	};
}
