/** Kinds of records in Supercast: their paths and names, and how users select one of them. */

import type { IDataObject, INodeProperties, INodePropertyMode } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import type { Candidate } from '../api/queue';
import { InputError } from '../api/errors/errors';
import { isUuid, identifiersIn, type Whom } from '../api/identity';
import { breaksPath } from '../api/http/address';
import { textOf } from '../api/json';
import type { ApiRequest, Subject } from '../api/types';
import { EMAIL_PATTERN, EXPRESSION_HINT, isEmail, requireEmail, requireId } from './texts';
import type { ItemParameters } from './types';

/** A mode of a resource locator. n8n checks what users enter against `^` + `pattern` + `$`. */
export function typedMode(
	name: string,
	displayName: string,
	what: string,
	example: string,
	{ pattern = '.*\\S.*', hint }: { pattern?: string; hint?: string } = {},
): INodePropertyMode {
	const properties = { regex: pattern, errorMessage: `Not a valid ${what}` };
	const validation = [{ type: 'regex' as const, properties }];
	const mode = { name, displayName, placeholder: `e.g. ${example}`, hint, validation };
	return { ...mode, type: 'string' };
}

const idMode = typedMode('id', 'By ID', 'ID', '1234');
const personModes = [
	typedMode('email', 'By Email', 'email address', 'nathan@example.com', { pattern: EMAIL_PATTERN }),
	typedMode('uuid', 'By UUID', 'UUID', '2f6c1f5e-6b0a-4a8e-9d5b-0c1f7c9a4e21', {
		pattern: '\\s*[^\\s@]+\\s*',
	}),
];

export interface RecordKind {
	/** Its names in the editor and in sentences: `Usage Alert`, `usage alert`, `usage alerts`. */
	label: string;
	singular: string;
	plural: string;
	/** The first segment of its paths, and the key of the fields in a body (vendor's Ruby client). */
	path: string;
	wrapper: string;
	locator: INodeProperties;
	searchMethod: string;
	/** The locator's description, if the default one does not fit. */
	locatorText?: string;
	mode?: {
		property: INodePropertyMode;
		identify: (typed: string) => Identifier;
	};
	/** Whether Supercast returns these records only in a list (the vendor's Ruby client). */
	isListOnly?: boolean;
	/** Whether the records are people, whom Supercast finds by email or uuid. */
	isPerson?: boolean;
	/** Whether these people have access to feeds, so that all their changes must keep their order. */
	hasAccess?: boolean;
	/** Whether a response shows enough of a new record. By default, a name is enough. */
	isComplete?: (record: IDataObject) => boolean;
	/** Proves that a record is missing which a look-up did not find, or finds it after all. */
	proveMissing?: (
		client: SupercastClient,
		name: string,
		isBare: boolean,
	) => Promise<IDataObject | undefined>;
	/** A warning about a new record that is not as expected, for example with closed feeds. */
	warnOfNew?: (record: IDataObject) => string | undefined;
	/** Keeps at most ten fields of a record that has more than most workflows need. */
	simplify?: (record: IDataObject) => IDataObject;
}

/** Describes a kind of record. The names derive from the label, unless `special` overrides them. */
export function recordKind(label: string, special: Partial<RecordKind> = {}): RecordKind {
	const singular = label.toLowerCase();
	const wrapper = singular.replaceAll(' ', '_');
	const joined = label.replaceAll(' ', '');
	const searchMethod = `search${joined}s`;
	const what = special.isPerson ? 'an email or UUID' : 'an ID';
	const locator: INodeProperties = {
		displayName: label,
		name: `${joined.charAt(0).toLowerCase()}${joined.slice(1)}`,
		description:
			special.locatorText ??
			`The ${singular} to work with. Choose from the list, or enter ${what}.`,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select from the list...',
				typeOptions: { searchListMethod: searchMethod, searchable: true },
			},
			...(special.isPerson ? personModes : [idMode]),
			...(special.mode ? [special.mode.property] : []),
		],
	};
	const plural = `${singular}s`;
	const path = `${wrapper}s`;
	return { label, singular, plural, path, wrapper, searchMethod, locator, ...special };
}

