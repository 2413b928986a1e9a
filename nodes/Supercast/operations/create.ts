import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { requestChange } from '../api/records';
import { bodyFields, fieldCollection } from './bodyFields';
import { newRecordSubject, type RecordKind, type Simplifiable } from './recordKind';
import { simplifier, simplifyProperties } from './properties';
import type { ItemParameters, Operation } from './types';

/** The parameter at the top of a create, which names the new record. */
export interface RequiredField {
	/** Its `name` is the service's own name of the field. */
	property: INodeProperties;
	/**
	 * Reads its value.
	 *
	 * @param label The parameter's label, for the error.
	 * @throws InputError when it is missing or malformed.
	 */
	read: (typed: unknown, label: string) => string;
}

/** What sets the creation of one kind apart. */
export interface CreateOptions extends Pick<Operation, 'action' | 'description'> {
	required: RequiredField;
	/** Parameters of the collection Additional Fields. */
	fields: INodeProperties[];
	/** Brings all fields into the service's form. Throws InputError when one is wrong. */
	normalize?: (fields: IDataObject, item: ItemParameters) => IDataObject;
	/**
	 * Whether the service reads a record of this kind by the required field. Then a create whose answer
	 * was lost is looked up, and repeated only if it is not there.
	 */
	readByName?: boolean;
}

/** Makes the operation that creates a record. */
export function createOperation(
	kind: RecordKind & Partial<Simplifiable>,
	options: CreateOptions,
): Operation {
	const { required, fields, normalize = (given) => given } = options;
	const { action, description, readByName = false } = options;
	const { name: key, displayName } = required.property;
	return {
		name: 'Create',
		action,
		description,
		properties: [
			required.property,
			fieldCollection('Additional Fields', 'additionalFields', fields),
			...simplifyProperties(kind),
		],
		prepare: (item) => {
			const name = required.read(item.parameter(key), displayName);
			const body = normalize(bodyFields(item, 'additionalFields', { [key]: name }), item);
			const simplify = simplifier(kind, item);
			const subject = newRecordSubject(kind, name);
			return {
				...(readByName ? { record: name } : {}),
				run: async (client) => {
					const record = await requestChange(client, {
						method: 'POST',
						path: [kind.path],
						body: { [kind.wrapper]: body },
						subject,
						...(readByName
							? { findCreated: { method: 'GET', path: [kind.path, name], subject } }
							: {}),
					});
					return [record === undefined ? { created: true, [key]: name } : simplify(record)];
				},
			};
		},
	};
}
