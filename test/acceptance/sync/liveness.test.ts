import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast, type RunOptions, type RunResult } from '../../harness/engine';
import { type Answer, type Habit, MISSING } from '../../doubles/supercast';
import { useHttpSupercast } from '../../doubles/httpSupercast';
import { hintsOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useLaterDates } from '../../support/laterDates';

const http = useHttpSupercast();
const dates = useLaterDates();
useQuickRuntime({ backoffMs: 1, windowMs: 100, visibleMs: 5 });

const EVERYONE = Array.from({ length: 30 }, (_, index) => index);

/** Members long known to Supercast. */
function addMembers(): void {
	for (const index of EVERYONE) {
		const id = `c-${index + 1}`;
		http.current.add({ email: `m${index}@a.com`, uuid: `u-${index}`, customer_id: id });
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
			...{ resource: 'subscriber', operation: 'sync', dryRun: false, close: 'withCustomerId' },
			customerId: '={{ $json.id }}',
			...parameters,
			options: { closeAfter: 2, ...(parameters.options as INodeParameters) },
		},
		credential: http.credential,
		items,
		onError: 'continueRegularOutput',
		...options,
	});
}

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

	it.each(Object.entries(never))('keeps nobody else open, and is named: %s', async (_, habit) => {
		addMembers();
		http.current.habit = habit;
		await list(without(0));
		await list(without(0, 1));
		const result = await list(without(0, 1));
		expect([stateOf(0), stateOf(1)]).toEqual(['available', 'deactivated']);
		expect(JSON.stringify(result.output)).toContain('m0@a.com');
	});
});

describe('a list is what was read from its source, once:', () => {
	const readAgo = (minutes: number): Partial<RunOptions> => ({
		mode: 'manual',
		readAt: Date.now() + 5 * 60_000 - minutes * 60_000,
	});
	beforeEach(() => addMembers());

	it('items that n8n read long before close nobody, and the report says what to do', async () => {
		await list(without(1), {}, readAgo(30));
		const result = await list(without(1), {}, readAgo(35));
		expect(stateOf(1)).toBe('available');
		expect(hintsOf(result)).toContain('is older than five minutes');
		expect(hintsOf(result)).toContain('Run the whole workflow');
	});

	it('the same items do not count twice', async () => {
		await list(without(1), {}, readAgo(0));
		dates.pass(-3);
		await list(without(1), {}, readAgo(2));
		expect(stateOf(1)).toBe('available');
		await list(without(1));
		expect(stateOf(1)).toBe('deactivated');
	});

	it('pinned items close nobody, with Close After 1 too', async () => {
		const pinned: Partial<RunOptions> = { mode: 'manual', isPinned: true };
		const result = await list(without(1), { options: { closeAfter: 1 } }, pinned);
		expect(stateOf(1)).toBe('available');
		expect(hintsOf(result)).toContain('Unpin the data');
	});

	it.each([
		[30, 'available'],
		[2, 'deactivated'],
	])('a retry with items of %i minutes ago: who is not on it is %s', async (minutes, state) => {
		const retry: Partial<RunOptions> = { ...readAgo(minutes), mode: 'retry' };
		await list(without(1), { options: { closeAfter: 1 } }, retry);
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
		await list(without(1), { options: { closeAfter: 1 } }, slow);
		expect(stateOf(1)).toBe('available');
	});
});

describe('a list that has someone starts the counting again, also if', () => {
	beforeEach(() => addMembers());

	it.each<[string, () => Promise<unknown>]>([
		[
			'Supercast is down',
			async () => {
				http.current.habit = () => ({ status: 500, body: { message: 'Down' } });
				await list(without());
				http.current.habit = () => undefined;
			},
		],
		['the run is refused', async () => await list(without(), { customerId: '=x-{{ $json.id }}' })],
		['an item is invalid', async () => await list([...without(), { email: 'Loading...' }])],
		['it is a dry run', async () => await list(without(), { dryRun: true })],
	])('%s', async (_, between) => {
		await list(without(1));
		await between();
		await list(without(1));
		expect(stateOf(1)).toBe('available');
		await list(without(1));
		expect(stateOf(1)).toBe('deactivated');
	});

	it('it is skipped, because an earlier list is still at work', async () => {
		const [, skipped] = await Promise.all([list(without(1)), list(without())]);
		expect(hintsOf(skipped)).toContain('did nothing');
		await list(without(1));
		expect(stateOf(1)).toBe('available');
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
});
