import fc from 'fast-check';
import type {
	IDataObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeParameters,
} from 'n8n-workflow';

import { runSupercast } from '../../harness/engine';
import { readList } from '../../../nodes/Supercast/operations/lists';
import { resources } from '../../../nodes/Supercast/resources';
import { episode } from '../../../nodes/Supercast/resources/episode';
import { PROFILES, type ProfileName } from '../../../simulators/supercast';
import type { ListKey } from '../../../simulators/supercast/data/lists';
import { shareOf } from '../../support/deep';
import { testFaults, useFaultySandbox } from '../../support/faultMatrix';
import { addMembers, hintsOf, memberListOf, runSync } from '../../support/members';
import { clientOf, everySequence, freshClock, useVirtualClock } from '../../support/quarrel';
import { SimulatedList } from '../../doubles/simulatedList';
import { quickProfile, useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';
import { raiseAlertsIn, TriggerServer } from '../../support/triggerServer';

describe('short pages', () => {
	const sandbox = useSandbox({ subscribers: 250 });
	useQuickRuntime({ backoffMs: 2, visibleMs: 10, lateMs: 20 });

	/** Page 2 has only some of its records, although `X-Total` stays. */
	function cut(keep: number, times?: number): void {
		const often = times === undefined ? { share: 1 } : { times };
		sandbox.current.controls.addFaults({
			kind: 'answer',
			when: 'after',
			keep,
			path: '/subscribers',
			query: { page: '2' },
			...often,
		});
	}

	async function run(parameters: INodeParameters) {
		return await runSupercast({
			parameters: { resource: 'subscriber', ...parameters },
			credential: credentialOf(sandbox.current),
		});
	}

	/** A person on page 2, who is known by customer ID. */
	function someone() {
		const person = sandbox.current.state.subscribers.at(-60)!;
		return Object.assign(person, { customer_id: 'c-1', state: 'available' });
	}

	describe.each([0, 40])('a page of the list that has only %d records', (keep) => {
		const closings = [
			['feed', 'deactivate'],
			['feed', 'suspend'],
			['subscriber', 'delete'],
		] as const;
		const parameters = (resource: string, operation: string): INodeParameters => ({
			resource,
			operation,
			subscriber: { __rl: true, mode: 'customerId', value: 'c-1' },
			options: { ifMissing: 'succeed' },
		});

		it.each(closings)('once does not hide a member from %s: %s', async (resource, operation) => {
			const { email } = someone();
			const feed = sandbox.current.state.feedUrl(email);
			expect(await feedStatus(feed)).toBe(200);
			cut(keep, 1);
			const { output, error } = await run(parameters(resource, operation));
			expect(error).toBeUndefined();
			expect(output[0]!.json).not.toHaveProperty('alreadyMissing');
			expect(await feedStatus(feed)).not.toBe(200);
		});

		it.each(closings)(
			'every time does not convince %s: %s that nobody is there',
			async (resource, operation) => {
				someone();
				cut(keep);
				const { output, error } = await run(parameters(resource, operation));
				expect(output).toEqual([]);
				expect(error?.message).toContain('could not determine whether a subscriber has');
			},
		);

		it('once costs Return All no record', async () => {
			cut(keep, 1);
			const { output } = await run({ operation: 'getAll', returnAll: true });
			expect(output).toHaveLength(250);
		});

		it.each([
			['Return All', { returnAll: true }],
			['a limit beyond it', { returnAll: false, limit: 240 }],
			['a filter', { returnAll: true, filters: { state: ['available'] } }],
		])('every time makes Get Many fail with %s', async (_, more) => {
			cut(keep);
			const { output, error } = await run({ operation: 'getAll', ...more });
			expect(output).toEqual([]);
			expect(error?.message).toMatch(/^Supercast sent only \d+ of 250 subscribers$/);
		});

		it('once does not keep Sync from closing', async () => {
			sandbox.current.reset();
			const rows = addMembers(sandbox.current, 40);
			const list = memberListOf(
				[...sandbox.current.state.subscribers].filter((one) => one !== rows[0]),
			);
			cut(keep, 1);
			const result = await runSync(sandbox.current, list, { maxClosePercent: 50 });
			expect(hintsOf(result)).not.toContain('closes no feeds');
			expect(rows[0]!.state).toBe('deactivated');
		});
	});

	it.each(['0', '50'])('Return All returns everyone, although X-Total is %s', async (total) => {
		sandbox.current.controls.addFaults({
			kind: 'answer',
			when: 'after',
			headers: { 'X-Total': total },
			path: '/subscribers',
			share: 1,
		});
		const { output, error } = await run({ operation: 'getAll', returnAll: true });
		expect(error).toBeUndefined();
		expect(output).toHaveLength(250);
	});

	describe('if a counted total is too low, and reached at the end of a full page', () => {
		beforeEach(() => {
			sandbox.current.controls.addFaults({
				kind: 'answer',
				when: 'after',
				headers: { 'X-Total': '100' },
				path: '/',
				share: 1,
			});
		});

		it.each<[string, INodeParameters]>([
			['Return All', { returnAll: true }],
			['a limit', { returnAll: false, limit: 101 }],
			['an order', { returnAll: false, limit: 101, options: { sort: 'oldest' } }],
			['a filter', { returnAll: true, filters: { emailContains: '@' } }],
		])('Get Many with %s returns the others too', async (_, parameters) => {
			const { output } = await run({ operation: 'getAll', ...parameters });
			const all = parameters.returnAll === true ? 250 : 101;
			expect(new Set(output.map(({ json }) => json.uuid)).size).toBe(all);
		});
	});

	it('Get Many returns every usage alert, although each carries the uuid of its subscriber', async () => {
		const alerts = [1, 2, 3].map((id) => ({ id, uuid: 'u-1', message: 'shared' }));
		sandbox.current.controls.addFaults({
			kind: 'answer',
			body: alerts,
			path: '/usage_alerts',
			share: 1,
		});
		const { output } = await run({ resource: 'usageAlert', operation: 'getAll' });
		expect(output.map(({ json }) => json.id)).toEqual([1, 2, 3]);
	});
});

describe('fetches that fail', () => {
	testFaults(useFaultySandbox(), ['read', 'list']);
});

describe('any list', () => {
	useVirtualClock();

	/** Undocumented details of a list, and what happens to it while it is read. */
	interface Manners {
		/** The most entries that a page has. */
		cap: number;
		/** Whether `X-Per-Page` says how many entries a page has, or how many were requested. */
		headers: 'all' | 'echo';
		wrap: 'data' | 'each' | 'name' | 'none';
		/** How many entries of the list are null. */
		nulls: number;
		/** Deletes the record at `index` before a request. Past the end, `index` begins again at 0. */
		deletions: Array<{ before: number; index: number }>;
		/** Whether records have an empty text as their uuid. */
		hasEmptyUuids: boolean;
	}

	const manners: fc.Arbitrary<Manners> = fc.record({
		cap: fc.integer({ min: 2, max: 30 }),
		headers: fc.constantFrom('all', 'echo'),
		wrap: fc.constantFrom('data', 'each', 'name', 'none'),
		nulls: fc.nat({ max: 3 }),
		deletions: fc.array(fc.record({ before: fc.nat({ max: 20 }), index: fc.nat({ max: 100 }) }), {
			maxLength: 6,
		}),
		hasEmptyUuids: fc.boolean(),
	});

	/** A list with IDs from 0 on, and the IDs that were deleted from it. */
	function listOf(count: number, { cap, headers, nulls, deletions, hasEmptyUuids }: Manners) {
		const list = new SimulatedList({ order: 'oldest', cap, headers }, 'number');
		const uuid = hasEmptyUuids ? '' : undefined;
		for (let id = 0; id < count; id++) list.create(1, 0, { id, uuid });
		for (let n = 0; n < nulls; n++) list.records.splice((n * 7) % (count + 1), 0, {});
		const deleted = new Set<unknown>();
		list.beforePage = (request) => {
			for (const { index } of deletions.filter(({ before }) => before === request - 1)) {
				const [record] = list.records.splice(index % Math.max(1, list.records.length), 1);
				deleted.add(record?.id);
			}
		};
		return { list, deleted };
	}

	/** Responds with a page as n8n's request helper does. A record without an ID is null. */
	async function answerOf(
		list: SimulatedList,
		wrap: Manners['wrap'],
		{ qs }: IHttpRequestOptions,
	): Promise<IN8nHttpFullResponse> {
		const { page, per_page: asked } = qs as { page: number; per_page: number };
		const { records, perPage, total } = await list.fetchPage(page, asked);
		const entries = records.map((record) => ('id' in record ? record : null));
		const bodies = {
			data: { data: entries },
			each: entries.map((episode) => episode && { episode }),
			name: { episodes: entries },
			none: entries,
		};
		return {
			statusCode: 200,
			headers: {
				'x-page': String(page),
				'x-per-page': String(perPage),
				'x-total': String(total),
			},
			body: bodies[wrap] as IDataObject,
		};
	}

	it('a list returns each remaining record once, whatever is deleted and whatever the headers say', async () => {
		const sequences = fc.tuple(fc.nat({ max: 90 }), manners);
		await everySequence(sequences, async ([count, own]) => {
			const clock = freshClock();
			const { list, deleted } = listOf(count, own);
			const answer = async (options: IHttpRequestOptions) =>
				await answerOf(list, own.wrap, options);
			const client = await clientOf({ answer });
			const { taken } = await clock.run(readList(client, episode.kind, {}));
			const ids = taken.map(({ id }) => id);
			expect(new Set(ids).size).toBe(ids.length);
			const staying = Array.from({ length: count }, (_, id) => id).filter((id) => !deleted.has(id));
			expect(ids).toEqual(expect.arrayContaining(staying));
			expect(list.requests).toBeLessThan(5 * Math.ceil((count + 3) / Math.min(own.cap, 30)) + 30);
		});
	});
});

describe('a Supercast that differs', () => {
	const EMAIL = 'member@example.com';

	/** The resources with Get Many, and the sandbox's lists of their records. */
	const LISTS = Object.entries(resources)
		.filter(([, { operations }]) => 'getAll' in operations)
		.map(([key]) => [key, `${key}s` as ListKey] as const);

	useQuickRuntime({ backoffMs: 5, visibleMs: 60 });

	const profiles = Object.keys(PROFILES) as ProfileName[];

	describe.each(profiles)('against a Supercast of the profile %s', (profile) => {
		let later = 0;
		const now = (): number => Date.now() + later;
		const sandbox = useSandbox({
			...quickProfile(profile),
			now,
			subscribers: 60,
			episodes: 40,
			usageAlerts: 15,
		});
		beforeEach(() => (later = 0));

		async function run(parameters: INodeParameters): Promise<IDataObject[]> {
			const credential = credentialOf(sandbox.current);
			const { output, error } = await runSupercast({ parameters, credential });
			expect(error).toBeUndefined();
			// A new record may show only after a while.
			later += 5_000;
			return output.map(({ json }) => json);
		}

		const at = profiles.indexOf(profile);

		it.each(shareOf(LISTS, at, 3))('Get Many reads every %s once', async (resource, name) => {
			const records = await run({
				resource,
				operation: 'getAll',
				returnAll: true,
				simplify: false,
			});
			const names = (rows: ReadonlyArray<object>): string[] =>
				rows.map((row) => String((row as IDataObject).id)).sort();
			expect(names(records)).toEqual(names(sandbox.current.state[name]));
		});

		it.each(shareOf([1, 8, 33], at, 3))('Get Many stops at a limit of %i', async (limit) => {
			const parameters = { resource: 'subscriber', operation: 'getAll', returnAll: false, limit };
			const records = await run(parameters);
			expect(new Set(records.map(({ email }) => email)).size).toBe(limit);
		});

		const upsert = async (additionalFields: INodeParameters): Promise<IDataObject> => {
			const options = { reactivate: true };
			const parameters = { resource: 'subscriber', operation: 'upsert', email: EMAIL };
			const [outcome] = await run({ ...parameters, additionalFields, options });
			return outcome ?? {};
		};
		const members = () => sandbox.current.state.subscribers.filter(({ email }) => email === EMAIL);

		it('Create or Update makes one subscriber, changes what differs, and opens the feed again', async () => {
			const fields = { firstName: 'Ann', customerId: 'c-1' };
			expect(await upsert(fields)).toMatchObject({ action: 'created', email: EMAIL });
			expect(members()).toMatchObject([{ first_name: 'Ann', customer_id: 'c-1' }]);
			expect(await upsert(fields)).toMatchObject({ action: 'unchanged', email: EMAIL });
			const changed = await upsert({ ...fields, lastName: 'Lee' });
			expect(changed).toMatchObject({ action: 'updated', email: EMAIL, last_name: 'Lee' });

			sandbox.current.controls.setState(EMAIL, 'deactivated');
			const url = sandbox.current.state.feedUrl(EMAIL);
			expect(await feedStatus(url)).toBe(403);
			const opened = await upsert(fields);
			expect(opened).toMatchObject({ action: 'updated', state: 'available', feed_urls: [url] });
			expect(await feedStatus(url)).toBe(200);
			expect(members()).toMatchObject([{ first_name: 'Ann', last_name: 'Lee' }]);
		});

		it('a delete closes the feed, and reports when there is nobody to delete', async () => {
			const { email } = sandbox.current.state.subscribers[7] ?? {};
			const url = sandbox.current.state.feedUrl(email ?? '');
			const subscriber = { __rl: true, mode: 'email', value: email ?? '' };
			const parameters = { resource: 'subscriber', operation: 'delete', subscriber };
			const options = { ifMissing: 'succeed' };
			expect(await run({ ...parameters, options })).toEqual([{ deleted: true, email }]);
			expect(await feedStatus(url)).toBe(403);
			const again = { deleted: false, alreadyMissing: true, email };
			expect(await run({ ...parameters, options })).toEqual([again]);
			expect(sandbox.current.state.subscribers).toHaveLength(59);
		});

		it('the trigger announces each new record once', async () => {
			const server = new TriggerServer(sandbox.current);
			await server.activate();
			const ids = raiseAlertsIn(sandbox.current, 9);
			const items = (await server.poll()) ?? [];
			expect(items.map(({ id }) => String(id)).sort()).toEqual(ids.map(String).sort());
			expect(await server.poll()).toBeNull();
		});

		it('the trigger announces each new subscriber once, with fields that identify them', async () => {
			const parameters = { event: 'subscriberCreated' };
			const server = new TriggerServer(sandbox.current, { parameters });
			await server.activate();
			const added = sandbox.current.controls.addRecords('subscribers', 12) as IDataObject[];
			const items = (await server.poll()) ?? [];
			const emails = (rows: IDataObject[]): unknown[] => rows.map(({ email }) => email).sort();
			expect(emails(items)).toEqual(emails(added));
			expect(await server.poll()).toBeNull();
		});
	});
});
