import type { IDataObject } from 'n8n-workflow';

import type { RunOptions, RunResult } from '../../harness/engine';
import { isDeep } from '../../support/deep';
import { SET_ACCESS, accessItem, actionsOf, addMembers, runSetAccess } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { feedStatus, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0, logSize: 100_000 });
useQuickRuntime({ backoffMs: 1, visibleMs: 60, windowMs: 100, lateMs: 300 });

/** The number of items in one execution, divided by four. */
const QUARTER = isDeep ? 250 : 20;

const run = async (items: IDataObject[], more: Partial<RunOptions> = {}): Promise<RunResult> =>
	await runSetAccess(sandbox.current, items, more);

const requests = (): number => sandbox.current.stats().requests;

describe('several items about one person', () => {
	it('keep their order, even if one has only the email and another only the ID', async () => {
		const [ann] = addMembers(sandbox.current, 3);
		const { email, customer_id: id } = ann!;
		// The first change needs a retry, so it could come after the others.
		sandbox.current.controls.addFaults({
			kind: 'reset',
			when: 'before',
			method: 'PATCH',
			times: 1,
		});
		const result = await run([
			{ access: 'close', email, id },
			{ access: 'open', id },
			{ access: 'close', email: email.toUpperCase() },
			{ access: 'open', email },
		]);
		expect(actionsOf(result)).toEqual(['closed', 'reopened', 'closed', 'reopened']);
		expect(ann!.state).toBe('available');
	});

	it('lead to one subscriber, although another email comes between them', async () => {
		const result = await run([
			{ access: 'open', email: 'ann@example.com', id: 'c-new' },
			{ access: 'open', email: 'ann@new.example.com', id: 'c-new' },
			{ access: 'open', id: 'c-new' },
		]);
		expect(actionsOf(result)).toEqual(['created', 'updated', 'unchanged']);
		expect(sandbox.current.state.subscribers.map(({ email }) => email)).toEqual([
			'ann@new.example.com',
		]);
	});

	it('lead to one subscriber in several executions at the same time', async () => {
		const item = { access: 'open', email: 'ann@example.com', id: 'c-new' };
		const results = await Promise.all(Array.from({ length: 8 }, async () => await run([item])));
		expect(results.map((result) => actionsOf(result)[0]).sort()).toEqual([
			'created',
			...Array.from({ length: 7 }, () => 'unchanged'),
		]);
		expect(sandbox.current.state.subscribers).toHaveLength(1);
	});
});

describe('many items', () => {
	it('are all done in one execution, with as few requests as their changes need', async () => {
		const members = addMembers(sandbox.current, 3 * QUARTER, (index) =>
			index % 3 === 0 ? { state: 'deactivated' } : {},
		);
		const items = [
			...members.map((one, index) => accessItem(index % 3 === 1 ? 'close' : 'open', one)),
			...Array.from({ length: QUARTER }, (_, index) => ({
				access: 'open',
				email: `new.${index}@example.com`,
			})),
		];
		const result = await run(items);
		expect(result.error).toBeUndefined();
		const count = (action: string): number =>
			actionsOf(result).filter((one) => one === action).length;
		expect(['reopened', 'closed', 'unchanged', 'created'].map(count)).toEqual(
			Array(4).fill(QUARTER),
		);
		expect(requests()).toBe(QUARTER * (3 + 3 + 1 + 2) + Math.ceil((3 * QUARTER) / 100));
		expect(result.output.map(({ pairedItem }) => pairedItem)).toEqual(
			items.map((_, item) => ({ item })),
		);
	});
});

describe('someone who changes in the meantime', () => {
	const meanwhile = (change: () => void): void => {
		// A request that fails once leaves time for the change.
		sandbox.current.controls.addFaults({ kind: 'status', status: 429, method: 'PATCH', times: 1 });
		const timer = setInterval(() => {
			if (!sandbox.current.state.requests.some(({ method }) => method === 'PATCH')) return;
			change();
			clearInterval(timer);
		}, 1);
	};

	it('is not closed by a retry after getting a plan', async () => {
		const [ann] = addMembers(sandbox.current, 1);
		meanwhile(() => Object.assign(ann!, { plan_id: 2, plan_name: 'Yearly' }));
		const { output } = await run([accessItem('close', ann!)]);
		expect(output[0]!.json).toMatchObject({ action: 'kept', attention: expect.any(String) });
		expect(await feedStatus(sandbox.current.state.feedUrl(ann!.email))).toBe(200);
	});

	it('is closed by a retry, although the name has changed', async () => {
		const [ann] = addMembers(sandbox.current, 1);
		meanwhile(() => Object.assign(ann!, { first_name: 'Anna', updated_at: '2026-01-01' }));
		expect(actionsOf(await run([accessItem('close', ann!)]))).toEqual(['closed']);
		expect(ann!.state).toBe('deactivated');
	});
});

describe('as a tool of an agent', () => {
	it.each([{}, { output: 'raw' }])('holds back feed addresses, with %j', async (more) => {
		const [ann] = addMembers(sandbox.current, 1, () => ({ state: 'deactivated' }));
		const { output, error } = await run(
			[accessItem('open', ann!), { access: 'open', email: 'new@example.com' }],
			{ parameters: { ...SET_ACCESS, ...more }, isTool: true },
		);
		expect(error).toBeUndefined();
		expect(actionsOf({ output } as RunResult)).toEqual(['reopened', 'created']);
		expect(JSON.stringify(output)).not.toMatch(/feed_url|\/feeds\//);
	});
});
