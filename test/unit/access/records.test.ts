import {
	type ListMemory,
	NOTHING_REMEMBERED,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import {
	currentSubscriber,
	match,
	type DesiredMember,
} from '../../../nodes/Supercast/access/match';
import { crowd, DirectSupercast, held, type Held } from '../../doubles/directSupercast';
import { desired, NOW, runAccess, runRows, type Parameters, type Row } from './running';

const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });

describe('the records of a person', () => {
	const row = (access: DesiredMember['access'], email: string, id?: string): DesiredMember =>
		desired({ access, email, customerIds: id === undefined ? [] : [id], statuses: [access] });
	const current = (number: number, fields: Partial<Held> = {}) =>
		currentSubscriber({ ...held(number, fields) });

	it.each<[string, DesiredMember[], string]>([
		['open and close', [row('close', 'a@a.com', '1'), row('open', 'a@a.com', '1')], 'open'],
		['keep and close', [row('close', 'a@a.com', '1'), row('keep', '', '1')], 'keep'],
		['open and keep', [row('keep', 'a@a.com'), row('open', 'a@a.com', '1')], 'open'],
		['unclear and keep', [row('keep', 'a@a.com'), row('unclear', 'a@a.com', '1')], 'unclear'],
		['open and unclear', [row('unclear', '', '1'), row('open', 'a@a.com', '1')], 'open'],
	])('with %s count by the strongest', (_, rows, access) => {
		expect(match(rows, [])).toMatchObject([{ member: { access, statuses: [access] } }]);
	});

	it('are of one person if others connect them', () => {
		const rows = [
			row('close', 'b@a.com', '2'),
			row('close', 'a@a.com', '2'),
			row('open', 'a@a.com', '1'),
		];
		const two = current(2, { email: 'c@a.com', customer_id: '2' });
		expect(match(rows, [two])).toMatchObject([
			{ member: { access: 'open', email: 'a@a.com', customerIds: ['1'] }, subscriber: two },
		]);
	});

	it('that have ended never make it unclear who someone is', () => {
		const rows = [
			row('open', 'a@a.com', '1'),
			row('open', 'b@a.com', '2'),
			row('close', 'b@a.com', '1'),
		];
		const people = match(rows, []);
		expect(people.map(({ conflict }) => conflict)).toEqual([undefined, undefined]);
	});

	it('that have ended are named with each subscriber whom the list would close', () => {
		const rows = [row('close', 'a@a.com', '1'), row('close', '', '9')];
		const [one, two] = [current(1, { email: 'a@a.com' }), current(2, { customer_id: '1' })];
		expect(match(rows, [one, two])).toMatchObject([
			{ subscriber: one, ended: { statuses: ['close'] } },
			{ subscriber: two, ended: { statuses: ['close'] } },
			{ ended: { customerIds: ['9'] } },
		]);
	});
});

/** Lists of the same Sync, five minutes apart. */
class Lists {
	memory: ListMemory = NOTHING_REMEMBERED;

	private at = NOW;

	constructor(
		readonly service: DirectSupercast,
		private readonly parameters: Parameters = {},
	) {}

	async run(rows: readonly Row[], { options, ...given }: Parameters = {}) {
		const at = (this.at += 5 * 60_000);
		const remember = (memory: ListMemory): void => void (this.memory = memory);
		const tools = { now: () => at, receivedAt: at, memory: this.memory, remember };
		const own = this.parameters.options;
		const all = { closeAfter: 2, graceHours: 0, output: 'all', ...own, ...options };
		const parameters = { ...this.parameters, ...given, options: all };
		return await runRows(this.service, rows, parameters, { tools });
	}
}

