import {
	type ListMemory,
	NOTHING_REMEMBERED,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import type { SyncReport } from '../../../nodes/Supercast/report/report';
import { DirectSupercast, crowd, held, type Held } from '../../doubles/directSupercast';
import { NOW, runRows, type Disturbance, type Parameters, type Row } from './running';

/** A list of 40 members, m0 to m39, five minutes after the one before. */
interface List extends Disturbance {
	/** The numbers of the members who are missing. */
	gone?: number[];
	/** Further rows. */
	more?: Row[];
	minutes?: number;
	parameters?: Parameters;
	/** Whether n8n has forgotten everything before this list. */
	isForgotten?: boolean;
	/** The requests that Supercast refuses. */
	refuses?: string;
}

const MINUTE_MS = 60_000;
const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });
const everyone = crowd(40).map(rowOf);
const half = Array.from({ length: 20 }, (_, number) => number);

/** One list after another, with what the node remembers between them. */
class Lists {
	private memory: ListMemory = NOTHING_REMEMBERED;
	private at = NOW;

	constructor(
		readonly service: DirectSupercast,
		private readonly common: Parameters = {},
	) {}

	async run({ gone = [], more = [], minutes = 5, ...list }: List): Promise<SyncReport> {
		const { parameters = {}, isForgotten = false, refuses, tools, ...given } = list;
		if (isForgotten) this.memory = NOTHING_REMEMBERED;
		this.service.trouble = (_, { method, path }) =>
			`${method} ${path[0]}` === refuses ? 'before' : undefined;
		const at = (this.at += minutes * MINUTE_MS);
		const rows = [...everyone.filter((_, number) => !gone.includes(number)), ...more];
		const own = this.common.options;
		const options = { closeAfter: 2, graceHours: 0, ...own, ...parameters.options };
		const remember = (memory: ListMemory): void => void (this.memory = memory);
		const all = { now: () => at, receivedAt: at, memory: this.memory, remember, ...tools };
		const settings = { ...this.common, ...parameters, options };
		return await runRows(this.service, rows, settings, { ...given, tools: all });
	}

	state(number: number): string | undefined {
		return this.service.find(`u-${number}`)?.state;
	}

	/** With which list, from 1, the feed of each of these people closes; 0 for none. */
	async closings(lists: readonly List[], numbers: readonly string[]) {
		const closed = Object.fromEntries(numbers.map((number) => [number, 0]));
		for (const [index, list] of lists.entries()) {
			await this.run(list).catch(() => undefined);
			for (const number of numbers) {
				if (this.state(Number(number)) === 'deactivated') closed[number] ||= index + 1;
			}
		}
		return closed;
	}
}

/** A row: what happens, the people who close and with which list, the lists, and the settings. */
type Case = [string, Record<string, number>, List[], Parameters?];

const of40 = (common: Parameters = {}): Lists =>
	new Lists(new DirectSupercast(crowd(40), NOW), common);
const times = (count: number, list: List): List[] => Array<List>(count).fill(list);
const reasonsOf = ({ records }: SyncReport): unknown[] => records.map(({ json }) => json.reason);

const after = (closeAfter: number, rest: Parameters = {}): Parameters => ({
	...rest,
	options: { closeAfter },
});
const gone: List = { gone: [7] };
/** A list with someone whom Supercast always refuses. */
const refused: List = { more: [{ email: 'refused@a.com', id: '' }], refuses: 'POST subscribers' };
const refusedId: List = { ...refused, more: [{ email: 'refused@a.com', id: 'c-new' }] };
const unable: List = { refuses: 'PATCH feeds' };
const left = { gone: [1, 2] };
const moreLeft = { gone: [1, 2, 3, 4] };

