import type { INodeProperties } from 'n8n-workflow';

import type { NamedRecordKind } from '../../operations/recordKind';
import { personLocator } from '../../operations/properties';
import { personIdentifier } from '../../operations/validation';

/** The people who make the podcast. Known to the service by email or uuid alike. */
export const creators: NamedRecordKind = {
	singular: 'creator',
	plural: 'creators',
	path: 'creators',
	wrapper: 'creator',
	locator: personLocator({
		displayName: 'Creator',
		name: 'creator',
		description: 'The creator to work with, chosen from the list, by email or by UUID',
		searchListMethod: 'searchCreators',
	}),
	identify: (item) => personIdentifier(item.locator('creator'), 'Creator'),
};

/** The parameter at the top of Create. */
export const creatorEmail: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	required: true,
	default: '',
	description: 'The email address that the creator is known by',
};

/** Fields that can be given or changed (as published integrations send them). */
export const creatorFields: INodeProperties[] = [
	{
		displayName: 'First Name',
		name: 'firstName',
		type: 'string',
		placeholder: 'e.g. Nathan',
		default: '',
		description: 'The given name of the creator',
	},
	{
		displayName: 'Last Name',
		name: 'lastName',
		type: 'string',
		placeholder: 'e.g. Smith',
		default: '',
		description: 'The family name of the creator',
	},
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description:
			'The password that the creator logs in with. A creator without one is managed through the API alone.',
	},
];
