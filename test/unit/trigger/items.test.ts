import type { IDataObject } from 'n8n-workflow';

import type { Change } from '../../../nodes/Supercast/trigger/eventKind';
import { EVENTS, type TriggerEvent } from '../../../nodes/Supercast/trigger/events';
import { itemsOf } from '../../../nodes/Supercast/trigger/items';
import { idHash } from '../../../nodes/Supercast/trigger/knownIds';
import { announced } from '../../../nodes/Supercast/trigger/outputs';
import {
	ABSENT,
	type Occasion,
	type Output,
	StateStore,
	type TriggerState,
} from '../../../nodes/Supercast/trigger/state';

/** The items for these changes, while the trigger remembers so many records. */
function items(event: TriggerEvent, changes: Change[], known = 1, isSimplified = false) {
	const eventKind = EVENTS[event]({ states: [], email: '', now: 0 });
	return itemsOf({ event, eventKind, isSimplified }, changes, known).map(({ json }) => json);
}

function idsOf(event: TriggerEvent, records: IDataObject[]): unknown[] {
	return items(
		event,
		records.map((record) => ({ record })),
	).map(({ id }) => id);
}

describe('the items of an output', () => {
	it('have the oldest event first, by the time of the event', () => {
		const times = ['2026-03-02T00:00:00Z', '2026-03-01 23:59:59', '1772323200', '2026-03-03'];
		const records = times.map((time, index) => ({
			id: 4 - index,
			created_at: time,
			updated_at: '2026-01-01',
		}));
		expect(idsOf('subscriberCreated', records)).toEqual([2, 3, 4, 1]);
	});

	it('have the lowest ID first if the times are the same or unknown', () => {
		const one = '2026-03-01T00:00:00Z';
		expect(idsOf('episodeCreated', [{ id: 10 }, { id: 9 }, { id: '8' }])).toEqual(['8', 9, 10]);
		const records = [10, 9, 11].map((id) => ({ id, created_at: one }));
		expect(idsOf('episodeCreated', records)).toEqual([9, 10, 11]);
	});

	it('keep the order of the list without times and numbers', () => {
		const records = ['c', 'a', 'b'].map((uuid) => ({ uuid }));
		expect(idsOf('subscriberCreated', records)).toEqual(['c', 'a', 'b']);
		const deleted = ['c', 'a'].map((uuid) => ({ before: `${uuid},,` }));
		expect(items('subscriberDeleted', deleted).map(({ id }) => id)).toEqual(['c', 'a']);
	});

	it('have the record, the ID of the event, and what the event adds', () => {
		const record = { id: 7, uuid: 'u-7', state: 'suspended' };
		const [item] = items('subscriberStateChanged', [{ record, before: 'a', since: 5 }]);
		expect(item).toEqual({
			...record,
			eventId: expect.stringMatching(/^subscriberStateChanged:u-7:.{8}$/),
			...{ previousState: 'available', wasOpen: true, isOpen: false },
		});
	});

	it('have only the most important fields if they are simplified', () => {
		const record = { uuid: 'u-7', email: 'ann@example.com', odd_field: 'odd' };
		expect(items('subscriberCreated', [{ record }])[0]).toHaveProperty('odd_field');
		const [simple] = items('subscriberCreated', [{ record }], 1, true);
		expect(simple).toMatchObject({ id: 'u-7', email: 'ann@example.com', feed_urls: [] });
		expect(simple).not.toHaveProperty('odd_field');
		// A kind of record without a shorter form, and a deleted subscriber, are returned as they are.
		expect(items('episodeCreated', [{ record }], 1, true)[0]).toHaveProperty('odd_field');
		const [deleted] = items('subscriberDeleted', [{ before: 'u-7,,' }], 1, true);
		expect(deleted).toMatchObject({ id: 'u-7', uuid: 'u-7' });
	});

	it('say how often a restart has repeated them', () => {
		const change = { record: { id: 7 } };
		expect(items('episodeCreated', [{ ...change, repeats: 2 }])[0]).toHaveProperty('repeats', 2);
		for (const one of [change, { ...change, repeats: 0 }]) {
			expect(items('episodeCreated', [one])[0]).not.toHaveProperty('repeats');
		}
	});

	it('warn from four fifths of the records on that the trigger can remember', () => {
		const change = { record: { id: 7 } };
		expect(items('episodeCreated', [change], 31_999)[0]).not.toHaveProperty('warning');
		expect(items('episodeCreated', [change], 32_000)[0]?.warning).toMatch(/32,000 episodes/);
	});
});

