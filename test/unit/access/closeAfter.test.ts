import {
	type ListMemory,
	NOTHING_REMEMBERED,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import type { SyncResult } from '../../../nodes/Supercast/access/sync/report';
import { DirectSupercast, crowd, held, type Held } from '../../doubles/directSupercast';
import { NOW, runRows, type Disturbance, type Parameters, type Row } from './running';

const MINUTE_MS = 60_000;
const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });

/** One list after another, five minutes apart, with what the node remembers between them. */
class Lists {
	memory: ListMemory = NOTHING_REMEMBERED;

	private at = NOW;

	constructor(
		readonly service: DirectSupercast,
		private readonly closeAfter = 2,
	) {}

	async run(
		listed: readonly Row[],
		{ minutes = 5, parameters = {}, ...given }: Given = {},
	): Promise<SyncResult> {
		this.at += minutes * MINUTE_MS;
		const now = (): number => this.at;
		const options = { closeAfter: this.closeAfter, graceHours: 0, ...parameters.options };
		return await runRows(
			this.service,
			listed,
			{ ...parameters, options },
			{
				...given,
				tools: {
					now,
					receivedAt: this.at,
					memory: this.memory,
					remember: (memory) => (this.memory = memory),
					...given.tools,
				},
			},
		);
	}

	state(number: number): string | undefined {
		return this.service.find(`u-${number}`)?.state;
	}
}

type Given = Disturbance & { minutes?: number; parameters?: Parameters };

const everyone = crowd(40).map(rowOf);
const without = (...numbers: number[]): Row[] =>
	everyone.filter((_, index) => !numbers.includes(index));
const reasonsOf = ({ records }: SyncResult): unknown[] => records.map(({ json }) => json.reason);

let lists: Lists;

beforeEach(() => {
	lists = new Lists(new DirectSupercast(crowd(40), NOW));
});

describe('with Close After 2, a feed', () => {
	it('stays open after one list without the member, and the output says when it closes', async () => {
		const first = await lists.run(without(7));
		expect(lists.state(7)).toBe('available');
		expect(first.records.map(({ json }) => [json.action, json.email, json.reason])).toEqual([
			['kept', 'm7@a.com', 'missing for the first time; closes with the next list'],
		]);
	});

	it('closes with the second list', async () => {
		await lists.run(without(7));
		await lists.run(without(7));
		expect(lists.state(7)).toBe('deactivated');
	});

	it('stays open if the member is on the second list, and the counting starts again', async () => {
		await lists.run(without(7));
		await lists.run(everyone);
		await lists.run(without(7));
		expect(lists.state(7)).toBe('available');
		await lists.run(without(7));
		expect(lists.state(7)).toBe('deactivated');
	});

	it('stays open if the second list comes within a minute, and closes with the third', async () => {
		await lists.run(without(7));
		await lists.run(without(7), { minutes: 0.9 });
		expect(lists.state(7)).toBe('available');
		await lists.run(without(7), { minutes: 0.1 });
		expect(lists.state(7)).toBe('deactivated');
	});

	it.each<[string, Given]>([
		['has invalid items', { badItems: 1 }],
		['comes from one of several branches', { tools: { mayGetMore: true } }],
		['is refused', { parameters: { maxClosePercent: 0 } }],
		['is only a dry run', { parameters: { dryRun: true } }],
	])('does not close because of a list that %s', async (_, given) => {
		const disturb = async (): Promise<unknown> =>
			await lists.run(without(7), given).catch(() => undefined);
		await disturb();
		await disturb();
		await lists.run(without(7));
		expect(lists.state(7)).toBe('available');
		await lists.run(without(7));
		expect(lists.state(7)).toBe('deactivated');
	});

	it('closes after the same number of lists if the clock was set back', async () => {
		await lists.run(without(7));
		await lists.run(without(7), { minutes: -600 });
		expect(lists.state(7)).toBe('deactivated');
	});

	it('that waits comes before those that nothing happens to', async () => {
		const { records } = await lists.run(without(7), { parameters: { options: { output: 'all' } } });
		expect(records.map(({ json }) => json.email)).toEqual([
			'm7@a.com',
			...without(7).map(({ email }) => email),
		]);
	});

	it('closes after two lists even if the one before had everyone, seconds earlier', async () => {
		await lists.run(everyone);
		await lists.run(without(7), { minutes: 0.1 });
		await lists.run(without(7));
		expect(lists.state(7)).toBe('deactivated');
	});

	it('closes after two more lists if the node has forgotten everything', async () => {
		await lists.run(without(7));
		lists.memory = NOTHING_REMEMBERED;
		await lists.run(without(7));
		await lists.run(without(7));
		expect(lists.state(7)).toBe('deactivated');
	});
});

