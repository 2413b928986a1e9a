import type { IDataObject } from 'n8n-workflow';

import {
	currentSubscriber,
	type DesiredMember,
	type Person,
} from '../../../nodes/Supercast/access/match';
import { decideClosed, decideOpen } from '../../../nodes/Supercast/access/rules';
import type { RuleSettings } from '../../../nodes/Supercast/access/settings';
import { setAccess as setAccessWith } from '../../../nodes/Supercast/access/setAccess';
import { accessOutput, leftOutput } from '../../../nodes/Supercast/report/setAccess';
import { DirectSupercast, held, type Held } from '../../doubles/directSupercast';
import { desired, NOW, parametersOf, type Row, runAccess, runRows } from './running';

const setAccess = setAccessWith(accessOutput, leftOutput);
describe('the table of decisions', () => {
	const NOW = Date.UTC(2026, 0, 15);
	const HOUR_MS = 3_600_000;
	const settings: RuleSettings = {
		addCustomerIds: false,
		close: 'all',
		closeWithPlan: false,
		customerIdPrefix: [],
		neverClose: new Set(),
		reactivate: true,
		replaceCustomerId: false,
	};

	function member(fields: Partial<DesiredMember> = {}): DesiredMember {
		return desired({ email: 'ann@a.com', customerIds: ['c-1'], ...fields });
	}

	const record = { uuid: 'u-1', email: 'ann@a.com', customer_id: 'c-1', state: 'available' };
	const current = (fields = {}) => currentSubscriber({ ...record, first_name: 'Ann', ...fields });
	const person = (subscriber = {}, fields: Partial<DesiredMember> = {}): Person => {
		return { member: member(fields), subscriber: current(subscriber), others: [] };
	};

	describe('a person who should have access', () => {
		it.each<[string, Person, Partial<RuleSettings>, object]>([
			[
				'is created with the first customer ID and the fields',
				{
					member: member({ customerIds: ['c-1', 'c-2'], fields: { first_name: 'A' } }),
					others: [],
				},
				{},
				{ action: 'created', write: { email: 'ann@a.com', customer_id: 'c-1', first_name: 'A' } },
			],
			[
				'is created without a customer ID',
				{ member: member({ customerIds: [] }), others: [] },
				{},
				{ action: 'created', write: { email: 'ann@a.com' } },
			],
			[
				'is kept without an email',
				{ member: member({ email: '' }), others: [] },
				{},
				{ action: 'kept', reason: 'noEmail', write: {} },
			],
			['is unchanged', person(), {}, { action: 'unchanged', write: {} }],
			[
				'gets another name',
				person({}, { fields: { first_name: 'Anna', last_name: 'hidden' } }),
				{},
				{ action: 'updated', write: { first_name: 'Anna' } },
			],
			[
				'gets another email',
				person({ email: 'old@a.com' }),
				{},
				{ action: 'updated', write: { email: 'ann@a.com' } },
			],
			[
				'keeps the email that the list does not tell',
				person({}, { email: '' }),
				{},
				{ action: 'unchanged', write: {} },
			],
			[
				'is a conflict with another customer ID',
				person({ customer_id: 'c-9' }),
				{},
				{ action: 'kept', reason: 'otherId' },
			],
			[
				'is skipped with the ID of another system',
				person({ customer_id: 'x-9p_' }, { customerIds: ['p_1'] }),
				{ customerIdPrefix: ['p_'] },
				{ action: 'unchanged', write: {} },
			],
			[
				'gets another customer ID if the settings say so',
				person({ customer_id: 'c-9' }),
				{ replaceCustomerId: true },
				{ action: 'updated', write: { customer_id: 'c-1' } },
			],
			[
				'gets none while Supercast alone bills',
				person({ customer_id: null, plan_id: 3 }),
				{ replaceCustomerId: true },
				{ action: 'unchanged', write: {} },
			],
			[
				'gets one if a feed without a plan has none',
				person({ customer_id: null }),
				{ addCustomerIds: true },
				{ action: 'updated', write: { customer_id: 'c-1' } },
			],
			[
				'gets none if Add Customer IDs is off',
				person({ customer_id: null }),
				{ addCustomerIds: false },
				{ action: 'unchanged', write: {} },
			],
			[
				'gets none while Supercast bills them for a plan',
				person({ customer_id: null, plan_name: 'Monthly' }),
				{ addCustomerIds: true },
				{ action: 'unchanged', write: {} },
			],
			[
				'keeps the one they have',
				person({ customer_id: 'c-9' }),
				{ addCustomerIds: true },
				{ action: 'kept', reason: 'otherId', write: {} },
			],
			[
				'gets none that another subscriber has',
				{ ...person({ customer_id: null }), others: [current({ uuid: 'u-2', email: 'b@b.com' })] },
				{ addCustomerIds: true },
				{ action: 'unchanged', write: {} },
			],
			[
				'is reopened with the customer ID',
				person({ state: 'deactivated', customer_id: null }),
				{},
				{ action: 'reopened', write: { customer_id: 'c-1' } },
			],
			[
				'is kept closed without Reactivate',
				person({ state: 'deactivated' }),
				{ reactivate: false },
				{ action: 'kept', reason: 'reactivateIsOff', write: {} },
			],
			[
				'is updated without Reactivate, but gets no customer ID',
				person({ state: 'deactivated', customer_id: null }, { fields: { first_name: 'Anna' } }),
				{ reactivate: false },
				{ action: 'updated', reason: 'reactivateIsOff', write: { first_name: 'Anna' } },
			],
			[
				'is kept closed with a plan',
				person({ state: 'deactivated', plan_name: 'Monthly' }),
				{},
				{ action: 'kept', reason: 'planClosed' },
			],
			[
				'is reopened with a plan and Close Despite Plan',
				person({ state: 'deactivated', plan_name: 'Monthly' }),
				{ closeWithPlan: true },
				{ action: 'reopened', write: {} },
			],
			[
				'is kept suspended',
				person({ state: 'suspended' }),
				{},
				{ action: 'kept', reason: 'state', write: {} },
			],
			[
				'is kept if it is unclear who it is',
				{ ...person(), conflict: 'severalEmails' },
				{},
				{ action: 'kept', reason: 'severalEmails' },
			],
		])('%s', (_, one, more, expected) => {
			const decision = decideOpen(one, { ...settings, ...more });
			expect(decision).toMatchObject({ ...one, ...expected });
			expect(Object.values(decision.write)).not.toContain(undefined);
		});
	});

	describe('a person who should not have access', () => {
		const gone = (fields = {}): Person => ({ subscriber: current(fields), others: [] });
		const time = (hours: number): string => new Date(NOW - hours * HOUR_MS).toISOString();
		const old = { created_at: time(100), updated_at: time(100) };
		const grace = { newAfter: NOW - 24 * HOUR_MS };
		it.each<[string, Person, Partial<RuleSettings>, string | undefined]>([
			['is closed', gone(), {}, undefined],
			['is closed after a failed payment', gone({ state: 'charge_failure' }), {}, undefined],
			['is kept while pending', gone({ state: 'pending' }), {}, 'state'],
			['is nobody', { others: [] }, {}, 'noSubscriber'],
			['is unclear', { ...gone(), conflict: 'severalSubscribers' }, {}, 'severalSubscribers'],
			['has two records', { ...gone(), others: [current()] }, {}, 'otherEmail'],
			['has another customer ID', person({ customer_id: 'c-9' }), {}, 'otherId'],
			['has no customer ID on either side', person({ customer_id: null }), {}, undefined],
			['has one only in Supercast', person({}, { customerIds: [] }), {}, undefined],
			[
				'has one of several customer IDs',
				person({}, { customerIds: ['c-2', 'c-1'] }),
				{},
				undefined,
			],
			['is not closed with Close Feeds of: Nobody', gone(), { close: 'none' }, 'closingIsOff'],
			['has an ID', gone(), { close: 'withCustomerId' }, undefined],
			['has no ID', gone({ customer_id: '' }), { close: 'withCustomerId' }, 'noCustomerId'],
			['has another prefix', gone(), { customerIdPrefix: ['p_'] }, 'otherPrefix'],
			['has the prefix', gone(), { customerIdPrefix: ['c-'] }, undefined],
			[
				'has no ID to begin with a prefix',
				gone({ customer_id: '' }),
				{ customerIdPrefix: ['p_'] },
				undefined,
			],
			['has one of the prefixes', gone(), { customerIdPrefix: ['p_', 'c-'] }, undefined],
			['has the ID of another system', gone(), { isOwnId: () => false }, 'otherForm'],
			['has an ID of this system', gone(), { isOwnId: () => true }, undefined],
			['has no ID of any system', gone({ customer_id: null }), { isOwnId: () => false }, undefined],
			['has a plan', gone({ plan_id: 7 }), {}, 'plan'],
			[
				'has a plan and no ID',
				gone({ plan_id: 7, customer_id: '' }),
				{ close: 'withCustomerId' },
				'plan',
			],
			[
				'has a plan, but Close Despite Plan',
				gone({ plan_id: 7 }),
				{ closeWithPlan: true },
				undefined,
			],
			['is in Never Close', gone({ email: 'ANN@a.com' }), never('ann@a.com'), 'neverClose'],
			['has a domain in Never Close', gone(), never('@a.com'), 'neverClose'],
			['has another domain', gone(), never('@b.com'), undefined],
			['has a domain that ends alike', gone({ email: 'ann@aa.com' }), never('@a.com'), undefined],
			['is old', gone(old), grace, undefined],
			['was created lately', gone({ ...old, created_at: time(23) }), grace, 'isNew'],
			['was changed lately', gone({ ...old, updated_at: time(23) }), grace, 'isNew'],
			['was created exactly so long ago', gone({ ...old, created_at: time(24) }), grace, undefined],
			['was changed exactly so long ago', gone({ ...old, updated_at: time(24) }), grace, undefined],
			['is of unknown age', gone({}), grace, 'isNew'],
			['shows only an old change', gone({ updated_at: time(100) }), grace, undefined],
			['shows no time of a change', gone({ created_at: time(100) }), grace, undefined],
			['is new, without a grace period', gone({ created_at: time(-1) }), {}, undefined],
		])('%s', (_, one, more, reason) => {
			const decision = decideClosed(one, { ...settings, ...more });
			expect([decision.action, decision.reason]).toEqual(
				reason === undefined ? ['closed', 'notListed'] : ['kept', reason],
			);
			expect(decision.write).toEqual({});
		});

		it('is not closed twice', () => {
			const decision = decideClosed(gone({ state: 'deactivated' }), settings);
			expect(decision).toMatchObject({ action: 'unchanged', write: {} });
			expect(decision.reason).toBeUndefined();
		});
	});

	function never(entry: string): Partial<RuleSettings> {
		return { neverClose: new Set([entry]) };
	}
});