describe('the ID of an item', () => {
	it.each([
		['the ID', { id: 7, uuid: 'u-7', email: 'ann@example.com' }, 7],
		['the UUID without an ID', { uuid: 'u-7', email: 'ann@example.com' }, 'u-7'],
	])('is %s', (_, record, id) => {
		expect(items('questionCreated', [{ record }])[0]?.id).toBe(id);
	});

	it('is a hash of a record without both, so that no two records share it', () => {
		const record = { text: 'Why?', email: 'ann@example.com' };
		const [item] = items('questionCreated', [{ record }]);
		expect(item?.id).toBe(idHash(JSON.stringify(record)));
	});

	it.each([
		['u-1,ann@example.com,7', 'u-1'],
		[',ann@example.com,7', 'ann@example.com'],
	])('is what is known of a deleted subscriber: %s', (before, id) => {
		expect(items('subscriberDeleted', [{ before }])[0]?.id).toBe(id);
	});
});

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;

function output(changes: Partial<Output> = {}): Output {
	return { at: NOW, since: 0, repeats: 0, undo: new Map(), ...changes };
}

function state(changes: Partial<TriggerState> = {}): TriggerState {
	return { generation: 1, known: new Map(), readAt: 5, announcedAt: 0, outputs: [], ...changes };
}

/** The store of a process that started at a time. */
function storeOf(data: IDataObject = {}, repeatMs = 0, startedAt = NOW): StateStore {
	const clock = { now: () => startedAt, processStartedAt: startedAt };
	return new StateStore({ workflow: data }, 'node', new Map(), clock, repeatMs);
}

/** What the state records about these changes. */
function record(changes: Record<string, Change>, before: Partial<TriggerState> = {}, repeatMs = 0) {
	const byHash = new Map(Object.entries(changes));
	return announced(byHash, state(before), storeOf({}, repeatMs), NOW);
}

/** What another process loads after these outputs, perhaps after an outage. */
function loadAfter(
	outputs: Output[],
	saved: Partial<TriggerState> = {},
	repeatMs = 0,
	outageMs = 0,
) {
	const data: IDataObject = {};
	storeOf(data, repeatMs).save(state({ announcedAt: NOW, ...saved, outputs }), 'output');
	return storeOf(data, repeatMs, NOW + outageMs).load();
}

describe('what the state records about an output', () => {
	it('is when it occurred, and how to undo each change', () => {
		expect(record({ one: { before: 'a', since: 3 }, two: { since: 3 } })).toEqual({
			announcedAt: NOW,
			outputs: [
				output({
					since: 3,
					undo: new Map([
						['one', 'a'],
						['two', ABSENT],
					]),
				}),
			],
			repeated: new Map(),
		});
	});

	it('is separate for repeated events, the oldest first', () => {
		const { outputs } = record({
			fresh: { since: 7 },
			again: { since: 3, repeats: 1 },
			thrice: { since: 3, repeats: 2 },
			first: {},
		});
		const found = outputs.map(({ since, repeats, undo }) => [since, repeats, ...undo.keys()]);
		expect(found).toEqual([
			[0, 0, 'first'],
			[3, 1, 'again'],
			[3, 2, 'thrice'],
			[7, 0, 'fresh'],
		]);
	});

	it('leaves out what this output repeats', () => {
		const occasion: Occasion = { since: 3, repeats: 1 };
		const repeated = new Map([
			['one', occasion],
			['later', occasion],
		]);
		expect(record({ one: {} }, { repeated }).repeated).toEqual(new Map([['later', occasion]]));
	});

	it('replaces earlier outputs, unless a restart repeats them', () => {
		const outputs = [output({ at: NOW - MINUTE }), output({ at: NOW - MINUTE + 1 })];
		const times = (repeatMs: number): number[] =>
			record({ one: {} }, { outputs }, repeatMs).outputs.map(({ at }) => at);
		expect(times(0)).toEqual([NOW]);
		expect(times(MINUTE)).toEqual([NOW - MINUTE + 1, NOW]);
		// The clock was set back.
		outputs.push(output({ at: NOW + MINUTE }));
		expect(times(0)).toEqual([NOW]);
	});
});