export interface Identifier {
	/** Supercast's name for the field that identifies the record. */
	key: 'customer_id' | 'email' | 'id' | 'uuid';
	/** For outputs and errors, and to keep items in order. */
	value: string;
	/** How to find the record's name in paths, if that is not `value`. */
	search?: {
		find: (client: SupercastClient) => Promise<Candidate[]>;
		/** Throws NoSuchRecordError or InputError if there is not exactly one. */
		choose: (client: SupercastClient, found: readonly Candidate[]) => Promise<string>;
	};
}

/** Whom an item is about: the person in the item, and the names that the operation gives them. */
export function personOf({ key, value }: Identifier, given: IDataObject): Whom {
	// A path takes an email or a UUID, and both have the same form for comparison.
	const named = key === 'customer_id' ? { customerIds: [value] } : { uuid: value };
	return { named, gives: identifiersIn(given) };
}

/** Thrown if a look-up succeeds but finds no such record. */
export class NoSuchRecordError extends InputError {}

/**
 * Reads a resource locator. Supercast finds people by email or uuid (Supercast API reference, the
 * subscriber object), and other records by ID. The format of IDs is not documented.
 * @throws InputError if the locator is empty or malformed.
 */
export function identifyRecord(kind: RecordKind, item: ItemParameters): Identifier {
	const { label, isPerson, mode: more, locator } = kind;
	const { mode, value: given } = item.locator(locator.name);
	const typed = typeof given === 'number' ? requireId(given, label) : given;
	if (mode === more?.property.name) return more.identify(typed);
	const value = typed.trim();
	// When someone drags a field, n8n always chooses By Email.
	if (mode === 'email' && !isUuid(value))
		return { key: 'email', value: requireEmail(typed, label) };
	if (value === '') {
		const what = isPerson ? 'an email address or a UUID' : 'an ID';
		throw new InputError(
			`'${label}' is empty`,
			`Choose one from the list, or enter ${what}. ${EXPRESSION_HINT}`,
		);
	}
	const id = requireId(value, label);
	if (breaksPath(id)) {
		throw new InputError(
			`'${label}' is not an ID: "${id}"`,
			'IDs and UUIDs contain no slash, backslash, question mark or number sign. Enter only the ID itself.',
		);
	}
	return isPerson ? identifyPerson(label, mode, value) : { key: 'id', value: id };
}

function identifyPerson(label: string, mode: string, value: string): Identifier {
	// If a record has no uuid, the value in the drop-down list is the person's email.
	if (mode === 'list' && isEmail(value)) return { key: 'email', value };
	if (!value.includes('@')) return { key: 'uuid', value };
	throw new InputError(
		`'${label}' is set to By UUID, but "${value}" looks like an email address`,
		"Choose 'By Email' instead.",
	);
}

/**
 * Identifies a record in a list, if it has an ID. The uuid counts only for people, because another
 * record may contain a person's uuid.
 */
export function recordKey({ isPerson }: RecordKind, record: IDataObject): string | undefined {
	for (const name of isPerson ? ['uuid', 'email', 'id'] : ['id']) {
		const value = textOf(record[name]);
		// The UUID itself, since a new text for each record takes an eighth of the memory of a list.
		if (value.trim() !== '') return name === 'uuid' ? value : `${name} ${value}`;
	}
	return undefined;
}

/** How error messages name one record of a kind. */
export function recordSubject(kind: RecordKind, name: string, more?: Partial<Subject>): Subject {
	return { text: `${kind.singular} "${name}"`, isRecord: true, ...more };
}

/** The request that reads one record. */
export function readRequest(kind: RecordKind, name: string): ApiRequest {
	return { method: 'GET', path: [kind.path, name], subject: recordSubject(kind, name) };
}

/** The request that creates a record. */
export function createRequest(kind: RecordKind, name: string, fields: IDataObject): ApiRequest {
	return {
		method: 'POST',
		path: [kind.path],
		body: { [kind.wrapper]: fields },
		subject: recordSubject(kind, name, { isRecord: false }),
		// Only people can be found by their new name.
		newName: kind.isPerson ? name : undefined,
	};
}

/** The request that changes fields of one record. */
export function changeRequest(kind: RecordKind, name: string, fields: IDataObject): ApiRequest {
	return { ...readRequest(kind, name), method: 'PATCH', body: { [kind.wrapper]: fields } };
}

/** The request for the list of a kind. */
export function listRequest(kind: RecordKind): ApiRequest {
	const subject = { text: `list of ${kind.plural}`, isRecord: false };
	return { method: 'GET', path: [kind.path], subject, expects: 'list' };
}
