import fc from 'fast-check';

import type { ListMemory } from '../../../nodes/Supercast/access/sync/memory/absences';
import { NOTHING_REMEMBERED } from '../../../nodes/Supercast/access/sync/memory/absences';
import { crowd, DirectSupercast, held } from '../../doubles/directSupercast';
import { rowOf } from '../access/mixed';
import { NOW, type Parameters, type Row, refusal, runRows } from '../access/running';

/** Lists of the same workflow, two minutes apart. */
class Lists {
	private memory: ListMemory = NOTHING_REMEMBERED;

	private count = 0;

	constructor(
		readonly service: DirectSupercast,
		private readonly common: Parameters,
	) {}

	async run(rows: readonly Row[], dryRun = false) {
		const at = NOW + 120_000 * this.count++;
		const options = { closeAfter: 2, output: 'changesAndSummary', ...this.common.options };
		const tools = {
			receivedAt: at,
			readAt: at,
			now: () => at,
			memory: this.memory,
			remember: (memory: ListMemory) => void (this.memory = memory),
		};
		const result = await runRows(
			this.service,
			rows,
			{ ...this.common, dryRun, options },
			{ tools },
		);
		const { title, text } = result.records.at(-1)!.json as Record<string, string>;
		return { ...result, title: title!, text: text!, page: result.page() };
	}

	get open(): number {
		return this.service.subscribers.filter(({ state }) => state === 'available').length;
	}
}

const of = (people: number, common: Parameters = {}): Lists =>
	new Lists(new DirectSupercast(crowd(people), NOW), common);
const listed = (people: number, ...gone: number[]): Row[] =>
	crowd(people)
		.map(rowOf)
		.filter((_, index) => !gone.includes(index));

describe('a dry run tells one story', () => {
	it('says whom the next lists close, in the title, the numbers and the list of names', async () => {
		const lists = of(125, { maxClosePercent: 30 });
		const gone = Array.from({ length: 30 }, (_, index) => index);
		const { title, text, page, records } = await lists.run(listed(125, ...gone), true);
		expect(title).toBe('DRY RUN: 30 feeds would close');
		expect(text).toContain('30 would close, 0 would open, 95 open after that.');
		expect(text).not.toMatch(/would change nothing|Nothing would change|no feed would/);
		expect(text).toContain('A feed closes only if 2 lists in a row lack the person.');
		expect(records.at(-1)!.json.numbers).toMatchObject({ closingSoon: 30, open: 95 });
		for (const one of gone) expect(page).toContain(`m${one}@a.com`);
		for (let count = 0; count < 2; count++) await lists.run(listed(125, ...gone));
		expect(lists.open).toBe(95);
	});

	it('says what Sync would refuse, and not to turn off Dry Run', async () => {
		const lists = of(125, { maxClosePercent: 5 });
		const gone = Array.from({ length: 30 }, (_, index) => index);
		const { title, text, hints } = await lists.run(listed(125, ...gone), true);
		expect(title).toBe(
			'DRY RUN: Sync would refuse to run, because 30 feeds would close and the limit is 6',
		);
		expect(text).toContain("set 'Max Close (%)' to 24 for 2 runs");
		expect(text).not.toContain("turn off 'Dry Run'");
		expect(hints[0]!.message).toContain(title);
		const error = await refusal(async () => await lists.run(listed(125, ...gone)));
		expect(error).toContain('Sync would close the feeds of 30 of 125 subscribers');
		expect(lists.open).toBe(125);
	});

	it('names everyone on its page, by name, email and reason', async () => {
		const people = 320;
		const lists = of(0, { maxClosePercent: 100 });
		const rows = Array.from({ length: people }, (_, index) => ({
			...{ email: `new${index}@a.com`, id: `c-${index}`, firstName: `Name${index}` },
		}));
		const { text, page, title } = await lists.run(rows, true);
		expect(title).toContain('320 feeds would open');
		expect(text).toContain('and 308 more');
		for (let index = 0; index < people; index++) {
			expect(page).toContain(`Name${index}, new${index}@a.com`);
		}
	});

	it('predicts what the next lists do, in random channels', async () => {
		const people = fc.integer({ min: 1, max: 40 });
		const settings = fc.record({
			maxClosePercent: fc.constantFrom(5, 20, 60, 100),
			closeAfter: fc.integer({ min: 1, max: 3 }),
			fresh: fc.integer({ min: 0, max: 5 }),
			share: fc.double({ min: 0, max: 1, noNaN: true }),
		});
		await fc.assert(
			fc.asyncProperty(people, settings, async (count, given) => {
				const { maxClosePercent, closeAfter, fresh, share } = given;
				const lists = of(count, { maxClosePercent, options: { closeAfter } });
				const rows = [
					...listed(count).filter((_, index) => (index * 0.618) % 1 >= share),
					...Array.from({ length: fresh }, (_, index) => ({ email: `new${index}@a.com` })),
				];
				fc.pre(rows.length > 0);
				const dry = await lists.run(rows, true);
				const { open } = dry.records.at(-1)!.json.numbers as { open: number };
				const isRefused = dry.title.includes('refuse');
				for (let run = 0; run < closeAfter; run++) {
					const done = await lists.run(rows).then(
						() => 'ran',
						() => 'refused',
					);
					expect(done).toBe(isRefused ? 'refused' : 'ran');
				}
				if (!isRefused) expect(lists.open).toBe(open);
				expect(dry.title.includes('would close')).toBe(count - (rows.length - fresh) > 0);
			}),
			{ numRuns: 60 },
		);
	});
});

