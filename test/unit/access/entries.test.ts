import {
	NOTHING_REMEMBERED,
	type ListMemory,
	type MissedLists,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import {
	countQuestions,
	headQuestions,
	knownIdentifiers,
	entriesOf,
	identifierQuestions,
	readCounts,
	readHead,
} from '../../../nodes/Supercast/access/sync/memory/entries';

/** A store that can only say whether it has seen a text, and has seen whatever it was asked. */
class Store {
	private readonly seen = new Set<string>();

	see(texts: readonly string[]): Set<string> {
		const known = new Set(texts.filter((text) => this.seen.has(text)));
		for (const text of texts) this.seen.add(text);
		return known;
	}
}

const memory: ListMemory = {
	...NOTHING_REMEMBERED,
	...{ seenAt: 1_795_775_717_225, countedAt: 1_795_775_700_001, shortLists: 2 },
	missing: new Map<string, MissedLists>([
		['a@a.com\nc-1', 1],
		['b@a.com\n', 'notCounted'],
		['u-3', 0],
		['d@a.com\nc-4', 254],
	]),
	refused: new Map([['e@a.com', 3]]),
};

const asked = { missing: [...memory.missing.keys(), 'nobody'], refused: ['e@a.com', 'a@a.com'] };

describe('what the store of seen items remembers', () => {
	it('give back what was remembered', () => {
		const store = new Store();
		store.see(entriesOf(memory));
		expect(readHead(store.see(headQuestions()))).toEqual({
			...{ seenAt: memory.seenAt, countedAt: memory.countedAt, shortLists: 2 },
		});
		const known = knownIdentifiers(asked, store.see(identifierQuestions(asked)));
		expect(known).toEqual({ missing: [...memory.missing.keys()], refused: ['e@a.com'] });
		const { missing, refused } = readCounts(known, store.see(countQuestions(known)));
		expect([missing, refused]).toEqual([memory.missing, memory.refused]);
	});

	it('count as nothing if a question has left more of them, or another list', () => {
		const store = new Store();
		store.see(entriesOf(memory));
		store.see(headQuestions());
		expect(readHead(store.see(headQuestions()))).toBeUndefined();
		const other = new Store();
		other.see(entriesOf(memory));
		other.see(entriesOf({ ...memory, seenAt: memory.seenAt + 1 }));
		expect(readHead(other.see(headQuestions()))).toBeUndefined();
		expect(readHead(new Store().see(headQuestions()))).toBeUndefined();
	});

	it('keep large numbers within their digits', () => {
		const store = new Store();
		store.see(entriesOf({ ...memory, shortLists: 1_000, missing: new Map([['a', 1_000]]) }));
		expect(readHead(store.see(headQuestions()))).toMatchObject({ shortLists: 255 });
		const known = { missing: ['a'], refused: [] };
		expect(readCounts(known, store.see(countQuestions(known))).missing.get('a')).toBe(254);
	});
});
