/** The page of rules, told as short stories of a channel. */

import { goWrongGradually } from './gradual';
import { inVirtualTime, type Outcome } from './n8n';
import type { Person } from './people';
import type { Row } from './settings';
import { MINUTE_MS, World, type Delivery, type WorldOptions } from './world';

/** A channel with these members, whose feeds are open. */
async function story(
	members: number,
	tell: (teller: Teller) => Promise<void>,
	options: Partial<WorldOptions> = {},
): Promise<void> {
	await inVirtualTime(async (clock) => {
		const teller = new Teller(new World(clock, { seed: 1, members, isPlain: true, ...options }));
		await teller.list();
		await tell(teller);
	});
}

class Teller {
	constructor(readonly world: World) {}

	get people(): World['people'] {
		return this.world.people;
	}

	/** Five minutes later, the list comes: the right one, or another one. */
	async list(delivery: Partial<Delivery> = {}, system = 0): Promise<Outcome> {
		await this.world.clock.pass(5 * MINUTE_MS);
		return await this.world.sync({ rows: this.people.list(system), ...delivery }, system);
	}

	/** Members leave. */
	leave(count: number): Person[] {
		const some = this.people.with('active').slice(0, count);
		for (const one of some) this.people.leave(one);
		return some;
	}

	isOpen(person: Person): boolean {
		return this.world.feedOf(person)?.state === 'available';
	}

	get open(): number {
		return this.world.channel.open.length;
	}

	get changes(): number {
		return this.world.channel.journal.length;
	}
}

