import { createOperation } from '../../operations/create';
import { requireEmail } from '../../operations/validation';
import { emailProperty, subscriberFields, subscribers } from './subscriber';
import { textOf } from '../../api/json';

/** Opens the private feeds of a new member. */
export const create = createOperation(subscribers, {
	action: 'Create a subscriber',
	description:
		'Add a subscriber and open private feeds for them. Fails when there is one with that email: use Create or Update where that can be.',
	required: [emailProperty],
	readRequired: (item) => ({ email: requireEmail(item.parameter('email'), 'Email') }),
	fields: subscriberFields,
	nameOf: ({ email }) => textOf(email),
	readByName: true,
});
