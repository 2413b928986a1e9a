import { definedFields } from '../../shared/fields';
import { requireEmail } from '../../shared/identify';
import { requestRecord } from '../../transport/records';
import type { Operation } from '../types';

/** Opens the private feeds of a new member. */
export const create: Operation = {
	name: 'Create',
	action: 'Create a subscriber',
	description: 'Add a subscriber and open a private feed for them',
	properties: [
		{
			displayName: 'Email',
			name: 'email',
			type: 'string',
			placeholder: 'e.g. nathan@example.com',
			required: true,
			default: '',
			description: 'The email address of the new subscriber',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			options: [
				{
					displayName: 'Customer ID',
					name: 'customerId',
					type: 'string',
					default: '',
					description: 'The ID of this person in your own system, kept with the subscriber',
				},
				{
					displayName: 'First Name',
					name: 'firstName',
					type: 'string',
					placeholder: 'e.g. Nathan',
					default: '',
				},
				{
					displayName: 'Last Name',
					name: 'lastName',
					type: 'string',
					placeholder: 'e.g. Smith',
					default: '',
				},
			],
		},
	],
	execute: async (item) => {
		const email = requireEmail(item.parameter('email'), 'Email');
		const { customerId, firstName, lastName } = item.collection('additionalFields');
		const fields = definedFields({
			email,
			customer_id: customerId,
			first_name: firstName,
			last_name: lastName,
		});
		const record = await requestRecord(item.client, {
			method: 'POST',
			path: ['subscribers'],
			body: { subscriber: fields },
			subject: { text: `subscriber "${email}"`, isRecord: false },
		});
		return [record];
	},
};
