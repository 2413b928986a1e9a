import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { updateAndConfirm, createInQueue } from '../api/changes';
import { ignoredFields } from '../api/sentFields';
import type { SupercastClient } from '../api/client';
import { confirmed } from '../api/confirm';
import { hasIdentifier, newPerson } from '../api/identity';
import { asRecord, isRecord, isSameValue } from '../api/json';
import { LARGEST_PAGE } from '../api/paging/page';
import { requestRecord } from '../api/records';
import type { ApiRequest, Subject } from '../api/types';
import {
	additionalFields,
	otherNames,
	readFields,
	readMain,
	readUpdateFields,
	updateFields,
	type FieldCollection,
	type RecordFields,
} from './fields';
import { changeRequest, createRequest, listRequest, readRequest, type RecordKind } from './kinds';
import type { ListFilter } from './filters';
import { getManyOperation } from './getMany';
import { readList } from './lists';
import { picked, simplifier, simplifyProperties } from './output';
import { recordOperation, removal } from './record';
import type { TellLeftOut } from './leftOut';
import { refuseSpoiled } from './spoiled';
import type { AddHint, ItemParameters, Operation } from './types';

interface CrudDetails {
	/** For Create and Update, which need them. */
	fields?: RecordFields & { main: INodeProperties };
	/** For Get Many. */
	filters?: ListFilter[];
	isSortable?: boolean;
	/** For Delete: a warning, and the option to succeed if there is no such record. */
	notice?: string;
	ifMissing?: INodeProperties;
}

type DetailsWithFields = CrudDetails & Required<Pick<CrudDetails, 'fields'>>;

const FACTORIES = {
	create: createOperation,
	delete: deleteOperation,
	get: getOperation,
	getAll: getManyOperation,
	update: updateOperation,
};

/** Builds the operations that have a description, by their keys in saved workflows. */
export function crudOperations<Key extends keyof typeof FACTORIES>(
	kind: RecordKind,
	descriptions: Record<Key, string>,
	details: CrudDetails = {},
): Record<Key, Operation> {
	const operations = Object.entries<string>(descriptions).map(([key, description]) => {
		return [key, FACTORIES[key as Key](kind, description, details as DetailsWithFields)];
	});
	return Object.fromEntries(operations) as Record<Key, Operation>;
}

function getOperation(kind: RecordKind, description: string): Operation {
	return recordOperation(kind, {
		name: 'Get',
		description,
		properties: simplifyProperties(kind),
		prepare: (item) => simplifier(kind, item),
		run: async (client, { name, subject }, simplify) =>
			simplify(await requestRecord(client, { ...readRequest(kind, name), subject })),
	});
}

function updateOperation(
	kind: RecordKind,
	description: string,
	{ fields }: DetailsWithFields,
): Operation {
	return recordOperation(kind, {
		name: 'Update',
		description,
		properties: [updateFields(fields), ...simplifyProperties(kind)],
		prepare: (item) => {
			const told: string[] = [];
			const body = readUpdateFields(item, fields, (sentence) => told.push(sentence));
			refuseSpoiled(body);
			return { body, told, show: changeShower(kind, item, body, 'updateFields') };
		},
		gives: ({ body }) => body,
		run: async (client, { key, value, name, subject }, { body, told, show }, addHint) => {
			for (const sentence of told) addHint?.(about(subject, sentence));
			const request = { ...changeRequest(kind, name, body), subject };
			const record = await updateAndConfirm(client, request);
			return show(record, { updated: true, [key]: value }, addHint);
		},
	});
}

function deleteOperation(
	kind: RecordKind,
	description: string,
	{ notice = 'This cannot be undone.', ifMissing }: CrudDetails,
): Operation {
	return recordOperation(kind, {
		name: 'Delete',
		description,
		notice,
		ifMissing,
		missing: { deleted: false },
		gives: () => ({}),
		run: async (client, { key, value, name, subject }) => {
			const request: ApiRequest = { method: 'DELETE', path: [kind.path, name], subject };
			// An empty response is proof, because it is usual.
			await removal(client, kind, request);
			return { deleted: true, [key]: value };
		},
	});
}

