import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RunOptions, RunResult } from '../../harness/engine';
import type { Subscriber } from '../../../simulators/supercast';
import { actionsOf, addMembers, hintsOf, memberListOf, runSync } from '../../support/members';
import { useSandbox } from '../../support/sandbox';

describe('a list that must prove that it is complete', () => {
	const sandbox = useSandbox({ subscribers: 0 });

	let members: Subscriber[];
	/** Someone new, and all members but the last, who has left. */
	let list: IDataObject[];
	beforeEach(() => {
		members = addMembers(sandbox.current, 40);
		list = [{ email: 'new@example.com', id: 'c-new' }, ...memberListOf(members.slice(0, -1))];
	});

	async function sync(
		options: INodeParameters,
		more: Partial<RunOptions> = {},
		items = list,
	): Promise<RunResult> {
		return await runSync(sandbox.current, items, { options }, more);
	}

	const isClosed = (): boolean => members.at(-1)!.state === 'deactivated';

	it.each([
		['as it is', 40, true],
		['with a number that is read from the list once', "={{ $('Items').all().length }}", true],
		['of which one is missing', 41, false],
		['whose number is unknown', '={{ $json.nothing }}', false],
	])(
		'opens feeds, and closes them only if it is complete: %s',
		async (_, recordsExpected, closes) => {
			const result = await sync({ recordsExpected });
			expect(result.error).toBeUndefined();
			expect(sandbox.current.state.subscriber('new@example.com')?.state).toBe('available');
			expect(isClosed()).toBe(closes);
			expect(hintsOf(result).includes('The list')).toBe(!closes);
		},
	);

	it('says what is missing, in the title, the hint and the numbers', async () => {
		const result = await sync({ recordsExpected: 42 });
		expect(actionsOf(result)).toEqual(['kept', 'created', 'summary']);
		expect(hintsOf(result)).toContain('has 40 of 42 records');
		expect(result.output.at(-1)!.json).toMatchObject({
			title: expect.stringContaining('the list is incomplete'),
			numbers: { recordsMissing: 2, incomplete: 1 },
		});
	});

	it('fails when it is incomplete for the third time in a row, after it has opened feeds', async () => {
		const errors: unknown[] = [];
		for (const recordsExpected of [42, 42, 40, 42, 42, 42]) {
			const { error } = await sync({ recordsExpected, closeAfter: 9 });
			errors.push(error?.message);
		}
		const told = expect.stringContaining('the last 3 lists were incomplete');
		expect(errors).toEqual([...Array<undefined>(5).fill(undefined), told]);
		expect(isClosed()).toBe(false);
	});

	it.each([
		['as it is', {}, 41, true],
		['with a record twice', { record: 'r-1' }, 41, false],
		['with a record without an ID', { record: '' }, 40, false],
		['without one of the records', {}, 42, false],
	])('counts records by their IDs, ended ones too: %s', async (_, odd, recordsExpected, closes) => {
		const ended = { id: members.at(-1)!.customer_id, access: 'close', status: 'canceled' };
		const items = [...list.slice(0, -1), ended].map((item, index) => ({
			...item,
			record: `r-${index}`,
			...(index === 5 ? odd : {}),
		}));
		const withLast = [...items, { ...list.at(-1), record: 'r-last' }];
		const result = await sync({ recordId: '={{ $json.record }}', recordsExpected }, {}, withLast);
		expect(result.error).toBeUndefined();
		expect(isClosed()).toBe(closes);
		const reasons = result.output.map(({ json }) => String(json.reason));
		expect(reasons.some((one) => one.startsWith('canceled'))).toBe(true);
	});
});

describe('a list whose columns are wrong', () => {
	const sandbox = useSandbox({ subscribers: 0 });

	it('is refused as a whole, with the fields to check', async () => {
		const members = addMembers(sandbox.current, 40);
		const rows = members.map(({ email }, index) => ({ Name: `Ann ${index}`, 'E-post': email }));
		const { error } = await runSync(sandbox.current, rows);
		expect(error?.description).toContain("'Email' and 'Customer ID' are both empty");
		expect(error?.description).toContain('Name "Ann 0"');
		expect(members.every(({ state }) => state === 'available')).toBe(true);
	});
});
