import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import type { Page } from '../../../nodes/Supercast/api/paging/page';
import { decodeIds, encodeIds } from '../../../nodes/Supercast/trigger/knownIds';
import { PollSnapshot } from '../../../nodes/Supercast/trigger/snapshot';
import {
	ABSENT,
	type Session,
	StateStore,
	type TriggerState,
	UNSURE_MS,
} from '../../../nodes/Supercast/trigger/state';
import { HOUR, many, Polls, START } from './pollsOf';

const STARTED = 1_700_000_000_000;

function state(changes: Partial<TriggerState> = {}): TriggerState {
	return {
		source: 'A',
		generation: 1,
		known: new Map([['hash-001', 'a']]),
		size: 1,
		readAt: 5,
		announcedAt: 0,
		outputs: [],
		...changes,
	};
}

/** The store of one process. Another process has another session. */
function store(staticData: IDataObject, name = 'node', session: Session = {}, startedAt = STARTED) {
	return new StateStore({ workflow: staticData }, name, new Map([[name, session]]), {
		now: () => startedAt,
		processStartedAt: startedAt,
	});
}

describe('what is known', () => {
	it('reads back as it was written', () => {
		const known = new Map([
			['hash-001', ''],
			['hash-002', 'a,b'],
			['hash-003', ''],
		]);
		expect(decodeIds(encodeIds(known))).toEqual(known);
	});

	it.each([[{}], [{ known: '', notes: '' }], [{ known: 'short', notes: 'a' }]])(
		'is nothing in %j',
		(stored) => {
			expect(decodeIds(stored)).toEqual(new Map());
		},
	);

	it('has an empty note if none was stored', () => {
		expect(decodeIds({ known: 'hash-001hash-002', notes: 'a' })).toEqual(
			new Map([
				['hash-001', 'a'],
				['hash-002', ''],
			]),
		);
		expect(decodeIds({ known: 'hash-001' })).toEqual(new Map([['hash-001', '']]));
	});
});

