import { createOperation } from '../../operations/create';
import { requireEmail } from '../../operations/validation';
import { creatorEmail, creatorFields, creators } from './creator';
import { textOf } from '../../api/json';

/** Adds a creator. */
export const create = createOperation(creators, {
	action: 'Create a creator',
	description: 'Add a person who makes the podcast',
	required: [creatorEmail],
	readRequired: (item) => ({ email: requireEmail(item.parameter('email'), 'Email') }),
	fields: creatorFields,
	nameOf: ({ email }) => textOf(email),
	readByName: true,
});
