/** Parameters that several operations share, so that the UI texts are the same everywhere. */

import type { IDataObject, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { toolOutput } from './output/toolOutput';
import { isOn, requireNumber } from './validation';
import type { RecordKind, Simplifiable } from './recordKind';
import type { ItemParameters } from './types';

/** One credential type for each value of {@link authenticationProperty}. */
export const credentials: INodeTypeDescription['credentials'] = [
	{
		name: 'supercastApi',
		required: true,
		displayOptions: { show: { authentication: ['accessToken'] } },
	},
	{
		name: 'supercastOAuth2Api',
		required: true,
		displayOptions: { show: { authentication: ['oAuth2'] } },
	},
];

/** The parameter `authentication`. */
export const authenticationProperty: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	options: [
		{ name: 'Access Token', value: 'accessToken' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'accessToken',
};

/** The parameters Return All and Limit of a Get Many operation. */
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
 * The number of records that Return All and Limit request; Infinity for all.
 *
 * @throws InputError if Return All is not a boolean, or Limit is not a number of at least 1.
 */
export function wantedCount(item: ItemParameters): number {
	if (isOn(item.parameter('returnAll'), 'Return All')) return Infinity;
	return Math.floor(requireNumber(item.parameter('limit'), 'Limit', 1));
}

/** The parameter Simplify, for an operation whose records have more than ten fields. */
export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	displayOptions: { hide: { '@tool': [true] } },
};

type MaybeSimplifiable = RecordKind & Partial<Simplifiable>;

/** The parameter Simplify, if records of this kind can be simplified. */
export function simplifyProperties(kind: MaybeSimplifiable): INodeProperties[] {
	return kind.simplify === undefined ? [] : [simplifyProperty];
}

function isSimplified(item: ItemParameters): boolean {
	if (item.isTool) return toolOutput(item).isSimplified;
	return isOn(item.parameter('simplify'), 'Simplify');
}

/**
 * Returns a function that converts the records of an item for the output.
 *
 * @param keep The names of further fields to keep, such as the fields that were just set.
 */
export function simplifier(
	{ simplify }: MaybeSimplifiable,
	item: ItemParameters,
	keep: string[] = [],
): (record: IDataObject) => IDataObject {
	if (simplify === undefined || !isSimplified(item)) {
		return (record) => record;
	}
	return (record) => {
		const kept = keep.filter((name) => Object.hasOwn(record, name));
		return { ...simplify(record), ...Object.fromEntries(kept.map((name) => [name, record[name]])) };
	};
}