describe('the state of a trigger', () => {
	it('is unknown at first, and in data of another kind', () => {
		expect(store({}).load().source).toBeUndefined();
		expect(store({ supercastTrigger: { node: { known: 7 } } }).load()).toEqual(store({}).load());
	});

	it('is what another process wrote', () => {
		const data: IDataObject = {};
		store(data).save(state({ announcedAt: 1 }), 'first');
		expect(store(data).load()).toMatchObject(state({ announcedAt: 1 }));
	});

	it('stays in memory alone if it need not be saved, except after an activation', () => {
		const data: IDataObject = {};
		const session: Session = {};
		store(data, 'node', session).save(state());
		const first = data.supercastTrigger;
		expect(first).toBeDefined();
		store(data, 'node', session).save(state({ readAt: 7 }));
		expect(data.supercastTrigger).toBe(first);
		expect(store(data, 'node', session).load()).toBe(session.state);
		expect(store(data).load().readAt).toBe(5);
		const published: IDataObject = {};
		store(published, 'node', session).save(state({ readAt: 7 }));
		expect(store(published).load().readAt).toBe(7);
	});

	it('is in the durable cursor of the node if there is one, and nowhere else', () => {
		const workflow: IDataObject = {};
		const cursor: IDataObject = {};
		const clock = { now: () => STARTED, processStartedAt: STARTED };
		const open = (data: { workflow: IDataObject; cursor?: IDataObject }) =>
			new StateStore(data, 'node', new Map(), clock);
		open({ workflow }).save(state(), 'first');
		const before = structuredClone(workflow);
		expect(open({ workflow, cursor }).load().source).toBe('A');
		open({ workflow, cursor }).save(state({ source: 'B' }));
		expect(open({ workflow, cursor }).load().source).toBe('B');
		expect(workflow).toEqual(before);
	});

	it('is in both the cursor and the workflow after an activation', () => {
		const workflow: IDataObject = {};
		const cursor: IDataObject = {};
		const clock = { now: () => STARTED, processStartedAt: STARTED };
		new StateStore({ workflow, cursor }, 'node', new Map(), clock).save(state(), 'first');
		expect(store(workflow).load().source).toBe('A');
		expect(workflow).toEqual(cursor);
	});

	it('is in the data of the other polls under way, unless n8n has cursors', () => {
		const sessions = new Map<string, Session>([['not begun', {}]]);
		const clock = { now: () => STARTED, processStartedAt: STARTED };
		const [one, other, third, cursor]: IDataObject[] = [{}, {}, {}, {}];
		const open = (name: string, workflow: IDataObject, own?: IDataObject): StateStore =>
			new StateStore({ workflow, cursor: own }, name, sessions, clock);
		const first = open('one', one!);
		open('other', other!);
		first.save(state(), 'output');
		expect(store(other!, 'one').load().source).toBe('A');
		open('third', third!, cursor).save(state(), 'output');
		expect(Object.keys(cursor!)).toHaveLength(1);
		expect(Object.keys(other!.supercastTrigger as IDataObject)).toEqual(['one']);
		expect(third).toEqual({});
	});

	it('in memory ends, with its unfinished fetch, when n8n dropped the last output', () => {
		const data: IDataObject = {};
		store(data).save(state({ announcedAt: 1 }), 'first');
		const session: Session = { state: state({ announcedAt: 2 }), snapshot: new PollSnapshot(true) };
		expect(store(data, 'node', session).load()).toMatchObject(state({ announcedAt: 1 }));
		expect(session.snapshot).toBeUndefined();
	});

	it('in memory is the newest while the last output is the same', () => {
		const data: IDataObject = {};
		store(data).save(state({ announcedAt: 1 }), 'first');
		const snapshot = new PollSnapshot(true);
		const session: Session = { state: state({ announcedAt: 1, readAt: 9 }), snapshot };
		expect(store(data, 'node', session).load().readAt).toBe(9);
		expect(session.snapshot).toBe(snapshot);
	});

	it('is separate for each node, and replaces its earlier one', () => {
		const data: IDataObject = {};
		store(data, 'one').save(state({ source: 'A' }), 'first');
		store(data, 'other').save(state({ source: 'B' }), 'first');
		store(data, 'one').save(state({ source: 'C' }), 'first');
		expect(store(data, 'one').load().source).toBe('C');
		expect(store(data, 'other').load().source).toBe('B');
		expect(Object.keys(data.supercastTrigger as IDataObject)).toEqual(['other', 'one']);
	});

	it('is kept for the last 100 nodes of a workflow', () => {
		const data: IDataObject = {};
		for (let number = 1; number <= 104; number++)
			store(data, `node ${number}`).save(state(), 'first');
		const names = Array.from({ length: 100 }, (_, index) => `node ${index + 5}`);
		expect(Object.keys(data.supercastTrigger as IDataObject)).toEqual(names);
	});
});

describe('a process that starts after an output', () => {
	const written = state({
		known: new Map([
			['hash-001', 'new'],
			['hash-002', ''],
			['hash-003', 'same'],
			['hash-004', 'new'],
		]),
		announcedAt: STARTED,
		outputs: [
			{
				at: STARTED,
				since: 3,
				repeats: 0,
				undo: new Map([
					['hash-001', 'old'],
					['hash-004', ''],
					['hash-002', ABSENT],
				]),
			},
		],
	});

	it.each([
		[-1, false],
		[0, true],
		[UNSURE_MS - 1, true],
		[UNSURE_MS, false],
	])('by %d ms undoes it: %s', (ms, isUndone) => {
		const data: IDataObject = {};
		store(data).save(written, 'output');
		const loaded = store(data, 'node', {}, STARTED + ms).load();
		const before = new Map([
			['hash-001', 'old'],
			['hash-003', 'same'],
			['hash-004', ''],
		]);
		expect(loaded.known).toEqual(isUndone ? before : written.known);
		expect(loaded.readAt).toBe(isUndone ? 0 : 5);
	});
});

/** A page with these IDs. */
function page(ids: number[], total?: number): Page {
	return { records: ids.map((id) => ({ id, state: 'available' })), total };
}

/** Reads these pages, and then the last one again and again. Returns the numbers of the requests. */
async function read(polls: Polls, pages: Page[]): Promise<number[]> {
	const numbers: number[] = [];
	await polls.poll(false, async (number) => {
		numbers.push(number);
		return pages[Math.min(number, pages.length) - 1]!;
	});
	return numbers;
}

/** The first poll reads thoroughly, and later ones with this event read all pages to the total. */
const newPolls = (): Polls => new Polls('subscriberStateChanged', []);

function sizeOf({ sessions }: Polls): number | undefined {
	return sessions.get('node')?.state?.size;
}

