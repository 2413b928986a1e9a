import { createOperation } from '../../operations/create';
import { roles } from './role';

/** Adds a role. Its fields are not documented, so they are given as JSON. */
export const create = createOperation(roles, {
	action: 'Create a role',
	description: 'Add a role to the channel',
	required: [],
	readRequired: () => ({}),
	fields: [],
	nameOf: () => '',
});
