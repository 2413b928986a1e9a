import { textOf } from '../api/json';
import { containsFilter, sameTextFilter, sinceFilter, type ListFilter } from '../operations/lists';
import { requireChoices } from '../operations/validation';

/** The states of a subscriber (Supercast API reference, the subscriber object). */
export const subscriberStates = [
	{ name: 'Available', value: 'available', description: 'The feeds are open' },
	{
		name: 'Charge Failure',
		value: 'charge_failure',
		description: 'A payment has failed, and the feeds are closed temporarily',
	},
	{ name: 'Deactivated', value: 'deactivated', description: 'The feeds are closed' },
	{
		name: 'Pending',
		value: 'pending',
		description: 'The checkout is not complete, so there is no feed yet',
	},
	{ name: 'Suspended', value: 'suspended', description: 'The feeds are closed temporarily' },
];

const byState: ListFilter = {
	property: {
		displayName: 'State',
		name: 'state',
		type: 'multiOptions',
		default: [],
		description: 'Return only subscribers in one of these states',
		options: subscriberStates,
	},
	read: (typed, label) => {
		const known = subscriberStates.map(({ value }) => value);
		const typedList = typeof typed === 'string' ? typed.split(',') : [typed].flat();
		const wanted = requireChoices(typedList, known, label);
		return ({ state }) => wanted.includes(textOf(state));
	},
};

/** The filters for subscribers, in the order of the editor's list. */
export const subscriberFilters: ListFilter[] = [
	sinceFilter(
		{
			displayName: 'Created After',
			name: 'createdAfter',
			type: 'dateTime',
			default: '',
			description:
				"Return only subscribers created at or after this time, in the workflow's time zone",
		},
		'created_at',
	),
	sameTextFilter(
		{
			displayName: 'Customer ID',
			name: 'customerId',
			type: 'string',
			placeholder: 'e.g. cus_9s6XKzkNRiz8i3',
			default: '',
			description: 'Return only subscribers with this ID from your membership system',
		},
		'customer_id',
	),
	containsFilter(
		{
			displayName: 'Email Contains',
			name: 'emailContains',
			type: 'string',
			placeholder: 'e.g. @example.com',
			default: '',
			description: 'Return only subscribers whose email contains this text',
		},
		({ email }) => textOf(email),
	),
	containsFilter(
		{
			displayName: 'Name Contains',
			name: 'nameContains',
			type: 'string',
			placeholder: 'e.g. Smith',
			default: '',
			description: 'Return only subscribers whose first and last name contain this text',
		},
		(record) => `${textOf(record.first_name)} ${textOf(record.last_name)}`,
	),
	sameTextFilter(
		{
			displayName: 'Plan ID',
			name: 'planId',
			type: 'string',
			placeholder: 'e.g. 42',
			default: '',
			description: 'Return only subscribers on the Supercast plan with this ID',
		},
		'plan_id',
	),
	byState,
	sinceFilter(
		{
			displayName: 'Updated After',
			name: 'updatedAfter',
			type: 'dateTime',
			default: '',
			description:
				"Return only subscribers changed at or after this time, in the workflow's time zone",
		},
		'updated_at',
	),
];