it('with Close After 3, the output says how many lists are left', async () => {
	lists = new Lists(lists.service, 3);
	expect(reasonsOf(await lists.run(without(7)))).toEqual([
		'missing for the first time; closes after 2 more lists',
	]);
	expect(reasonsOf(await lists.run(without(7)))).toEqual([
		'missing from 2 lists in a row; closes with the next list',
	]);
	await lists.run(without(7));
	expect(lists.state(7)).toBe('deactivated');
});

it('half a list closes nobody, and is refused', async () => {
	const run = lists.run(everyone.slice(20), { parameters: { maxClosePercent: 5 } });
	await expect(run).rejects.toThrow('Sync would close the feeds of 20 of 40 subscribers');
	await lists.run(everyone);
	expect(lists.service.writes).toEqual([]);
});

it('a list that is refused says which limit to raise, and for how many runs', async () => {
	const parameters = { maxClosePercent: 50, options: { maxClose: 10 } };
	await expect(lists.run(everyone.slice(20), { parameters })).rejects.toMatchObject({
		description: expect.stringContaining("If it is, set 'Max Close' to 20 for 2 runs."),
	});
});

it('members who leave on different days close, each after two lists, within the limit', async () => {
	const parameters = { maxClosePercent: 6 };
	await lists.run(without(1, 2), { parameters });
	await lists.run(without(1, 2, 3, 4), { parameters });
	await lists.run(without(1, 2, 3, 4), { parameters });
	expect([1, 2, 3, 4].map((number) => lists.state(number))).toEqual(Array(4).fill('deactivated'));
});

it.each([1, 2])(
	'feeds that could not be closed count for the limit only once, with Close After %i',
	async (closeAfter) => {
		lists = new Lists(lists.service, closeAfter);
		const parameters = { maxClosePercent: 6 };
		lists.service.trouble = (_, { method, path }) =>
			method === 'PATCH' && path[0] === 'feeds' ? 'before' : undefined;
		await lists.run(without(1, 2), { parameters });
		await lists.run(without(1, 2, 3, 4), { parameters });
		await lists.run(without(1, 2, 3, 4), { parameters });
		lists.service.trouble = () => undefined;
		await lists.run(without(1, 2, 3, 4, 5), { parameters });
		expect([1, 2, 3, 4].map((number) => lists.state(number))).toEqual(Array(4).fill('deactivated'));
	},
);

it('people who had to stay open before n8n forgot everything count for the limit when they are due', async () => {
	const left = [51, 52, 53, 54].map((number) => held(number, { customer_id: null }));
	lists.service.subscribers.push(...left);
	const parameters = { close: 'all', maxClosePercent: 5 };
	const unknown = { email: '', id: 'c-99' };
	for (let count = 0; count < 3; count++) await lists.run([...everyone, unknown], { parameters });
	await expect(lists.run(everyone, { parameters })).rejects.toThrow('the feeds of 4 of 44');
});

describe('a list that does not count', () => {
	it.each<[string, Row[], Given]>([
		['has an invalid item', everyone, { badItems: 1 }],
		['is refused', everyone.slice(7, 20), { parameters: { maxClosePercent: 5 } }],
	])('because it %s makes Sync forget who was missing, if it has them', async (_, rows, given) => {
		await lists.run(without(7));
		await lists.run(rows, given).catch(() => undefined);
		await lists.run(without(7));
		expect(lists.state(7)).toBe('available');
	});

	it('hides no other reason for which a feed stays open', async () => {
		const parameters = { options: { neverClose: 'm3@a.com', output: 'all' } };
		const { records } = await lists.run(without(3, 4), { parameters, badItems: 1 });
		const reasons = records.map(({ json }) => json.reason).filter((reason) => reason !== null);
		expect(reasons).toEqual(['in Never Close', 'some input items are not valid members']);
	});

	it('is not refused, however many it lacks, and closes nobody', async () => {
		const parameters = { maxClosePercent: 5 };
		const { error } = await lists.run(everyone.slice(20), { badItems: 1, parameters });
		expect(error).toBeUndefined();
		expect(lists.service.writes).toEqual([]);
	});
});

