import { Sync } from '../../../nodes/Supercast/access/sync/sync';
import { FakeService, crowd, held, type Held } from './fakeService';
import { NOW, parametersOf, runRows, type Parameters, type Row } from './running';

const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });

async function refusal(run: () => unknown): Promise<string> {
	const error = await (async () => await run())().then(
		() => undefined,
		(reason: unknown) => reason as Error & { description: string },
	);
	return error === undefined ? 'none' : `${error.message}. ${error.description}`;
}

describe('an item', () => {
	const item = parametersOf({ email: 'a@a.com', id: 'c-1' });

	it.each([
		[undefined, false],
		[null, false],
		['', false],
		[false, false],
		['Timeout', true],
		[{ message: 'Timeout' }, true],
		[0, true],
	])('with the error %j is refused: %s', async (error, isRefused) => {
		const text = await refusal(() => new Sync(2).add(0, item, { error }));
		expect(text).toBe(
			isRefused
				? 'The item reports that an earlier node failed, so it is not a member. Fix the earlier node, and connect only its success output to Sync.'
				: 'none',
		);
	});

	it.each<[Row, string]>([
		[{ email: ' ' }, "'Email' is empty."],
		[{ email: '', id: ' ' }, "'Email' is empty."],
		[{ email: '', id: 'c-1' }, 'none'],
		[{ email: 'a@a.com' }, 'none'],
	])('%j is refused: %s', async (row, words) => {
		const text = await refusal(() => new Sync(2).add(0, parametersOf({ ...row }), {}));
		expect(text).toContain(words);
	});
});

describe('a list', () => {
	const run = async (rows: Row[], parameters?: Parameters, subscribers: Held[] = []) =>
		await refusal(async () => await runRows(new FakeService(subscribers, NOW), rows, parameters));

	it('of nobody is refused', async () => {
		expect(await run([])).toBe(
			'The list has no valid members. Sync never treats an empty list as the end of all memberships. Check the node that reads the list, and the filter after it. If nobody is a member any more, close the feeds with Feed: Deactivate.',
		);
	});

	it.each(['resource', 'operation', 'dryRun', 'close', 'maxClosePercent', 'options'])(
		'with a different %s is refused',
		async (name) => {
			const sync = new Sync(2);
			const item = parametersOf({ email: 'a@a.com' });
			sync.add(0, item, {});
			const parameter = (one: string) => (one === name ? { other: 1 } : item.parameter(one));
			sync.add(1, { ...item, parameter }, {});
			expect(await refusal(() => sync.check())).toBe(
				"The settings of Sync are not the same for all items. Only 'Email', 'Customer ID' and 'Additional Fields' may differ between items. In the other settings, don't use expressions that read the item.",
			);
		},
	);

	it('with other prefixes is refused', async () => {
		const rows = [
			{ email: 'a@a.com', id: 'p_1' },
			{ email: 'b@a.com', id: 'q_1' },
			{ email: 'c@a.com' },
		];
		expect(await run(rows, { options: { customerIdPrefix: 'p_' } })).toBe(
			'1 of 2 customer IDs on the list do not begin with "p_", for example "q_1". Put the prefix in front of every ID in the node before Sync, or correct \'Customer ID Prefix\'.',
		);
	});

	const same = (count: number): Row[] =>
		Array.from({ length: count }, (_, index) => ({ email: 'A@a.com', id: `c-x${index}` }));
	const text = (count: number, all: number): string =>
		`Most items name the same member: ${count} of ${all} have the email "a@a.com". Check 'Email'. It must be an expression that reads the email of each item.`;
	it.each<[string, Row[], string]>([
		['two of one', same(2), 'none'],
		['three of one', same(3), text(3, 3)],
		['three items without an ID', Array<Row>(3).fill({ email: 'a@a.com' }), text(3, 3)],
		['three items with one ID', Array<Row>(3).fill({ email: 'a@a.com', id: 'c-1' }), 'none'],
		['exactly half', [...same(3), ...crowd(3).map(rowOf)], 'none'],
		['more than half', [...same(3), ...crowd(2).map(rowOf)], text(3, 5)],
		[
			'no emails',
			Array.from({ length: 3 }, (_, index) => ({ email: '', id: `c-${index}` })),
			'none',
		],
	])('of %s', async (_, rows, expected) => {
		expect(await run(rows)).toBe(expected);
	});

	const conflicting = (count: number, all: number): Row[] =>
		crowd(all).map((one, index) => ({ ...rowOf(one), ...(index < count && { id: `x-${index}` }) }));
	it.each([
		[2, 2, false],
		[3, 3, true],
		[3, 6, false],
		[4, 7, true],
	])('of which %i of %i are conflicts is refused: %s', async (count, all, isRefused) => {
		expect(await run(conflicting(count, all), {}, crowd(all))).toBe(
			isRefused
				? `Sync would find conflicts for ${count} of the ${all} members on the list. Check 'Email' and 'Customer ID'. They must be the ones that Supercast has. If you have moved to another membership system, first replace the customer IDs in Supercast. The documentation of Sync says how.`
				: 'none',
		);
	});

	it('whose members each have a second record is refused', async () => {
		const others = crowd(3).map((one, index) => held(10 + index, { customer_id: one.customer_id }));
		const people = [...crowd(3).map((one) => ({ ...one, customer_id: null })), ...others];
		expect(await run(crowd(3).map(rowOf), {}, people)).toContain('find conflicts for 3 of the 3');
	});
});

