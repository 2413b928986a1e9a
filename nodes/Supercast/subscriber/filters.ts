import { textOf } from '../api/json';
import {
	containsFilter,
	sameTextFilter,
	sinceFilter,
	type ListFilter,
} from '../operations/getMany';
import { choice, dateField, textField } from '../operations/properties';

/** The filters for subscribers, in the order of the editor's list. */
export const subscriberFilters: ListFilter[] = [
	sinceFilter(
		dateField('createdAfter', 'Created After', {
			description:
				"Return only subscribers created at or after this time, in the workflow's time zone",
		}),
		'created_at',
	),
	sameTextFilter(
		textField('customerId', 'Customer ID', {
			example: 'cus_9s6XKzkNRiz8i3',
			description: 'Return only subscribers with this ID from your membership system',
		}),
		'customer_id',
	),
	containsFilter(
		textField('emailContains', 'Email Contains', {
			example: '@example.com',
			description: 'Return only subscribers whose email contains this text',
		}),
		({ email }) => textOf(email),
	),
	containsFilter(
		textField('nameContains', 'Name Contains', {
			example: 'Smith',
			description: 'Return only subscribers whose first and last name contain this text',
		}),
		(record) => `${textOf(record.first_name)} ${textOf(record.last_name)}`,
	),
	sameTextFilter(
		textField('planId', 'Plan ID', {
			example: '42',
			description: 'Return only subscribers on the Supercast plan with this ID',
		}),
		'plan_id',
	),
	sameTextFilter(
		{
			displayName: 'State',
			name: 'state',
			type: 'multiOptions',
			default: [],
			description: 'Return only subscribers in one of these states',
			// Supercast API reference, the subscriber object.
			options: [
				choice('available', 'Available', 'The feeds are open'),
				choice(
					'charge_failure',
					'Charge Failure',
					'A payment has failed, and the feeds are closed temporarily',
				),
				choice('deactivated', 'Deactivated', 'The feeds are closed'),
				choice('pending', 'Pending', 'The checkout is not complete, so there is no feed yet'),
				choice('suspended', 'Suspended', 'The feeds are closed temporarily'),
			],
		},
		'state',
	),
	sinceFilter(
		dateField('updatedAfter', 'Updated After', {
			description:
				"Return only subscribers changed at or after this time, in the workflow's time zone",
		}),
		'updated_at',
	),
];