describe('closing', () => {
	it('waits for a second list, and the report names the person both times', async () => {
		await story(30, async (channel) => {
			const [leaver] = channel.leave(1) as [Person];
			const first = await channel.list();
			expect([channel.isOpen(leaver), first.names([leaver.email])]).toEqual([true, true]);
			const second = await channel.list();
			expect([channel.isOpen(leaver), second.names([leaver.email])]).toEqual([false, true]);
		});
	});

	it('begins again if a list has the person in between, even an incomplete one', async () => {
		await story(30, async (channel) => {
			const rows = channel.people.list();
			const [leaver] = channel.leave(1) as [Person];
			await channel.list();
			await channel.list({ rows, expected: 31 });
			await channel.list();
			expect(channel.isOpen(leaver)).toBe(true);
			await channel.list();
			expect(channel.isOpen(leaver)).toBe(false);
		});
	});

	it('counts a dry list', async () => {
		await story(30, async (channel) => {
			const [leaver] = channel.leave(1) as [Person];
			await channel.list({ isDry: true, isByHand: true });
			await channel.list();
			expect(channel.isOpen(leaver)).toBe(false);
		});
	});

	it('takes up to five feeds a day from a small channel', async () => {
		await story(33, async (channel) => {
			channel.leave(5);
			await channel.list();
			expect((await channel.list()).failure).toBeUndefined();
			expect(channel.open).toBe(28);
			const [leaver] = channel.leave(1) as [Person];
			await channel.list();
			expect((await channel.list()).failure).toBeDefined();
			expect(channel.isOpen(leaver)).toBe(true);
		});
	});

	it('takes a tenth of the feeds within a day, if the list goes wrong gradually', async () => {
		const { closed, closedInADay, firstStop, namesSomeone } = await goWrongGradually(
			'gradualEnd',
			200,
		);
		expect(closed).toBeGreaterThan(0);
		expect(closedInADay).toBeLessThanOrEqual(20);
		expect(firstStop).toBeLessThan(25);
		expect(namesSomeone).toBe(true);
	});

	it('goes beyond the limit once, if someone allows it, and then the limit is back', async () => {
		await story(200, async (channel) => {
			channel.leave(60);
			await channel.list();
			const stopped = await channel.list();
			expect(stopped.failure).toMatch(/close \d+ until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
			expect(channel.open).toBe(200);
			channel.world.follow(stopped);
			expect((await channel.list()).failure).toBeUndefined();
			expect(channel.open).toBe(140);
			channel.leave(30);
			await channel.list();
			expect((await channel.list()).failure).toBeDefined();
			expect(channel.open).toBe(140);
		});
	});
});

describe('an incomplete list', () => {
	it('opens, closes nothing, and fails the run the third time in a row', async () => {
		await story(30, async (channel) => {
			const joiner = channel.people.join();
			const rows = channel.people.list().slice(1);
			const [first] = channel.people.list() as [Row];
			const failures = [];
			for (let list = 0; list < 3; list++) {
				const { failure } = await channel.list({ rows, expected: rows.length + 1 });
				failures.push(failure !== undefined);
			}
			expect(failures).toEqual([false, false, true]);
			expect(channel.isOpen(joiner)).toBe(true);
			expect(channel.isOpen(channel.people.withEmail(first.email)!)).toBe(true);
		});
	});

	it('is one whose Expected Number of Records is empty', async () => {
		await story(30, async (channel) => {
			const [leaver] = channel.leave(1) as [Person];
			for (let list = 0; list < 2; list++) await channel.list({ expected: '' });
			expect((await channel.list({ expected: '' })).failure).toBeDefined();
			expect(channel.isOpen(leaver)).toBe(true);
		});
	});
});

describe('a wrong list', () => {
	it.each([
		[
			'of people whom Supercast does not have',
			(index: number) => ({ email: `x${index}@b.com`, customerId: `pat-9${index}` }),
		],
		['without anyone', () => ({ email: '', customerId: '', recordId: '', status: '' })],
	])('%s changes nothing, and fails the run', async (_, fieldsOf) => {
		await story(30, async (channel) => {
			const before = channel.changes;
			const rows = channel.people.list().map((row, index) => ({ ...row, ...fieldsOf(index) }));
			for (let list = 0; list < 3; list++) {
				expect((await channel.list({ rows })).failure).toBeDefined();
			}
			expect(channel.changes).toBe(before);
		});
	});

	it('would open more than a quarter of the open feeds, and more than 50', async () => {
		await story(27, async (channel) => {
			const before = channel.changes;
			for (let count = 0; count < 60; count++) channel.people.join();
			expect((await channel.list()).failure).toBeDefined();
			expect(channel.changes).toBe(before);
		});
	});
});

describe('two membership systems', () => {
	it('share a person: who leaves one and pays in the other listens again at the next list', async () => {
		const options = { hasTwoSyncs: true };
		await story(
			30,
			async (channel) => {
				const [person] = channel.people.with('active') as [Person];
				channel.people.join(1, person);
				await channel.list({}, 1);
				channel.people.leave(person, 0);
				for (let list = 0; list < 2; list++) await channel.list();
				await channel.list({}, 1);
				expect(channel.isOpen(person)).toBe(true);
				const before = channel.changes;
				for (let list = 0; list < 4; list++) {
					await channel.list();
					await channel.list({}, 1);
				}
				expect(channel.changes).toBe(before);
			},
			options,
		);
	});
});

describe('Set Access', () => {
	it('closes immediately', async () => {
		await story(30, async (channel) => {
			const [leaver] = channel.leave(1) as [Person];
			channel.world.tell(leaver, 0);
			await channel.world.clock.pass(MINUTE_MS);
			expect(channel.isOpen(leaver)).toBe(false);
		});
	});

	it('closes nothing at the end of an older membership, if the person has subscribed again', async () => {
		await story(30, async (channel) => {
			const [person] = channel.people.with('active') as [Person];
			channel.people.join(0, person);
			const [older, latest] = person.memberships;
			older!.status = 'canceled';
			channel.world.tell(person, 0);
			await channel.world.clock.pass(MINUTE_MS);
			expect(channel.world.feedOf(person)?.customer_id).toBe(latest!.customerId);
			channel.world.tell({ ...person, memberships: [older!] }, 0);
			await channel.world.clock.pass(MINUTE_MS);
			expect(channel.isOpen(person)).toBe(true);
		});
	});
});
