import { currentSubscriber } from '../../../nodes/Supercast/access/match';
import { type Reason, REASONS } from '../../../nodes/Supercast/access/reasons';
import { type AccessDecision, changesOf, keep } from '../../../nodes/Supercast/access/rules';
import type { RuleSettings } from '../../../nodes/Supercast/access/settings';
import { fill, reasonText } from '../../../nodes/Supercast/report/wording';
import { countCannotClose } from '../../../nodes/Supercast/access/sync/leaving';
import { textPage } from '../../../nodes/Supercast/report/page/blocks';
import type { ToldRun } from '../../../nodes/Supercast/report/run';
import { WARNINGS } from '../../../nodes/Supercast/report/warnings';
import { skippedReport } from '../../../nodes/Supercast/report/report';
import type { SyncSettings } from '../../../nodes/Supercast/access/settings';
import { ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import { crowd, DirectSupercast, held, type Held } from '../../doubles/directSupercast';
import { mixed, mixedRows as rows, rowOf } from '../access/mixed';
import { desired, NOW, type Row, runAccess, runRows } from '../access/running';

const MINUTE_MS = 60_000;

const messages = ({ hints }: Awaited<ReturnType<typeof runRows>>): string[] =>
	hints.map(({ message }) => message);

describe('what a run says', () => {
	it('counts every action, and every reason for none', async () => {
		const service = new DirectSupercast(mixed, NOW);
		const result = await runRows(service, rows, { options: { output: 'changesAndSummary' } });
		const counted = { created: 1, reopened: 1, updated: 1, closed: 2, kept: 4, unchanged: 0 };
		const conflict = 'm7@a.com: conflict: your list says c-7, Supercast says c-other';
		expect(result.records.at(-1)).toEqual({
			items: [],
			json: {
				action: 'summary',
				dryRun: false,
				skipped: false,
				title: 'Supercast: 2 feeds opened, 2 feeds closed, 1 needs a decision',
				text: expect.stringContaining('5 members on the list, and 6 feeds open.'),
				html: expect.stringContaining('5 members on the list, and 6 feeds open.'),
				numbers: {
					...counted,
					failed: 0,
					stuck: 0,
					cannotClose: {},
					listed: 5,
					closingSoon: 0,
					// Of the two closed feeds, one was open.
					open: 6,
					recordsMissing: 0,
					statuses: [{ status: '', access: 'open', people: 5 }],
					keptByReason: { 'has a plan at Supercast': 2, 'state: suspended': 1, conflict: 1 },
					conflicts: [conflict],
					planned: counted,
					limit: { inScope: 4, maxClosings: 4, maxOpenings: null, exceeded: null },
				},
			},
		});
		expect(result.records.map(({ json, items }) => [json.action, json.email, items])).toEqual([
			['closed', 'm2@a.com', []],
			['closed', 'm6@a.com', []],
			['reopened', 'm0@a.com', [0]],
			['updated', 'm1@a.com', [1]],
			['kept', 'm7@a.com', [3]],
			['created', 'new@a.com', [4]],
			['summary', undefined, []],
		]);
		expect(result.hints).toEqual([
			{
				type: 'info',
				message:
					'Supercast: 2 feeds opened, 2 feeds closed, 1 needs a decision. 1 updated, 0 unchanged. Skipped: has a plan at Supercast: 2; suspended: 1.',
			},
			{
				type: 'warning',
				message:
					'Needs a decision: Ann, m7@a.com: your list says c-7, Supercast says c-other. Run Set Access: Open with the email and the customer ID on your list.',
			},
			{
				type: 'warning',
				message: "'Max Close (%)' is 100. If you raised it temporarily, set it back to 5.",
			},
		]);
		expect(result).toMatchObject({ failures: [], error: undefined });
	});

	it('says in a dry run what would be done', async () => {
		const service = new DirectSupercast(mixed, NOW);
		const result = await runRows(service, rows, { dryRun: true, maxClosePercent: 5 });
		expect(messages(result)).toEqual([
			'DRY RUN: Sync would refuse to run, because 2 feeds would close and the limit is 1. 1 would be updated, 0 unchanged. Skipped: has a plan at Supercast: 2; suspended: 1.',
			"Sync would close the feeds of 2 of 4 subscribers, but the limit is 1. First check that the list of members is complete. If it is, set 'Max Close (%)' to 50 for one run. Until then, Sync neither opens nor closes feeds. Feeds that would close: Ann, m2@a.com; Ann, m6@a.com.",
			'Needs a decision: Ann, m7@a.com: your list says c-7, Supercast says c-other. Run Set Access: Open with the email and the customer ID on your list.',
		]);
		expect(result.records[1]!.json).toEqual({
			what: 'closes',
			action: 'closed',
			dryRun: true,
			email: 'm6@a.com',
			name: 'Ann',
			uuid: 'u-6',
			customer_id: 'c-6',
			status: '',
			reason: 'not on the list',
			changes: { state: { from: 'charge_failure', to: 'deactivated' } },
		});
	});

	it.each([
		[false, 'Supercast: no feed had to open or close. 2 unchanged.'],
		[true, 'DRY RUN: no feed would open or close. 2 unchanged.'],
	])('says that nothing changes, with Dry Run %s', async (dryRun, message) => {
		const service = new DirectSupercast(crowd(2), NOW);
		const given = { dryRun, maxClosePercent: 5, options: { output: 'summary' } };
		const result = await runRows(service, crowd(2).map(rowOf), given);
		expect(messages(result)).toEqual([message]);
		expect(result.records).toHaveLength(1);
	});

	it.each([
		[5, 'your list.'],
		[52, 'your list; and 47 more.'],
	])('names at most five people in a hint, of %i', async (count, end) => {
		const list = crowd(130);
		const twice = list.slice(0, count).map((one) => ({ ...rowOf(one), id: `x-${one.uuid}` }));
		const service = new DirectSupercast(list, NOW);
		const result = await runRows(service, [...twice, ...list.slice(count).map(rowOf)]);
		const [, conflicts] = messages(result);
		expect(conflicts).toContain('m4@a.com: your list says x-u-4, Supercast says c-4.');
		expect(conflicts).toMatch(new RegExp(`on ${end}$`));
		expect(conflicts).not.toContain('m5@a.com');
	});

	it.each([
		[{ badItems: 1 }, 'some input items are not valid members).'],
		[
			{ tools: { mayGetMore: true } },
			'another branch of the workflow may bring more members). Add a Merge node before Sync, so that Sync receives all items together.',
		],
		[{ tools: { receivedAt: NOW - 5 * MINUTE_MS - 1 } }, 'the list is too old).'],
	])('says why it closes no feeds: %j', async (disturbance, reason) => {
		const service = new DirectSupercast(crowd(2), NOW);
		const result = await runRows(service, [rowOf(held(0))], {}, disturbance);
		expect(messages(result).join()).toContain(`Sync closes no feeds in this run (${reason}`);
		expect(service.writes).toEqual([]);
	});

	it('begins no closing later than ten minutes after it has read the subscribers', async () => {
		for (const [minutes, state] of [
			[10, 'deactivated'],
			[10.1, 'available'],
		] as const) {
			const service = new DirectSupercast(crowd(2), NOW);
			let afterList = NOW;
			service.meanwhile = (number) => {
				if (number > 1) afterList = NOW + minutes * MINUTE_MS;
			};
			const now = (): number => afterList;
			const rows = [rowOf(held(0)), { email: 'new@a.com', id: 'c-new' }];
			await runRows(service, rows, {}, { tools: { now } });
			expect([minutes, service.find('u-1')!.state]).toEqual([minutes, state]);
		}
	});
});

describe('failures', () => {
	it('are named together in one error, and separately with their items', async () => {
		const service = new DirectSupercast(mixed, NOW);
		service.trouble = (_, { method }) => (method === 'POST' ? 'before' : undefined);
		const { error, failures, records } = await runRows(service, rows);
		expect(error).toBeInstanceOf(ServiceError);
		expect(error).toMatchObject({
			message: '1 of 3 changes could not be made. The first: POST subscribers gave 502',
			description:
				'A fault of the test. Not done: new@a.com (should be created). Done: m0@a.com (reopened), m1@a.com (updated). Not on the list, but still open: m2@a.com, m6@a.com. Run Sync again to make the remaining changes.',
			failure: { status: 502 },
		});
		expect(failures).toMatchObject([{ error: { name: 'ServiceError' }, items: [4] }]);
		const actions = records.map(({ json }) => json.action);
		expect(actions).toEqual(['reopened', 'updated', 'kept']);
	});

	it('say that nothing else was done', async () => {
		const service = new DirectSupercast([], NOW);
		service.trouble = (_, { method }) => (method === 'POST' ? 'before' : undefined);
		const { error } = await runRows(service, [{ email: 'new@a.com' }]);
		expect(error).toMatchObject({ description: expect.stringContaining('Nothing else was done.') });
	});

	it('that are not errors of Supercast become errors of the package', async () => {
		const service = new DirectSupercast([], NOW);
		service.meanwhile = (number) => {
			if (number > 1) throw new TypeError('Odd');
		};
		const { error } = await runRows(service, [{ email: 'new@a.com' }]);
		expect(error).toMatchObject({ name: 'InputError', message: expect.stringContaining('Odd') });
	});
});

describe('texts', () => {
	const record = { uuid: 'u-1', email: 'ann@a.com', customer_id: 'c-1', state: 'available' };
	const current = (fields = {}) => currentSubscriber({ ...record, first_name: 'Ann', ...fields });
	const person = (subscriber = {}) => {
		const member = desired({ email: 'ann@a.com', customerIds: ['c-1'] });
		return { member, subscriber: current(subscriber), others: [] };
	};

	describe('in words', () => {
		const change = { from: 'Ann', to: 'Anna' };
		it('a decision has its changes', () => {
			const one = { ...person(), write: { first_name: 'Anna' } };
			expect(changesOf({ ...one, action: 'updated' })).toEqual({ first_name: change });
			expect(changesOf(keep(person(), 'state'))).toEqual({});
			expect(changesOf({ ...one, action: 'created' })).toEqual({
				first_name: { from: null, to: 'Anna' },
			});
			expect(changesOf({ ...one, action: 'reopened' })).toEqual({
				state: { from: 'available', to: 'available' },
				first_name: change,
			});
			expect(changesOf({ ...one, write: {}, action: 'closed' })).toEqual({
				state: { from: 'available', to: 'deactivated' },
			});
			const empty = {
				...person({ customer_id: '' }),
				write: { customer_id: 'c-1', last_name: 'B' },
			};
			expect(changesOf({ ...empty, action: 'updated' })).toEqual({
				customer_id: { from: null, to: 'c-1' },
				last_name: { from: null, to: 'B' },
			});
		});

		it('a reason names the person', () => {
			const one = person({ customer_id: 'c-9', state: 'pending' });
			expect(reasonText(keep(one, 'otherId'))).toBe(
				'conflict: your list says c-1, Supercast says c-9',
			);
			const listed = { ...one, member: { ...one.member, email: 'new@a.com' } };
			expect(reasonText(keep(listed, 'otherEmail'))).toBe(
				'conflict: c-9 belongs to new@a.com on your list, but to ann@a.com in Supercast',
			);
			expect(reasonText(keep(one, 'state'))).toBe('state: pending');
			expect(reasonText(keep(person({ state: '' }), 'state'))).toBe('state: unknown');
			expect(reasonText(person())).toBe('');
			const both = { ...one, others: [current({ email: 'b@b.com' })] };
			expect(fill('{email} {other} {listedId}', both)).toBe('ann@a.com b@b.com c-1');
		});

		it('each reason has its own words', () => {
			const texts = Object.keys(REASONS).map((reason) =>
				reasonText(keep(person(), reason as Reason)),
			);
			expect(new Set(texts)).toHaveProperty('size', texts.length);
			for (const text of texts) expect(text).toMatch(/^\w[^{}]+\w$/);
		});
	});
});

describe('advice', () => {
	const ann = held(1);
	const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });

	describe('what a person must decide', () => {
		const idOnly = { email: '', id: 'c-1' };
		const inState = (state: string, fields: Partial<Held> = {}) => [held(1, { state, ...fields })];
		const twins = [ann, held(2, { customer_id: 'c-1' })];
		const twinWithoutEmail = [held(1, { customer_id: null }), held(2, { customer_id: 'c-1' })];
		it.each<['close' | 'open', Held[], Row, string, string]>([
			['open', [], idOnly, 'no subscriber with this customer ID', 'their email'],
			['open', inState('suspended'), rowOf(ann), 'is suspended', 'may have been shared'],
			['open', inState('charge_failure'), rowOf(ann), 'payment to Supercast failed', 'the payment'],
			['open', inState('pending'), rowOf(ann), 'not completed their checkout', 'Check'],
			['open', inState('mystery'), rowOf(ann), 'the state "mystery"', 'Check'],
			['open', inState('deactivated', { plan_id: 3 }), rowOf(ann), 'feed is closed', 'the plan'],
			['open', twins, idOnly, 'several subscribers', 'the wrong email or customer ID'],
			['open', twinWithoutEmail, rowOf(ann), 'same customer ID: m2@a.com', 'Check these'],
			['close', [], rowOf(ann), 'no such subscriber', 'under another email'],
			[
				'close',
				inState('available', { plan_id: 3 }),
				rowOf(ann),
				'have a plan',
				'the plan has ended',
			],
			['close', [held(1, { customer_id: 'c-9' })], rowOf(ann), 'ID c-9', 'no other membership'],
			['close', twins, idOnly, 'several subscribers', 'Check these'],
			['close', twinWithoutEmail, rowOf(ann), 'm1@a.com and m2@a.com', 'Check these'],
			['close', inState('suspended'), rowOf(ann), 'the state "suspended"', 'not open again'],
		])('%s %j for %j', async (access, people, person, happened, advice) => {
			const service = new DirectSupercast(people, NOW);
			const { reason, attention } = await runAccess(service, access, person);
			const email = person.email || people[0]?.email;
			const names = [email, person.id].filter(Boolean).join(', ');
			const start =
				access === 'open' ? `${names} should have access, ` : `The access of ${names} ends, `;
			expect(reason).toMatch(new RegExp(`^${start}[^{}]*${happened}.*\\.$`));
			expect(attention).toMatch(new RegExp(`^${String(reason)} [^{}]*${advice}.*\\.$`));
			expect(service.writes).toEqual([]);
		});

		it('is nothing if Close Despite Plan decides it', async () => {
			const billed = [held(1, { plan_id: 3 })];
			const output = await runAccess(new DirectSupercast(billed, NOW), 'close', rowOf(ann), {
				closeWithPlan: true,
			});
			expect(output).toMatchObject({ action: 'closed', attention: null });
		});

		it('is nobody if the subscriber is deleted just before the closing', async () => {
			const service = new DirectSupercast([ann], NOW);
			service.meanwhile = (number) => {
				if (number === 2) service.subscribers.pop();
			};
			const { action, attention } = await runAccess(service, 'close', rowOf(ann));
			expect([action, attention]).toEqual(['kept', expect.stringContaining('no such subscriber')]);
		});
	});
});

