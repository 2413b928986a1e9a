import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RunOptions, RunResult } from '../../harness/engine';
import type { Subscriber } from '../../../simulators/supercast';
import {
	actionsOf,
	addMembers,
	hintsOf,
	memberListOf,
	runSetAccess,
	runSync,
	writesOf,
} from '../../support/members';
import { useSandbox } from '../../support/sandbox';

describe('a list that must prove that it is complete', () => {
	const sandbox = useSandbox({ subscribers: 0 });

	let members: Subscriber[];
	/** Someone new, and all members but the last. */
	let list: IDataObject[];
	beforeEach(() => {
		members = addMembers(sandbox.current, 40);
		list = [{ email: 'new@example.com', id: 'c-new' }, ...memberListOf(members.slice(0, -1))];
	});

	async function sync(
		options: INodeParameters,
		more: Partial<RunOptions> = {},
		items = list,
	): Promise<RunResult> {
		return await runSync(sandbox.current, items, { options }, { ...more });
	}

	const isClosed = (): boolean => members.at(-1)!.state === 'deactivated';

	const created = (): boolean =>
		sandbox.current.state.subscribers.some(({ email }) => email === 'new@example.com');

	it.each([
		['as many records were read as there are', 40, 40],
		['members left while it was read', 40, 38],
		['the counts are texts', '40', ' 40 '],
		['nobody knows how many there are', '', '={{ $json.nothing }}'],
	])('closes a feed if %s', async (_, recordsRead, recordsExpected) => {
		const result = await sync({ recordsRead, recordsExpected });
		expect(result.error).toBeUndefined();
		expect(actionsOf(result)).toEqual(['closed', 'created']);
		expect(hintsOf(result)).not.toContain('records');
	});

	it('opens feeds, closes no feeds and says so, if one or two records are missing', async () => {
		const options = { recordsRead: 998, recordsExpected: 1000, output: 'changesAndSummary' };
		const result = await sync(options);
		expect(result.error).toBeUndefined();
		expect(actionsOf(result)).toEqual(['created', 'summary']);
		expect(isClosed()).toBe(false);
		expect(hintsOf(result)).toContain('The list is incomplete. It lacks 2 of 1000 records');
		expect(result.output[1]!.json).toMatchObject({
			title: 'Supercast: 1 feed opened, the list lacks 2 of 1000 records',
			text: expect.stringContaining('closes no feeds'),
			numbers: { recordsMissing: 2 },
		});
	});

	it('fails if more are missing, but only after it has opened feeds', async () => {
		const { error } = await sync({ recordsRead: 960, recordsExpected: 1000 });
		expect(error?.message).toContain('The list lacks 40 of 1000 records');
		expect(error?.description).toContain('Done: new@example.com (created).');
		expect(isClosed()).toBe(false);
		expect(created()).toBe(true);
	});

	it('fails with a continuing node too, and still returns whom it has opened', async () => {
		const options = { recordsRead: 960, recordsExpected: 1000 };
		const result = await sync(options, { onError: 'continueErrorOutput' });
		expect(actionsOf(result)).toEqual(['created']);
		expect(result.errorOutput.map(({ json }) => json.error)).toEqual([
			expect.stringContaining('The list lacks 40 of 1000 records'),
		]);
	});

	it('only warns in a dry run', async () => {
		const parameters = { dryRun: true, options: { recordsRead: 960, recordsExpected: 1000 } };
		const result = await runSync(sandbox.current, list, parameters);
		expect(result.error).toBeUndefined();
		expect(actionsOf(result)).toEqual(['created']);
		expect(hintsOf(result)).toContain('It lacks 40 of 1000 records');
		expect(writesOf(sandbox.current)).toEqual([]);
	});

	it('fails when a list is short for the third time in a row, however little is missing', async () => {
		const staticData: IDataObject = {};
		const errors: unknown[] = [];
		for (const recordsRead of [999, 999, 1000, 999, 999, 999, 999]) {
			const options = { recordsRead, recordsExpected: 1000, closeAfter: 9 };
			const { error } = await sync(options, { staticData, mode: 'trigger' });
			errors.push(error?.message);
		}
		const told = expect.stringContaining('lacks 1 of 1000 records');
		expect(errors).toEqual([...Array<undefined>(5).fill(undefined), told, told]);
		expect(isClosed()).toBe(false);
	});

	it('does not count for Close After', async () => {
		const staticData: IDataObject = {};
		const actions: unknown[] = [];
		for (const recordsRead of [999, 1000]) {
			const options = { recordsRead, recordsExpected: 1000, closeAfter: 2 };
			const result = await sync(options, { staticData, mode: 'trigger' });
			actions.push(...result.output.map(({ json }) => json.reason));
		}
		expect(actions).toEqual(['', expect.stringContaining('missing for the first time')]);
		expect(isClosed()).toBe(false);
	});

	it.each([
		['as it is', {}, true],
		['with a record twice', { record: 'r-1' }, false],
		['without one of the records', { recordsExpected: 42 }, false],
	])('counts records by their IDs, and reads access by expression: %s', async (_, odd, closes) => {
		const { record, recordsExpected = 41 } = odd as IDataObject;
		const ended = { id: members.at(-1)!.customer_id, access: 'close', status: 'canceled' };
		const unclear = { ...list[1]!, access: '#N/A', status: 'odd' };
		const items = [list[0]!, unclear, ...list.slice(2), ended].map((item, index) => {
			return Object.assign({ access: 'open' }, item, {
				record: index === 5 && record ? record : `r-${index}`,
			});
		});
		const result = await runSync(sandbox.current, items, {
			access: '={{ $json.access }}',
			status: '={{ $json.status }}',
			options: { recordId: '={{ $json.record }}', recordsExpected: Number(recordsExpected) },
		});
		expect(result.error).toBeUndefined();
		expect(created()).toBe(true);
		expect(isClosed()).toBe(closes);
		const reasons = result.output.map(({ json }) => json.reason);
		if (closes) expect(reasons).toContain('canceled');
		expect(hintsOf(result)).toContain(`${members[0]!.email} (odd)`);
	});

	it('warns if the number that is expected cannot be right', async () => {
		const result = await sync({ recordsRead: 1000, recordsExpected: 100 });
		expect(hintsOf(result)).toContain("Check 'Expected Number of Records'");
	});

	it.each<[string, INodeParameters, string]>([
		['only what was read', { recordsRead: 40 }, "'Expected Number of Records' is empty"],
		[
			'an expected number without a result',
			{ recordsRead: 40, recordsExpected: '={{ $json.nothing }}' },
			"'Expected Number of Records' is empty",
		],
		['only what is expected', { recordsExpected: 40 }, "'Record ID' is empty"],
		['0 records that were read', { recordsRead: 0, recordsExpected: 0 }, "'Records Read' is 0"],
		[
			'0 that are expected',
			{ recordsRead: 40, recordsExpected: 0 },
			"'Expected Number of Records' is 0",
		],
		[
			'a text',
			{ recordsRead: 40, recordsExpected: 'many' },
			"'Expected Number of Records' must be a number of at least 0",
		],
		[
			'a result that is no number',
			{ recordsRead: '={{ Number($json.nothing) }}', recordsExpected: 40 },
			"'Records Read (Deprecated)' must be a number",
		],
		[
			'a negative number',
			{ recordsRead: -1, recordsExpected: 40 },
			"'Records Read (Deprecated)' must be",
		],
		[
			'a fraction',
			{ recordsRead: 1.5, recordsExpected: 40 },
			"'Records Read (Deprecated)' is not a whole",
		],
	])('is refused before the first request with %s', async (_, options, words) => {
		const { error } = await sync(options);
		expect(error?.message).toContain(words);
		expect(error?.description).toContain('Nothing was changed.');
		expect(sandbox.current.stats().requests).toBe(0);
	});

	it('reads the counts once, however many items there are', async () => {
		// If it read them for each item, they would differ.
		const options = {
			recordsRead: '={{ 40 + $itemIndex }}',
			recordsExpected: "={{ $('Items').all().length }}",
		};
		const result = await sync(options);
		expect(result.error).toBeUndefined();
		expect(actionsOf(result)).toEqual(['closed', 'created']);
	});
});

