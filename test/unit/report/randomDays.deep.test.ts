import fc from 'fast-check';

import type { IDataObject } from 'n8n-workflow';

import { type DirectSupercast, held, type Held } from '../../doubles/directSupercast';
import { runs } from '../../support/deep';
import { Show, type Row, type Told } from './show';

const DAY_MS = 24 * 60 * 60_000;

/** What a person may be, at Supercast and on the list. */
interface Cast {
	feed:
		| 'billed'
		| 'closed'
		| 'closedAndBilled'
		| 'none'
		| 'open'
		| 'otherSystem'
		| 'suspended'
		| 'twice'
		| 'withoutId';
	record: 'canceled' | 'none' | 'on-hold' | 'pays' | 'paysTwice' | 'zombie';
	name: string;
}

const person = fc.record<Cast>({
	feed: fc.constantFrom(
		...(['open', 'open', 'open', 'closed', 'none', 'suspended'] as const),
		...(['billed', 'closedAndBilled', 'otherSystem', 'twice', 'withoutId'] as const),
	),
	record: fc.constantFrom(
		...(['pays', 'pays', 'pays', 'canceled', 'none', 'on-hold', 'paysTwice', 'zombie'] as const),
	),
	name: fc.constantFrom('Ann', 'Zoë <b>', '', 'Win at evil.com', 'A"B&C', 'x'.repeat(300)),
});

const FEEDS: Record<Cast['feed'], (number: number) => Held[]> = {
	billed: (number) => [held(number, { plan_id: 3 })],
	closed: (number) => [held(number, { state: 'deactivated' })],
	closedAndBilled: (number) => [held(number, { state: 'deactivated', plan_id: 3 })],
	none: () => [],
	open: (number) => [held(number)],
	otherSystem: (number) => [held(number, { customer_id: `x-${number}` })],
	suspended: (number) => [held(number, { state: 'suspended' })],
	twice: (number) => [
		held(number, { customer_id: null }),
		held(number, { uuid: `second-${number}`, email: `second${number}@a.com` }),
	],
	withoutId: (number) => [held(number, { customer_id: null })],
};

function rowsOf({ record, name }: Cast, number: number): Row[] {
	const row = { email: `m${number}@a.com`, id: `c-${number}`, name };
	switch (record) {
		case 'none':
			return [];
		case 'pays':
			return [{ ...row, status: 'active' }];
		case 'paysTwice':
			return [
				{ ...row, status: 'canceled' },
				{ ...row, id: `c-${number}-again`, status: 'active' },
			];
		default:
			return [{ ...row, status: record }];
	}
}

/** A list without items is none. */
const MEMBER: Cast = { feed: 'open', record: 'pays', name: 'Eve' };

const people = fc.array(person, { minLength: 1, maxLength: 8 });

/** What happens before a list: someone changes on the list or at Supercast. */
const step = fc.record({
	who: fc.nat(),
	record: person.map(({ record }) => record),
	state: fc.constantFrom(undefined, undefined, 'available', 'deactivated', 'suspended', 'deleted'),
	afterMs: fc.constantFrom(0, 0, DAY_MS),
	dryRun: fc.boolean(),
});

class RandomDays {
	readonly show: Show;

	/** Who had an open feed at the last daily email, and its day. */
	private openThen: Set<string> | undefined;
	private dayThen = '';
	private difference: { joined: number; left: number } | undefined;

	constructor(readonly cast: Cast[]) {
		// Other tests are about the limits.
		const settings = { maxClosePercent: 100, options: { maxOpenPercent: 1000 } };
		this.show = new Show(
			cast.flatMap(({ feed }, index) => FEEDS[feed](index + 1)),
			settings,
		);
	}

	get rows(): Row[] {
		return this.cast.flatMap((one, index) => rowsOf(one, index + 1));
	}

	get service(): DirectSupercast {
		return this.show.service;
	}

	async step({
		who,
		record,
		state,
		afterMs,
		dryRun,
	}: typeof step extends fc.Arbitrary<infer T> ? T : never): Promise<Told> {
		const one = this.cast[who % (this.cast.length - 1)]!;
		one.record = record;
		const [held] = this.service.subscribers.filter(
			({ email }) => email === `m${(who % (this.cast.length - 1)) + 1}@a.com`,
		);
		if (held !== undefined && state === 'deleted') {
			this.service.subscribers.splice(this.service.subscribers.indexOf(held), 1);
		} else if (held !== undefined && state !== undefined) held.state = state;
		this.show.at += afterMs;
		const before = this.open;
		const at = this.show.at;
		const told = await this.show.list(this.rows, { dryRun });
		if (!dryRun) this.noteDay(at);
		expectAgreement(told, this, { dryRun, before });
		return told;
	}

	get open(): Set<string> {
		return new Set(
			this.service.subscribers.filter(({ state }) => state === 'available').map(({ uuid }) => uuid),
		);
	}

	/** How the day differs from the one before, as Supercast shows it. */
	get day(): { joined: number; left: number } | undefined {
		return this.difference;
	}

	private noteDay(at: number): void {
		const day = new Date(at - 7 * 60 * 60_000).toISOString().slice(0, 10);
		if (day === this.dayThen) return;
		const [now, then] = [this.open, this.openThen];
		this.difference = then && {
			joined: [...now].filter((uuid) => !then.has(uuid)).length,
			left: [...then].filter((uuid) => !now.has(uuid)).length,
		};
		[this.openThen, this.dayThen] = [now, day];
	}