/** Supercast can look up people, so after a lost response, the node retries if it finds nobody. */
function createOperation(
	kind: RecordKind,
	description: string,
	{ fields }: DetailsWithFields,
): Operation {
	const { main } = fields;
	const required = { ...main, required: true };
	return {
		name: 'Create',
		action: `Create ${kind.singular}`,
		description,
		properties: [required, additionalFields(fields), ...simplifyProperties(kind)],
		prepare: (item) => {
			const told: string[] = [];
			const tell: TellLeftOut = (sentence) => told.push(sentence);
			const name = readMain(item, fields, tell);
			const body = readFields(item, fields, { [main.name]: name }, 'additionalFields', tell);
			refuseSpoiled(body);
			const show = changeShower(kind, item, body);
			const request = createRequest(kind, name, body);
			return {
				record: request.newName,
				changes: kind.hasAccess ? newPerson(body) : undefined,
				run: async (client, addHint, place) => {
					for (const sentence of told) addHint?.(about(request.subject, sentence));
					const record = kind.isPerson
						? await createInQueue(client, request, kind.isComplete ?? hasIdentifier, place)
						: await createThing(client, kind, request, main.name);
					const warning = kind.warnOfNew?.(record);
					if (warning !== undefined) addHint?.(warning);
					return [show(record, { created: true, [main.name]: name }, addHint)];
				},
			};
		},
	};
}

/** A hint about the fields of one record. */
export function about({ text }: Subject, sentence: string): string {
	return `${sentence} (${text})`;
}

/**
 * Creates a record that has no unique name. If the response does not show it, the list must have a
 * record with the same title or name.
 */
async function createThing(
	client: SupercastClient,
	kind: RecordKind,
	request: ApiRequest,
	key: string,
): Promise<IDataObject> {
	const { body } = await client.request(request);
	const [sent] = Object.values(request.body ?? {}).map(asRecord);
	const find = (record: IDataObject): IDataObject | undefined =>
		isSameValue(record[key], sent?.[key]) ? record : undefined;
	if (hasIdentifier(body)) return body;
	return await confirmed({
		request,
		isShownBy: hasIdentifier,
		find: async () => {
			const read = async () => (await readList(client, kind, { take: find, limit: 1 })).taken[0];
			return (await read()) ?? (await waitUntilListed(client, kind, find).then(read));
		},
		wanted: `a new ${kind.singular}`,
		inWords: () => `no such ${kind.singular}`,
	});
}

/** Waits up to a few seconds until the first page shows a new record. */
async function waitUntilListed(
	client: SupercastClient,
	kind: RecordKind,
	find: (record: IDataObject) => IDataObject | undefined,
): Promise<void> {
	const outdatedIf = (body: unknown): boolean =>
		![body]
			.flat()
			.filter(isRecord)
			.some((record) => find(record) !== undefined);
	const query = { page: 1, per_page: LARGEST_PAGE };
	await client.request({ ...listRequest(kind), query, outdatedIf });
}

/**
 * Shows the record after a change, with the fields that were sent. `done` stands in for a record
 * that Supercast does not show. Adds a hint about fields that Supercast ignored. A name in Other
 * Fields may be unknown to Supercast, which then says nothing about it.
 */
export function changeShower(
	kind: RecordKind,
	item: ItemParameters,
	sent: IDataObject,
	collection: FieldCollection = 'additionalFields',
) {
	const simplify = simplifier(kind, item);
	const typed = otherNames(item, collection);
	return (record: IDataObject | undefined, done: IDataObject, addHint?: AddHint): IDataObject => {
		if (record === undefined) return done;
		const ignored = ignoredFields(record, { body: { sent } }).map((name) => `'${name}'`);
		if (ignored.length > 0) {
			const names = ignored.join(', ');
			addHint?.(`Supercast confirmed the change, but shows other values for ${names}.`);
		}
		const absent = hasIdentifier(record)
			? typed.filter((name) => Object.hasOwn(sent, name) && !Object.hasOwn(record, name))
			: [];
		if (absent.length > 0) addHint?.(unknownNames(absent));
		const shown = { ...simplify(record), ...picked(record, Object.keys(sent)) };
		return hasIdentifier(record) ? shown : { ...done, ...shown };
	};
}

function unknownNames(names: string[]): string {
	const list = names.map((name) => `'${name}'`).join(', ');
	return `Supercast confirmed the change, but does not show ${list}. Check the spelling in 'Other Fields (JSON)', because Supercast may ignore names that it does not know.`;
}
