import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { requestChange } from '../api/records';
import { bodyFields, fieldCollection } from './bodyFields';
import { newRecordSubject, type RecordKind, type Simplifiable } from './recordKind';
import { simplifier, simplifyProperties } from './simplify';
import type { OperationItem, Operation } from './types';

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
	/**
	 * Whether the service reads a record of this kind by that name. Then a create whose answer was lost
	 * is looked up, and repeated only if it is not there.
	 */
	readByName?: boolean;
}

/** Makes the operation that creates a record. */
export function createOperation(
	kind: RecordKind & Partial<Simplifiable>,
	options: CreateOptions,
): Operation {
	const { required, readRequired, fields, nameOf, prepare = (given) => given } = options;
	const { action, description, readByName = false } = options;
	return {
		name: 'Create',
		action,
		description,
		properties: [
			...required,
			fieldCollection('Additional Fields', 'additionalFields', fields),
			...simplifyProperties(kind),
		],
		execute: async (item) => {
			const given = readRequired(item);
			const body = prepare(bodyFields(item, 'additionalFields', given), item);
			const simplify = simplifier(kind, item);
			const name = nameOf(given);
			const subject = newRecordSubject(kind, name);
			const record = await requestChange(item.client, {
				method: 'POST',
				path: [kind.path],
				body: { [kind.wrapper]: body },
				subject,
				...(readByName ? { findCreated: { method: 'GET', path: [kind.path, name], subject } } : {}),
			});
			return [record === undefined ? { created: true, ...given } : simplify(record)];
		},
	};
}