	payersWithoutFeed(): string[] {
		return this.cast.flatMap(({ record }, index) => {
			const number = index + 1;
			const isPayer = record === 'pays' || record === 'paysTwice';
			// An ended record takes part in nothing, so its ID finds nobody.
			const ownId = record === 'pays' ? `c-${number}` : `c-${number}-again`;
			const theirs = this.service.subscribers.filter(
				({ email, customer_id: id }) => email === `m${number}@a.com` || id === ownId,
			);
			const isOpen = theirs.some(({ state }) => state === 'available');
			return isPayer && !isOpen ? [`m${number}@a.com`] : [];
		});
	}
}

/** What an email program shows. */
function shown(html: string): string {
	const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
	return html
		.replace(/<[^>]*>/g, ' ')
		.replace(/&(\w+|#\d+);/g, (_, name: string) => entities[name] ?? ' ');
}

/** The words and numbers of a text, without punctuation between blocks. */
function wordsIn(text: string): string[] {
	return text
		.split(/[\s:.,;-]+/)
		.filter((word) => word !== '')
		.sort();
}

function countOf(items: IDataObject[], action: string): number {
	return items.filter((one) => one.action === action).length;
}

function expectAgreement(
	told: Told,
	days: RandomDays,
	{ dryRun, before }: { dryRun: boolean; before: Set<string> },
): void {
	const { numbers, items, title, text, html, page, hints } = told;
	const isWrong = numbers.wrong !== null;
	// The numbers agree with what Supercast holds.
	expect(numbers.open).toBe(days.open.size);
	const closed = [...before].filter((uuid) => !days.open.has(uuid)).length;
	const opened = [...days.open].filter((uuid) => !before.has(uuid)).length;
	if (!dryRun) {
		expect([numbers.closed, Number(numbers.created) + Number(numbers.reopened)]).toEqual([
			closed,
			opened,
		]);
	} else expect([closed, opened]).toEqual([0, 0]);
	const members = days.cast.filter(({ record }) => record.startsWith('pays')).length;
	expect(numbers.members).toBe(members);
	if (!dryRun) {
		const payers = days.payersWithoutFeed();
		expect(numbers.payersWithoutFeed).toBe(payers.length);
		for (const email of isWrong ? [] : payers) {
			expect(page).toContain(email);
			expect(items.find((one) => one.email === email)).toMatchObject({ reason: /./ });
		}
	}
	// The items agree with the numbers.
	for (const action of isWrong ? [] : ['created', 'reopened', 'updated', 'closed']) {
		expect([action, countOf(items, action)]).toEqual([action, numbers[action]]);
	}
	// The texts agree with the numbers, and with each other.
	expect(text).toContain(`${members} member${members === 1 ? '' : 's'} on the list`);
	expect(text).toMatch(new RegExp(`\\b${days.open.size} feeds? (is|are) open in Supercast`));
	expect(hints[0]).toContain(title);
	expect(title).toContain('(My Show)');
	expect(wordsIn(shown(html))).toEqual(wordsIn(`${title} ${text}`));
	const [, inBox] = /(\d+) open(?:\.| now,)/.exec(text) ?? [];
	if (inBox !== undefined) expect(Number(inBox)).toBe(days.open.size);
	const numbersInTitle: Array<[RegExp, unknown]> = [
		[/(\d+) conflicts?/, numbers.conflicts],
		[/(\d+) unclear/, numbers.unclear],
		[/(\d+) pays? without an open feed/, numbers.payersWithoutFeed],
		[/(\d+) open \(/, dryRun || isWrong ? undefined : numbers.open],
	];
	for (const [pattern, number] of isWrong ? [] : numbersInTitle) {
		const [, count] = pattern.exec(title) ?? [];
		expect([pattern, Number(count ?? 0)]).toEqual([pattern, Number(number ?? 0)]);
	}
	// Nothing in a text is more than words.
	expect(html + page).not.toMatch(/<(?!\/?(?:b|br|div|span|table|tbody|td|tr)\b)/);
	expect(text).not.toMatch(/evil\.com|x{41}/);
	// The day before is what Supercast shows.
	const { day } = days;
	if (!dryRun && !isWrong && day !== undefined) {
		expect(title).toContain(`${day.joined} joined, ${day.left} left, ${days.open.size} open`);
	}
}

describe('in random days', () => {
	it('title, text, page, hint, items and numbers tell the same, which is what Supercast holds', async () => {
		await fc.assert(
			fc.asyncProperty(
				people,
				fc.array(step, { minLength: 1, maxLength: 4 }),
				async (cast, steps) => {
					const days = new RandomDays([...cast, MEMBER].map((one) => ({ ...one })));
					for (const one of steps) await days.step(one);
				},
			),
			runs(60),
		);
	});

	it('a dry run says exactly what the next run does with the same list', async () => {
		await fc.assert(
			fc.asyncProperty(
				people,
				fc.array(step, { minLength: 0, maxLength: 3 }),
				fc.integer({ min: 1, max: 3 }),
				async (cast, steps, closeAfter) => {
					const days = new RandomDays([...cast, MEMBER].map((one) => ({ ...one })));
					days.show.settings.options = { ...days.show.settings.options, closeAfter };
					for (const one of steps) await days.step(one);
					const dry = await days.show.list(days.rows, { dryRun: true });
					const said =
						/: (\d+) would close, (\d+) would open, \d+ open now, (\d+) open after it/.exec(
							dry.text,
						);
					const before = days.open;
					const { numbers } = await days.show.list(days.rows);
					if (numbers.wrong !== null) {
						expect(dry.title).toContain('Sync would stop');
						expect(said).toBeNull();
						expect(days.open).toEqual(before);
						return;
					}
					const opened = Number(numbers.created) + Number(numbers.reopened);
					expect(said?.slice(1).map(Number)).toEqual([numbers.closed, opened, numbers.open]);
				},
			),
			runs(30),
		);
	});
});
