import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	absenceKey,
	afterUncounted,
	isNextList,
	NOTHING_REMEMBERED,
	type SyncMemory,
} from '../../../nodes/Supercast/access/sync/memory';
import { runtime } from '../../../nodes/Supercast/api/clock';
import { forgetAll, MemoryPlace } from '../../../nodes/Supercast/execution/memory/syncMemory';
import { NOW, record, subscriber } from './records';

const MINUTE_MS = 60_000;

const SOME: SyncMemory = {
	countedAt: NOW - MINUTE_MS,
	missing: new Map([['ann@example.com\nc-1', 1]]),
	changes: [{ at: NOW - MINUTE_MS, closed: 3, counted: 2 }],
	used: new Map([['close 1 until 2026-11-29 21:00 UTC', 1]]),
	known: 7,
	incomplete: 2,
};

describe('what is remembered', () => {
	let now = NOW;
	const realClock = runtime.clock;
	beforeEach(() => {
		now = NOW;
		runtime.clock = { ...realClock, date: () => now };
		forgetAll();
	});
	afterAll(() => (runtime.clock = realClock));

	/** What n8n stores for a workflow with a schedule. */
	const published = (): IDataObject => ({ 'node:Schedule': { recurrenceRules: [] } });

	/** A run's view of the memory of a node. */
	function placeOf(
		staticData: IDataObject | undefined,
		{ node = 'sync', credential = 'one', workflow = {} } = {},
	): MemoryPlace {
		const context = {
			getNode: () => ({ id: node }),
			getWorkflow: () => ({ id: 'workflow' }),
			getWorkflowStaticData: () => {
				if (staticData === undefined) throw new Error('not now');
				return staticData;
			},
			workflow: { staticData, ...workflow },
		};
		return new MemoryPlace(context as unknown as IExecuteFunctions, credential);
	}

	/** What n8n gives the next execution, maybe after a restart. */
	const saved = (staticData: IDataObject): IDataObject =>
		JSON.parse(JSON.stringify(staticData)) as IDataObject;

	it('lasts in the process, and after a restart in what n8n has stored', () => {
		const staticData = published();
		placeOf(staticData).keep(SOME);
		expect(placeOf({}).load()).toEqual(SOME);
		forgetAll();
		expect(placeOf({}).load()).toEqual(NOTHING_REMEMBERED);
		expect(placeOf(saved(staticData)).load()).toEqual(SOME);
		placeOf(undefined).keep({ ...SOME, known: 8 });
		expect(placeOf(undefined).load()).toMatchObject({ known: 8 });
	});

	it('is the latest of the two', () => {
		const old = published();
		placeOf(old).keep(SOME);
		now += MINUTE_MS;
		// n8n saves nothing after a run by hand.
		placeOf(published()).keep({ ...SOME, known: 8 });
		expect(placeOf(saved(old)).load().known).toBe(8);
		const newer = published();
		now += MINUTE_MS;
		placeOf(newer).keep({ ...SOME, known: 9 });
		forgetAll();
		now -= MINUTE_MS;
		placeOf(published()).keep({ ...SOME, known: 8 });
		now += MINUTE_MS;
		expect(placeOf(saved(newer)).load().known).toBe(9);
	});

	it('counts for nothing if it is from the future, because the clock was set back', () => {
		const staticData = published();
		placeOf(staticData).keep(SOME);
		now -= 1;
		expect(placeOf(saved(staticData)).load()).toEqual(NOTHING_REMEMBERED);
		forgetAll();
		expect(placeOf(saved(staticData)).load()).toEqual(NOTHING_REMEMBERED);
	});

	it.each([
		['credential', { credential: 'two' }],
		['node', { node: 'other' }],
	])('is not that of another %s', (_, other) => {
		const staticData = published();
		placeOf(staticData).keep(SOME);
		expect(placeOf(saved(staticData), other).load()).toEqual(NOTHING_REMEMBERED);
		forgetAll();
		expect(placeOf(saved(staticData), other).load()).toEqual(NOTHING_REMEMBERED);
	});

	it.each<[string, unknown]>([
		['nothing', undefined],
		['null', null],
		['a text', 'gone'],
		['a list', [1, 2]],
		['an old form', { missing: { 'sha 1': -1 }, seenAt: 'never' }],
		['only a credential', { credential: 'one' }],
		['a broken time', { credential: 'one', at: 'yesterday', known: 5 }],
	])('is nothing if n8n has stored %s', (_, sync) => {
		const stored = { supercastSync: { sync: { sync } } } as IDataObject;
		expect(placeOf(stored).load()).toEqual(NOTHING_REMEMBERED);
		expect(placeOf({ supercastSync: 'text' }).load()).toEqual(NOTHING_REMEMBERED);
		expect(placeOf({ supercastSync: { sync: null } }).load()).toEqual(NOTHING_REMEMBERED);
	});

	it.each<[string, IDataObject, Partial<SyncMemory>]>([
		['countedAt', { countedAt: 'x' }, { countedAt: undefined }],
		['countedAt', { countedAt: -1 }, { countedAt: undefined }],
		['missing', { missing: null }, { missing: new Map() }],
		[
			'missing',
			{ missing: { a: 1, b: 'x', c: 1.5, d: -2, e: null } },
			{ missing: new Map([['a', 1]]) },
		],
		['changes', { changes: 'x' }, { changes: [] }],
		[
			'changes',
			{ changes: [null, { at: 1 }, { at: 1, closed: 2, counted: 'x' }] },
			{ changes: [] },
		],
		[
			'changes',
			{ changes: { at: 1, closed: 2, counted: 3 } },
			{ changes: [{ at: 1, closed: 2, counted: 3 }] },
		],
		['used', { used: [] }, { used: new Map() }],
		['known', { known: {} }, { known: 0 }],
		['incomplete', { incomplete: 1e300 }, { incomplete: 0 }],
	])('without a broken part: %s', (_, broken, expected) => {
		const staticData = published();
		placeOf(staticData).keep(SOME);
		forgetAll();
		const stored = saved(staticData) as { supercastSync: { sync: { sync: IDataObject } } };
		Object.assign(stored.supercastSync.sync.sync, broken);
		expect(placeOf(stored).load()).toEqual({ ...SOME, ...expected });
	});

	it('has at most 2,000 names in what n8n stores, and all of them in the process', () => {
		const names = Array.from({ length: 2_001 }, (_, index) => [`${index}`, 1] as const);
		const staticData = published();
		placeOf(staticData).keep({ ...SOME, missing: new Map(names) });
		expect(placeOf({}).load().missing.size).toBe(2_001);
		forgetAll();
		expect(placeOf(saved(staticData)).load().missing.size).toBe(2_000);
	});

	it('of the 100 latest Syncs stays in the process', () => {
		for (let index = 0; index < 101; index++) placeOf({}, { node: `${index}` }).keep(SOME);
		const known = (node: string) => placeOf({}, { node }).load().known;
		expect([known('0'), known('1'), known('100')]).toEqual([0, 7, 7]);
	});

	describe('what n8n has stored for other nodes', () => {
		it('stays, for at most 20 nodes with a Sync', () => {
			const staticData: IDataObject = { ...published(), 'node:Other': { seen: 1 } };
			for (let index = 0; index < 25; index++) placeOf(staticData, { node: `${index}` }).keep(SOME);
			expect(staticData).toMatchObject({ ...published(), 'node:Other': { seen: 1 } });
			expect(Object.keys(staticData.supercastSync as object)).toHaveLength(20);
			forgetAll();
			expect(placeOf(staticData, { node: '24' }).load()).toEqual(SOME);
			expect(placeOf(staticData, { node: '4' }).load()).toEqual(NOTHING_REMEMBERED);
		});

		it('stays if a worker was given none of it', () => {
			const schedule = { type: 'schedule', typeVersion: 1, disabled: false };
			const nodeTypes = { getByNameAndVersion: () => ({ trigger: async () => undefined }) };
			const nodes = { Schedule: schedule };
			const staticData: IDataObject = {};
			placeOf(staticData, { workflow: { nodes, nodeTypes } }).keep(SOME);
			expect(staticData).toEqual({});
			const off = { nodes: { Schedule: { ...schedule, disabled: true } }, nodeTypes };
			placeOf(staticData, { workflow: off }).keep(SOME);
			expect(staticData).toHaveProperty('supercastSync');
		});

		it('stays if it is the state of a Supercast Trigger, which may be newer by now', () => {
			const staticData: IDataObject = { ...published(), supercastTrigger: { seen: 'x' } };
			placeOf(staticData).keep(SOME);
			expect(staticData).not.toHaveProperty('supercastSync');
			expect(placeOf(staticData).load()).toEqual(SOME);
		});
	});
});