describe('a member whom Supercast always refuses', () => {
	const refused = { email: 'refused@a.com', id: '' };

	beforeEach(() => {
		lists.service.trouble = (_, { method }) => (method === 'POST' ? 'before' : undefined);
	});

	it('does not prevent the closing of a member who leaves later', async () => {
		await lists.run([...everyone, refused]);
		await lists.run([...without(7), refused]);
		await lists.run([...without(7), refused]);
		expect(lists.state(7)).toBe('deactivated');
	});

	it('prevents the closing of a member who left at the same time, and the error names them', async () => {
		await lists.run([...without(7), refused]);
		await lists.run([...without(7), refused]);
		const { error } = await lists.run([...without(7), refused]);
		expect(lists.state(7)).toBe('available');
		expect(error).toMatchObject({
			description: expect.stringContaining('Not on the list, but still open: m7@a.com (since '),
		});
	});

	it('prevents the closing as long if only one of them has a customer ID', async () => {
		lists.service.find('u-7')!.customer_id = null;
		const rows = [...without(7), { ...refused, id: 'c-new' }];
		for (let count = 0; count < 3; count++) await lists.run(rows, { parameters: { close: 'all' } });
		expect(lists.state(7)).toBe('available');
	});

	it('delays the closing by only one list if both have customer IDs', async () => {
		lists = new Lists(lists.service, 1);
		await lists.run([...without(7), { ...refused, id: 'c-new' }]);
		expect(lists.state(7)).toBe('available');
		await lists.run([...without(7), { ...refused, id: 'c-new' }]);
		expect(lists.state(7)).toBe('deactivated');
	});
});

describe('a member whose new email is still that of another subscriber', () => {
	const moved = [
		{ email: 'm42@a.com', id: 'c-41' },
		{ email: 'moved@a.com', id: 'c-42' },
	];
	const close = { parameters: { close: 'all' } };

	function service(other: Partial<Held>): DirectSupercast {
		const before = held(41, { customer_id: null });
		return new DirectSupercast([...crowd(40), before, held(42, other)], NOW);
	}

	beforeEach(() => {
		lists = new Lists(service({ state: 'deactivated', plan_id: 3 }));
	});

	it('keeps the feed that may be theirs, however many lists come, and the output names it', async () => {
		const left = without(3);
		for (let count = 0; count < 4; count++) await lists.run([...left, ...moved], close);
		expect([lists.state(3), lists.state(41)]).toEqual(['deactivated', 'available']);
		const { hints } = await lists.run([...left, ...moved], close);
		expect(hints.map(({ message }) => message).join()).toContain('still open: m41@a.com');
	});

	it.each<[string, Given]>([
		['closes no feeds', { parameters: { close: 'none' } }],
		['is incomplete', { ...close, badItems: 1 }],
		['is one of several branches', { ...close, tools: { mayGetMore: true } }],
	])('keeps it if a list before %s', async (_, before) => {
		await lists.run([...everyone, ...moved], before);
		for (let count = 0; count < 3; count++) await lists.run([...everyone, ...moved], close);
		expect(lists.state(41)).toBe('available');
	});

	it('keeps it if Supercast refuses to give the other subscriber a new email', async () => {
		lists = new Lists(service({}));
		lists.service.trouble = (_, { method, path }) =>
			method === 'PATCH' && path[0] === 'subscribers' ? 'before' : undefined;
		for (let count = 0; count < 4; count++) await lists.run([...everyone, ...moved], close);
		expect(lists.state(41)).toBe('available');
	});

	it('keeps it if only one list lacks them, and loses it after two', async () => {
		for (let count = 0; count < 3; count++) await lists.run([...everyone, ...moved], close);
		await lists.run(everyone, close);
		expect(lists.state(41)).toBe('available');
		await lists.run(everyone, close);
		expect(lists.state(41)).toBe('deactivated');
	});

	it('gets a feed under the new email once it is free, and then the old one closes', async () => {
		for (let count = 0; count < 3; count++) await lists.run([...everyone, ...moved], close);
		lists.service.find('u-42')!.email = 'moved@a.com';
		for (let count = 0; count < 2; count++) await lists.run([...everyone, ...moved], close);
		expect(lists.service.find('m42@a.com')?.state).toBe('available');
		expect(lists.state(41)).toBe('deactivated');
	});

	it('keeps no other feed open if they have a subscriber under the old email', async () => {
		const rows = [...without(5), { email: 'm42@a.com', id: 'c-5' }, moved[1]!];
		for (let count = 0; count < 2; count++) await lists.run(rows, close);
		expect([lists.state(5), lists.state(41)]).toEqual(['available', 'deactivated']);
	});

	it.each([1, 2])('lets half a list close nobody, with Close After %i', async (closeAfter) => {
		const people = crowd(40).map((one, index) => ({
			...one,
			customer_id: index < 19 ? null : one.customer_id,
		}));
		const billed = held(42, { state: 'deactivated', plan_id: 3 });
		lists = new Lists(new DirectSupercast([...people, billed], NOW), closeAfter);
		const parameters = { close: 'all', maxClosePercent: 5, options: { addCustomerIds: false } };
		await lists.run([...everyone, ...moved], { parameters });
		for (let count = 0; count < 3; count++) {
			const run = lists.run([...everyone.slice(20), ...moved], { parameters });
			await expect(run).rejects.toThrow('Sync would close the feeds of 20 of 40 subscribers');
		}
		expect(people.every(({ uuid }) => lists.service.find(uuid)!.state === 'available')).toBe(true);
	});

	it('stops no run with those who left meanwhile, even if n8n has forgotten everything', async () => {
		const left = [51, 52, 53, 54].map((number) => held(number, { customer_id: null }));
		lists.service.subscribers.push(...left);
		const parameters = { close: 'all', maxClosePercent: 5 };
		for (let count = 0; count < 2; count++) {
			lists.memory = NOTHING_REMEMBERED;
			const { records } = await lists.run([...everyone, ...moved, { email: 'new@a.com' }], {
				parameters,
			});
			expect(records.some(({ json }) => json.action === 'created')).toBe(count === 0);
		}
	});

	it('lets those who left meanwhile close within the limit once the email is free', async () => {
		const left = [51, 52, 53, 54].map((number) => held(number, { customer_id: null }));
		lists.service.subscribers.push(...left);
		const parameters = { close: 'all', maxClosePercent: 5 };
		for (let gone = 0; gone <= left.length; gone++) {
			const rows = [...everyone, ...left.slice(gone).map(rowOf), ...moved];
			await lists.run(rows, { parameters });
		}
		expect(left.map(({ uuid }) => lists.service.find(uuid)!.state)).toEqual(
			Array(4).fill('available'),
		);
		lists.service.find('u-42')!.email = 'moved@a.com';
		for (let count = 0; count < 5; count++) {
			await lists.run([...everyone, ...moved], { parameters });
		}
		expect(left.map(({ uuid }) => lists.service.find(uuid)!.state)).toEqual(
			Array(4).fill('deactivated'),
		);
	});
});

