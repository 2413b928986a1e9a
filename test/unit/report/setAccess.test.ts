import type { IDataObject } from 'n8n-workflow';

import { setAccess } from '../../../nodes/Supercast/access/setAccess';
import { accessOutput, leftOutput } from '../../../nodes/Supercast/report/setAccess';
import { DirectSupercast, held, type Held } from '../../doubles/directSupercast';
import { parametersOf, rowOf, type Row, type Settings } from './show';

async function run(
	people: Held[],
	access: string,
	row: Row,
	settings: Settings & { isOld?: boolean } = {},
): Promise<{ output: IDataObject; service: DirectSupercast }> {
	const service = new DirectSupercast(people, 0);
	const { isOld = false, ...given } = settings;
	const item = { ...parametersOf({ ...row, access }, given), isOld };
	const [output] = await setAccess(accessOutput, leftOutput).prepare(item).run(service);
	return { output: output!, service };
}

const ann = held(1);
const idOnly: Row = { id: 'c-1' };
const inState = (state: string, fields: Partial<Held> = {}): Held[] => [
	held(1, { state, ...fields }),
];
const twins = [ann, held(2, { customer_id: 'c-1' })];

describe('what Set Access says', () => {
	it.each<[string, string, Held[], Row]>([
		['created', 'open', [], rowOf(ann)],
		['unchanged', 'open', [ann], rowOf(ann)],
		['reopened', 'open', inState('deactivated'), rowOf(ann)],
		['updated', 'open', [ann], { ...rowOf(ann), email: 'new@a.com' }],
		['closed', 'close', [ann], rowOf(ann)],
		['unchanged', 'close', inState('deactivated'), rowOf(ann)],
	])('is nothing in ordinary cases: %s', async (action, access, people, row) => {
		const { output } = await run(people, access, row);
		expect(output).toMatchObject({ action, reason: null, attention: null });
	});

	describe('about a product in Other Products', () => {
		const settings = { options: { products: 'Club', otherProducts: 'Mug' } };
		const mug = { ...rowOf(ann), product: 'Mug' };

		it.each<[string, Held[]]>([
			['a stranger bought', []],
			['a member bought beside the membership', [held(1, { customer_id: 'c-9' })]],
		])('is nothing that a person must decide if %s it', async (_, people) => {
			const { output, service } = await run(people, 'open', mug, settings);
			expect(output).toMatchObject({ action: 'kept', attention: null });
			expect(output.reason).toContain('the product "Mug" is in \'Other Products\'');
			expect(service.subscribers.map(({ state }) => state)).toEqual(people.map(() => 'available'));
		});

		it('is told if it closes a feed, because another membership may pay for it', async () => {
			const { output, service } = await run([ann], 'open', mug, settings);
			expect(output.action).toBe('closed');
			expect(output.attention).toContain('the product "Mug" is in \'Other Products\'');
			expect(service.subscribers[0]?.state).toBe('deactivated');
		});
	});

	it.each<[string, Held[], Row, string, string]>([
		['open', [], idOnly, 'the record has no email', 'Add the email'],
		['open', inState('suspended'), rowOf(ann), 'is suspended', 'may have been shared'],
		['open', inState('charge_failure'), rowOf(ann), 'payment to Supercast failed', 'the payment'],
		['open', inState('pending'), rowOf(ann), 'not completed their checkout', 'Check'],
		['open', inState('mystery'), rowOf(ann), 'the state "mystery"', 'Check'],
		['open', inState('deactivated', { plan_id: 3 }), rowOf(ann), 'feed is closed', 'the plan'],
		['open', twins, idOnly, 'Supercast has 2 subscribers', 'delete the one'],
		['close', [], rowOf(ann), 'no such subscriber', 'under another email'],
		['close', inState('available', { plan_id: 3 }), rowOf(ann), 'has a plan', 'the plan has ended'],
		[
			'close',
			[held(1, { customer_id: 'c-9' })],
			rowOf(ann),
			'customer ID c-9',
			'no other membership',
		],
		['close', twins, rowOf(ann), 'Supercast has 2 subscribers', 'delete the one'],
		['close', inState('suspended'), rowOf(ann), 'the state "suspended"', 'not open again'],
	])('is what a person must decide: %s %j for %j', async (access, people, row, what, advice) => {
		const { output, service } = await run(people, access, row);
		const { reason, attention } = output as { reason: string; attention: string };
		const who = [row.email, row.id].filter(Boolean).join(', ');
		const start = access === 'open' ? `${who} should have access, ` : `The access of ${who} ends, `;
		expect(reason.slice(0, start.length)).toBe(start);
		expect(reason).toContain(what);
		expect(attention.slice(0, reason.length)).toBe(reason);
		expect(attention.slice(reason.length)).toContain(advice);
		expect(`${reason}${attention}`).not.toMatch(/[{}]|undefined/);
		expect(service.writes).toEqual([]);
	});

	it('is only a reason if there is nothing to decide', async () => {
		const billed = await run(inState('available', { plan_id: 3 }), 'open', rowOf(ann));
		expect(billed.output).toMatchObject({
			reason:
				'm1@a.com, c-1 should have access, and the subscriber has a plan at Supercast, so nothing changes.',
			attention: null,
		});
		const settings = { options: { customerIdPrefix: 'c-' } };
		const other = await run([held(1, { customer_id: 'x-1' })], 'open', rowOf(ann), settings);
		expect(other.output).toMatchObject({
			reason: expect.stringContaining('the customer ID x-1 of another system'),
			attention: null,
		});
	});

	it('is that an old item closes nothing', async () => {
		const { output, service } = await run([ann], 'close', rowOf(ann), { isOld: true });
		expect(output.attention).toMatch(/from an earlier execution.*deactivate this subscriber/);
		expect(service.writes).toEqual([]);
	});

	it('is that the access stays as it is, with the status or the option', async () => {
		const kept = await run([ann], 'keep', { ...rowOf(ann), status: 'on-hold' });
		expect(kept.output).toMatchObject({
			...{ action: 'kept', attention: null },
			reason: 'The access of m1@a.com, c-1 stays as it is (on-hold).',
		});
		const left = await run([ann], 'close', rowOf(ann), { options: { onlyOpen: true } });
		expect(left.output).toMatchObject({
			...{ access: 'close', action: 'kept', attention: null },
			reason: "The access of m1@a.com, c-1 stays as it is ('Only Open' is on).",
		});
	});

	it('names fields that were left out, which closes no feed', async () => {
		const additionalFields = { otherFields: '{"state": "suspended"}' };
		const { output } = await run([], 'open', rowOf(ann), { additionalFields });
		expect(output).toMatchObject({
			action: 'created',
			reason: expect.stringMatching(/^Left out: .*"state"/),
			attention: null,
		});
	});
});
