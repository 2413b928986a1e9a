import type { INodeProperties } from 'n8n-workflow';

import { requireEmail } from '../api/identity';
import { createOperation } from '../operations/crud';
import { deleteOperation } from '../operations/crud';
import { getOperation } from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import { personIdentifier } from '../operations/locators';
import { personLocator } from '../operations/locators';
import type { NamedRecordKind } from '../operations/kinds';
import { updateOperation } from '../operations/crud';
import type { Resource } from './types';

/** The people who make the podcast. Supercast finds them by email or uuid. */
export const creators: NamedRecordKind = {
	singular: 'creator',
	plural: 'creators',
	path: 'creators',
	wrapper: 'creator',
	isPerson: true,
	locator: personLocator({
		displayName: 'Creator',
		name: 'creator',
		description: 'The creator to work with. Choose from the list, or enter an email or UUID.',
		searchListMethod: 'searchCreators',
	}),
	identify: (item) => personIdentifier(item.locator('creator'), 'Creator'),
};

const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	required: true,
	default: '',
	description: 'The email address of the creator',
};

/** Fields to set or change (as published integrations send them). */
const fields: INodeProperties[] = [
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
			'The password that the creator logs in with. Without one, the creator can only be managed through the API.',
	},
];

const example = '{ "biography": "Hosts the show" }';

/** The people who make the podcast. */
export const creator: Resource<'creator'> = {
	name: 'Creator',
	description: 'A person who makes the podcast',
	defaultOperation: 'getAll',
	operations: {
		create: createOperation(creators, {
			action: 'Create creator',
			description: 'Add a person who makes the podcast',
			required: { property: email, read: requireEmail },
			fields,
			example,
			readByName: true,
		}),
		delete: deleteOperation(creators, {
			action: 'Delete creator',
			description: 'Delete a creator permanently',
			notice: 'This cannot be undone. The creator can no longer log in.',
		}),
		get: getOperation(creators, { action: 'Get creator', description: 'Look up one creator' }),
		getAll: getManyOperation(creators, {
			action: 'Get many creators',
			description: 'List the people who make the podcast',
		}),
		update: updateOperation(creators, {
			action: 'Update creator',
			description: 'Change the name, email or password of a creator',
			fields: [{ ...email, required: false }, ...fields],
			example,
			clearable: ['firstName', 'lastName'],
		}),
	},
};