const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });

const [ann, bob] = [held(1), held(2)];

/** What happens to these people, with Set Access for a person. */
async function outcome(
	people: Held[],
	what: 'close' | 'open',
	person: Row,
	options?: IDataObject,
): Promise<IDataObject> {
	return await runAccess(new DirectSupercast(people, NOW), what, person, options);
}

describe('the output', () => {
	const change = (from: string, to: string) => ({ state: { from, to } });
	it.each<[string, Held[], 'close' | 'open', Row, IDataObject]>([
		[
			'someone new',
			[],
			'open',
			{ email: 'new@a.com', id: 'c-3' },
			{
				...{ action: 'created', email: 'new@a.com', state: 'available', previousState: null },
				...{
					uuid: expect.stringContaining('new-'),
					customer_id: 'c-3',
					feed_urls: [expect.any(String)],
				},
				changes: { email: { from: null, to: 'new@a.com' }, customer_id: { from: null, to: 'c-3' } },
			},
		],
		[
			'someone who returns',
			[held(1, { state: 'deactivated' })],
			'open',
			{ email: ann.email },
			{
				...{ action: 'reopened', state: 'available', previousState: 'deactivated' },
				...{ uuid: 'u-1', changes: change('deactivated', 'available') },
				feed_urls: ['https://feeds.example.com/u-1'],
			},
		],
		[
			'someone with a new email',
			[ann],
			'open',
			{ email: 'ann@new.com', id: 'c-1' },
			{
				...{ action: 'updated', email: 'ann@new.com', state: 'available', uuid: 'u-1' },
				changes: { email: { from: ann.email, to: 'ann@new.com' } },
			},
		],
		[
			'someone with a new customer ID',
			[ann],
			'open',
			{ email: ann.email, id: 'c-7' },
			{ action: 'updated', customer_id: 'c-7' },
		],
		[
			'someone who leaves',
			[ann],
			'close',
			{ email: '', id: 'c-1' },
			{
				...{ action: 'closed', email: ann.email, state: 'deactivated', previousState: 'available' },
				...{ customer_id: 'c-1', changes: change('available', 'deactivated') },
			},
		],
	])('%s', async (_, people, what, person, expected) => {
		const nothing = { reason: null, attention: null, access: what };
		const output = await outcome(people, what, person);
		expect(output).toMatchObject({ ...nothing, ...expected });
		expect('feed_urls' in output).toBe('feed_urls' in expected);
	});

	it('is empty where nothing is known', async () => {
		expect(await outcome([], 'close', { email: 'no@a.com' })).toMatchObject({
			...{ action: 'kept', email: 'no@a.com', state: null, previousState: null },
			...{ uuid: null, customer_id: null, changes: {} },
		});
		expect(await outcome([], 'open', { email: '', id: 'c-1' })).toMatchObject({ email: null });
	});

	it('holds back the feed addresses from tools, and passes the advice on as a hint', async () => {
		const hints: string[] = [];
		const item = { ...parametersOf({ email: 'new@a.com', id: 'c-1' }), isTool: true };
		const parameter = (name: string) => (name === 'access' ? 'open' : item.parameter(name));
		const task = setAccess.prepare({ ...item, parameter });
		expect(task.record).toEqual(['new@a.com', 'c-1']);
		const service = new DirectSupercast([], NOW);
		const [output] = await task.run(service, (hint) => hints.push(hint));
		expect([output!.action, 'feed_urls' in output!, hints]).toEqual(['created', false, []]);
		Object.assign(service.subscribers[0]!, { state: 'suspended' });
		const [kept] = await task.run(service, (hint) => hints.push(hint));
		expect(hints).toEqual([kept!.attention]);
	});

	it('is refused without a name', async () => {
		const failed = outcome([], 'open', { email: ' ', id: '' });
		await expect(failed).rejects.toMatchObject({
			message: "'Email' and 'Customer ID' are both empty",
			description: expect.stringMatching(/^Fill in at least one of them. If you use/),
		});
	});
});

