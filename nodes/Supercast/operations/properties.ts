/** Parameters that several operations have, so that they read the same everywhere. */

import type { IDataObject, INodeProperties, INodePropertyModeValidation } from 'n8n-workflow';
import { InputError } from '../api/errors/errors';
import { EMAIL_PATTERN, ID_PATTERN, isOn, UUID_PATTERN } from './validation';
import type { RecordKind, Simplifiable } from './recordKind';
import type { ItemParameters } from './types';

/** The parameters Return All and Limit of an operation Get Many. */
export const listProperties: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/**
 * How many records Return All and Limit ask for; Infinity for all.
 *
 * @throws InputError when Limit is no number of at least 1.
 */
export function wantedCount(item: ItemParameters): number {
	if (isOn(item.parameter('returnAll'), 'Return All')) return Infinity;
	const limit = Math.floor(Number(item.parameter('limit')));
	if (!(limit >= 1)) {
		throw new InputError("'Limit' is not a number of at least 1", 'Correct it for this item.');
	}
	return limit;
}

/** The parameter Simplify of an operation whose records have more than ten fields. */
export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** What the editor shows of a resource locator. */
export interface LocatorTexts {
	displayName: string;
	name: string;
	description: string;
	/** Name of the method that fills the list. */
	searchListMethod: string;
}

/** The resource locator of a person: from a list, by email, or by uuid. */
export function personLocator(texts: LocatorTexts): INodeProperties {
	return {
		...locatorBase(texts),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select from the list...',
				typeOptions: { searchListMethod: texts.searchListMethod, searchable: true },
			},
			{
				displayName: 'By Email',
				name: 'email',
				type: 'string',
				placeholder: 'e.g. nathan@example.com',
				validation: [matches(EMAIL_PATTERN, 'Not a valid email address')],
			},
			{
				displayName: 'By UUID',
				name: 'uuid',
				type: 'string',
				placeholder: 'e.g. 2f6c1f5e-6b0a-4a8e-9d5b-0c1f7c9a4e21',
				validation: [matches(UUID_PATTERN, 'Not a valid UUID')],
			},
		],
	};
}

/** The resource locator of a record that is known by its id: from a list, or by id. */
export function idLocator(texts: LocatorTexts): INodeProperties {
	return {
		...locatorBase(texts),
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select from the list...',
				typeOptions: { searchListMethod: texts.searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 1234',
				validation: [matches(ID_PATTERN, 'Not a valid ID')],
			},
		],
	};
}

function locatorBase({ displayName, name, description }: LocatorTexts): INodeProperties {
	return {
		displayName,
		name,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description,
	};
}

function matches(regex: string, errorMessage: string): INodePropertyModeValidation {
	return { type: 'regex', properties: { regex, errorMessage } };
}

type MaybeSimplifiable = RecordKind & Partial<Simplifiable>;

/** The parameter Simplify, for a kind that has many fields. */
export function simplifyProperties(kind: MaybeSimplifiable): INodeProperties[] {
	return kind.simplify === undefined ? [] : [simplifyProperty];
}

/** What an item's records are put through before they are handed on. */
export function simplifier(
	kind: MaybeSimplifiable,
	item: ItemParameters,
): (record: IDataObject) => IDataObject {
	const { simplify } = kind;
	return simplify !== undefined && isOn(item.parameter('simplify'), 'Simplify')
		? simplify
		: (record) => record;
}