describe('a real run tells one story', () => {
	it('names who closes with the next list, and then who closed', async () => {
		const lists = of(40, { maxClosePercent: 5 });
		const first = await lists.run(listed(40, 7));
		expect(first.text).toMatch(/say the same:\n- Ann, m7@a\.com \(missing for the first time/);
		expect(first.records.map(({ json }) => json.what)).toContain('closes with the next list');
		const second = await lists.run(listed(40, 7));
		expect(second.text).toMatch(/Left:\n- .*m7@a\.com/);
		expect(second.text).not.toContain('lack them too');
	});

	it('says who waits because the limit has become lower', async () => {
		const lists = of(40, { maxClosePercent: 5 });
		await lists.run(listed(40, 7));
		Object.assign(lists, { common: { maxClosePercent: 0 } });
		const { text } = await lists.run(listed(40, 7));
		expect(text).toContain("'Max Close (%)' lets Sync close no feeds in one run");
		expect(text).toContain('Ann, m7@a.com');
		expect(lists.open).toBe(40);
	});

	it('does not say that a feed could not be closed if someone has closed it already', async () => {
		const lists = of(40, { maxClosePercent: 5 });
		await lists.run(listed(40, 7));
		const listRead = lists.service.requests.length + 1;
		lists.service.meanwhile = (number) => {
			if (number > listRead) lists.service.find('u-7')!.state = 'deactivated';
		};
		const { title, text } = await lists.run(listed(40, 7));
		expect(title).not.toContain('could not be closed');
		expect(text).toContain('closed already: 1');
	});

	it('shows one line for each person in a table: no empty objects, no null', async () => {
		const people = [held(1), held(2)];
		const lists = new Lists(new DirectSupercast(people, NOW), { maxClosePercent: 100 });
		const { records } = await lists.run([rowOf(people[0]!), { email: 'new@a.com', id: 'c-9' }]);
		const [waits, fresh] = records.map(({ json }) => json);
		expect(Object.keys(waits!).slice(0, 5)).toEqual([
			...['what', 'email', 'name', 'status', 'reason'],
		]);
		for (const json of [waits, fresh]) {
			for (const key of ['email', 'name', 'reason', 'customer_id', 'uuid']) {
				expect(typeof json![key]).toBe('string');
			}
		}
		expect(fresh).not.toHaveProperty('changes');
	});

	it('shows a name as text, in hints too', async () => {
		const twin = held(1, {
			first_name: '<img src=x onerror=alert(1)>',
			customer_id: 'c-other',
		});
		const lists = new Lists(new DirectSupercast([twin], NOW), { maxClosePercent: 100 });
		const { hints, page } = await lists.run([{ email: twin.email, id: 'c-1' }], true);
		expect(hints.map(({ message }) => message).join()).not.toContain('<');
		expect(page).not.toContain('<img');
	});
});