describe('members whose feeds could not be closed', () => {
	const texts = (count: number, close: SyncSettings['close'] = 'all') =>
		WARNINGS.cannotClose
			.blocks({
				cannotClose: new Map([['plan', count]]),
				settings: { close },
			} as unknown as ToldRun)
			.map((block) => textPage([block]));

	const member = desired({ email: 'm1@a.com' });
	const rules: RuleSettings = {
		addCustomerIds: true,
		close: 'withCustomerId',
		closeWithPlan: false,
		customerIdPrefix: [],
		neverClose: new Set(['m1@a.com']),
		reactivate: true,
		replaceCustomerId: false,
	};
	const withId = { customer_id: 'c-1' };

	it.each<[string, Partial<AccessDecision>, Partial<Held>, number]>([
		['an open feed without a customer ID', {}, {}, 1],
		['a changed name', { action: 'updated', write: { first_name: 'B' } }, {}, 1],
		['a reopened feed', { action: 'reopened' }, { state: 'deactivated' }, 1],
		['a new member', { action: 'created', subscriber: undefined }, {}, 1],
		['nobody on the list', { member: undefined }, {}, 0],
		['an open feed that was skipped', { action: 'kept' }, {}, 0],
		['a closed feed', {}, { state: 'deactivated' }, 0],
		['a failure', { action: 'reopened', error: new Error('x') }, {}, 0],
		['a customer ID that is added', { action: 'updated', write: withId }, {}, 0],
		[
			'a new member with a customer ID',
			{ action: 'created', subscriber: undefined, write: withId },
			{},
			0,
		],
		['a reason that passes or is intended', {}, withId, 0],
	])('of %s are counted', (_, given, one, count) => {
		const subscriber = currentSubscriber({ ...held(1, { customer_id: null, ...one }) });
		const outcome = { action: 'unchanged', write: {}, member, subscriber, others: [], ...given };
		const counted = countCannotClose([outcome as AccessDecision], rules);
		expect([...counted]).toEqual(count === 0 ? [] : [['noCustomerId', count]]);
	});

	it('are counted, with what to do', () => {
		expect(texts(1)).toEqual([
			expect.stringMatching(/of 1 member on the list.*Close Despite Plan/),
		]);
		expect(texts(2)).toEqual([
			expect.stringMatching(/of 2 members on the list.*Close Despite Plan/),
		]);
	});

	it('are not named if Sync closes nobody', () => {
		expect(texts(2, 'none')).toEqual([]);
	});
});

it.each<[SyncSettings['output'], number]>([
	['summary', 1],
	['changesAndSummary', 1],
	['changes', 0],
	['all', 0],
])('a run that was skipped says so with the output %s', (output, count) => {
	const skipped = skippedReport({ output, dryRun: true } as SyncSettings);
	expect(skipped.records).toHaveLength(count);
	for (const { json, items } of skipped.records) {
		expect([json.action, json.skipped, json.dryRun, items]).toEqual(['summary', true, true, []]);
	}
	expect(skipped.failures).toEqual([]);
	expect(skipped.hints).toEqual([{ type: 'info', message: expect.stringMatching(/\w/) }]);
});