describe('a feed closes', () => {
	const uncounted: Array<[string, List]> = [
		['has invalid items', { badItems: 1 }],
		['comes from one of several branches', { tools: { mayGetMore: true } }],
		['is refused', { parameters: { maxClosePercent: 0 } }],
		['is only a dry run', { parameters: { dryRun: true } }],
	];

	it.each<Case>([
		['with the second list without the member', { 7: 2 }, times(2, gone)],
		['with the third, with Close After 3', { 7: 3 }, times(3, gone), after(3)],
		['later, if a list has the member again', { 7: 4 }, [gone, {}, gone, gone]],
		[
			'later, if a list comes within a minute',
			{ 7: 3 },
			[gone, ...[0.9, 0.1].map((minutes) => ({ ...gone, minutes }))],
		],
		['even if the clock was set back', { 7: 2 }, [gone, { ...gone, minutes: -600 }]],
		[
			'even if a list had everyone, seconds earlier',
			{ 7: 3 },
			[{}, { ...gone, minutes: 0.1 }, gone],
		],
		[
			'later, if n8n has forgotten everything',
			{ 7: 3 },
			[gone, { ...gone, isForgotten: true }, gone],
		],
		...uncounted.map(([what, list]): Case => [
			`later, if a list ${what}`,
			{ 7: 4 },
			[...times(2, { ...gone, ...list }), gone, gone],
		]),
		[
			'later, if a list with invalid items has the member',
			{ 7: 4 },
			[gone, { badItems: 1 }, gone, gone],
		],
		[
			'later, if a refused list has the member',
			{ 7: 4 },
			[gone, { gone: half.map((n) => n + 20), parameters: { maxClosePercent: 5 } }, gone, gone],
		],
		[
			'within the limit, as members leave on different days',
			{ 1: 2, 2: 2, 3: 3, 4: 3 },
			[left, moreLeft, moreLeft],
			{ maxClosePercent: 6 },
		],
		...[1, 2].map((closeAfter): Case => [
			`at most two in a run after they could not be closed, with Close After ${closeAfter}`,
			closeAfter === 1 ? { 1: 4, 2: 5, 3: 5, 4: 6, 5: 4 } : { 1: 4, 2: 4, 3: 5, 4: 6, 5: 5 },
			[
				{ ...left, ...unable },
				...times(2, { ...moreLeft, ...unable }),
				...times(3, { gone: [1, 2, 3, 4, 5] }),
			],
			after(closeAfter, { maxClosePercent: 6 }),
		]),
		[
			'at most as many as the limit that stands now',
			{ 1: 4, 2: 4 },
			[left, ...times(2, { ...left, parameters: { maxClosePercent: 0 } }), left],
			{ maxClosePercent: 6 },
		],
		[
			'although Supercast refuses someone who joined earlier',
			{ 7: 3 },
			[refused, ...times(2, { ...gone, ...refused })],
		],
		[
			'never, if Supercast refuses someone who joined with the same list',
			{ 7: 0 },
			times(3, { ...gone, ...refused }),
		],
		[
			'one list later, if both have customer IDs',
			{ 7: 2 },
			times(2, { ...gone, ...refusedId }),
			after(1),
		],
		[
			'although the list names someone by an unknown ID only',
			{ 7: 1 },
			[{ ...gone, more: [{ email: '', id: 'c-99' }] }],
			after(1),
		],
	])('%s: %j', async (...[, closings, lists, settings]: Case) => {
		expect(await of40(settings).closings(lists, Object.keys(closings))).toEqual(closings);
	});

	it('never, if only one of the refused and the missing has a customer ID', async () => {
		const lists = of40({ close: 'all' });
		lists.service.find('u-7')!.customer_id = null;
		expect(await lists.closings(times(3, { ...gone, ...refusedId }), ['7'])).toEqual({ 7: 0 });
	});

	it.each([1, 12])(
		'later, if a list without the member was read %d minutes before one that had them, but came later',
		async (minutes) => {
			const lists = of40();
			await lists.run(gone);
			await lists.run({ minutes: 20 });
			const readAt = NOW + (25 - minutes) * MINUTE_MS;
			await lists.run({ ...gone, tools: { readAt } });
			await lists.run(gone);
			expect(lists.state(7)).toBe('available');
			await lists.run(gone);
			expect(lists.state(7)).toBe('deactivated');
		},
	);

	it.each([
		[5 * MINUTE_MS, 'deactivated'],
		[5 * MINUTE_MS + 1, 'available'],
	])('only within five minutes: after %d ms it is %s', async (waitedMs, state) => {
		const service = new DirectSupercast(crowd(2), NOW);
		const tools = { receivedAt: NOW - waitedMs };
		await runRows(service, [rowOf(held(0))], {}, { tools });
		expect(service.find('u-1')?.state).toBe(state);
	});
});

