import fc from 'fast-check';

import { type Client, FairQueue } from '../../../../nodes/Supercast/api/rate-limit/fairQueue';

interface Entry {
	client: Client;
	deadline: number;
	name: string;
}

/** Words, of which `a*3` stands for three. */
function words(text: string): string[] {
	return text.split(' ').flatMap((word) => {
		const [name = '', count = 1] = word.split('*');
		return Array.from({ length: Number(count) }, () => name);
	});
}

/**
 * What a queue returns. Each word of the steps is a client with one more entry, whose first letter is
 * its workflow. After an @ comes the deadline of a retry. A > takes the next entry. A ! is a request
 * that is sent without waiting.
 */
function taken(steps: string): string[] {
	const queue = new FairQueue<Entry>();
	const clients = new Map<string, Client>();
	const names: string[] = [];
	for (const step of words(steps)) {
		if (step === '>') {
			names.push(queue.next()!.name);
			continue;
		}
		const [name = '', deadline = Infinity] = step.replace('!', '').split('@');
		const client = clients.get(name) ?? { workflow: name[0] };
		clients.set(name, client);
		if (step.endsWith('!')) queue.countSent(client);
		else queue.add({ client, deadline: Number(deadline), name: step });
	}
	for (let next = queue.next(); next !== undefined; next = queue.next()) names.push(next.name);
	expect(queue.isEmpty).toBe(true);
	return names;
}

const twenty = Array.from({ length: 20 }, (_, index) => `w${index + 1}`).join(' ');

it.each([
	['go round among workflows', 'w1 w2 w3 w4 x1 x2 y1', 'w1 x1 y1 w2 x2 w3 w4'],
	['go to short clients in their order, also later', 'wa w1 w2 wb > > wa', 'wa w1 wa w2 wb'],
	['go to the newest client once in eight turns', twenty, 'w1 w2 w3 w4 w5 w6 w7 w20 w8'],
	['alternate between short and long clients', 'wa*11 w1 w2 w3', 'w1 wa w2 wa w3 wa wa'],
	['go round among long clients', 'wa*11 wb*11', 'wa wb wa wb wa'],
	['count clients as long after ten requests', 'wa*10 >*10 wa wa wb wb', 'wa*10 wa wb wa wb'],
	['count clients with ten requests as short', 'wa*10 w1', 'wa*7 w1 wa wa wa'],
	['count each request that was sent', `${'wa > '.repeat(10)}wa wa w1 w2`, 'wa*11 w1 wa w2'],
	['count requests that did not wait', 'wa!*10 wa wa w1 w2', 'w1 wa w2 wa'],
	['reach others when a client becomes long', 'wb wa*11', 'wb wa*11'],
	['reach others that came later, too', 'wa*10 wb wa', 'wb wa*11'],
	['reach others when a client returns as long', 'wa*10 >*10 wb wa', 'wa*10 wa wb'],
	['give a client that returns its old place', 'wa wb wc > > wa wb', 'wa wb wa wb wc'],
	['go to a retry, and then to a first try', 'w1 w2 wr@2 wr@1', 'wr@1 w1 wr@2 w2'],
])('the turns %s', (_, steps, expected) => {
	const first = words(expected);
	expect(taken(steps).slice(0, first.length)).toEqual(first);
});

it('a queue loses no entry, whatever is added, taken and removed', () => {
	const clients = [{ workflow: 'w' }, { workflow: 'w' }, { workflow: 'x' }, {}];
	const adding = fc.record({
		client: fc.constantFrom(...clients),
		deadline: fc.constantFrom(...Array<number>(4).fill(Infinity), 1, 2, 3),
	});
	const step = fc.oneof(
		{ weight: 4, arbitrary: adding },
		fc.record({ remove: fc.nat() }),
		fc.record({ due: fc.nat({ max: 3 }) }),
		fc.constant('next' as const),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
			const queue = new FairQueue<Entry>();
			const waiting: Entry[] = [];
			const leave = (entry: Entry): void => void waiting.splice(waiting.indexOf(entry), 1);
			const take = (entry: Entry | undefined): void => {
				if (entry === undefined) return expect(waiting).toEqual([]);
				// The first tries of one client keep their order.
				const others = waiting.filter(({ client }) => client === entry.client);
				const same = others.filter(({ deadline }) => deadline === entry.deadline);
				expect(entry.deadline === Infinity ? same.slice(0, 1) : same).toContain(entry);
				leave(entry);
			};
			for (const [number, one] of steps.entries()) {
				const due = Math.min(...waiting.map(({ deadline }) => deadline));
				if (one === 'next') take(queue.next());
				else if ('client' in one) {
					const made = { ...one, name: `${number}` };
					waiting.push(made);
					queue.add(made);
				} else if ('due' in one) {
					const entry = queue.nextDue(one.due);
					expect(entry?.deadline ?? Infinity).toBe(due <= one.due ? due : Infinity);
					if (entry !== undefined) take(entry);
				} else if (waiting.length > 0) {
					const gone = waiting[one.remove % waiting.length]!;
					leave(gone);
					queue.remove(gone);
				}
				expect(queue.isEmpty).toBe(waiting.length === 0);
			}
			while (waiting.length > 0) take(queue.next());
			expect(queue.next()).toBeUndefined();
		}),
		{ numRuns: 200 },
	);
});
