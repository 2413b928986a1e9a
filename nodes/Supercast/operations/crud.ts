/** The operations that most kinds of records have. A resource adds its texts and fields. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { hasName } from '../api/identity';
import { findRecord, requestChange, requestRecord } from '../api/records';
import type { Subject } from '../api/types';
import {
	additionalFields,
	hintIgnored,
	readAdditionalFields,
	readUpdateFields,
	updateFields,
	type RecordFields,
} from './fields';
import {
	changeRequest,
	createRequest,
	identifyRecord,
	readRequest,
	recordSubject,
	type RecordKind,
} from './kinds';
import { simplifier, simplifyProperties } from './output';
import {
	ifMissingOption,
	isMissing,
	maySucceedIfMissing,
	REMEDY_IF_MISSING,
	removal,
	type IfMissing,
} from './removal';
import type { AddHint, ItemParameters, Operation } from './types';
import { readField } from './validation';

/** The texts of an operation. By default, its action is its name and that of the record. */
export interface Texts extends Pick<Operation, 'description' | 'name' | 'notice'> {
	action?: string;
	/** What its request does to the record, for error messages. By default, the method says it. */
	verb?: string;
}

/** The record that an item selects. */
interface Target {
	/** Supercast's name for the field that identifies the record, and its value in the item. */
	key: string;
	value: string;
	subject: Subject;
}

/** What an operation on one record does. */
interface RecordOperation extends Texts {
	properties?: INodeProperties[];
	/** The option to succeed if there is no such record. Without it, that is always an error. */
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
	{ properties = [], verb, ifMissing, prepare, ...texts }: RecordOperation,
): Operation {
	const option = ifMissing && ifMissingOption(kind, ifMissing);
	return {
		action: `${texts.name} ${kind.singular}`,
		...texts,
		properties: [kind.locator, ...properties],
		options: option && [option],
		prepare: (item) => {
			const { key, value, resolve } = identifyRecord(kind, item);
			const remedyIfMissing = option && REMEDY_IF_MISSING;
			const subject = recordSubject(kind, value, { verb, remedyIfMissing });
			const change = prepare(item, { key, value, subject });
			const maySucceed = option !== undefined && maySucceedIfMissing(option, item);
			return {
				record: value,
				run: async (client, addHint) => {
					let name: string | undefined;
					const work = async (): Promise<IDataObject> => {
						name = resolve === undefined ? value : await resolve(client);
						return await change(client, name, addHint);
					};
					const output = await work().catch(async (error: unknown) => {
						if (!maySucceed || !(await isMissing(client, kind, name, error))) throw error;
						return { ...ifMissing?.output, alreadyMissing: true, [key]: value };
					});
					return [output];
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
		prepare: (item, { subject }) => {
			const simplify = simplifier(kind, item);
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
		prepare: (item, { key, value, subject }) => {
			const body = readUpdateFields(item, fields);
			const show = changeShower(kind, item, body);
			return async (client, name, addHint) => {
				const request = { ...changeRequest(kind, name, body), subject };
				const record = await requestChange(client, request);
				return show(record, { updated: true, [key]: value }, addHint);
			};
		},
	});
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
		prepare:
			(_, { key, value, subject }) =>
			async (client, name) => {
				await removal(client, kind, { method: 'DELETE', path: [kind.path, name], subject });
				return { deleted: true, [key]: value };
			},
	});
}

/**
 * Builds the operation that creates a record. Supercast can look up a person by the email. So if the
 * response to a create request is lost, the node looks up the person, and retries the request only
 * if it finds nobody.
 */
export function createOperation(
	kind: RecordKind,
	description: string,
	fields: RecordFields & { main: INodeProperties },
): Operation {
	const { main } = fields;
	const required = { ...main, required: true };
	return {
		name: 'Create',
		action: `Create ${kind.singular}`,
		description,
		properties: [required, additionalFields(fields), ...simplifyProperties(kind)],
		prepare: (item) => {
			const name = readField(main, item.parameter(main.name), item) as string;
			const body = readAdditionalFields(item, fields, { [main.name]: name });
			const show = changeShower(kind, item, body);
			const request = createRequest(kind, name, body);
			return {
				record: request.newName,
				run: async (client, addHint) => {
					let record = await requestChange(client, request);
					if (kind.isPerson && !hasName(record)) {
						// Supercast may not respond with the record.
						const known = { ...readRequest(kind, name), mayBeHidden: true };
						record = await findRecord(client, known).catch(() => undefined);
					}
					return [show(record, { created: true, [main.name]: name }, addHint)];
				},
			};
		},
	};
}

/**
 * Returns a function for the output after a change that sent the fields in `body`. `done` stands in
 * for a record that Supercast does not show.
 */
function changeShower(kind: RecordKind, item: ItemParameters, body: IDataObject) {
	const simplify = simplifier(kind, item, Object.keys(body));
	return (record: IDataObject | undefined, done: IDataObject, addHint?: AddHint): IDataObject => {
		if (record === undefined) return done;
		hintIgnored(record, body, addHint);
		return hasName(record) ? simplify(record) : { ...done, ...simplify(record) };
	};
}