describe('a list whose columns are wrong', () => {
	const sandbox = useSandbox({ subscribers: 0 });

	let rows: IDataObject[];
	beforeEach(() => {
		const members = addMembers(sandbox.current, 40);
		rows = members.map(({ email, customer_id: id }, index) => ({
			...{ Name: `Ann ${index}`, 'E-post': email, Tier: 'Gold', Number: id },
		}));
	});

	const told = ({ error, output }: RunResult): string =>
		error === undefined ? JSON.stringify(output) : `${error.message}. ${error.description}`;

	it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'is refused as a whole, with the column to choose, with On Error %s',
		async (onError) => {
			const text = told(await runSync(sandbox.current, rows, {}, { onError }));
			expect(text).toContain("'Email' is empty in 40 of 40 items");
			expect(text).toContain('The emails are in');
			expect(sandbox.current.stats().requests).toBe(0);
		},
	);

	it('is refused without advice about a limit, if Supercast knows nobody on it', async () => {
		const parameters = { email: '={{ "work." + $json["E-post"] }}', customerId: '' };
		const text = told(await runSync(sandbox.current, rows, parameters));
		expect(text).toContain('Sync would close the feeds of 40 of 40 subscribers');
		expect(text).toContain("Check 'Email' and 'Customer ID'");
		expect(text).not.toContain('Max Close (Feeds)');
		expect(writesOf(sandbox.current)).toEqual([]);
	});

	it('names a row without an email by what it shows, and closes no feed', async () => {
		rows[4]!['E-post'] = '';
		const parameters = { email: '={{ $json["E-post"] }}', customerId: '' };
		const text = hintsOf(await runSync(sandbox.current, rows, parameters));
		expect(text).toContain("'Email' is empty in item 4 (n8n counts from 0)");
		expect(text).toContain('It begins with: Name "Ann 4", Tier "Gold"');
		expect(text).toContain('closes no feeds');
	});

	it.each(['undefined', '0', '[object Object]'])(
		'Set Access refuses the customer ID %s too',
		async (id) => {
			const items = [{ access: 'open', email: 'new@example.com', id }];
			const { error } = await runSetAccess(sandbox.current, items);
			expect(error?.message).toContain(`'Customer ID' is "${id}", which is the text of a missing`);
			expect(sandbox.current.stats().requests).toBe(0);
		},
	);
});