describe('what a restart repeats', () => {
	const known = new Map([
		['hash-old', 'now'],
		['hash-new', 'x'],
		['hash-etc', 'y'],
	]);
	const recent = output({ since: NOW - 10, repeats: 1, undo: new Map([['hash-old', 'before']]) });
	const older = output({
		at: NOW - 10,
		since: NOW - MINUTE,
		undo: new Map([['hash-new', ABSENT]]),
	});

	it('is the last output, if it may have been lost', () => {
		const loaded = loadAfter([older, recent], { known });
		expect(loaded.known).toEqual(
			new Map([
				['hash-old', 'before'],
				['hash-new', 'x'],
				['hash-etc', 'y'],
			]),
		);
		expect(loaded).toMatchObject({ announcedAt: NOW - 10, readAt: 0, outputs: [older] });
		expect(loaded.repeated).toEqual(new Map([['hash-old', { since: NOW - 10, repeats: 2 }]]));
	});

	it('is each output of the chosen time before the last one, however long n8n was down', () => {
		const { repeated } = loadAfter([older, recent], { known }, MINUTE, 3 * 60 * MINUTE);
		expect([...(repeated?.keys() ?? [])].sort()).toEqual(['hash-new', 'hash-old']);
	});

	it('is each output of the chosen time', () => {
		const loaded = loadAfter([older, recent], { known }, MINUTE);
		expect([...loaded.known]).toEqual([
			['hash-old', 'before'],
			['hash-etc', 'y'],
		]);
		expect(loaded).toMatchObject({ announcedAt: NOW - MINUTE, readAt: 0, outputs: [] });
		expect(loaded.repeated).toEqual(
			new Map([
				['hash-old', { since: NOW - 10, repeats: 2 }],
				['hash-new', { since: NOW - MINUTE, repeats: 1 }],
			]),
		);
		const shorter = loadAfter([older, recent], { known }, 10);
		expect(shorter.known.get('hash-new')).toBe('x');
	});

	it('is nothing if the state has no output', () => {
		const loaded = loadAfter([], { known });
		expect(loaded).toMatchObject({ announcedAt: NOW, readAt: 5, known });
		expect(loaded.repeated).toBeUndefined();
	});

	it('does not stay in the state that n8n saves', () => {
		const data: IDataObject = {};
		const repeated = new Map([['hash-old', { since: 0, repeats: 1 }]]);
		const unsaved = { repeated, doubtful: new Set(['hash-old']) };
		storeOf(data).save(state(unsaved), 'output');
		expect(JSON.stringify(data)).not.toMatch(/repeated|doubtful/);
	});

	it('is an output of a version that did not count repetitions', () => {
		const saved = { announcedAt: NOW, known: 'hash-001', notes: 'now' };
		const outputs = [{ at: NOW, since: 3, known: 'hash-001', notes: 'before' }];
		const data: IDataObject = { supercastTrigger: { node: { ...saved, outputs } } };
		const { repeated, generation } = storeOf(data).load();
		expect(repeated).toEqual(new Map([['hash-001', { since: 3, repeats: 1 }]]));
		expect(generation).toBe(0);
	});
});

describe('two saved states', () => {
	const clock = { now: () => NOW, processStartedAt: 0 };
	const dataOf = (source: string, generation?: number): IDataObject => ({
		supercastTrigger: { node: { source, generation } },
	});

	it.each([
		[1, 2, 'cursor'],
		[2, 1, 'workflow'],
		[1, 1, 'cursor'],
		[undefined, undefined, 'cursor'],
		[1, undefined, 'workflow'],
	])('of the generations %s and %s: the newer one counts', (ofWorkflow, ofCursor, source) => {
		const data = { workflow: dataOf('workflow', ofWorkflow), cursor: dataOf('cursor', ofCursor) };
		expect(new StateStore(data, 'node', new Map(), clock).load().source).toBe(source);
	});
});