describe('requests', () => {
	const sent = ({ requests }: DirectSupercast): string[] =>
		requests.map(({ method, path }) => `${method} ${path.join('/')}`);

	it('read the list only if the email does not lead to the customer ID', async () => {
		const service = new DirectSupercast([ann, bob], NOW);
		await runAccess(service, 'open', rowOf(ann));
		await runAccess(service, 'open', { email: ann.email });
		expect(sent(service)).toEqual(Array(2).fill('GET subscribers/m1@a.com'));
		await runAccess(service, 'close', { email: 'no@a.com', id: 'c-2' });
		expect(sent(service).slice(2)).toEqual([
			'GET subscribers/no@a.com',
			'GET subscribers',
			'GET subscribers/u-2',
			'GET subscribers/u-2',
			'PATCH feeds/u-2',
		]);
	});

	it('read someone once whom both the email and the list name', async () => {
		const service = new DirectSupercast([ann], NOW);
		await runAccess(service, 'open', { email: ann.email, id: 'c-7' });
		await runAccess(service, 'open', { email: ann.email, id: 'c-1' });
		expect(sent(service)).toEqual([
			...['GET subscribers/m1@a.com', 'GET subscribers', 'PATCH subscribers/u-1'],
			...['GET subscribers/m1@a.com', 'PATCH subscribers/u-1'],
		]);
	});

	it('write the fields before they open the feed, and open it even if a field is refused', async () => {
		const service = new DirectSupercast([held(1, { state: 'deactivated' }), bob], NOW);
		const person = { email: 'm2@a.com', id: 'c-1', firstName: 'Anna' };
		service.subscribers.pop();
		service.meanwhile = (number) => {
			if (number === 4) service.subscribers.push({ ...bob });
		};
		await expect(runAccess(service, 'open', person)).rejects.toThrow('gave 422');
		expect(sent(service).slice(-2)).toEqual(['PATCH subscribers/u-1', 'PATCH feeds/u-1']);
		expect(service.subscribers[0]!.state).toBe('available');
	});

	it('look again before each try of a closing', async () => {
		const service = new DirectSupercast([ann], NOW);
		const { request } = DirectSupercast.prototype;
		service.request = async (given) => {
			if (given.path[0] === 'feeds') {
				Object.assign(service.subscribers[0]!, { plan_id: 3 });
				await given.beforeRetry?.();
			}
			return await request.call(service, given);
		};
		const output = await runAccess(service, 'close', rowOf(ann));
		expect(output).toMatchObject({ action: 'kept', attention: expect.stringContaining('a plan') });
		expect(service.writes).toEqual([]);
	});

	it('count a closing whose response was lost', async () => {
		const service = new DirectSupercast([ann], NOW);
		const { request } = DirectSupercast.prototype;
		service.request = async (given) => {
			const response = await request.call(service, given);
			if (given.path[0] === 'feeds') await given.beforeRetry?.();
			return response;
		};
		expect((await runAccess(service, 'close', rowOf(ann))).action).toBe('closed');
	});
});

