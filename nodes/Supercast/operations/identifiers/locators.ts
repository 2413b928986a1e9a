/** The parameters that select one record. */

import type { INodeProperties, INodePropertyMode, INodePropertyModeValidation } from 'n8n-workflow';

import { EMAIL_PATTERN } from '../../api/identity';

// n8n checks user input in a resource locator against `^` + pattern + `$`.

/** The same check as in `personIdentifier`: not empty, and not an email. */
const UUID_PATTERN = '\\s*[^\\s@]+\\s*';

/** The same check as in `idIdentifier`: not blank. */
const ID_PATTERN = '.*\\S.*';

/** The texts of a resource locator in the editor. */
export interface LocatorTexts {
	displayName: string;
	name: string;
	description: string;
	/** The name of the method that fills the list. */
	searchListMethod: string;
}

/** The mode that selects a subscriber by their ID in another system. */
export const customerIdMode = typedMode({
	name: 'customerId',
	displayName: 'By Customer ID',
	placeholder: 'e.g. cus_9s6XKzkNRiz8i3',
	hint: 'The ID in your membership system. To find it, the node reads the whole list of subscribers once for all items.',
	validation: [matches(ID_PATTERN, 'Not a valid customer ID')],
});

/** The resource locator of a person: from a list, by email, by uuid, or in additional modes. */
export function personLocator(
	texts: LocatorTexts,
	more: INodePropertyMode[] = [],
): INodeProperties {
	return locator(texts, [
		typedMode({
			name: 'email',
			displayName: 'By Email',
			placeholder: 'e.g. nathan@example.com',
			validation: [matches(EMAIL_PATTERN, 'Not a valid email address')],
		}),
		typedMode({
			name: 'uuid',
			displayName: 'By UUID',
			placeholder: 'e.g. 2f6c1f5e-6b0a-4a8e-9d5b-0c1f7c9a4e21',
			validation: [matches(UUID_PATTERN, 'Not a valid UUID')],
		}),
		...more,
	]);
}

/** The resource locator of a record that has an ID: from a list, or by ID. */
export function idLocator(texts: LocatorTexts): INodeProperties {
	return locator(texts, [
		typedMode({
			name: 'id',
			displayName: 'By ID',
			placeholder: 'e.g. 1234',
			validation: [matches(ID_PATTERN, 'Not a valid ID')],
		}),
	]);
}

function locator(
	{ searchListMethod, ...texts }: LocatorTexts,
	modes: INodePropertyMode[],
): INodeProperties {
	return {
		...texts,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select from the list...',
				typeOptions: { searchListMethod, searchable: true },
			},
			...modes,
		],
	};
}

function typedMode(mode: Omit<INodePropertyMode, 'type'>): INodePropertyMode {
	return { ...mode, type: 'string' };
}

function matches(regex: string, errorMessage: string): INodePropertyModeValidation {
	return { type: 'regex', properties: { regex, errorMessage } };
}
