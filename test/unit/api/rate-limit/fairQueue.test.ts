import fc from 'fast-check';

import { FairQueue } from '../../../../nodes/Supercast/api/rate-limit/fairQueue';

interface Entry {
	client: object;
	deadline: number;
	name: string;
}

const CLIENTS = ['a', 'b', 'c', 'd'].map((name) => ({ name }));

function entry(client: number, name: string, deadline = Infinity): Entry {
	return { client: CLIENTS[client]!, deadline, name };
}

function drain(queue: FairQueue<Entry>): string[] {
	const names: string[] = [];
	for (let next = queue.next(); next !== undefined; next = queue.next()) names.push(next.name);
	return names;
}

describe('a fair queue', () => {
	it('lets clients take turns, each first in, first out', () => {
		const queue = new FairQueue<Entry>();
		for (const name of ['a1', 'a2', 'a3', 'a4']) queue.add(entry(0, name));
		for (const name of ['b1', 'b2']) queue.add(entry(1, name));
		queue.add(entry(2, 'c1'));
		expect(drain(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
		expect(queue.isEmpty).toBe(true);
	});

	it('puts a new client behind those who wait, whatever it has had', () => {
		const queue = new FairQueue<Entry>();
		for (const name of ['a1', 'a2', 'a3']) queue.add(entry(0, name));
		expect(queue.next()?.name).toBe('a1');
		queue.add(entry(1, 'b1'));
		expect(queue.next()?.name).toBe('a2');
		expect(queue.next()?.name).toBe('b1');
		queue.add(entry(1, 'b2'));
		expect(drain(queue)).toEqual(['a3', 'b2']);
		queue.add(entry(1, 'b3'));
		expect(drain(queue)).toEqual(['b3']);
	});

	it('removes only entries whose deadline has come', () => {
		const queue = new FairQueue<Entry>();
		queue.add(entry(0, 'first try'));
		for (const deadline of [30, 10, 20, 40]) queue.add(entry(0, `${deadline}`, deadline));
		expect(queue.nextDue(9)).toBeUndefined();
		expect(queue.nextDue(20)?.name).toBe('10');
		expect(queue.nextDue(20)?.name).toBe('20');
		expect(queue.nextDue(20)).toBeUndefined();
		expect(drain(queue)).toEqual(['30', 'first try', '40']);
		expect(queue.nextDue(Infinity)).toBeUndefined();
	});

	it('is empty only when nobody waits', () => {
		const queue = new FairQueue<Entry>();
		expect(queue.isEmpty).toBe(true);
		const retry = entry(0, 'retry', 1);
		queue.add(retry);
		expect(queue.isEmpty).toBe(false);
		queue.remove(retry);
		expect(queue.isEmpty).toBe(true);
		const first = entry(0, 'first');
		queue.add(first);
		expect(queue.isEmpty).toBe(false);
		queue.remove(first);
		expect(queue.isEmpty).toBe(true);
		expect(queue.next()).toBeUndefined();
	});

	it('behaves like a searched list, whatever is added, taken and removed', () => {
		const adding = fc.record({
			add: fc.integer({ min: 0, max: 3 }),
			deadline: fc.constantFrom(Infinity, Infinity, 1, 2, 3, 4),
		});
		const step = fc.oneof(adding, fc.record({ remove: fc.nat() }), fc.constant('next' as const));
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const queue = new FairQueue<Entry>();
				const model = new Model();
				const added: Entry[] = [];
				for (const [number, one] of steps.entries()) {
					if (one === 'next') {
						expect(queue.next()?.name).toBe(model.next()?.name);
					} else if ('add' in one) {
						const made = entry(one.add, `${number}`, one.deadline);
						added.push(made);
						queue.add(made);
						model.add(made);
					} else if (added.length > 0) {
						// This includes entries that were taken before, which changes nothing.
						const gone = added[one.remove % added.length]!;
						queue.remove(gone);
						model.remove(gone);
					}
					expect(queue.isEmpty).toBe(model.entries.length === 0);
				}
				const rest: Array<string | undefined> = [];
				while (model.entries.length > 0) rest.push(model.next()?.name);
				expect(drain(queue)).toEqual(rest);
			}),
			{ numRuns: 500 },
		);
	});
});

/** The same rules in a slow, simple form. */
class Model {
	entries: Entry[] = [];
	private turns: object[] = [];
	private wasRetry = false;

	add(one: Entry): void {
		this.entries.push(one);
		if (one.deadline === Infinity && !this.turns.includes(one.client)) this.turns.push(one.client);
	}

	next(): Entry | undefined {
		const [earliest] = this.entries
			.filter(({ deadline }) => deadline < Infinity)
			.sort((one, other) => one.deadline - other.deadline);
		const client = this.turns[0];
		const first = this.entries.find((one) => one.client === client && one.deadline === Infinity);
		const taken = this.wasRetry ? (first ?? earliest) : (earliest ?? first);
		this.wasRetry = taken !== undefined && taken === earliest;
		if (taken === undefined) return undefined;
		this.remove(taken);
		if (taken.deadline === Infinity && this.turns[0] === client) {
			this.turns.push(this.turns.shift()!);
		}
		return taken;
	}

	remove(one: Entry): void {
		this.entries = this.entries.filter((other) => other !== one);
		this.turns = this.turns.filter((client) =>
			this.entries.some((other) => other.client === client && other.deadline === Infinity),
		);
	}
}
