import type { IDataObject } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
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

	it('says how old its knowledge is, if the list is too long to be read every minute', async () => {
		addMembers(sandbox.current, 5_000);
		await readList();
		later.awakeMs = 4 * MINUTE_MS;
		const before = readings();
		const result = await runSetAccess(sandbox.current, [closing('c-unknown')]);
		expect(readings()).toBe(before);
		expect(result.output[0]!.json.attention).toContain('4 minutes ago');
	});

	it('reads the list once for many of them', async () => {
		addMembers(sandbox.current, 250);
		await readList();
		later.awakeMs = 2 * MINUTE_MS;
		const before = readings();
		const items = Array.from({ length: 40 }, (_, number) => closing(`c-unknown-${number}`));
		const { output } = await runSetAccess(sandbox.current, items);
		expect(readings() - before).toBe(3);
		expect(output.map(({ json }) => String(json.attention).includes('ago'))).not.toContain(true);
	});
});

describe('a Close that n8n retries', () => {
	/** When the first try was. */
	const readAt = Date.now() - 24 * 60 * MINUTE_MS;

	const at = (ms: number): string => new Date(ms).toISOString();

	it('closes the feed of someone whose record is as it was', async () => {
		const [ann, bob] = addMembers(sandbox.current, 2);
		bob!.updated_at = at(readAt - 10 * MINUTE_MS);
		const items = [accessItem('close', ann!), accessItem('close', bob!)];
		const result = await runSetAccess(sandbox.current, items, { mode: 'retry', readAt });
		expect(actionsOf(result)).toEqual(['closed', 'closed']);
	});

	it.each([
		['paid again since', readAt, at(readAt + MINUTE_MS)],
		['paid again, by a clock that is a minute slower', readAt, at(readAt - MINUTE_MS)],
		['has no readable time', readAt, 'soon'],
		['may have paid, if n8n does not know when it tried first', undefined, at(0)],
	])('closes nobody who %s, and says so', async (_, first, updated) => {
		const [ann] = addMembers(sandbox.current, 1);
		ann!.updated_at = updated;
		if (updated === 'soon') ann!.created_at = updated;
		const items = [accessItem('close', ann!)];
		const result = await runSetAccess(sandbox.current, items, { mode: 'retry', readAt: first });
		expect(actionsOf(result)).toEqual(['kept']);
		expect(ann!.state).toBe('available');
		expect(hintsOf(result)).toContain('retries');
	});

	it('opens feeds as the first try would have', async () => {
		const [ann] = addMembers(sandbox.current, 1, () => ({ state: 'deactivated' }));
		const items = [accessItem('open', ann!)];
		const result = await runSetAccess(sandbox.current, items, { mode: 'retry', readAt });
		expect(actionsOf(result)).toEqual(['reopened']);
	});
});
