import type { IDataObject } from 'n8n-workflow';

import type { Change } from '../../../nodes/Supercast/trigger/eventKind';
import { announced } from '../../../nodes/Supercast/trigger/outputs';
import {
	ABSENT,
	type Occasion,
	type Output,
	StateStore,
	type TriggerState,
} from '../../../nodes/Supercast/trigger/state';

const NOW = 1_700_000_000_000;
const MINUTE = 60_000;

function output(changes: Partial<Output> = {}): Output {
	return { at: NOW, since: 0, repeats: 0, undo: new Map(), ...changes };
}

function state(changes: Partial<TriggerState> = {}): TriggerState {
	return { generation: 1, known: new Map(), readAt: 5, announcedAt: 0, outputs: [], ...changes };
}

/** The store of a process that started now. */
function storeOf(data: IDataObject = {}, repeatMs = 0): StateStore {
	const clock = { now: () => NOW, processStartedAt: NOW };
	return new StateStore({ workflow: data }, 'node', new Map(), clock, repeatMs);
}

/** What the state records about these changes. */
function record(changes: Record<string, Change>, before: Partial<TriggerState> = {}, repeatMs = 0) {
	const byHash = new Map(Object.entries(changes));
	return announced(byHash, state(before), storeOf({}, repeatMs), NOW);
}

/** What another process loads after these outputs. */
function loadAfter(outputs: Output[], saved: Partial<TriggerState> = {}, repeatMs = 0) {
	const data: IDataObject = {};
	storeOf(data, repeatMs).save(state({ announcedAt: NOW, ...saved, outputs }), 'output');
	return storeOf(data, repeatMs).load();
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
