import {
	createOperation,
	deleteOperation,
	getOperation,
	updateOperation,
} from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import { recordKind } from '../operations/kinds';
import { personFields, textField } from '../operations/properties';
import type { Resource } from '../operations/types';

const kind = recordKind('Creator', { isPerson: true });
const { email, firstName, lastName } = personFields(kind.singular);

/** As published integrations send them. */
const fields = {
	main: email,
	others: [
		firstName,
		lastName,
		textField('password', 'Password', {
			description:
				'The password that the creator logs in with. Without one, the creator can only be managed through the API.',
			typeOptions: { password: true },
		}),
	],
	clearable: ['firstName', 'lastName'],
	example: '{ "biography": "Hosts the show" }',
};

/** The people who make the podcast. */
export const creator = {
	kind,
	description: 'A person who makes the podcast',
	operations: {
		create: createOperation(kind, 'Add a person who makes the podcast', fields),
		delete: deleteOperation(kind, 'Delete a creator permanently', {
			notice: 'This cannot be undone. The creator can no longer log in.',
		}),
		get: getOperation(kind, 'Look up one creator'),
		getAll: getManyOperation(kind, 'List the people who make the podcast'),
		update: updateOperation(kind, 'Change the name, email or password of a creator', fields),
	},
} satisfies Resource;
