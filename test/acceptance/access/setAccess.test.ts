import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type RunOptions, type RunResult, runSupercast } from '../../harness/engine';
import { type FaultSpec, PROFILES, type ProfileName } from '../../../simulators/supercast';
import { isDeep, someOf } from '../../support/deep';
import { testFaults, useFaultySandbox } from '../../support/faultMatrix';
import { type HttpServer, startHttpServer } from '../../support/httpServer';
import {
	accessItem,
	actionsOf,
	addMembers,
	memberListOf,
	runSetAccess,
	runSync,
	SET_ACCESS,
	writesOf,
} from '../../support/members';
import { quickProfile, useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';

describe('a member who joins, leaves and returns', () => {
	const others = Object.keys(PROFILES).filter((name) => name !== 'hostile') as ProfileName[];

	useQuickRuntime({ backoffMs: 5, visibleMs: 60 });

	// The hardest profile suffices in each run of `npm test`: the story is the same.
	describe.each(someOf(['hostile' as const, undefined, ...others], 1))(
		'with the profile %s',
		(profile) => {
			let later = 0;
			const now = (): number => Date.now() + later;
			const sandbox = useSandbox({ ...quickProfile(profile), now, subscribers: 0 });
			beforeEach(() => (later = 0));

			it.each([
				['email and ID', { email: 'ann@example.com', id: 'c-1' }],
				['email in other letters', { email: ' ANN@example.com ', id: '' }],
				['ID', { email: '', id: 'c-1' }],
			])('has an open feed only meanwhile, known by %s', async (_, names) => {
				const run = async (item: IDataObject) => {
					const { output, error } = await runSetAccess(sandbox.current, [item]);
					expect(error).toBeUndefined();
					later += 5_000;
					return output[0]!.json;
				};
				const member = { access: 'open', email: 'ann@example.com', id: 'c-1' };
				const joined = await run(member);
				expect(joined).toMatchObject({ action: 'created', previousState: null, attention: null });
				expect(joined.changes).toMatchObject({ customer_id: { from: null, to: 'c-1' } });
				const [url] = joined.feed_urls as string[];
				expect(await feedStatus(url)).toBe(200);
				const story = [
					['open', 'unchanged', 'available', {}, 200],
					['close', 'closed', 'deactivated', { from: 'available', to: 'deactivated' }, 403],
					['close', 'unchanged', 'deactivated', {}, 403],
					['open', 'reopened', 'available', { from: 'deactivated', to: 'available' }, 200],
				] as const;
				for (const [access, action, state, changed, status] of story) {
					const told = await run({ ...names, access });
					expect(told).toMatchObject({ access, action, state, attention: null });
					expect(told.changes).toEqual('from' in changed ? { state: changed } : {});
					if ('from' in changed) expect(told.previousState).toBe(changed.from);
					expect(await feedStatus(url)).toBe(status);
				}
				expect(writesOf(sandbox.current)).toHaveLength(3);
			});
		},
	);
});

describe('faults of Supercast', () => {
	const sandbox = useSandbox({ subscribers: 0, logSize: 100_000 });
	useQuickRuntime({ backoffMs: 1, visibleMs: 60, windowMs: 100, lateMs: 300 });

	const run = async (items: IDataObject[], more: Partial<RunOptions> = {}): Promise<RunResult> =>
		await runSetAccess(sandbox.current, items, more);

	describe('faults', () => {
		const faults: Array<[string, FaultSpec]> = (['before', 'after'] as const).flatMap((when) =>
			[
				{ kind: 'status' as const, status: 503 },
				{ kind: 'status' as const, status: 429 },
				{ kind: 'reset' as const },
				{ kind: 'truncated' as const },
				{ kind: 'html' as const, status: 502 },
			].map((fault): [string, FaultSpec] => [
				`${fault.kind} ${fault.status ?? ''} ${when}`,
				{ ...fault, when, share: 0.2, seed: 7 },
			]),
		);

		it.each(
			someOf(
				faults.filter(([name]) => name !== 'status 429 after'),
				2,
			),
		)('change nothing of the result: %s at 20 %%', async (_, fault) => {
			const members = addMembers(sandbox.current, 30, (index) =>
				index % 3 === 0 ? { state: 'deactivated' } : {},
			);
			const items = [
				...members.map((one, index) => accessItem(index % 3 === 1 ? 'close' : 'open', one)),
				...Array.from({ length: 10 }, (_, index) => ({
					access: 'open',
					email: `new.${index}@example.com`,
					id: `n-${index}`,
				})),
			];
			sandbox.current.controls.addFaults(fault);
			const { output, error } = await run(items);
			sandbox.current.controls.clearFaults();
			expect(error).toBeUndefined();
			expect(output).toHaveLength(40);
			for (const [index, { access, email }] of items.entries()) {
				const state = sandbox.current.state.subscriber(String(email))?.state;
				expect([index, state]).toEqual([index, access === 'open' ? 'available' : 'deactivated']);
			}
			expect(sandbox.current.state.subscribers).toHaveLength(40);
			const again = await run(items);
			expect(new Set(actionsOf(again))).toEqual(new Set(['unchanged']));
		});
	});
});

describe('changes whose response is lost', () => {
	testFaults(useFaultySandbox(), ['change', 'suspend']);
});

describe('found by customer ID', () => {
	const sandbox = useSandbox({ subscribers: 250 });

	const byCustomerId = { __rl: true, mode: 'customerId', value: '={{ $json.customerId }}' };

	async function run(
		parameters: INodeParameters,
		items: IDataObject[],
		onError?: 'continueRegularOutput',
	) {
		return await runSupercast({
			parameters: { subscriber: byCustomerId, ...parameters },
			credential: credentialOf(sandbox.current),
			items,
			...(onError === undefined ? {} : { onError }),
		});
	}

	/** Gives the first subscribers customer IDs, as if a membership system had created them. */
	function giveIds(...ids: string[]) {
		const people = sandbox.current.state.subscribers.slice(-ids.length);
		return people.map((person, index) => Object.assign(person, { customer_id: ids[index] }));
	}

	function requestsTo(route: string): number {
		return Object.values(sandbox.current.stats().byRoute[route] ?? {}).reduce(
			(sum, n) => sum + n,
			0,
		);
	}

	describe('a subscriber named by customer ID', () => {
		it('is found with one fetch of the list for all items', async () => {
			const [ann, bob, cid] = giveIds('c-1', 'C-1', 'c 3');
			const { output, error } = await run({ resource: 'subscriber', operation: 'get' }, [
				{ customerId: 'c-1' },
				{ customerId: ' C-1 ' },
				{ customerId: 'c 3' },
				{ customerId: 'c-1' },
			]);
			expect(error).toBeUndefined();
			expect(output.map(({ json }) => json.email)).toEqual(
				[ann, bob, cid, ann].map((person) => person?.email),
			);
			expect(requestsTo('GET /subscribers')).toBe(3);
		});

		it.each([
			['subscriber', 'delete', {}, { deleted: true, customer_id: 'c-1' }],
			['subscriber', 'update', { updateFields: { firstName: 'Nora' } }, { first_name: 'Nora' }],
			['feed', 'get', {}, { state: 'available' }],
			['feed', 'suspend', {}, { state: 'suspended' }],
			['feed', 'deactivate', {}, { state: 'inactive' }],
			['feed', 'activate', {}, { state: 'available' }],
		])('is the one that %s: %s changes', async (resource, operation, parameters, expected) => {
			const [ann] = giveIds('c-1');
			Object.assign(ann!, { state: 'available' });
			const before = sandbox.current.state.subscribers.length;
			const { output, error } = await run({ resource, operation, ...parameters }, [
				{ customerId: 'c-1' },
			]);
			expect(error).toBeUndefined();
			expect(output.map(({ json }) => json)).toEqual([expect.objectContaining(expected)]);
			expect(sandbox.current.state.requests.at(-1)?.path).toContain(ann!.uuid);
			const after = sandbox.current.state.subscribers.length;
			expect(before - after).toBe(operation === 'delete' ? 1 : 0);
		});

		it('is an error when two have the ID, even if the subscriber may be missing', async () => {
			const people = giveIds('twin', 'twin');
			const { error } = await run(
				{ resource: 'subscriber', operation: 'delete', options: { ifMissing: 'succeed' } },
				[{ customerId: 'twin' }],
			);
			expect(error?.message).toBe(
				`2 subscribers have the customer ID "twin": ${people.map(({ email }) => email).join(', ')}`,
			);
			expect(requestsTo('DELETE /subscribers/:id')).toBe(0);
			expect(error?.description).toContain('by email or UUID');
		});

		it('is an error when nobody has the ID, and the other items are processed', async () => {
			const [ann] = giveIds('c-1');
			const { output } = await run(
				{ resource: 'subscriber', operation: 'delete' },
				[{ customerId: 'unknown' }, { customerId: 'c-1' }],
				'continueRegularOutput',
			);
			expect(output.map(({ json }) => json)).toEqual([
				{ error: expect.stringContaining('no subscriber with the customer ID "unknown" [item 0,') },
				{ deleted: true, customer_id: 'c-1' },
			]);
			expect(sandbox.current.state.subscriber(ann!.email)).toBeUndefined();
		});
	});
});

describe('other spellings', () => {
	const sandbox = useSandbox({ subscribers: 0 });
	useQuickRuntime({ backoffMs: 2, visibleMs: 10, lateMs: 20 });

	const COMPOSED = 'ren\u00e9@example.com';
	const DECOMPOSED = 'rene\u0301@example.com';

	const byEmail = (value: string) => ({ __rl: true, mode: 'email', value });

	async function run(parameters: INodeParameters, credential = credentialOf(sandbox.current)) {
		return await runSupercast({
			parameters: { resource: 'subscriber', ...parameters },
			credential,
		});
	}

	it('two spellings of one accent are one person in Sync', async () => {
		const rows = addMembers(sandbox.current, 20, (index) =>
			index === 0 ? { email: COMPOSED, customer_id: null } : {},
		);
		const items = memberListOf(rows);
		items[0] = { email: DECOMPOSED, id: '' };
		const { error } = await runSync(sandbox.current, items, { close: 'all' });
		expect(error).toBeUndefined();
		expect(writesOf(sandbox.current)).toEqual([]);
	});

	it('two spellings of one accent are one person in Create or Update', async () => {
		await run({ operation: 'create', email: COMPOSED });
		const { output } = await run({ operation: 'upsert', email: DECOMPOSED });
		expect(output[0]!.json).toMatchObject({ action: 'unchanged', email: COMPOSED });
		expect(sandbox.current.state.subscribers).toHaveLength(1);
	});

	describe('a subscriber whose email is stored in another spelling', () => {
		let server: HttpServer | undefined;
		afterEach(async () => await server?.close());

		it.each([
			['composed', DECOMPOSED, COMPOSED],
			['decomposed', COMPOSED, DECOMPOSED],
			['in Punycode', 'ann@b\u00fccher.example', 'ann@xn--bcher-kva.example'],
		])('%s is deleted once, and the delete succeeds', async (_, typed, stored) => {
			server = await startHttpServer((_request, response) => {
				response.writeHead(200, { 'content-type': 'application/json' });
				response.end(JSON.stringify({ email: stored, first_name: 'Ann' }));
			});
			const credential = {
				...credentialOf(sandbox.current),
				baseUrl: `${server.origin}/api/v1`,
			};
			const { output, error } = await run(
				{ operation: 'delete', subscriber: byEmail(typed), options: { maxWaitSeconds: 1 } },
				credential,
			);
			expect(error).toBeUndefined();
			expect(output[0]!.json).toMatchObject({ deleted: true });
			expect(server.received).toHaveLength(1);
		});
	});
});

describe('requests for an event', () => {
	const sandbox = useSandbox({ subscribers: 0, logSize: 100_000 });

	const sizes = isDeep ? [100, 2_000, 10_000, 50_000] : [100, 300];

	const requests = (): number => sandbox.current.stats().requests;

	const pagesOf = (size: number): number => Math.ceil(size / 100);

	/** Runs one event in an execution. Returns what was done, and how many requests it took. */
	async function costOf(item: IDataObject): Promise<[unknown, number]> {
		const before = requests();
		const [action] = actionsOf(await runSetAccess(sandbox.current, [item]));
		return [action, requests() - before];
	}

	describe.each(sizes)('with %d subscribers, an event takes', (size) => {
		it('as few requests as with any other number, once the list has been read', async () => {
			const members = addMembers(sandbox.current, size - 1);
			const [known, back, changed, leaver, named, idOnly] = members;
			for (const one of [back, changed]) one!.state = 'deactivated';
			const open = (person = known!): IDataObject => ({
				...{ access: 'open', email: person.email, id: person.customer_id },
			});
			const join = { access: 'open', email: 'new@example.com', id: 'c-new' };
			expect(await costOf(join)).toEqual(['created', 2 + pagesOf(size)]);
			const table = [
				await costOf({ ...join, email: 'newer@example.com', id: 'c-newer' }),
				await costOf({ ...join, email: 'newest@example.com', id: '' }),
				await costOf(open()),
				await costOf({ ...open(), email: '' }),
				await costOf(open(back)),
				await costOf({ ...open(changed), id: 'c-changed' }),
				await costOf({ ...open(leaver), access: 'close' }),
				await costOf({ ...open(named), access: 'close', email: '' }),
				await costOf({ access: 'open', id: 'c-unknown' }),
				await costOf({ ...open(idOnly), email: 'moved@example.com' }),
			];
			expect(table).toEqual([
				['created', 2],
				['created', 2],
				['unchanged', 1],
				['unchanged', 1],
				['reopened', 3],
				['reopened', 4],
				['closed', 3],
				['closed', 3],
				['kept', 0],
				['updated', 3],
			]);
		});

		it('no fetch of the list, if Sync has read it', async () => {
			const members = addMembers(sandbox.current, size);
			await runSync(sandbox.current, [{ email: members[0]!.email, id: members[0]!.customer_id }], {
				close: 'none',
			});
			const join = { access: 'open', email: 'new@example.com', id: 'c-new' };
			expect(await costOf(join)).toEqual(['created', 2]);
		});
	});

	it('many events at the same time share one fetch of the list', async () => {
		const count = isDeep ? 240 : 40;
		addMembers(sandbox.current, 500);
		const events = Array.from({ length: count }, (_, number) => ({
			...{ access: 'open', email: `new.${number}@example.com`, id: `c-new-${number}` },
		}));
		const results = await Promise.all(
			events.map(async (item) => await runSetAccess(sandbox.current, [item])),
		);
		expect(results.flatMap(actionsOf)).toEqual(events.map(() => 'created'));
		// The last of 5 pages is full, so one more shows that nobody follows.
		expect(requests()).toBe(6 + 2 * count);
	});
});

describe('requests for an operation', () => {
	const sandbox = useSandbox({ subscribers: 0, usageAlerts: 0, episodes: 0 });

	const by = (mode: string, value: string) => ({ __rl: true, mode, value });
	const ann = by('email', '={{ $json.known }}');
	const first = by('id', '={{ $json.first }}');
	const of = (
		resource: string,
		operation: string,
		more: INodeParameters = {},
	): INodeParameters => ({
		...{ resource, operation },
		...more,
	});
	const updateFields = { firstName: 'Bea' };
	const email = 'new@example.com';

	/**
	 * How many requests each operation takes if Supercast's response shows the change. The numbers were
	 * the same before changes were confirmed (decision 0012).
	 */
	const TABLE: Array<[string, INodeParameters, number]> = [
		['Subscriber: Create', of('subscriber', 'create', { email }), 1],
		['Subscriber: Create or Update, new', of('subscriber', 'upsert', { email }), 2],
		[
			'Subscriber: Create or Update, known',
			of('subscriber', 'upsert', { email: '={{ $json.known }}', additionalFields: updateFields }),
			3,
		],
		['Subscriber: Get', of('subscriber', 'get', { subscriber: ann }), 1],
		['Subscriber: Update', of('subscriber', 'update', { subscriber: ann, updateFields }), 1],
		['Subscriber: Delete', of('subscriber', 'delete', { subscriber: ann }), 1],
		[
			'Set Access: Open, known',
			{ ...SET_ACCESS, access: 'open', email: '={{ $json.known }}', customerId: '' },
			1,
		],
		[
			'Set Access: Close, known',
			{ ...SET_ACCESS, access: 'close', email: '={{ $json.known }}', customerId: '' },
			3,
		],
		['Feed: Get', of('feed', 'get', { subscriber: ann }), 1],
		// The first one of a process finds out whether people have several subscriptions.
		['Feed: Activate, the first', of('feed', 'activate', { subscriber: ann }), 2],
		['Feed: Deactivate, the first', of('feed', 'deactivate', { subscriber: ann }), 2],
		['Feed: Suspend, the first', of('feed', 'suspend', { subscriber: ann }), 2],
		['Usage Alert: Dismiss', of('usageAlert', 'dismiss', { usageAlert: first }), 1],
		['Usage Alert: Ignore', of('usageAlert', 'ignore', { usageAlert: first }), 1],
		['Usage Alert: Suspend', of('usageAlert', 'suspend', { usageAlert: first }), 1],
		['Episode: Create', of('episode', 'create', { title: 'One' }), 1],
		['Creator: Create', of('creator', 'create', { email }), 1],
		['Role: Create', of('role', 'create', { name: 'Editors' }), 1],
	];

	it.each(TABLE)('%s takes as few requests as it can', async (_, parameters, count) => {
		const [known] = addMembers(sandbox.current, 3);
		const [alert] = sandbox.current.controls.addUsageAlerts(1);
		const items = [{ known: known?.email, first: alert?.id }];
		const credential = credentialOf(sandbox.current);
		const { error } = await runSupercast({ parameters, credential, items });
		expect(error).toBeUndefined();
		expect(sandbox.current.stats().requests).toBe(count);
	});
});
