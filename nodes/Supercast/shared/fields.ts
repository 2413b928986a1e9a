/** Parameters that several operations have, so that they read the same everywhere. */

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { OperationItem } from '../resources/types';
import { EMAIL_PATTERN, UUID_PATTERN } from './identify';

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

/** How many records Return All and Limit ask for; Infinity for all. */
export function wantedCount(item: OperationItem): number {
	if (item.parameter('returnAll') === true) return Infinity;
	return Math.max(1, Math.floor(Number(item.parameter('limit'))));
}

/** The parameter Simplify of an operation whose records have more than ten fields. */
export const simplifyProperty: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** The resource locator of a person: from a list, by email, or by uuid. */
export function personLocator(options: {
	displayName: string;
	name: string;
	description: string;
	searchListMethod: string;
}): INodeProperties {
	const { displayName, name, description, searchListMethod } = options;
	return {
		displayName,
		name,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		description,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${displayName.toLowerCase()}...`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By Email',
				name: 'email',
				type: 'string',
				placeholder: 'e.g. nathan@example.com',
				validation: [
					{
						type: 'regex',
						properties: { regex: EMAIL_PATTERN, errorMessage: 'Not a valid email address' },
					},
				],
			},
			{
				displayName: 'By UUID',
				name: 'uuid',
				type: 'string',
				placeholder: 'e.g. 2f6c1f5e-6b0a-4a8e-9d5b-0c1f7c9a4e21',
				validation: [
					{
						type: 'regex',
						properties: { regex: UUID_PATTERN, errorMessage: 'Not a valid UUID' },
					},
				],
			},
		],
	};
}

/** The fields of a record that have been given a value, under the service's own names. */
export function definedFields(fields: IDataObject): IDataObject {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