it('someone whom the list names only by an unknown ID keeps no feed of another ID open', async () => {
	lists = new Lists(lists.service, 1);
	await lists.run([...without(7), { email: '', id: 'c-99' }]);
	expect(lists.state(7)).toBe('deactivated');
});

describe('members whose feeds could not be closed', () => {
	const people = [held(0), held(1, { customer_id: null }), held(2, { plan_id: 3 })];
	const rows = people.map(({ email }) => ({ email }));

	it('are counted by reason, with what to do, in the hint and in the summary', async () => {
		const service = new DirectSupercast(people, NOW);
		const { hints, records } = await runRows(service, rows, { options: { output: 'summary' } });
		expect(records.at(-1)!.json.cannotClose).toEqual({
			'no customer ID': 1,
			'has a plan at Supercast': 1,
		});
		const said = hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
		expect(said.join(' ')).toMatch(/1 member on the list when they leave.*no customer ID/);
		expect(String(records.at(-1)!.json.text)).toContain('Give each member a customer ID');
	});

	it('are none if the list has their customer IDs, which Sync adds', async () => {
		const service = new DirectSupercast(people.slice(0, 2), NOW);
		const listed = [rowOf(people[0]!), { email: people[1]!.email, id: 'c-1' }];
		const { records } = await runRows(service, listed, { options: { output: 'summary' } });
		expect(records.at(-1)!.json.cannotClose).toEqual({});
		expect(service.find('u-1')!.customer_id).toBe('c-1');
	});
});

it.each([
	[5 * MINUTE_MS, 'deactivated'],
	[5 * MINUTE_MS + 1, 'available'],
])('after a list has waited for %d ms, who left is %s', async (waitedMs, state) => {
	const service = new DirectSupercast(crowd(2), NOW);
	const tools = { receivedAt: NOW - waitedMs };
	await runRows(service, [rowOf(held(0))], {}, { tools });
	expect(service.find('u-1')?.state).toBe(state);
});
