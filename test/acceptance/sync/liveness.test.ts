import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast, type RunOptions, type RunResult } from '../../harness/engine';
import { type Answer, type Habit, MISSING } from '../../doubles/supercast';
import { useHttpSupercast } from '../../doubles/httpSupercast';
import { hintsOf } from '../../support/members';
import { isDeep } from '../../support/deep';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useLaterDates } from '../../support/laterDates';

const http = useHttpSupercast();
const dates = useLaterDates();
useQuickRuntime({ backoffMs: 1, windowMs: 100, visibleMs: 5 });

const crowdOf = (size: number): number[] => Array.from({ length: size }, (_, index) => index);
const EVERYONE = crowdOf(30);

/** Members long known to Supercast. */
function addMembers(
	fields: (index: number) => IDataObject = () => ({}),
	people: readonly number[] = EVERYONE,
): void {
	for (const index of people) {
		const id = `c-${index + 1}`;
		http.current.add({
			...{ email: `m${index}@a.com`, uuid: `u-${index}`, customer_id: id, first_name: 'Ann' },
			...fields(index),
		});
	}
}

const rowOf = (index: number): IDataObject => ({ email: `m${index}@a.com`, id: `c-${index + 1}` });
const without = (...gone: number[]): IDataObject[] =>
	EVERYONE.filter((index) => !gone.includes(index)).map(rowOf);
const stateOf = (index: number): unknown => http.current.find(`u-${index}`)?.state;

/** A list five minutes after the one before. */
async function list(
	items: IDataObject[],
	parameters: INodeParameters = {},
	options: Partial<RunOptions> = {},
): Promise<RunResult> {
	dates.pass(5);
	return await runSupercast({
		parameters: {
			...{ resource: 'subscriber', operation: 'sync', dryRun: false },
			customerId: '={{ $json.id }}',
			...parameters,
			options: { output: 'changesAndSummary', ...(parameters.options as INodeParameters) },
		},
		credential: http.credential,
		items,
		onError: 'continueRegularOutput',
		...options,
	});
}

const summaryOf = ({ output }: RunResult): IDataObject =>
	output.map(({ json }) => json).find(({ action }) => action === 'summary') ?? {};
const titleOf = (result: RunResult): string => String(summaryOf(result).title);

const REFUSED: Answer = { status: 422, body: { message: 'Feed is locked' } };

const closingOf =
	(name: string, answer: Answer): Habit =>
	({ method, path }) =>
		method === 'PATCH' && path[0] === 'feeds' && path[1] === name ? answer : undefined;

