import type { Sandbox, Subscriber } from '../../simulators/supercast';

/** Members were added from outside long ago, have a customer ID, and no plan at Supercast. */
const MEMBER: Partial<Subscriber> = {
	created_at: '2025-06-01T00:00:00.000Z',
	updated_at: '2025-06-01T00:00:00.000Z',
	plan_id: null,
	plan_name: null,
	plan_price_cents: null,
	plan_price_currency: null,
};

/** Adds subscribers to the sandbox. `fields` gives the fields for each number. */
export function addMembers(
	sandbox: Sandbox,
	count: number,
	fields: (index: number) => Partial<Subscriber> = () => ({}),
): Subscriber[] {
	const rows = sandbox.controls.addRecords('subscribers', count) as Subscriber[];
	for (const [index, row] of rows.entries()) {
		Object.assign(row, MEMBER, { customer_id: `c-${row.id}`, first_name: 'Ann' });
		Object.assign(row, fields(index));
	}
	return rows;
}
