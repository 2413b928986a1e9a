import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RunOptions, RunResult } from '../../harness/engine';
import { Supercast } from '../../../nodes/Supercast/Supercast.node.js';
import { PROFILES, type ProfileName, type Subscriber } from '../../../simulators/supercast';
import { addMembers, hintsOf, memberListOf, runSync, writesOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';
import { useHttpSupercast } from '../../doubles/httpSupercast';
import type { Habit, SimulatedSupercast } from '../../doubles/supercast';
import { toolContext } from '../../support/toolContext';

describe('what Sync refuses', () => {
	const sandbox = useSandbox({ subscribers: 0 });

	let members: Subscriber[];
	let list: IDataObject[];
	beforeEach(() => {
		members = addMembers(sandbox.current, 40);
		// There is work of each kind, so a run that is wrongly not refused shows.
		members[0]!.state = 'deactivated';
		list = [{ email: 'new@example.com', id: 'c-new' }, ...memberListOf(members.slice(0, -1))];
	});

	async function refused(
		items: IDataObject[],
		parameters: INodeParameters = {},
		options: Partial<RunOptions> = {},
	): Promise<string> {
		const stopped = await runSync(sandbox.current, items, parameters, options);
		expect(stopped.output).toEqual([]);
		expect(writesOf(sandbox.current)).toEqual([]);
		const text = `${stopped.error?.message}. ${stopped.error?.description}`;
		expect(text).toContain('Nothing was changed.');
		return text;
	}

	it('would change something if nothing were wrong', async () => {
		await runSync(sandbox.current, list);
		expect(writesOf(sandbox.current)).toHaveLength(3);
	});

	describe('an invalid list', () => {
		it.each([
			['a malformed email', { email: 'ann@' }, "'Email' is not an email address"],
			['an error of the node before', { error: 'Timeout' }, 'an earlier node failed'],
			[
				'an error that still has the email',
				{ email: 'ann@example.com', error: { message: 'Timeout' } },
				'an earlier node failed',
			],
			[
				'an ID that is a list',
				{ email: 'ann@example.com', id: [1] },
				"'Customer ID' is neither text",
			],
		])('is refused with %s', async (_, item, words) => {
			expect(await refused([item])).toContain(words);
			expect(await refused([...list, item])).toContain(words);
			expect(sandbox.current.stats().requests).toBe(0);
		});

		it.each(['stopWorkflow', 'continueRegularOutput'] as const)(
			'without members is refused with a sentence about the list, also with On Error %s',
			async (onError) => {
				// With Always Output Data, n8n sends one empty item if the list is empty.
				const { error, output } = await runSync(sandbox.current, [{}], {}, { onError });
				const text = error?.message ?? JSON.stringify(output[0]?.json.error);
				expect(text).toContain('The list has no valid members');
				expect(sandbox.current.stats().requests).toBe(0);
			},
		);

		it('may have empty items, and says which, and closes no feeds with the first such list', async () => {
			const result = await runSync(sandbox.current, [{}, ...list, {}]);
			expect(result.error).toBeUndefined();
			expect(result.output.map(({ json }) => json.action)).toEqual(['created', 'reopened']);
			expect(hintsOf(result)).toContain('item 0, item 41 (n8n counts from 0)');
		});

		it.each([
			['more empty items', [{}, {}, {}, {}]],
			['an item without an email', [{ email: '  ' }]],
		])('with %s opens feeds and closes no feeds, because each may be a member', async (_, more) => {
			const result = await runSync(sandbox.current, [...list, ...more]);
			expect(result.output.map(({ json }) => json.action)).toEqual(['created', 'reopened']);
			expect(hintsOf(result)).toContain(
				'The list is incomplete. It has 1 record without an email and an ID',
			);
		});

		it('opens feeds, closes no feeds and returns error items with Continue on Fail', async () => {
			const items = [...list, { error: 'Timeout' }, { email: 'ann@' }];
			const result = await runSync(
				sandbox.current,
				items,
				{},
				{ onError: 'continueRegularOutput' },
			);
			expect(
				result.output.map(({ json, pairedItem }) => [json.action ?? 'error', pairedItem]),
			).toEqual([
				['created', { item: 0 }],
				['reopened', { item: 1 }],
				['error', { item: 40 }],
				['error', { item: 41 }],
			]);
			expect(members.at(-1)!.state).toBe('available');
			expect(hintsOf(result)).toContain('Sync closes no feeds in this run');
			expect(hintsOf(result)).toContain('2 changes or items failed: ');
		});

		it('is refused with Continue on Fail too when nobody on it is valid', async () => {
			const items = [{}, { email: 'ann@' }];
			const result = await runSync(
				sandbox.current,
				items,
				{},
				{ onError: 'continueRegularOutput' },
			);
			expect(hintsOf(result)).toContain('Sync failed: The list has no valid members');
			expect(result.output).toEqual([
				{
					json: { error: expect.stringContaining('The list has no valid members') },
					pairedItem: [],
				},
			]);
			expect(sandbox.current.stats().requests).toBe(0);
		});
	});

	it('says why no item is valid, with Continue on Fail too', async () => {
		const items = memberListOf(addMembers(sandbox.current, 3));
		const options = { recordsExpected: "={{ $('Somewhere else').first().json.total }}" };
		const result = await runSync(
			sandbox.current,
			items,
			{ options },
			{ onError: 'continueRegularOutput' },
		);
		expect(hintsOf(result)).toContain("Sync failed: Referenced node doesn't exist");
		expect(hintsOf(result)).not.toContain('no valid members');
	});

	describe('unclear settings', () => {
		it.each<[string, INodeParameters, string]>([
			['a Dry Run that is empty', { dryRun: '={{ $json.nothing }}' }, "'Dry Run' is neither"],
			['a Dry Run that differs', { dryRun: "={{ $json.id === 'c-new' }}" }, 'not the same for all'],
			[
				'a limit that is empty',
				{ maxClosePercent: '={{ "" }}' },
				"'Max Close (%)' must be a number",
			],
			['an option that differs', { options: { maxOpen: '={{ $itemIndex }}' } }, 'not the same'],
			[
				'Close Despite Plan in doubt',
				{ options: { closeWithPlan: '' } },
				"'Close Despite Plan' is neither",
			],
		])('are refused: %s', async (_, parameters, words) => {
			expect(await refused(list, parameters)).toContain(words);
			expect(sandbox.current.stats().requests).toBe(0);
		});
	});

	describe('a part of the list', () => {
		it('is refused with Execute Once', async () => {
			expect(await refused(list, {}, { node: { executeOnce: true } })).toContain(
				"'Execute Once' is on",
			);
		});

		it('is refused in a loop, in its first round', async () => {
			const connections = {
				Supercast: { main: [[{ node: 'Items', type: 'main' as const, index: 0 }]] },
			};
			expect(await refused(list, {}, { connections })).toContain('Sync is in a loop');
			expect(sandbox.current.stats().requests).toBe(0);
		});

		it('is refused when the node runs a second time in the execution', async () => {
			const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
			const { run } = await runSync(
				sandbox.current,
				list,
				{ dryRun: true },
				{
					connections: {
						Items: { main: [[to('Supercast'), to('More Items')]] },
						'More Items': { main: [[to('Supercast')]] },
					},
				},
			);
			const [first, second] = run.data.resultData.runData.Supercast ?? [];
			expect(first?.error).toBeUndefined();
			expect(second?.error?.message).toContain('would run twice in this execution');
			// The list, and what Supercast calls the channel: both of the first run.
			expect(sandbox.current.stats().requests).toBe(2);
		});

		it('is refused as a tool, by the type of the node and by the call', async () => {
			const node = { type: 'n8n-nodes-supercast.supercastTool' };
			expect(await refused(list, {}, { node })).toContain('cannot be used as an AI agent tool');
			const parameters = { resource: 'subscriber', operation: 'sync', dryRun: false };
			const context = toolContext(credentialOf(sandbox.current), parameters);
			// n8n 1.123 and earlier do not have this function. They always use the type above.
			if (context.isToolExecution !== undefined)
				await expect(new Supercast().execute.call(context)).rejects.toThrow(
					'cannot be used as an AI agent tool',
				);
			expect(sandbox.current.stats().requests).toBe(0);
		});
	});

	describe('the limits', () => {
		it.each<[string, number, INodeParameters, string]>([
			[
				'more than the percentage',
				3,
				{},
				"Sync would close the feeds of 3 of 39 subscribers, but the limit is 1. First check that the list of members is complete. If it is, set 'Max Close (%)' to 8 for one run.",
			],
			['one, when the percentage is 0', 1, { maxClosePercent: 0 }, 'the limit is 0'],
			[
				'more than Max Close',
				3,
				{ maxClosePercent: 100, options: { maxClose: 2 } },
				"set 'Max Close (Feeds)' to 3 for one run",
			],
			[
				'more openings than Max Open',
				0,
				{ options: { maxOpen: 1 } },
				"Sync would open 2 feeds, but the limit is 1. First check that the list of members is complete. If it is, set 'Max Open (Feeds)' to 2 for one run.",
			],
		])('change nothing at all with %s', async (_, missing, parameters, words) => {
			const items = [list[0]!, ...memberListOf(members.slice(0, members.length - missing))];
			expect(await refused(items, parameters)).toContain(words);
			const dry = await runSync(sandbox.current, items, { ...parameters, dryRun: true });
			expect(dry.error).toBeUndefined();
			expect(hintsOf(dry)).toContain(words);
			expect(writesOf(sandbox.current)).toEqual([]);
		});

		it('always allow one closing, however few people there are', async () => {
			const { output } = await runSync(sandbox.current, list);
			expect(output.map(({ json }) => json.action)).toContain('closed');
		});

		it('count only those who can be closed: not the cancelled, not those of other systems', async () => {
			sandbox.reset();
			const ours = addMembers(sandbox.current, 100);
			addMembers(sandbox.current, 500, () => ({ state: 'deactivated' }));
			addMembers(sandbox.current, 500, (index) =>
				index % 2 === 0 ? { customer_id: null } : { plan_id: 1 },
			);
			expect(await refused(memberListOf(ours.slice(6)))).toContain(
				'Sync would close the feeds of 6 of 100 subscribers, but the limit is 5',
			);
			const { output } = await runSync(sandbox.current, memberListOf(ours.slice(5)));
			expect(output).toHaveLength(5);
		});
	});
});

describe('a Supercast that works unexpectedly', () => {
	useQuickRuntime({ backoffMs: 5, visibleMs: 60, lateMs: 300 });
	const test = useHttpSupercast();

	const idOf = (number: number): string => `cus_${number + 1}`;
	const emailOf = (number: number): string => `m${number}@example.com`;

	/** Adds older members. */
	function addMembers(service: SimulatedSupercast, count = 40): void {
		for (let number = 0; number < count; number++) {
			service.add({ email: emailOf(number), customer_id: idOf(number) });
		}
	}

	/** Everyone but the member 7, and someone new. */
	const list = (count = 40): IDataObject[] => [
		...Array.from({ length: count }, (_, number) => ({
			email: emailOf(number),
			id: idOf(number),
		})).filter((_, number) => number !== 7),
		{ email: 'new@example.com', id: 'cus_new' },
	];

	async function sync(items = list(), more: IDataObject = {}): Promise<RunResult> {
		return await test.run(
			{
				...{ resource: 'subscriber', operation: 'sync', dryRun: false },
				customerId: '={{ $json.id }}',
				...more,
				options: { closeAfter: 1, graceHours: 0 },
			},
			items,
		);
	}

	const closings = (): string[] =>
		test.current.changes.filter((one) => one.startsWith('PATCH feeds'));

	/** Shows each record of the list with these changes. */
	const listWith =
		(change: (record: IDataObject) => IDataObject): Habit =>
		({ method, path }, service) => {
			const isList = method === 'GET' && path.length === 1;
			return isList ? { status: 200, body: service.subscribers.map(change) } : undefined;
		};

	function without(name: string): (record: IDataObject) => IDataObject {
		return (record) => Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
	}

	describe('a list that is not as the node knows it', () => {
		it.each<[string, (record: IDataObject) => IDataObject, string]>([
			['has other states', (record) => ({ ...record, state: 'live' }), '"live"'],
			['has no states', without('state'), 'shows no states'],
			['has no customer IDs', without('customer_id'), 'shows no customer IDs'],
			['has no emails', without('email'), 'shows no emails'],
			[
				'has the time of reading as the time of changes',
				(record) => ({ ...record, updated_at: new Date().toISOString() }),
				'seem to have changed',
			],
		])('closes nobody and says why, if it %s', async (_, change, words) => {
			addMembers(test.current);
			test.current.habit = listWith(change);
			const result = await sync(list(), { close: 'all' });
			expect(closings()).toEqual([]);
			expect(hintsOf(result)).toContain(words);
			expect(hintsOf(result)).toContain('npm run probe');
			expect(test.current.find('new@example.com')?.state).toBe('available');
			const emails = test.current.subscribers.map(({ email }) => email);
			expect(new Set(emails).size).toBe(emails.length);
		});

		it('closes nobody, although each record shows the same when it is read alone', async () => {
			addMembers(test.current);
			const updated_at = new Date().toISOString();
			const change = (record: IDataObject): IDataObject => ({ ...record, updated_at });
			test.current.habit = (request, service) => {
				const [, name] = request.path;
				if (name === undefined) return listWith(change)(request, service);
				const found = request.method === 'GET' ? service.find(name) : undefined;
				return found && { status: 200, body: change(found) };
			};
			const result = await sync(list(), { close: 'all' });
			expect(closings()).toEqual([]);
			expect(hintsOf(result)).toContain('seem to have changed');
		});

		it('closes nobody and says why, if it does not show everyone', async () => {
			addMembers(test.current);
			test.current.habit = ({ method, path }, service) => {
				const isList = method === 'GET' && path.length === 1;
				return isList ? { status: 200, body: service.subscribers.slice(0, 30) } : undefined;
			};
			const result = await sync();
			expect(closings()).toEqual([]);
			expect(hintsOf(result)).toContain('does not show everyone');
			expect(test.current.subscribers).toHaveLength(41);
		});
	});

	describe('a list that is only unusual', () => {
		const isFresh = new Date().toISOString();

		it.each<[string, (service: SimulatedSupercast) => void]>([
			['is ordinary', (service) => addMembers(service)],
			[
				'has only members who were added just now',
				(service) => {
					addMembers(service);
					for (const one of service.subscribers) {
						Object.assign(one, { created_at: isFresh, updated_at: isFresh });
					}
				},
			],
			[
				'has one state that the node does not know',
				(service) => {
					addMembers(service);
					service.subscribers[3]!.state = 'paused';
				},
			],
			['has few subscribers', (service) => addMembers(service, 9)],
		])('closes a member who has left, without a warning, if it %s', async (_, arrange) => {
			arrange(test.current);
			const count = test.current.subscribers.length;
			const result = await sync(list(count), { maxClosePercent: 100 });
			expect(hintsOf(result)).not.toContain('not as expected');
			expect(test.current.find(emailOf(7))?.state).toBe('deactivated');
		});
	});
});

describe('services that differ', () => {
	const profiles = Object.keys(PROFILES) as ProfileName[];

	describe.each(profiles)('against a Supercast of the profile %s', (profile) => {
		let later = 0;
		const now = (): number => Date.now() + later;
		const sandbox = useSandbox({ profile, now, subscribers: 0 });
		useQuickRuntime({ backoffMs: 5 });
		beforeEach(() => (later = 0));

		it('Sync follows the table, and then has nothing to do', async () => {
			const [gone, back, moved, renamed, ...rest] = addMembers(sandbox.current, 30, (index) =>
				index === 1 ? { state: 'deactivated' } : {},
			);
			const feeds = [gone!, back!].map(({ email }) => sandbox.current.state.feedUrl(email));
			const items = memberListOf([back!, moved!, renamed!, ...rest]).map((item): IDataObject => ({
				...item,
				name: 'Ann',
			}));
			items[0]!.email = String(items[0]!.email).toUpperCase();
			items[1]!.email = 'moved@example.com';
			items[2]!.name = 'Anna';
			items.push({ email: 'New@Example.com', id: 'c-new', name: 'Nora' });
			const parameters = { additionalFields: { firstName: '={{ $json.name }}' } };

			const { output, error } = await runSync(sandbox.current, items, parameters);

			expect(error).toBeUndefined();
			expect(output.map(({ json }) => json.action).sort()).toEqual(
				['closed', 'created', 'reopened', 'updated', 'updated'].sort(),
			);
			expect(await Promise.all(feeds.map(feedStatus))).toEqual([403, 200]);
			const held = sandbox.current.state.subscribers;
			expect(held).toHaveLength(31);
			expect(held.find(({ uuid }) => uuid === moved!.uuid)?.email).toBe('moved@example.com');
			expect(held.find(({ uuid }) => uuid === renamed!.uuid)?.first_name).toBe('Anna');
			expect(held.find(({ customer_id: id }) => id === 'c-new')).toMatchObject({
				first_name: 'Nora',
				state: 'available',
			});

			later += 5_000;
			const writes = writesOf(sandbox.current).length;
			const second = await runSync(sandbox.current, items, parameters);
			expect(second.error).toBeUndefined();
			expect(second.output).toEqual([]);
			expect(writesOf(sandbox.current)).toHaveLength(writes);
		});
	});
});
