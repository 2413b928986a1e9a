import { storedSubscriber, type StoredSubscriber } from '../../doubles/directSupercast';
import type { Row } from './running';

/** The row of the list for a subscriber. */
export const rowOf = ({ email, customer_id: id }: StoredSubscriber): Row => ({
	email,
	id: id ?? '',
});

/** One person for each action. */
export const mixed = [
	storedSubscriber(0, { state: 'deactivated' }),
	storedSubscriber(1),
	storedSubscriber(2),
	storedSubscriber(3, { state: 'suspended' }),
	storedSubscriber(4, { plan_id: 3 }),
	storedSubscriber(5, { plan_id: 3 }),
	storedSubscriber(6, { state: 'charge_failure' }),
	storedSubscriber(7, { customer_id: 'c-other' }),
];
/** A list that leads to these actions. */
export const mixedRows = [
	...[mixed[0]!, mixed[1]!].map(rowOf),
	{ ...rowOf(mixed[3]!) },
	{ email: mixed[7]!.email, id: 'c-7' },
	{ email: 'new@a.com', id: 'c-new' },
];
mixedRows[1]!.firstName = 'Anna';