describe('a limit', () => {
	const CHECK = 'First check that the list of members is complete. If it is, set';
	const UNTIL = 'Until then, Sync opens and closes no feeds.';
	const run = async (gone: number, fresh: number, parameters: Parameters): Promise<string> => {
		const rows = [
			...crowd(20).slice(gone).map(rowOf),
			...Array.from({ length: fresh }, (_, index) => ({
				email: `n${index}@a.com`,
				id: `c-n${index}`,
			})),
		];
		return await refusal(
			async () => await runRows(new FakeService(crowd(20), NOW), rows, parameters),
		);
	};
	it.each<[number, number, Parameters, string]>([
		[1, 1, { maxClosePercent: 5 }, 'none'],
		[1, 0, { maxClosePercent: 1 }, 'none'],
		[2, 0, { maxClosePercent: 10 }, 'none'],
		[
			1,
			0,
			{ maxClosePercent: 0 },
			`Sync would close the feeds of 1 of 20 subscribers, but the limit is 0. ${CHECK} 'Max Close (%)' to 5 for one run. ${UNTIL}`,
		],
		[
			2,
			0,
			{ maxClosePercent: 9 },
			`Sync would close the feeds of 2 of 20 subscribers, but the limit is 1. ${CHECK} 'Max Close (%)' to 10 for one run. ${UNTIL}`,
		],
		[2, 0, { options: { maxClose: 2 } }, 'none'],
		[
			2,
			0,
			{ maxClosePercent: 5, options: { maxClose: 0 } },
			`Sync would close the feeds of 2 of 20 subscribers, but the limit is 0. ${CHECK} 'Max Close (%)' to 10 for one run and 'Max Close' to 2 for one run. ${UNTIL}`,
		],
		[0, 1, { options: { maxOpen: 1 } }, 'none'],
		[
			0,
			1,
			{ options: { maxOpen: 0 } },
			`Sync would open 1 feed, but the limit is 0. ${CHECK} 'Max Open' to 1 for one run. ${UNTIL}`,
		],
		[
			2,
			2,
			{ options: { maxClose: 1, maxOpen: 1 } },
			`Sync would close the feeds of 2 of 20 subscribers, but the limit is 1. It would open 2 feeds, but the limit is 1. ${CHECK} 'Max Close' to 2 for one run and 'Max Open' to 2 for one run. ${UNTIL}`,
		],
		[
			2,
			1,
			{ maxClosePercent: 9, options: { maxClose: 2, maxOpen: 1 } },
			`Sync would close the feeds of 2 of 20 subscribers, but the limit is 1. ${CHECK} 'Max Close (%)' to 10 for one run. ${UNTIL}`,
		],
		[
			1,
			2,
			{ maxClosePercent: 5, options: { maxClose: 1, maxOpen: 1 } },
			`Sync would open 2 feeds, but the limit is 1. ${CHECK} 'Max Open' to 2 for one run. ${UNTIL}`,
		],
	])('of %i closings and %i openings with %j', async (gone, fresh, parameters, expected) => {
		expect(await run(gone, fresh, parameters)).toBe(expected);
	});

	it('counts reopened feeds as opened, and suggests at most all', async () => {
		const service = new FakeService([held(0, { state: 'deactivated' }), held(1)], NOW);
		const options = { maxOpen: 0 };
		const text = await refusal(async () => await runRows(service, [rowOf(held(0))], { options }));
		expect(text).toContain('Sync would open 1 feed');
	});
});