describe('the end of a fetch', () => {
	it('is an empty page', async () => {
		expect(await read(newPolls(), [page([1, 2]), page([])])).toEqual([1, 2]);
	});

	it('is a page that reaches the total and is not full', async () => {
		const pages = [page([1, 2], 3), page([3], 3), page([], 3)];
		expect(await read(newPolls(), pages)).toEqual([1, 2]);
	});

	it('is the total, except for a thorough fetch', async () => {
		const polls = newPolls();
		const pages = [page([1, 2], 2), page([], 2)];
		expect(await read(polls, pages)).toEqual([1, 2]);
		expect(await read(polls, pages)).toEqual([1]);
	});

	it('is the fifth page in a row without a new record', async () => {
		const [first, same, other] = [page([1, 2]), page([2, 1]), page([3])];
		expect(await read(newPolls(), [first, same])).toEqual([1, 2, 3, 4, 5, 6]);
		const pages = [first, same, same, same, same, other, same];
		expect(await read(newPolls(), pages)).toHaveLength(11);
	});

	it('is the end of the first poll if as many records were found as the total says', async () => {
		const moved = [page([1, 2], 3), page([2, 3], 3), page([], 3)];
		expect(await read(newPolls(), moved)).toEqual([1, 2, 3]);
	});

	it('is not the end of the first poll if a page repeats a record', async () => {
		const [first, second] = [page([1, 2], 4), page([], 4)];
		// The total is too high. Only a second reading shows it.
		expect(await read(newPolls(), [first, second])).toEqual([1, 2, 1, 2]);
		const moving = [page([1, 2], 4), page([2, 3], 4), page([], 4)];
		expect((await read(newPolls(), moving)).filter((number) => number === 1)).toHaveLength(20);
	});
});

describe('the size of a list', () => {
	it('is unknown without a total, or with one that is too low', async () => {
		const polls = newPolls();
		await read(polls, [page([1, 2]), page([])]);
		expect(sizeOf(polls)).toBeUndefined();
		await read(polls, [page([1, 2], 2), page([3], 2), page([], 2)]);
		expect(sizeOf(polls)).toBeUndefined();
		const none = newPolls();
		await read(none, [page([])]);
		expect(sizeOf(none)).toBeUndefined();
	});

	it('is the total of a steady list', async () => {
		const polls = newPolls();
		await read(polls, [page([1, 2], 3), page([3], 3)]);
		expect(sizeOf(polls)).toBe(3);
	});

	it('is at least what is left if records came and went', async () => {
		const polls = newPolls();
		await read(polls, [page([1, 2], 2), page([], 2)]);
		await read(polls, [page([1, 2], 5), page([3, 4], 4)]);
		expect(sizeOf(polls)).toBe(3);
	});

	it('is the total after a poll that needs only the first page', async () => {
		const polls = new Polls('episodeCreated', []);
		await read(polls, [page([1, 2], 4), page([3, 4], 4), page([], 4)]);
		expect(await read(polls, [page([5, 1], 5)])).toEqual([1]);
		expect(sizeOf(polls)).toBe(5);
	});

	it('is the total after a poll that needs only the first and the last page', async () => {
		const polls = new Polls('episodeCreated', many(350));
		await polls.poll();
		polls.records.push({ id: 'new' });
		expect([await polls.poll(), polls.requests, sizeOf(polls)]).toEqual([['new'], 2, 351]);
	});

	it('does not put off the next reading beyond the total, if a poll believes the total', async () => {
		const polls = new Polls('subscriberStateChanged', many(250));
		await polls.poll();
		polls.now += 60_000;
		await polls.poll();
		expect(polls.sessions.get('node')?.state?.readAt).toBe(START);
	});

	it('is unknown after a poll whose time was up', async () => {
		const polls = new Polls('subscriberStateChanged', many(250));
		await polls.poll();
		polls.now += HOUR;
		polls.isLate = true;
		polls.failures.set(2, new ServiceError('late', '', { kind: 'network', code: 'ETIMEDOUT' }));
		expect([await polls.poll(), sizeOf(polls)]).toEqual([[], undefined]);
		// The whole reading is still due.
		expect(polls.sessions.get('node')?.state?.readAt).toBe(START);
		polls.failures.clear();
		expect([await polls.poll(), sizeOf(polls)]).toEqual([[], 250]);
		expect(polls.requests).toBe(2);
		expect(polls.sessions.get('node')?.state?.readAt).toBe(START + HOUR);
	});
});
