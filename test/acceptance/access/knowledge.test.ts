import type { IDataObject } from 'n8n-workflow';

import { runSupercast } from '../../harness/engine';
import { runtime } from '../../../nodes/Supercast/api/clock';
import { accessItem, actionsOf, addMembers, hintsOf, runSetAccess } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

/** How much later it is than on the computer's clocks. Only the date advances during a sleep. */
const later = { awakeMs: 0, asleepMs: 0 };

const real = runtime.clock;
useQuickRuntime({
	backoffMs: 1,
	clock: {
		now: () => real.now() + later.awakeMs,
		date: () => real.date() + later.awakeMs + later.asleepMs,
		sleep: real.sleep,
	},
});
beforeEach(() => Object.assign(later, { awakeMs: 0, asleepMs: 0 }));

const sandbox = useSandbox({ subscribers: 0, logSize: 100_000 });

const MINUTE_MS = 60_000;

const closing = (id: string): IDataObject => ({ access: 'close', id });

/** Reads the list, so that the node knows all customer IDs. */
async function readList(): Promise<void> {
	await runSetAccess(sandbox.current, [closing('c-nobody')]);
}

const readings = (): number => sandbox.current.stats().byRoute['GET /subscribers']?.['200'] ?? 0;

describe('a Close for a customer ID that someone has set by hand', () => {
	it.each([
		['two minutes later', 100, { awakeMs: 2 * MINUTE_MS }],
		['after the computer has slept', 3_000, { asleepMs: 8 * 60 * MINUTE_MS }],
	])('closes the feed %s', async (_, size, passed) => {
		const [ann] = addMembers(sandbox.current, size, () => ({ customer_id: null }));
		await readList();
		ann!.customer_id = 'c-new';
		Object.assign(later, passed);
		const result = await runSetAccess(sandbox.current, [closing('c-new')]);
		expect(actionsOf(result)).toEqual(['closed']);
		expect(ann!.state).toBe('deactivated');
	});

	it('also if the operation is Delete, which may succeed for someone who is missing', async () => {
		const [ann] = addMembers(sandbox.current, 3, () => ({ customer_id: null }));
		await readList();
		ann!.customer_id = 'c-new';
		later.awakeMs = 2 * MINUTE_MS;
		const { output } = await runSupercast({
			credential: credentialOf(sandbox.current),
			parameters: {
				...{ resource: 'subscriber', operation: 'delete', options: { ifMissing: 'succeed' } },
				subscriber: { __rl: true, mode: 'customerId', value: 'c-new' },
			},
		});
		expect(output[0]!.json).toMatchObject({ deleted: true });
		expect(sandbox.current.state.subscribers).toHaveLength(2);
	});

	it('does not read a long list again every minute', async () => {
		addMembers(sandbox.current, 5_000);
		await readList();
		later.awakeMs = 4 * MINUTE_MS;
		const before = readings();
		const result = await runSetAccess(sandbox.current, [closing('c-unknown')]);
		expect([readings(), actionsOf(result)]).toEqual([before, ['kept']]);
	});

	it('reads the list once for many of them', async () => {
		addMembers(sandbox.current, 250);
		await readList();
		later.awakeMs = 2 * MINUTE_MS;
		const before = readings();
		const items = Array.from({ length: 40 }, (_, number) => closing(`c-unknown-${number}`));
		await runSetAccess(sandbox.current, items);
		expect(readings() - before).toBe(3);
	});
});

describe('a Close that n8n retries', () => {
	/** The first try was ten minutes ago. Returns when that was. */
	async function tryFirst(): Promise<number> {
		await readList();
		later.awakeMs = 20 * MINUTE_MS;
		return Date.now() + 10 * MINUTE_MS;
	}

	const retry = async (readAt: number | undefined, item: IDataObject) =>
		await runSetAccess(sandbox.current, [item], { mode: 'retry', readAt });

	it('closes nobody, and says so, because the person may have paid since', async () => {
		const [ann] = addMembers(sandbox.current, 2);
		const result = await retry(await tryFirst(), accessItem('close', ann!));
		expect([actionsOf(result), ann!.state]).toEqual([['kept'], 'available']);
		expect(hintsOf(result)).toContain('from an earlier execution');
	});

	it('opens feeds as the first try would have', async () => {
		const [ann] = addMembers(sandbox.current, 1, () => ({ state: 'deactivated' }));
		const result = await retry(Date.now() - MINUTE_MS, accessItem('open', ann!));
		expect(actionsOf(result)).toEqual(['reopened']);
	});
});