describe('the output', () => {
	it('says how many lists are left, first of all', async () => {
		const lists = of40({ options: { closeAfter: 3, output: 'all' } });
		const [kept, ...others] = (await lists.run(gone)).records;
		expect(kept!.json).toMatchObject({
			...{ action: 'kept', email: 'm7@a.com' },
			reason: 'missing for the first time; closes after 2 more lists',
		});
		expect(others).toHaveLength(39);
		expect((await lists.run(gone)).records[0]!.json.reason).toBe(
			'missing from 2 lists in a row; closes with the next list',
		);
	});

	it('names who stays open because of someone whom Supercast refuses', async () => {
		const lists = of40();
		for (const list of times(2, { ...gone, ...refused })) await lists.run(list);
		expect((await lists.run({ ...gone, ...refused })).error).toMatchObject({
			description: expect.stringContaining('Not on the list, but still open: m7@a.com (since '),
		});
	});

	it('of a list with invalid items names other reasons, and closes or refuses nobody', async () => {
		const options = { neverClose: 'm3@a.com', output: 'all' };
		const lists = of40({ maxClosePercent: 5, options });
		const result = await lists.run({ gone: [3, 4], badItems: 1 });
		expect(reasonsOf(result).filter((reason) => reason !== '')).toEqual([
			'in Never Close',
			'some input items are not valid members',
		]);
		expect((await lists.run({ gone: half, badItems: 1 })).error).toBeUndefined();
		expect(lists.service.writes).toEqual([]);
	});

	it('counts members whose feeds could not be closed by reason, with what to do', async () => {
		const people = [held(0), held(1, { customer_id: null }), held(2, { plan_id: 3 })];
		const service = new DirectSupercast(people, NOW);
		const summary = { options: { output: 'summary' } };
		const rows = people.map(({ email }) => ({ email }));
		const { hints, records } = await runRows(service, rows, summary);
		expect(records.at(-1)!.json.numbers).toMatchObject({
			cannotClose: { 'no customer ID': 1, 'has a plan at Supercast': 1 },
		});
		const said = hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
		expect(said.join(' ')).toMatch(/1 member on the list when they leave.*no customer ID/);
		expect(String(records.at(-1)!.json.text)).toContain('Give each member a customer ID');
		// Sync adds the customer IDs that the list has.
		const listed = [rowOf(people[0]!), { email: people[1]!.email, id: 'c-1' }];
		const next = await runRows(new DirectSupercast(people.slice(0, 2), NOW), listed, summary);
		expect(next.records.at(-1)!.json.numbers).toMatchObject({ cannotClose: {} });
		expect(next.hints.join()).not.toContain('when they leave');
	});
});

describe('a list is refused', () => {
	it('if half of it is missing, before anything closes, and says which limit to raise', async () => {
		const lists = of40({ maxClosePercent: 50, options: { maxClose: 10 } });
		await expect(lists.run({ gone: half })).rejects.toMatchObject({
			message: expect.stringContaining('Sync would close the feeds of 20 of 40 subscribers'),
			description: expect.stringContaining("If it is, set 'Max Close (Feeds)' to 20 for 2 runs."),
		});
		expect(lists.service.writes).toEqual([]);
	});

	it('with people who had to stay open before n8n forgot everything, when they are due', async () => {
		const lists = of40({ close: 'all', maxClosePercent: 5 });
		const others = [51, 52, 53, 54].map((number) => held(number, { customer_id: null }));
		lists.service.subscribers.push(...others);
		for (const list of times(3, { more: [{ email: '', id: 'c-99' }] })) await lists.run(list);
		await expect(lists.run({})).rejects.toThrow('the feeds of 4 of 44');
	});
});

