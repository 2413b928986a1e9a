import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { addMembers, hintsOf, memberListOf, runSync } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';
import { testFaults, useFaultySandbox } from '../../support/faultMatrix';

describe('short pages', () => {
	const sandbox = useSandbox({ subscribers: 250 });
	useQuickRuntime({ backoffMs: 2, visibleMs: 10, lateMs: 20 });

	/** Page 2 has only some of its records, although `X-Total` stays. */
	function cut(keep: number, times?: number): void {
		const often = times === undefined ? { share: 1 } : { times };
		sandbox.current.controls.addFaults({
			kind: 'answer',
			when: 'after',
			keep,
			path: '/subscribers',
			query: { page: '2' },
			...often,
		});
	}

	async function run(parameters: INodeParameters) {
		return await runSupercast({
			parameters: { resource: 'subscriber', ...parameters },
			credential: credentialOf(sandbox.current),
		});
	}

	/** A person on page 2, who is known by customer ID. */
	function someone() {
		const person = sandbox.current.state.subscribers.at(-60)!;
		return Object.assign(person, { customer_id: 'c-1', state: 'available' });
	}

	describe.each([0, 40])('a page of the list that has only %d records', (keep) => {
		const closings = [
			['feed', 'deactivate'],
			['feed', 'suspend'],
			['subscriber', 'delete'],
		] as const;
		const parameters = (resource: string, operation: string): INodeParameters => ({
			resource,
			operation,
			subscriber: { __rl: true, mode: 'customerId', value: 'c-1' },
			options: { ifMissing: 'succeed' },
		});

		it.each(closings)('once does not hide a member from %s: %s', async (resource, operation) => {
			const { email } = someone();
			const feed = sandbox.current.state.feedUrl(email);
			expect(await feedStatus(feed)).toBe(200);
			cut(keep, 1);
			const { output, error } = await run(parameters(resource, operation));
			expect(error).toBeUndefined();
			expect(output[0]!.json).not.toHaveProperty('alreadyMissing');
			expect(await feedStatus(feed)).not.toBe(200);
		});

		it.each(closings)(
			'always is no proof for %s: %s that nobody is there',
			async (resource, operation) => {
				someone();
				cut(keep);
				const { output, error } = await run(parameters(resource, operation));
				expect(output).toEqual([]);
				expect(error?.message).toContain('could not determine whether a subscriber has');
			},
		);

		it('once is no loss for Return All', async () => {
			cut(keep, 1);
			const { output } = await run({ operation: 'getAll', returnAll: true });
			expect(output).toHaveLength(250);
		});

		it.each([
			['Return All', { returnAll: true }],
			['a limit beyond it', { returnAll: false, limit: 240 }],
			['a filter', { returnAll: true, filters: { state: ['available'] } }],
		])('always is an error of Get Many with %s', async (_, more) => {
			cut(keep);
			const { output, error } = await run({ operation: 'getAll', ...more });
			expect(output).toEqual([]);
			expect(error?.message).toMatch(/^Supercast sent only \d+ of 250 subscribers$/);
		});

		it('once does not keep Sync from closing', async () => {
			sandbox.current.reset();
			const rows = addMembers(sandbox.current, 40);
			const list = memberListOf(
				[...sandbox.current.state.subscribers].filter((one) => one !== rows[0]),
			);
			cut(keep, 1);
			const result = await runSync(sandbox.current, list, { maxClosePercent: 50 });
			expect(hintsOf(result)).not.toContain('closes no feeds');
			expect(rows[0]!.state).toBe('deactivated');
		});
	});

	it.each(['0', '50'])('Return All returns everyone, although X-Total is %s', async (total) => {
		sandbox.current.controls.addFaults({
			kind: 'answer',
			when: 'after',
			headers: { 'X-Total': total },
			path: '/subscribers',
			share: 1,
		});
		const { output, error } = await run({ operation: 'getAll', returnAll: true });
		expect(error).toBeUndefined();
		expect(output).toHaveLength(250);
	});

	it('Get Many returns every usage alert, although each carries the uuid of its subscriber', async () => {
		const alerts = [1, 2, 3].map((id) => ({ id, uuid: 'u-1', message: 'shared' }));
		sandbox.current.controls.addFaults({
			kind: 'answer',
			body: alerts,
			path: '/usage_alerts',
			share: 1,
		});
		const { output } = await run({ resource: 'usageAlert', operation: 'getAll' });
		expect(output.map(({ json }) => json.id)).toEqual([1, 2, 3]);
	});
});

describe('readings that fail', () => {
	testFaults(useFaultySandbox(), ['read', 'list']);
});