describe('someone whose feed can never be closed', () => {
	const never: Record<string, Habit> = {
		'Supercast refuses it (422)': closingOf('u-0', REFUSED),
		'Supercast fails (500)': closingOf('u-0', { status: 500, body: { message: 'Oops' } }),
		'the list shows them, and a look-up does not (404)': ({ path }) =>
			path[1] === 'u-0' || path[1] === 'm0@a.com' ? MISSING : undefined,
		'each read shows another customer ID': ({ method, path }, service) =>
			method === 'GET' && path[1] === 'u-0'
				? { status: 200, body: { ...service.find('u-0'), customer_id: 'another' } }
				: undefined,
	};

	it.each(Object.entries(never))(
		'keeps nobody else open, and is named from the second time on: %s',
		async (_, habit) => {
			addMembers();
			http.current.habit = habit;
			await list(without(0));
			const first = await list(without(0));
			expect(titleOf(first)).not.toContain('could not be closed');
			await list(without(0, 1));
			const last = await list(without(0, 1, 2));
			expect([stateOf(0), stateOf(1)]).toEqual(['available', 'deactivated']);
			expect(titleOf(last)).toContain('1 could not be closed');
			expect(hintsOf(last)).toMatch(/m0@a\.com \(since 20\d\d-/);
			expect(String(summaryOf(last).text)).toMatch(/m0@a\.com \(since 20\d\d-/);
			await list(without(0, 1, 2));
			expect(stateOf(2)).toBe('deactivated');
		},
	);

	it('with Close After 1, keeps nobody else open', async () => {
		addMembers();
		http.current.habit = closingOf('u-0', REFUSED);
		const options = { closeAfter: 1 };
		await list(without(0), { options });
		await list(without(0, 1), { options });
		expect(stateOf(1)).toBe('deactivated');
	});

	it('comes after those whose feeds close for the first time', async () => {
		addMembers();
		http.current.habit = closingOf('u-0', REFUSED);
		await list(without(0));
		await list(without(0));
		await list(without(0, 1));
		const before = http.current.received.length;
		await list(without(0, 1), { options: { parallelRequests: 1 } });
		const closings = http.current.received.slice(before).filter((one) => one.includes('feeds'));
		expect(closings[0]).toContain('u-1');
	});
});

describe.each(isDeep ? [5, 50, 500, 2_000] : [5, 50])('in a channel of %i,', (size) => {
	const all = crowdOf(size);
	/** As many as may leave with one list. */
	const some = Math.max(1, Math.floor(size * 0.04));

	it('all others close in two lists, beside one who never can, and one who is never created', async () => {
		addMembers(undefined, all);
		const closing = closingOf('u-0', REFUSED);
		http.current.habit = (request, service) =>
			request.method === 'POST' && JSON.stringify(request).includes('never@a.com')
				? { status: 422, body: { message: 'This email is blocked' } }
				: closing(request, service);
		for (let left = 1; left <= 3 * some; left += some) {
			const rows = all.slice(left).map(rowOf);
			const items = [...rows, { email: 'never@a.com', id: 'c-never' }];
			await list(items);
			await list(items);
			const states = all.map(stateOf);
			const wanted = all.map((index) => (index > 0 && index < left ? 'deactivated' : 'available'));
			expect(states).toEqual(wanted);
		}
	});
});

describe('a list is what was read from its source, once:', () => {
	const readAgo = (minutes: number): Partial<RunOptions> => ({
		mode: 'manual',
		readAt: Date.now() + 5 * 60_000 - minutes * 60_000,
	});
	const options = { graceHours: 0 };

	beforeEach(() => addMembers());

	it('items that n8n read long before close nobody, however often Sync runs', async () => {
		const result = await list(without(1), { options }, readAgo(30));
		await list(without(1), { options }, readAgo(35));
		expect(stateOf(1)).toBe('available');
		expect(titleOf(result)).toContain('no feed may close');
		expect(hintsOf(result)).toContain('the list is too old');
	});

	it('the same items do not count twice', async () => {
		await list(without(1), { options }, readAgo(0));
		dates.pass(-3);
		await list(without(1), { options }, readAgo(2));
		expect(stateOf(1)).toBe('available');
		await list(without(1), { options });
		expect(stateOf(1)).toBe('deactivated');
	});

	it('pinned items close nobody, with Close After 1 too', async () => {
		const pinned: Partial<RunOptions> = { mode: 'manual', isPinned: true };
		const result = await list(without(1), { options: { ...options, closeAfter: 1 } }, pinned);
		expect(stateOf(1)).toBe('available');
		expect(hintsOf(result)).toContain('the list is too old');
	});

	it.each([
		[30, 'available'],
		[2, 'deactivated'],
	])('a retry with items of %i minutes ago: who is not on it is %s', async (minutes, state) => {
		const retry: Partial<RunOptions> = { ...readAgo(minutes), mode: 'retry' };
		await list(without(1), { options: { ...options, closeAfter: 1 } }, retry);
		expect(stateOf(1)).toBe(state);
	});

	it('someone who paid while it was read is not closed', async () => {
		const slow: Partial<RunOptions> = { readAt: Date.now() + 4 * 60_000 };
		await runSupercast({
			parameters: {
				...{ resource: 'subscriber', operation: 'setAccess', access: 'open' },
				email: 'm1@a.com',
			},
			credential: http.credential,
		});
		await list(without(1), { options: { ...options, closeAfter: 1 } }, slow);
		expect(stateOf(1)).toBe('available');
	});
});

describe('what is remembered has an age:', () => {
	const options = { graceHours: 0 };

	beforeEach(() => addMembers());

	/** Two lists lack someone, and the one between them, which does not count, has them. */
	async function withListBetween(between: () => Promise<unknown>): Promise<void> {
		await list(without(1), { options });
		await between();
		await list(without(1), { options });
	}

	const NEW = [{ email: 'x1@a.com' }, { email: 'x2@a.com' }];

	it.each<[string, () => Promise<unknown>]>([
		[
			'Supercast is down',
			async () => {
				http.current.habit = () => ({ status: 500, body: { message: 'Down' } });
				await list(without(), { options });
				http.current.habit = () => undefined;
			},
		],
		[
			"Supercast's list does not show everyone",
			async () => {
				for (const { email } of NEW) http.current.add({ email });
				http.current.habit = ({ method, path }, service) =>
					method === 'GET' && path.length === 1
						? {
								status: 200,
								body: service.subscribers.filter(({ uuid }) => /u-/.test(String(uuid))),
							}
						: undefined;
				await list([...without(), ...NEW], { options });
				http.current.habit = () => undefined;
			},
		],
		['the run is refused', async () => await list(without(...EVERYONE.slice(2)), { options })],
		[
			'an item is invalid',
			async () =>
				await list(
					[...without(), { email: 'Loading...' }],
					{ options },
					{ onError: 'stopWorkflow' },
				),
		],
		['it is a dry run', async () => await list(without(), { options, dryRun: true })],
	])('a list that has someone starts the counting again, also if %s', async (_, between) => {
		await withListBetween(between);
		expect(stateOf(1)).toBe('available');
		await list(without(1), { options });
		expect(stateOf(1)).toBe('deactivated');
	});

	it('also if it is skipped, because an earlier list is still at work', async () => {
		const [, skipped] = await Promise.all([
			list(without(1), { options }),
			list(without(), { options }),
		]);
		expect(hintsOf(skipped)).toContain('so this one did nothing');
		await list(without(1), { options });
		expect(stateOf(1)).toBe('available');
	});

	it('a daily list closes, and a weekly one says that it needs Close After 1', async () => {
		await list(without(1), { options });
		dates.pass(25 * 60);
		await list(without(1), { options });
		expect(stateOf(1)).toBe('deactivated');
		await list(without(1, 2), { options });
		dates.pass(7 * 24 * 60);
		const result = await list(without(1, 2), { options });
		expect(stateOf(2)).toBe('available');
		expect(hintsOf(result)).toContain("set 'Close After (Lists)' to 1");
		expect(String(summaryOf(result).text)).toContain("set 'Close After (Lists)' to 1");
	});
});

describe('times are compared as times:', () => {
	const LONG_AGO = Date.UTC(2025, 5, 1, 12);
	const GONE = [1];

	/** How Supercast shows the times of a record. */
	const shows =
		(inList: (record: IDataObject) => IDataObject, inRecord = inList): Habit =>
		(request, service) => {
			if (request.method !== 'GET') return undefined;
			const { status, body } = service.usual(request);
			if (Array.isArray(body)) return { status, body: body.map(inList) };
			return { status, body: inRecord(body as IDataObject) };
		};

	it.each<[string, Habit]>([
		['created_at is null', shows((one) => ({ ...one, created_at: null }))],
		['created_at is in milliseconds', shows((one) => ({ ...one, created_at: LONG_AGO }))],
		[
			'updated_at has another form in the list than in the record',
			shows(
				(one) => ({ ...one, updated_at: '2025-06-01T12:00:00.250Z' }),
				(one) => ({ ...one, updated_at: '2025-06-01 14:00:00 +0200' }),
			),
		],
		[
			'updated_at is only in the record',
			shows(
				(one) => ({ ...one, updated_at: undefined }),
				(one) => one,
			),
		],
	])('a feed closes although %s', async (_, habit) => {
		addMembers();
		http.current.habit = habit;
		await list(without(...GONE));
		await list(without(...GONE));
		expect(stateOf(1)).toBe('deactivated');
	});

	it('a list whose times nobody can read closes nobody, and the title and the hint say so', async () => {
		addMembers();
		http.current.habit = shows((one) => ({
			...one,
			created_at: '31/05/2025',
			updated_at: '31/05/2025',
		}));
		await list(without(...GONE));
		const result = await list(without(...GONE));
		expect(stateOf(1)).toBe('available');
		expect(titleOf(result)).toContain('no feed may close');
		expect(hintsOf(result)).toContain('such as "31/05/2025"');
		const options = { graceHours: 0 };
		await list(without(...GONE), { options });
		await list(without(...GONE), { options });
		expect(stateOf(1)).toBe('deactivated');
	});

	it.each(['customer_id', 'state', 'updated_at', 'plan_id'])(
		'a feed closes although a single record does not show %s',
		async (field) => {
			addMembers();
			const lacking = (one: IDataObject): IDataObject => ({ ...one, [field]: undefined });
			http.current.habit = shows((one) => one, lacking);
			await list(without(...GONE));
			await list(without(...GONE));
			expect(http.current.find('u-1')?.state).toBe('deactivated');
		},
	);

	it('a subscriber whose state reads inactive is closed, and reopens as a member', async () => {
		addMembers((index) => (index === 1 ? { state: 'inactive' } : {}));
		const result = await list(without());
		expect(stateOf(1)).toBe('available');
		expect(summaryOf(result).numbers).toMatchObject({ reopened: 1, unchanged: 29, kept: 0 });
	});

	it('what Sync itself has just written makes no list unexpected', async () => {
		addMembers(() => ({ customer_id: null }));
		await list(without());
		expect(http.current.changes).toHaveLength(30);
		dates.pass(-5 + 0.5);
		const result = await list(without());
		expect(hintsOf(result)).not.toContain('not as expected');
		expect(titleOf(result)).toBe('Supercast: no feed had to open or close');
	});
});

describe('what Supercast shows differently than it was written', () => {
	const stores =
		(change: IDataObject): Habit =>
		(request, service) =>
			request.method === 'PATCH' && request.path[0] === 'subscribers'
				? service.usual({ ...request, fields: { ...request.fields, ...change } })
				: undefined;

	/** A list on which one member may differ from Supercast. */
	const withFirst = (differs: IDataObject): IDataObject[] =>
		without().map((row, index) => ({ ...row, name: 'Ann', ...(index === 0 ? differs : {}) }));
	const parameters = { additionalFields: { firstName: '={{ $json.name }}' } };

	it.each([
		['capitals', 'mcAllister', 'Mcallister'],
		['shortened', 'Maximiliane', 'Maxi'],
		['ignored', 'New', 'Ann'],
	])('is written once, until the list has another value: %s', async (_, name, stored) => {
		addMembers();
		http.current.habit = stores({ first_name: stored });
		const first = await list(withFirst({ name }), parameters);
		expect(summaryOf(first).numbers).toMatchObject({ updated: 0, failed: 0 });
		expect(titleOf(first)).toContain('1 shown differently');
		expect(hintsOf(first)).toContain('m0@a.com (first_name)');
		const { length } = http.current.changes;
		for (let count = 0; count < 3; count++) {
			const next = await list(withFirst({ name }), parameters);
			expect(summaryOf(next).numbers).toMatchObject({ updated: 0, failed: 0 });
			expect(titleOf(next)).toBe('Supercast: no feed had to open or close');
			expect(hintsOf(next)).toContain('Supercast shows other values than the node wrote: 1');
		}
		expect(http.current.changes).toHaveLength(length);
		http.current.habit = () => undefined;
		const result = await list(withFirst({ name: 'Other' }), parameters);
		expect(summaryOf(result).numbers).toMatchObject({ updated: 1 });
	});

	it('is written once, also if no response to a change shows it', async () => {
		addMembers();
		http.current.changesShow = 'nothing';
		http.current.habit = stores({ first_name: 'Mcallister' });
		await list(withFirst({ name: 'mcAllister' }), parameters);
		const { length } = http.current.changes;
		const next = await list(withFirst({ name: 'mcAllister' }), parameters);
		expect(hintsOf(next)).toContain('m0@a.com (first_name)');
		expect(http.current.changes).toHaveLength(length);
	});

	it('an email that a member must confirm first is sent once', async () => {
		addMembers();
		http.current.habit = stores({ email: 'm0@a.com' });
		const rows = withFirst({ email: 'new@a.com' });
		const first = await list(rows);
		expect(summaryOf(first).numbers).toMatchObject({ updated: 0, failed: 0 });
		expect(hintsOf(first)).toContain('m0@a.com (email)');
		const { length } = http.current.changes;
		for (let count = 0; count < 3; count++) {
			expect(summaryOf(await list(rows)).numbers).toMatchObject({ updated: 0, failed: 0 });
		}
		expect(http.current.changes).toHaveLength(length);
	});

	it('a customer ID that Supercast ignores is written once, and the hint says what follows', async () => {
		addMembers(() => ({ customer_id: null }));
		http.current.habit = stores({ customer_id: null });
		const first = await list(without());
		expect(summaryOf(first).numbers).toMatchObject({ updated: 0 });
		const { length } = http.current.changes;
		const result = await list(without());
		expect(http.current.changes).toHaveLength(length);
		expect(hintsOf(result)).toContain('Sync cannot close the feeds of 30 members');
	});
});