describe('a list of subscribers that cannot be read', () => {
	it('fails the item that needs it, and no other one', async () => {
		const unhandled: unknown[] = [];
		const note = (error: unknown) => unhandled.push(error);
		process.on('unhandledRejection', note);
		const service = new DirectSupercast([ann, bob], NOW);
		service.trouble = (_, { query }) => (query === undefined ? undefined : 'before');
		await expect(runAccess(service, 'open', { email: '', id: 'c-2' })).rejects.toThrow('gave 502');
		const output = await runAccess(service, 'open', { email: ann.email, id: 'c-1' });
		expect(output.action).toBe('unchanged');
		await new Promise((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', note);
		expect(unhandled).toEqual([]);
	});
});

describe('an email that another subscriber keeps', () => {
	/** m1@a.com is the new email of the member c-0 on the list. The subscriber c-1 still has it. */
	const rows = (firstName: string): Row[] => [
		{ email: 'm1@a.com', id: 'c-0', firstName },
		{ email: '', id: 'c-1' },
	];

	it.each([
		['keep a feed closed', { state: 'deactivated' }, 'Ann', 'reopened', 'available'],
		['keep another field from its new value', {}, 'Bea', 'updated', 'available'],
	])('does not %s', async (_, fields, firstName, action, state) => {
		const service = new DirectSupercast([held(0, { ...fields, first_name: 'Ann' }), held(1)], NOW);
		const { records } = await runRows(service, rows(firstName));
		expect(records.map(({ json }) => [json.uuid, json.action])).toContainEqual(['u-0', action]);
		const after = { email: 'm0@a.com', first_name: firstName, state };
		expect(service.find('u-0')).toMatchObject(after);
	});
});

it('a list is refused if most members want the email of another', async () => {
	const people = [0, 1, 2].map((number) => held(number));
	const rows = people.map(({ email }, number) => ({ email, id: `c-${(number + 1) % 3}` }));
	for (const firstName of [undefined, 'Bea']) {
		const named = rows.map((row) => ({ ...row, firstName }));
		await expect(runRows(new DirectSupercast(people, NOW), named)).rejects.toThrow(
			'conflicts for 3 of the 3 members',
		);
	}
});

it('a member who gets an email that two subscribers have is changed or reported', async () => {
	const people = [held(1, { email: 'x@a.com' }), held(2, { email: 'x@a.com' }), held(3)];
	const service = new DirectSupercast(people, NOW);
	const rows = [
		{ email: 'w@a.com', id: 'c-2' },
		{ email: 'm3@a.com', id: 'c-1' },
		{ email: 'x@a.com', id: 'c-3' },
	];
	const { records } = await runRows(service, rows, { options: { graceHours: 0 } });
	for (const { json } of records) {
		expect(service.find(String(json.uuid))?.email).toBe(json.email);
	}
});