describe('the old feed of a member whose new email is still that of another subscriber', () => {
	const renamed = { email: 'm42@a.com', id: 'c-41' };
	const moved: List = { more: [renamed, { email: 'moved@a.com', id: 'c-42' }] };
	const people = [51, 52, 53, 54].map((number) => held(number, { customer_id: null }));
	const limited: Parameters = { close: 'all', maxClosePercent: 5 };

	function listsOf(
		common: Parameters = { close: 'all' },
		other: Partial<Held> = { state: 'deactivated', plan_id: 3 },
	): Lists {
		const two = [held(41, { customer_id: null }), held(42, other)];
		return new Lists(new DirectSupercast([...crowd(40), ...two], NOW), common);
	}

	it.each<Case>([
		['stays open, and keeps no other open', { 3: 2, 41: 0 }, times(5, { ...moved, gone: [3] })],
		...[{ parameters: { close: 'none' } }, { badItems: 1 }, { tools: { mayGetMore: true } }].map(
			(before): Case => [
				`stays open after a list that does not count (${Object.keys(before)[0]})`,
				{ 41: 0 },
				[{ ...moved, ...before }, ...times(3, moved)],
			],
		),
		['closes after two lists without them', { 41: 5 }, [...times(3, moved), {}, {}]],
		[
			'closes if they have a subscriber under the old email',
			{ 5: 0, 41: 2 },
			times(2, { gone: [5], more: [{ ...renamed, id: 'c-5' }, moved.more![1]!] }),
		],
	])('%s: %j', async (...[, closings, lists]: Case) => {
		expect(await listsOf().closings(lists, Object.keys(closings))).toEqual(closings);
	});

	it('stays open if Supercast refuses to give the other subscriber a new email', async () => {
		const lists = times(4, { ...moved, refuses: 'PATCH subscribers' });
		expect(await listsOf({ close: 'all' }, {}).closings(lists, ['41'])).toEqual({ 41: 0 });
	});

	it('is named, and closes once the email is free and they have another feed', async () => {
		const lists = listsOf();
		const { hints } = await lists.run(moved);
		expect(hints.map(({ message }) => message).join()).toContain('still open: m41@a.com');
		await lists.run(moved);
		lists.service.find('u-42')!.email = 'moved@a.com';
		expect(await lists.closings(times(2, moved), ['41'])).toEqual({ 41: 2 });
		expect(lists.service.find('m42@a.com')?.state).toBe('available');
	});

	it.each([1, 2])('lets half a list close nobody, with Close After %i', async (closeAfter) => {
		const lists = listsOf({ ...limited, options: { closeAfter, addCustomerIds: false } });
		for (const number of half.slice(1)) lists.service.find(`u-${number}`)!.customer_id = null;
		lists.service.find('u-41')!.state = 'deactivated';
		await lists.run(moved);
		for (const list of times(3, { ...moved, gone: half })) {
			await expect(lists.run(list)).rejects.toThrow('close the feeds of 20 of 40 subscribers');
		}
		expect(half.map((number) => lists.state(number))).not.toContain('deactivated');
	});

	it('stops no run with those who left meanwhile, even if n8n has forgotten everything', async () => {
		const lists = listsOf(limited);
		lists.service.subscribers.push(...people.map((one) => ({ ...one })));
		const more = [...moved.more!, { email: 'new@a.com' }];
		for (const count of [1, 0]) {
			const { records } = await lists.run({ more, isForgotten: true });
			expect(records.filter(({ json }) => json.action === 'created')).toHaveLength(count);
		}
	});

	it('lets those who left meanwhile close within the limit once the email is free', async () => {
		const lists = listsOf(limited);
		lists.service.subscribers.push(...people.map((one) => ({ ...one })));
		const numbers = ['51', '52', '53', '54'];
		const leaving = [0, 1, 2, 3, 4].map((count) => ({
			more: [...people.slice(count).map(rowOf), ...moved.more!],
		}));
		expect(Object.values(await lists.closings(leaving, numbers))).toEqual([0, 0, 0, 0]);
		lists.service.find('u-42')!.email = 'moved@a.com';
		expect(Object.values(await lists.closings(times(5, moved), numbers))).not.toContain(0);
	});
});
