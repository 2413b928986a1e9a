import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError, ServiceError } from '../api/errors/errors';
import { hasName } from '../api/identity';
import { findRecord, ignoredFields, requestChange, requestRecord } from '../api/records';
import {
	bodyFields,
	fieldCollection,
	ignoredHint,
	type BodyOptions,
	type CollectionOptions,
	type NormalizeFields,
} from './fields';
import {
	newRecordSubject,
	recordSubject,
	type NamedRecordKind,
	type RecordKind,
	type Simplifiable,
} from './kinds';
import { simplifier, simplifyProperties } from './options';
import { removal } from './removal';
import type { ItemParameters, Operation } from './types';

/** The first parameter of a create operation, which names the new record. */
export interface RequiredField {
	/** Its `name` is Supercast's name for the field. */
	property: INodeProperties;
	/**
	 * Reads the value of the parameter.
	 *
	 * @param label The parameter's label, for the error.
	 * @throws InputError if it is missing or malformed.
	 */
	read: (typed: unknown, label: string) => string;
}

/** What is specific to creating one kind of record. */
export interface CreateOptions
	extends Pick<Operation, 'action' | 'description'>, Pick<CollectionOptions, 'example'> {
	required: RequiredField;
	/** The parameters in the collection Additional Fields. */
	fields: INodeProperties[];
	normalize?: NormalizeFields;
	/** What else users can do if Supercast refuses the values (status 422). */
	remedyIfRefused?: string;
	/**
	 * Whether Supercast can look up a record of this kind by the required field. If so, the node
	 * looks up the record if the response to a create request is lost. It retries the request only
	 * if it finds no record.
	 */
	readByName?: boolean;
}

/** Builds the operation that creates a record. */
export function createOperation(
	kind: RecordKind & Partial<Simplifiable>,
	options: CreateOptions,
): Operation {
	const { required, fields, example, normalize, remedyIfRefused = '', readByName } = options;
	const { name: key, displayName } = required.property;
	return {
		name: 'Create',
		action: options.action,
		description: options.description,
		properties: [
			required.property,
			fieldCollection('Additional Fields', 'additionalFields', fields, { example }),
			...simplifyProperties(kind),
		],
		prepare: (item) => {
			const name = required.read(item.parameter(key), displayName);
			const body = bodyFields(item, 'additionalFields', {
				fields: [required.property, ...fields],
				required: { [key]: name },
				normalize,
			});
			const simplify = simplifier(kind, item, Object.keys(body));
			const subject = newRecordSubject(kind, name);
			return {
				record: readByName ? name : undefined,
				run: async (client, addHint) => {
					const created = requestChange(client, {
						method: 'POST',
						path: [kind.path],
						body: { [kind.wrapper]: body },
						subject,
						lookUp: readByName ? { method: 'GET', path: [kind.path, name], subject } : undefined,
					});
					const record = await created.catch((error: unknown) => {
						throw withRemedy(error, remedyIfRefused);
					});
					const shown =
						hasName(record) || !readByName ? record : await findNamed(client, kind, name);
					if (shown === undefined) return [{ created: true, [key]: name }];
					ignoredHint(ignoredFields(shown, { body: { body } }), addHint);
					const done = hasName(shown) ? {} : { created: true, [key]: name };
					return [{ ...done, ...simplify(shown) }];
				},
			};
		},
	};
}

/** Returns the error, with an additional remedy if Supercast refused the values. */
function withRemedy(error: unknown, remedy: string): unknown {
	if (!(error instanceof ServiceError) || error.status !== 422 || remedy === '') return error;
	const { message, description, failure, attempts } = error;
	return new ServiceError(message, `${description} ${remedy}`, failure, attempts);
}

/** Looks up a record that was just created, since Supercast did not respond with it. */
async function findNamed(
	client: SupercastClient,
	kind: RecordKind,
	name: string,
): Promise<IDataObject | undefined> {
	const request = { path: [kind.path, name], subject: recordSubject(kind, name) };
	return await findRecord(client, { method: 'GET', isKnownToExist: true, ...request }).catch(
		() => undefined,
	);
}

/** Builds the operation that reads one record. */
export function getOperation(
	kind: NamedRecordKind & Partial<Simplifiable>,
	texts: Pick<Operation, 'action' | 'description'>,
): Operation {
	return {
		name: 'Get',
		...texts,
		properties: [kind.locator, ...simplifyProperties(kind)],
		prepare: (item) => {
			const { value, resolve } = kind.identify(item);
			const simplify = simplifier(kind, item);
			return {
				record: value,
				run: async (client) => {
					const record = await requestRecord(client, {
						method: 'GET',
						path: [kind.path, await resolve(client)],
						subject: recordSubject(kind, value),
					});
					return [simplify(record)];
				},
			};
		},
	};
}

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

/** Builds the operation that deletes one record. */
export function deleteOperation(
	kind: NamedRecordKind,
	texts: Pick<Operation, 'action' | 'description' | 'notice'>,
): Operation {
	return {
		name: 'Delete',
		notice: 'This cannot be undone.',
		...texts,
		properties: [kind.locator],
		prepare: (item) => {
			const { key, value, resolve } = kind.identify(item);
			return {
				record: value,
				run: async (client) => {
					await removal(client, kind, {
						method: 'DELETE',
						path: [kind.path, await resolve(client)],
						subject: recordSubject(kind, value),
					});
					return [{ deleted: true, [key]: value }];
				},
			};
		},
	};
}
