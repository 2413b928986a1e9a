import { held, type Held } from '../../doubles/directSupercast';
import type { Row } from './running';

/** The row of the list for a subscriber. */
export const rowOf = ({ email, customer_id: id }: Held): Row => ({
	email,
	id: id ?? '',
});

/** One person for each action. */
export const mixed = [
	held(0, { state: 'deactivated' }),
	held(1),
	held(2),
	held(3, { state: 'suspended' }),
	held(4, { plan_id: 3 }),
	held(5, { plan_id: 3 }),
	held(6, { state: 'charge_failure' }),
	held(7, { customer_id: 'c-other' }),
];
/** A list that leads to these actions. */
export const mixedRows = [
	...[mixed[0]!, mixed[1]!].map(rowOf),
	{ ...rowOf(mixed[3]!) },
	{ email: mixed[7]!.email, id: 'c-7' },
	{ email: 'new@a.com', id: 'c-new' },
];
mixedRows[1]!.firstName = 'Anna';
