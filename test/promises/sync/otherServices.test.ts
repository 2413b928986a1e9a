import type { IDataObject } from 'n8n-workflow';

import type { RunResult } from '../../../harness/engine';
import { addMembers, hintsOf, memberListOf, runSync, writesOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { type Habit, type StrangeService, useStrangeService } from '../../support/strangeService';
import { PERSONALITIES, type PersonalityName } from '../../../sandbox';
import { feedStatus, useSandbox } from '../../support/sandbox';

describe('a strange service', () => {
	useQuickRuntime({ backoffMs: 5, visibleMs: 60, lateMs: 300 });
	const test = useStrangeService();

	const idOf = (number: number): string => `cus_${number}`;
	const emailOf = (number: number): string => `m${number}@example.com`;

	/** 40 members long ago. */
	function addMembers(service: StrangeService, count = 40): void {
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

	/** Shows each record of the list as it is, with these changes. */
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

		it('closes nobody and says why, if people whom it does not show exist', async () => {
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

		it.each<[string, (service: StrangeService) => void]>([
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
		])('closes who has left without a warning, if it %s', async (_, arrange) => {
			arrange(test.current);
			const count = test.current.subscribers.length;
			const result = await sync(list(count), { maxClosePercent: 100 });
			expect(hintsOf(result)).not.toContain('not as expected');
			expect(test.current.find(emailOf(7))?.state).toBe('deactivated');
		});
	});
});

describe('services that differ', () => {
	const personalities = Object.keys(PERSONALITIES) as PersonalityName[];

	describe.each(personalities)('against a Supercast of the personality %s', (personality) => {
		let later = 0;
		const now = (): number => Date.now() + later;
		const sandbox = useSandbox({ personality, now, subscribers: 0 });
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
