import { crowd, DirectSupercast, held } from '../../doubles/directSupercast';
import { mixed, mixedRows as rows, rowOf } from '../access/mixed';
import { NOW, type Parameters, type Row, runRows } from '../access/running';

describe('the email about a run', () => {
	/** The title, and each paragraph of the text. */
	async function emailOf(service: DirectSupercast, listed: Row[], given: Parameters = {}) {
		const result = await runRows(service, listed, { ...given, options: { output: 'summary' } });
		const { title, text } = result.records[0]!.json as Record<string, string>;
		return [title, ...text!.split('\n\n')];
	}

	const DRY = 'This was a dry run, so nothing changed in Supercast.';

	const needed = [
		'Needs a decision:\n- Ann, m7@a.com: your list says c-7, Supercast says c-other. Run Set Access: Open with the email and the customer ID on your list.',
		"'Max Close (%)' is 100. If you raised it temporarily, set it back to 5.",
	];
	const left = 'Skipped:\n- has a plan at Supercast: 2\n- suspended: 1';

	it('says who left and who joined, then what needs a person', async () => {
		expect(await emailOf(new DirectSupercast(mixed, NOW), rows)).toEqual([
			'Supercast: 2 feeds opened, 2 feeds closed, 1 needs a decision',
			'Today, January 15: 1 left, 2 joined, 6 open.',
			'Left:\n- Ann, m2@a.com (not on the list)',
			'Joined:\n- Ann, m0@a.com\n- new@a.com',
			...needed,
			'Last sync run, 3:00 (UTC): see what is marked above',
			'5 members on the list, and 6 feeds open.\nSubscribers:\n- 1 added, with an open feed\n- 1 reopened\n- 2 closed\n- 1 updated',
			left,
		]);
	});

	it('says the same of a dry run, in the future', async () => {
		expect(await emailOf(new DirectSupercast(mixed, NOW), rows, { dryRun: true })).toEqual([
			'DRY RUN: 2 feeds would open, 2 feeds would close, 1 needs a decision',
			`${DRY} To make these changes, turn off 'Dry Run' in the node Sync.`,
			'What this list would change: 2 would close, 2 would open, 6 open after that.',
			'Would close:\n- Ann, m2@a.com (not on the list)\n- Ann, m6@a.com (not on the list)',
			'Would open:\n- Ann, m0@a.com\n- new@a.com',
			'Would change:\n- 1 would get other changes, such as a new email',
			...needed,
			'5 members on the list, and 5 feeds open now.',
			left,
		]);
	});

	it('names twelve of many who join or contradict the list, then how many more', async () => {
		const wrong = crowd(20).map((one, index) => ({ ...one, customer_id: `other-${index}` }));
		const all = [...wrong.map((one, index) => ({ ...rowOf(one), id: `c-${index}` })), ...rows];
		const joining = Array.from({ length: 20 }, (_, index) => ({ email: `new.${index}@a.com` }));
		const email = await emailOf(new DirectSupercast(wrong, NOW), [...all, ...joining], {
			dryRun: true,
		});
		for (const title of ['Would open:', 'Needs a decision:']) {
			const lines = email.find((part) => part?.startsWith(title))?.split('\n') ?? [];
			expect(lines).toHaveLength(14);
			expect(lines.at(-1)).toMatch(/^- and \d+ more$/);
		}
	});

	it('says so if nothing changes', async () => {
		const service = new DirectSupercast(crowd(1), NOW);
		const run = async (dryRun: boolean) =>
			await emailOf(service, [rowOf(held(0))], { dryRun, maxClosePercent: 5 });
		const state = '1 member on the list, and 1 feed open';
		expect(await run(false)).toEqual([
			'Supercast: no feed had to open or close',
			'Today, January 15: 0 left, 0 joined, 1 open.',
			'Last sync run, 3:00 (UTC): everything in order',
			`${state}.\nNothing had to change.`,
		]);
		expect(await run(true)).toEqual([
			'DRY RUN: no feed would open or close',
			`${DRY} With this list, a real run would change nothing.`,
			'What this list would change: 0 would close, 0 would open, 1 open after that.',
			`${state} now.`,
		]);
	});

	it('counts only feeds that were open as closed', async () => {
		const email = await emailOf(new DirectSupercast(crowd(3), NOW), [rowOf(held(0))]);
		expect(email.join()).toContain('1 member on the list, and 1 feed open.');
	});

	it('counts failures, and says in a dry run that Sync would refuse', async () => {
		const service = new DirectSupercast([], NOW);
		service.trouble = (_, { method }) => (method === 'GET' ? undefined : 'before');
		const [title, ...text] = await emailOf(service, [rowOf(held(1))]);
		expect(title).toBe('Supercast: 1 failed');
		expect(text.join()).toMatch(/Last sync run, 3:00 \(UTC\): 1 failed.*\n- 1 failed/s);
		const given = { dryRun: true, maxClosePercent: 5 };
		const [refused, , why] = await emailOf(new DirectSupercast(mixed, NOW), rows, given);
		expect(refused).toContain('would refuse');
		expect(why).toMatch(/^Sync would close .* First check/);
	});

	it('names those who left long ago without a customer ID, and the way that closes their feeds', async () => {
		const all = crowd(300).map((one, index) => (index < 40 ? { ...one, customer_id: null } : one));
		const service = new DirectSupercast(all, NOW);
		const listed = all.slice(40).map(rowOf);
		const dryRun = await emailOf(service, listed, { dryRun: true, maxClosePercent: 5 });
		const text = dryRun.join('\n');
		for (const { email } of all.slice(0, 40)) expect(text).toContain(email);
		expect(text).toContain("set 'Close Feeds of' to 'All Missing Subscribers'");
		const [, percent] = /'Max Close \(%\)' to (\d+)\. Turn off/.exec(text) ?? [];
		const way: Parameters = { close: 'all', maxClosePercent: Number(percent) };
		await expect(
			runRows(service, listed, { ...way, maxClosePercent: Number(percent) - 1 }),
		).rejects.toThrow('Sync would close');
		await runRows(service, listed, way);
		const open = service.subscribers.filter(({ state }) => state === 'available');
		expect(open).toHaveLength(260);
	});
});
