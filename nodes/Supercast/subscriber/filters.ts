import { textOf } from '../api/json';
import { containsFilter, sameTextFilter, sinceFilter, type ListFilter } from '../operations/lists';
import { choice, textField } from '../operations/properties';
import { requireChoices } from '../operations/validation';

/** The states of a subscriber (Supercast API reference, the subscriber object). */
const states = [
	choice('available', 'Available', 'The feeds are open'),
	choice(
		'charge_failure',
		'Charge Failure',
		'A payment has failed, and the feeds are closed temporarily',
	),
	choice('deactivated', 'Deactivated', 'The feeds are closed'),
	choice('pending', 'Pending', 'The checkout is not complete, so there is no feed yet'),
	choice('suspended', 'Suspended', 'The feeds are closed temporarily'),
];

const byState: ListFilter = {
	property: {
		displayName: 'State',
		name: 'state',
		type: 'multiOptions',
		default: [],
		description: 'Return only subscribers in one of these states',
		options: states,
	},
	read: (typed, label) => {
		const known = states.map(({ value }) => String(value));
		const typedList = typeof typed === 'string' ? typed.split(',') : [typed].flat();
		const wanted = requireChoices(typedList, known, label);
		return ({ state }) => wanted.includes(textOf(state));
	},
};

/** The filters for subscribers, in the order of the editor's list. */
export const subscriberFilters: ListFilter[] = [
	sinceFilter(
		'createdAfter',
		'Created After',
		"Return only subscribers created at or after this time, in the workflow's time zone",
		'created_at',
	),
	sameTextFilter(
		textField(
			'customerId',
			'Customer ID',
			'Return only subscribers with this ID from your membership system',
			'cus_9s6XKzkNRiz8i3',
		),
		'customer_id',
	),
	containsFilter(
		textField(
			'emailContains',
			'Email Contains',
			'Return only subscribers whose email contains this text',
			'@example.com',
		),
		({ email }) => textOf(email),
	),
	containsFilter(
		textField(
			'nameContains',
			'Name Contains',
			'Return only subscribers whose first and last name contain this text',
			'Smith',
		),
		(record) => `${textOf(record.first_name)} ${textOf(record.last_name)}`,
	),
	sameTextFilter(
		textField(
			'planId',
			'Plan ID',
			'Return only subscribers on the Supercast plan with this ID',
			'42',
		),
		'plan_id',
	),
	byState,
	sinceFilter(
		'updatedAfter',
		'Updated After',
		"Return only subscribers changed at or after this time, in the workflow's time zone",
		'updated_at',
	),
];
