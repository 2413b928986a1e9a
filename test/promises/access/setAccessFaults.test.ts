import type { IDataObject } from 'n8n-workflow';

import type { FaultSpec } from '../../../sandbox';
import type { RunOptions, RunResult } from '../../../harness/engine';
import { someOf } from '../../support/deep';
import { accessItem, actionsOf, addMembers, runSetAccess } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0, logSize: 100_000 });
useQuickRuntime({ backoffMs: 1, visibleMs: 60, windowMs: 100 });

jest.setTimeout(120_000);

const run = async (items: IDataObject[], more: Partial<RunOptions> = {}): Promise<RunResult> =>
	await runSetAccess(sandbox.current, items, more);

describe('faults', () => {
	const faults: Array<[string, FaultSpec]> = (['before', 'after'] as const).flatMap((when) =>
		[
			{ kind: 'status' as const, status: 503 },
			{ kind: 'status' as const, status: 429 },
			{ kind: 'reset' as const },
			{ kind: 'truncated' as const },
			{ kind: 'html' as const, status: 502 },
		].map((fault): [string, FaultSpec] => [
			`${fault.kind} ${fault.status ?? ''} ${when}`,
			{ ...fault, when, share: 0.2, seed: 7 },
		]),
	);

	it.each(
		someOf(
			faults.filter(([name]) => name !== 'status 429 after'),
			2,
		),
	)('change nothing of the result: %s at 20 %%', async (_, fault) => {
		const members = addMembers(sandbox.current, 30, (index) =>
			index % 3 === 0 ? { state: 'deactivated' } : {},
		);
		const items = [
			...members.map((one, index) => accessItem(index % 3 === 1 ? 'close' : 'open', one)),
			...Array.from({ length: 10 }, (_, index) => ({
				access: 'open',
				email: `new.${index}@example.com`,
				id: `n-${index}`,
			})),
		];
		sandbox.current.controls.addFaults(fault);
		const { output, error } = await run(items);
		sandbox.current.controls.clearFaults();
		expect(error).toBeUndefined();
		expect(output).toHaveLength(40);
		for (const [index, { access, email }] of items.entries()) {
			const state = sandbox.current.state.subscriber(String(email))?.state;
			expect([index, state]).toEqual([index, access === 'open' ? 'available' : 'deactivated']);
		}
		expect(sandbox.current.state.subscribers).toHaveLength(40);
		const again = await run(items);
		expect(new Set(actionsOf(again))).toEqual(new Set(['unchanged']));
	});
});
