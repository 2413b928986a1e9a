/** The operations that most kinds of records have. A resource adds its texts and fields. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { ServiceError } from '../api/errors/errors';
import { hasName } from '../api/identity';
import { findRecord, ignoredFields, requestChange, requestRecord } from '../api/records';
import {
	additionalFields,
	ignoredHint,
	readAdditionalFields,
	readField,
	readUpdateFields,
	updateFields,
	type RecordFields,
} from './fields';
import {
	changeRequest,
	newRecordSubject,
	readRequest,
	recordSubject,
	type RecordKind,
} from './kinds';
import { simplifier, simplifyProperties } from './options';
import {
	changeUnlessMissing,
	ifMissingOption,
	REMEDY_IF_MISSING,
	removal,
	type IfMissing,
} from './removal';
import type { AddHint, ItemParameters, Operation } from './types';

/** The texts of an operation. By default, its action is its name and that of the record. */
export type Texts = Pick<Operation, 'description' | 'name' | 'notice'> & { action?: string };

/** The record that an item selects, as the item names it. */
type Target = Record<'key' | 'value', string>;

/** What an operation on one record does. */
interface RecordOperation extends Texts {
	properties?: INodeProperties[];
	/** What to do if there is no such record. Without it, that is always an error. */
	ifMissing?: IfMissing;
	/**
	 * Reads the other parameters of an item.
	 *
	 * @returns The function that sends the requests. `name` is the record's name in paths.
	 */
	prepare: (
		item: ItemParameters,
		target: Target,
	) => (client: SupercastClient, name: string, addHint?: AddHint) => Promise<IDataObject>;
}

/** Builds an operation on one record, which the item selects with the locator. */
export function recordOperation(
	kind: RecordKind,
	{ properties = [], ifMissing, prepare, ...texts }: RecordOperation,
): Operation {
	return {
		action: `${texts.name} ${kind.singular}`,
		...texts,
		properties: [kind.locator, ...properties],
		options: ifMissing && [ifMissingOption(kind, ifMissing)],
		prepare: (item) => {
			const { key, value, resolve } = kind.identify(item);
			const change = prepare(item, { key, value });
			const unlessMissing = ifMissing && changeUnlessMissing(kind, item);
			return {
				record: value,
				run: async (client, addHint) => {
					const work = async (name: string) => await change(client, name, addHint);
					if (unlessMissing === undefined) return [await work(await resolve(client))];
					const done = await unlessMissing(client, resolve, work);
					return [done ?? { ...ifMissing?.output, alreadyMissing: true, [key]: value }];
				},
			};
		},
	};
}

/** Builds the operation that reads one record. */
export function getOperation(kind: RecordKind, description: string): Operation {
	return recordOperation(kind, {
		name: 'Get',
		description,
		properties: simplifyProperties(kind),
		prepare: (item, { value }) => {
			const simplify = simplifier(kind, item);
			const subject = recordSubject(kind, value);
			return async (client, name) =>
				simplify(await requestRecord(client, { ...readRequest(kind, name), subject }));
		},
	});
}

/** Builds the operation that changes one record. */
export function updateOperation(
	kind: RecordKind,
	description: string,
	fields: RecordFields,
): Operation {
	return recordOperation(kind, {
		name: 'Update',
		description,
		properties: [updateFields(fields), ...simplifyProperties(kind)],
		prepare: (item, { key, value }) => {
			const body = readUpdateFields(item, fields);
			const simplify = simplifier(kind, item, Object.keys(body));
			const subject = recordSubject(kind, value);
			return async (client, name, addHint) => {
				const request = { ...changeRequest(kind, name, body), subject };
				const record = await requestChange(client, request);
				return shownAfter(record, { updated: true, [key]: value }, { body, simplify, addHint });
			};
		},
	});
}

/** How to show the record after a change. */
interface Showing {
	/** The fields that the request sent. */
	body: IDataObject;
	simplify: (record: IDataObject) => IDataObject;
	addHint?: AddHint;
}

/** The output after a change. `done` stands in for a record that Supercast does not show. */
function shownAfter(
	record: IDataObject | undefined,
	done: IDataObject,
	{ body, simplify, addHint }: Showing,
): IDataObject {
	if (record === undefined) return done;
	ignoredHint(ignoredFields(record, { body: { body } }), addHint);
	return hasName(record) ? simplify(record) : { ...done, ...simplify(record) };
}

/** Builds the operation that deletes one record. */
export function deleteOperation(
	kind: RecordKind,
	description: string,
	{ notice = 'This cannot be undone.', ifMissing }: { notice?: string; ifMissing?: IfMissing } = {},
): Operation {
	return recordOperation(kind, {
		name: 'Delete',
		description,
		notice,
		ifMissing: ifMissing && { ...ifMissing, output: { deleted: false } },
		prepare: (_, { key, value }) => {
			const remedyIfMissing = ifMissing && REMEDY_IF_MISSING;
			const subject = recordSubject(kind, value, { remedyIfMissing });
			return async (client, name) => {
				await removal(client, kind, { method: 'DELETE', path: [kind.path, name], subject });
				return { deleted: true, [key]: value };
			};
		},
	});
}

/**
 * Builds the operation that creates a record. Supercast can look up a person by the email. So if the
 * response to a create request is lost, the node looks up the person, and retries the request only
 * if it finds nobody.
 *
 * @param remedyIfRefused What else users can do if Supercast refuses the values (status 422).
 */
export function createOperation(
	kind: RecordKind,
	description: string,
	fields: RecordFields & { main: INodeProperties },
	remedyIfRefused = '',
): Operation {
	const { main } = fields;
	const key = main.name;
	return {
		name: 'Create',
		action: `Create ${kind.singular}`,
		description,
		properties: [
			{ ...main, required: true },
			additionalFields(fields),
			...simplifyProperties(kind),
		],
		prepare: (item) => {
			const name = readField(main, item.parameter(key), item) as string;
			const body = readAdditionalFields(item, fields, { [key]: name });
			const simplify = simplifier(kind, item, Object.keys(body));
			const subject = newRecordSubject(kind, name);
			const newName = kind.isPerson ? name : undefined;
			return {
				record: newName,
				run: async (client, addHint) => {
					const record = await requestChange(client, {
						method: 'POST',
						path: [kind.path],
						body: { [kind.wrapper]: body },
						subject,
						newName,
					}).catch((error: unknown) => {
						throw withRemedy(error, remedyIfRefused);
					});
					// Supercast may not respond with the record.
					const known = { ...readRequest(kind, name), mayBeHidden: true };
					const shown =
						hasName(record) || !kind.isPerson
							? record
							: await findRecord(client, known).catch(() => undefined);
					return [shownAfter(shown, { created: true, [key]: name }, { body, simplify, addHint })];
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
