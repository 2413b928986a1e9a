import { readSettings } from '../../../nodes/Supercast/access/settings';
import {
	type ListMemory,
	NOTHING_REMEMBERED,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import type { SyncReport } from '../../../nodes/Supercast/report/report';
import { crowd, DirectSupercast, held } from '../../doubles/directSupercast';
import { NOW, parametersOf, refusal, runRows, type Parameters, type Row } from './running';

const MINUTE_MS = 60_000;

/** The people with these numbers. */
const rowsOf = (from: number, to: number): Row[] =>
	Array.from({ length: to - from }, (_, index) => ({
		email: `p${from + index}@a.com`,
		id: `c-p${from + index}`,
	}));

/** Lists of the same Sync, five minutes apart. */
class Lists {
	memory: ListMemory = NOTHING_REMEMBERED;

	at = NOW;

	constructor(public service = new DirectSupercast([], NOW)) {}

	async run(rows: readonly Row[], { options, ...given }: Parameters = {}): Promise<SyncReport> {
		const at = (this.at += 5 * MINUTE_MS);
		const remember = (memory: ListMemory): void => void (this.memory = memory);
		const tools = { now: () => at, receivedAt: at, memory: this.memory, remember };
		const all = { closeAfter: 2, graceHours: 0, ...options };
		return await runRows(
			this.service,
			rows,
			{ maxClosePercent: 5, ...given, options: all },
			{
				tools,
			},
		);
	}

	get open(): number {
		return this.service.subscribers.filter(({ state }) => state === 'available').length;
	}

	/** The time of the latest list, as messages name it. */
	get time(): string {
		return `${new Date(this.at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
	}
}

describe('a list that would open many more feeds than the one before', () => {
	it.each([
		['240 people join 350 on one day', 350, 240, undefined],
		['a fifth joins 1,300 in a campaign', 1_300, 260, undefined],
		['260 free readers join 350', 350, 260, 250],
		['260 free readers join 1,000', 1_000, 260, 250],
		['300 free readers join 1,100', 1_100, 300, 275],
	])('is refused unless the growth is plausible: %s', async (_, before, more, limit) => {
		const lists = new Lists();
		// The first run is never braked.
		await lists.run(rowsOf(0, before));
		expect(lists.open).toBe(before);
		const said = await refusal(async () => await lists.run(rowsOf(0, before + more)));
		expect(lists.open).toBe(limit === undefined ? before + more : before);
		if (limit === undefined) return;
		expect(said).toContain(`Sync would open ${more} feeds, but the limit is ${limit}`);
		expect(said).toContain(`because the list before had ${before} members`);
		expect(said).toContain(`'Max Open (Feeds)' to ${more}`);
		await lists.run(rowsOf(0, before + more), { options: { maxOpen: more } });
		expect(lists.open).toBe(before + more);
	});

	it('is shown in a dry run, also before the first run', async () => {
		const lists = new Lists();
		const first = await lists.run(rowsOf(0, 400), { dryRun: true });
		expect(first.hints[0]?.message).toContain('400 feeds would open');
		await lists.run(rowsOf(0, 40));
		const { hints } = await lists.run(rowsOf(0, 400), { dryRun: true });
		expect(hints.map(({ message }) => message).join()).toContain(
			'Sync would open 360 feeds, but the limit is 250',
		);
	});
});

describe('after a wrong list', () => {
	async function afterWrongList(): Promise<{ lists: Lists; time: string }> {
		const lists = new Lists();
		await lists.run(rowsOf(0, 200));
		await lists.run(rowsOf(0, 400));
		return { lists, time: lists.time };
	}

	it('the message says in one step how to close the feeds that it opened', async () => {
		const { lists, time } = await afterWrongList();
		const said = await refusal(async () => await lists.run(rowsOf(0, 200)));
		expect(said).toContain('close the feeds of 200 of 400 subscribers, but the limit is 20');
		expect(said).toContain(`Because of the list from ${time}, Sync opened 200 of these feeds.`);
		expect(said).toContain(`set 'Wrong List' to "${time}"`);
		for (let count = 0; count < 2; count++) {
			await lists.run(rowsOf(0, 200), { options: { wrongList: time } });
		}
		expect(lists.open).toBe(200);
	});

	it('everyone else keeps the protection of the limit', async () => {
		const { lists, time } = await afterWrongList();
		// Those of the launch week came before, and half of them are missing from this list.
		const said = await refusal(
			async () => await lists.run(rowsOf(0, 100), { options: { wrongList: time } }),
		);
		expect(said).toContain('close the feeds of 100 of 400 subscribers, but the limit is 20');
		expect(lists.open).toBe(400);
	});

	it('a list of members who joined together is no reason to close them', async () => {
		const { lists } = await afterWrongList();
		await expect(lists.run(rowsOf(0, 300))).rejects.toThrow('the limit is 20');
		expect(lists.open).toBe(400);
	});

	it('a time that is none is refused', () => {
		const item = parametersOf({ email: '' }, { options: { wrongList: 'yesterday' } });
		expect(() => readSettings(item)).toThrow("'Wrong List' is not a time");
	});
});

describe('another channel', () => {
	const everyone = crowd(41).slice(1);
	const rows = everyone.map(({ email, customer_id: id }): Row => ({ email, id: id ?? '' }));

	it.each([
		['with other subscribers', [held(90), held(91), held(92)]],
		['without subscribers', []],
	])('%s is refused, and nobody is created or closed there', async (_, others) => {
		const lists = new Lists(new DirectSupercast(everyone, NOW));
		for (let count = 0; count < 3; count++) await lists.run(rows);
		const first = lists.service;
		lists.service = new DirectSupercast(others, NOW);
		for (let count = 0; count < 2; count++) {
			const said = await refusal(async () => await lists.run(rows));
			expect(said).toContain("Supercast's list has none of the subscribers that Sync knows");
			expect(said).toContain('create a new credential');
		}
		expect(lists.service.writes).toEqual([]);
		const { hints } = await lists.run(rows, { dryRun: true });
		expect(hints.map(({ message }) => message).join()).toContain('none of the subscribers');
		lists.service = first;
		await lists.run(rows);
	});

	it('is not seen where a few subscribers were deleted', async () => {
		const lists = new Lists(new DirectSupercast(everyone.slice(0, 2), NOW));
		await lists.run(rows.slice(0, 2));
		lists.service = new DirectSupercast([], NOW);
		await lists.run(rows.slice(0, 2));
		expect(lists.open).toBe(2);
	});

	it('is used once the Sync has another credential, with which it remembers nothing', async () => {
		const lists = new Lists(new DirectSupercast(everyone, NOW));
		await lists.run(rows);
		lists.service = new DirectSupercast([], NOW);
		lists.memory = NOTHING_REMEMBERED;
		await lists.run(rows);
		expect(lists.open).toBe(40);
	});
});