describe('lists in a row', () => {
	it('are at least a minute apart', () => {
		const memory = { ...NOTHING_REMEMBERED, countedAt: NOW };
		expect(isNextList(NOTHING_REMEMBERED, NOW)).toBe(true);
		expect(isNextList(memory, NOW + MINUTE_MS - 1)).toBe(false);
		expect(isNextList(memory, NOW + MINUTE_MS)).toBe(true);
		expect(isNextList(memory, NOW - MINUTE_MS)).toBe(false);
	});

	it('people on an uncounted list are no longer missing', () => {
		const feeds = {
			both: subscriber(),
			other: subscriber({ email: 'bob@example.com', customer_id: 'c-2' }),
			idOnly: subscriber({ email: '', customer_id: 'c-3' }),
			emailOnly: subscriber({ email: 'cy@example.com', customer_id: null }),
			nameless: subscriber({ uuid: 'u-9', email: '', customer_id: '' }),
		};
		const missing = new Map(Object.values(feeds).map((one) => [absenceKey(one), 1] as const));
		const left = (...records: Array<Parameters<typeof record>[0]>): string[] => {
			const after = afterUncounted({ ...SOME, missing }, records.map(record));
			expect({ ...after, missing }).toEqual({ ...SOME, missing });
			return Object.entries(feeds).flatMap(([name, one]) =>
				after.missing.has(absenceKey(one)) ? [name] : [],
			);
		};
		const all = Object.keys(feeds);
		expect(left({ email: 'x@example.com', customerId: 'c-1' })).toEqual(all.slice(1));
		expect(left({ email: 'ANN@example.com', customerId: '' })).toEqual(all.slice(1));
		expect(left({ customerId: 'c-3', email: '', access: 'keep' })).not.toContain('idOnly');
		expect(left({ email: 'cy@example.com', access: 'unclear' })).not.toContain('emailOnly');
		expect(left({ access: 'close' }, { email: '', customerId: '' })).toEqual(all);
	});
});