describe('Sync', () => {
	const people = crowd(41).slice(1);
	const everyone = people.map(rowOf);
	const listsOf = (parameters: Parameters = {}, held: Held[] = people): Lists =>
		new Lists(new DirectSupercast(held, NOW), parameters);
	const stateOf = ({ service }: Lists, number: number) => service.find(`u-${number}`)?.state;

	it.each<[string, Row['access']]>([
		['an empty cell', ''],
		['a cell with a failed formula', '#N/A'],
		['a word with another capital letter', 'Open'],
		['an expression without a result', undefined],
		['a state of the membership system', 'past_due'],
		['keep', 'keep'],
	])('changes nobody for %s', async (_, access) => {
		const closed = held(51, { state: 'deactivated' });
		const lists = listsOf({}, [...people, closed]);
		const left = { ...rowOf(people[7]!), access };
		const rows = [...everyone.filter((one) => one.email !== left.email), left];
		rows.push({ ...rowOf(closed), access }, { email: 'new@a.com', id: 'c-new', access });
		for (let count = 0; count < 3; count++) await lists.run(rows);
		expect(lists.service.writes).toEqual([]);
	});

	it('closes the feed of an ended record after two lists, though it has no email', async () => {
		const lists = listsOf();
		const ended = { email: '', id: 'c-7', access: 'close', status: 'canceled' };
		const rows = [...everyone.filter(({ id }) => id !== 'c-7'), ended];
		const [first] = (await lists.run(rows)).records;
		expect(first?.json).toMatchObject({ action: 'kept', email: 'm7@a.com', status: 'canceled' });
		expect(stateOf(lists, 7)).toBe('available');
		const [second] = (await lists.run(rows)).records;
		expect(second?.json).toMatchObject({ action: 'closed', reason: 'canceled' });
		expect(stateOf(lists, 7)).toBe('deactivated');
	});

	it('says in other words that there is no record', async () => {
		const lists = listsOf();
		const rows = everyone.filter(({ id }) => id !== 'c-7');
		await lists.run(rows);
		const [second] = (await lists.run(rows)).records;
		expect(second?.json).toMatchObject({ action: 'closed', reason: 'not on the list', status: '' });
	});

	it.each<[string, Partial<Row>]>([
		['an email that is none', { email: 'deleted user', id: 'c-7' }],
		['a customer ID that is none', { email: 'm7@a.com', id: 'undefined' }],
		['a customer ID with another prefix', { email: 'm7@a.com', id: 'x-7' }],
		['no name at all', { email: '', id: '' }],
	])('takes a list in which an ended record has %s', async (_, names) => {
		const lists = listsOf({ options: { customerIdPrefix: 'c-' } });
		const ended = { email: '', access: 'close', ...names };
		const rows = [...everyone.filter(({ id }) => id !== 'c-7'), ended];
		for (let count = 0; count < 2; count++) await lists.run(rows);
		expect(stateOf(lists, 7)).toBe('deactivated');
	});

	it('counts ended records for the brake', async () => {
		const lists = listsOf({ maxClosePercent: 5 });
		const rows = everyone.map((row, index): Row => {
			return index < 20 ? { ...row, access: 'close', status: 'canceled' } : row;
		});
		await expect(lists.run(rows)).rejects.toThrow('close the feeds of 20 of 40 subscribers');
		expect(lists.service.writes).toEqual([]);
	});

	it('never says of an ended record that it is not on the list', async () => {
		const lists = listsOf({ options: { closeAfter: 3 } });
		const rows = everyone.map((row): Row => {
			return row.id === 'c-7' ? { ...row, access: 'close', status: 'canceled' } : row;
		});
		const isSummary = { options: { closeAfter: 3, output: 'summary' } };
		const waits = String((await lists.run(rows, isSummary)).records[0]?.json.text);
		expect(waits).toContain('canceled, for the first time');
		expect(waits).not.toMatch(/not on (?:the|your) list/i);
		const all = everyone.map((row): Row => ({ ...row, access: 'close', status: 'canceled' }));
		const refused = await listsOf({ maxClosePercent: 5 })
			.run([...all.slice(0, 20), ...everyone.slice(20)])
			.catch((error: { description: string }) => error.description);
		expect(refused).toContain('Feeds that would close: ');
		expect(refused).not.toMatch(/not on (?:the|your) list/i);
	});

	it.each<[string, Row[]]>([
		['a record that comes twice', [{ ...everyone[0]!, recordId: 'r-m1@a.com' }]],
		['a record that names nobody', [{ email: '', recordId: 'r-x' }]],
		[
			'a record without a name whose access is unclear',
			[{ email: '', access: '', recordId: 'r-x' }],
		],
	])('opens, but closes no feed and counts nobody, after %s', async (_, more) => {
		const lists = listsOf();
		const rows = everyone
			.filter(({ id }) => id !== 'c-7')
			.concat({ email: 'new@a.com', id: 'c-new' })
			.map((row) => ({ ...row, recordId: `r-${row.email}` }));
		await lists.run(rows);
		for (let count = 0; count < 3; count++) {
			await lists.run([...rows, ...more]);
			expect(stateOf(lists, 7)).toBe('available');
		}
		const { records } = await lists.run([...rows, ...more], { options: { output: 'summary' } });
		expect(String(records[0]?.json.title)).toMatch(/twice|without an email/);
		expect(lists.service.writes).toHaveLength(1);
	});

	it.each([
		[40, true],
		[41, false],
	])('counts different records, of which there are %i', async (recordsExpected, closes) => {
		const lists = listsOf({ options: { recordsExpected } });
		const rows = everyone.map((row): Row => {
			return { ...row, access: row.id === 'c-7' ? 'close' : 'open', recordId: row.email };
		});
		for (let count = 0; count < 2; count++) await lists.run(rows);
		expect(stateOf(lists, 7)).toBe(closes ? 'deactivated' : 'available');
	});

	it('prefers Record ID to Records Read of an older workflow', async () => {
		const options = { recordsRead: 1, recordsExpected: 40 };
		const lists = listsOf({ options });
		const rows = everyone.map((row): Row => {
			return { ...row, access: row.id === 'c-7' ? 'close' : 'open', recordId: row.email };
		});
		for (let count = 0; count < 2; count++) await lists.run(rows);
		expect(stateOf(lists, 7)).toBe('deactivated');
	});

	it('refuses a number of records without their IDs', async () => {
		const lists = listsOf({ options: { recordsExpected: 40 } });
		await expect(lists.run(everyone)).rejects.toThrow("'Record ID' is empty");
	});

	it('counts statuses in the summary, and names what is unclear', async () => {
		const lists = listsOf({ options: { output: 'summary' } });
		const rows = everyone.map((row, index): Row => {
			if (index === 0) return { ...row, access: '', status: '#N/A' };
			if (index < 3) return { ...row, access: 'keep', status: 'past_due' };
			return index < 5
				? { ...row, access: 'close', status: 'canceled' }
				: { ...row, status: 'active' };
		});
		const { records } = await lists.run(rows, { maxClosePercent: 100 });
		const { numbers, title, text } = records[0]!.json;
		expect(numbers).toMatchObject({
			statuses: [
				{ status: 'active', access: 'open', people: 35 },
				{ status: '#N/A', access: 'unclear', people: 1 },
				{ status: 'past_due', access: 'keep', people: 2 },
				{ status: 'canceled', access: 'close', people: 2 },
			],
		});
		expect(title).toContain('1 unclear');
		expect(text).toContain('m1@a.com (#N/A)');
		expect(text).toContain('past_due');
	});

	it('shows the status of people who left earlier and have no customer ID', async () => {
		const stranger = held(50, { customer_id: null });
		const lists = listsOf({}, [...people, stranger]);
		const rows = [...everyone, { email: stranger.email, access: 'close', status: 'canceled' }];
		const { records } = await lists.run(rows);
		const item = records.find(({ json }) => json.email === stranger.email);
		expect(item?.json).toMatchObject({ action: 'kept', status: 'canceled' });
		const summary = await lists.run(rows, { options: { output: 'summary' }, dryRun: true });
		expect(String(summary.records[0]?.json.text)).toContain(`${stranger.email} (canceled)`);
	});
});

describe('Set Access', () => {
	it.each(['', '#N/A', 'Open', undefined, 'past_due', null, { open: true }])(
		'does nothing for %j, and says what a person must decide',
		async (access) => {
			const service = new DirectSupercast([held(1)], NOW);
			const output = await runAccess(service, access, { email: 'm1@a.com', status: 'odd' });
			expect(service.requests).toEqual([]);
			expect(output).toMatchObject({ access: 'unclear', action: 'kept', email: 'm1@a.com' });
			expect(output.attention).toContain('The access of m1@a.com is unclear');
			expect(output.attention).toContain('odd');
		},
	);

	it('does nothing for keep, and gives the reason', async () => {
		const service = new DirectSupercast([held(1)], NOW);
		const output = await runAccess(service, 'keep', { email: '', id: 'c-1', status: 'past_due' });
		expect(service.requests).toEqual([]);
		expect(output).toMatchObject({ access: 'keep', action: 'kept', attention: null });
		expect(output.reason).toBe('The access of c-1 stays as it is (past_due).');
	});
});
