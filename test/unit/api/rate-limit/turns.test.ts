import fc from 'fast-check';

import { Turns, type Client } from '../../../../nodes/Supercast/api/rate-limit/turns';

interface Entry {
	client: Client;
	deadline: number;
	name: string;
}

/** Two clients of one workflow, one of another, and one of none. */
const CLIENTS: Client[] = [{ workflow: 'w' }, { workflow: 'w' }, { workflow: 'x' }, {}];

function entry(client: number, name: string, deadline = Infinity): Entry {
	return { client: CLIENTS[client]!, deadline, name };
}

/** One entry of a client that nobody has seen before. */
function arrival(name: string, workflow = 'w'): Entry {
	return { client: { workflow }, deadline: Infinity, name };
}

function queueOf(...entries: Entry[]): Turns<Entry> {
	const queue = new Turns<Entry>();
	for (const one of entries) queue.add(one);
	return queue;
}

function drain(queue: Turns<Entry>): string[] {
	const names: string[] = [];
	for (let next = queue.next(); next !== undefined; next = queue.next()) names.push(next.name);
	return names;
}

describe('the turns', () => {
	it('go round among workflows, however many clients each has', () => {
		const crowd = ['1', '2', '3', '4'].map((name) => arrival(`w${name}`));
		const queue = queueOf(...crowd, arrival('x1', 'x'), arrival('x2', 'x'), arrival('y1', 'y'));
		expect(drain(queue)).toEqual(['w1', 'x1', 'y1', 'w4', 'x2', 'w2', 'w3']);
		expect(queue.isEmpty).toBe(true);
	});

	it('within a workflow, go to the oldest client and the newest one alternately', () => {
		const queue = queueOf(...['1', '2', '3', '4', '5'].map((name) => arrival(name)));
		expect(queue.next()?.name).toBe('1');
		expect(queue.next()?.name).toBe('5');
		queue.add(arrival('6'));
		expect(queue.next()?.name).toBe('2');
		expect(queue.next()?.name).toBe('6');
		expect(drain(queue)).toEqual(['3', '4']);
	});

	it('are in order within a client, and fair among clients that go on waiting', () => {
		const queue = queueOf(
			...['a1', 'a2', 'a3', 'a4'].map((name) => entry(0, name)),
			...['b1', 'b2', 'b3'].map((name) => entry(1, name)),
		);
		expect(drain(queue)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4']);
	});

	it('make a client that comes again the newest, if it has nothing else that waits', () => {
		const queue = queueOf(
			...['1', '2', '3', '4'].map((name) => arrival(name)),
			entry(0, 'look up'),
		);
		expect([queue.next()?.name, queue.next()?.name]).toEqual(['1', 'look up']);
		queue.add(entry(0, 'create'));
		expect([queue.next()?.name, queue.next()?.name]).toEqual(['2', 'create']);
	});

	it('do not make a client the newest that had a turn and waits for the next', () => {
		const queue = queueOf(...['1', '2', '3', '4'].map((name) => arrival(name)));
		for (const name of ['a1', 'a2', 'a3']) queue.add(entry(0, name));
		expect(drain(queue)).toEqual(['1', 'a1', '2', '4', '3', 'a2', 'a3']);
	});

	it('removes only entries whose deadline has come', () => {
		const queue = new Turns<Entry>();
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
		const queue = new Turns<Entry>();
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
				const queue = new Turns<Entry>();
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
	private workflows: Array<string | undefined> = [];
	/** When each waiting client last began to wait, and whether it has had a turn since it came. */
	private waiting = new Map<Client, { since: number; isServed: boolean }>();
	private newestNext = new Map<string | undefined, boolean>();
	private time = 0;
	private wasRetry = false;

	add(one: Entry): void {
		this.entries.push(one);
		const { workflow } = one.client;
		if (one.deadline < Infinity) return;
		if (!this.workflows.includes(workflow)) {
			this.workflows.push(workflow);
			this.newestNext.set(workflow, false);
		}
		if (!this.waiting.has(one.client)) {
			this.waiting.set(one.client, { since: ++this.time, isServed: false });
		}
	}

	next(): Entry | undefined {
		const [earliest] = this.entries
			.filter(({ deadline }) => deadline < Infinity)
			.sort((one, other) => one.deadline - other.deadline);
		const isRetry = earliest !== undefined && (!this.wasRetry || this.workflows.length === 0);
		this.wasRetry = isRetry;
		if (isRetry) {
			this.remove(earliest);
			return earliest;
		}
		const client = this.nextClient();
		const taken = this.entries.find((one) => one.client === client && one.deadline === Infinity);
		if (client === undefined || taken === undefined) return undefined;
		const [workflow, ...others] = this.workflows;
		this.workflows = [...others, workflow];
		this.waiting.set(client, { since: ++this.time, isServed: true });
		this.remove(taken);
		return taken;
	}

	private nextClient(): Client | undefined {
		const [workflow] = this.workflows;
		const lines = [...this.waiting]
			.filter(([client]) => client.workflow === workflow)
			.sort(([, one], [, other]) => one.since - other.since);
		const isNewest = this.newestNext.get(workflow) === true;
		this.newestNext.set(workflow, !isNewest);
		const newest = lines.filter(([, { isServed }]) => !isServed).at(-1);
		return ((isNewest ? newest : undefined) ?? lines[0])?.[0];
	}

	remove(one: Entry): void {
		this.entries = this.entries.filter((other) => other !== one);
		const firstTries = this.entries.filter(({ deadline }) => deadline === Infinity);
		for (const client of [...this.waiting.keys()]) {
			if (!firstTries.some((other) => other.client === client)) this.waiting.delete(client);
		}
		this.workflows = this.workflows.filter((workflow) =>
			firstTries.some(({ client }) => client.workflow === workflow),
		);
	}
}
