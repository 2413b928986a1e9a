import { crudOperations } from '../operations/crud';
import { recordKind } from '../operations/kinds';
import { personFields, textField } from '../operations/properties';
import type { Resource } from './resource';

const kind = recordKind('Creator', { isPerson: true });
const person = personFields(kind.singular);

/** The fields that published integrations send. */
const fields = {
	main: person.email,
	others: [
		person.firstName,
		person.lastName,
		textField('password', 'Password', {
			example: 'a long passphrase',
			description:
				'The password that the creator logs in with. Without one, the creator can only be managed through the API.',
			typeOptions: { password: true },
		}),
	],
	wireNames: {
		email: 'email',
		firstName: 'first_name',
		lastName: 'last_name',
		password: 'password',
	},
	example: '{ "biography": "Hosts the show" }',
};

const descriptions = {
	create: 'Add a person who makes the podcast',
	delete: 'Delete a creator permanently',
	get: 'Look up one creator',
	getAll: 'List the people who make the podcast',
	update: 'Change the name, email or password of a creator',
};

const notice = 'This cannot be undone.';

export const creator = {
	kind,
	description: 'A person who makes the podcast',
	operations: crudOperations(kind, descriptions, { fields, notice }),
} satisfies Resource;
