import type { IDataObject } from 'n8n-workflow';

import { currentSubscriber, type CurrentSubscriber } from '../../../nodes/Supercast/access/match';
import { OBSTACLES } from '../../../nodes/Supercast/access/reasons';
import type { RuleSettings } from '../../../nodes/Supercast/access/settings';
import { setAccess as setAccessWith } from '../../../nodes/Supercast/access/setAccess';
import { accessOutput, leftOutput } from '../../../nodes/Supercast/report/setAccess';
import type { ItemParameters } from '../../../nodes/Supercast/operations/types';
import { DirectSupercast, held } from '../../doubles/directSupercast';
import {
	altered,
	NOW,
	parametersOf,
	runAccess,
	runRows,
	SlowService,
	withoutFeeds,
} from './running';

const setAccess = setAccessWith(accessOutput, leftOutput);

const added = { email: 'new@a.com', id: 'c-new' };

/** A service that creates subscribers in a state. */
function creatingIn(state: string): DirectSupercast {
	const service = new DirectSupercast([], NOW);
	service.habit = ({ method, fields }) =>
		method === 'POST' ? { status: 201, body: service.add({ ...fields, state }) } : undefined;
	return service;
}

describe('an opened feed', () => {
	it.each([
		['suspended', 'is suspended'],
		['charge_failure', 'payment to Supercast failed'],
		['pending', 'not completed their checkout'],
		['mystery', 'the state "mystery"'],
	])('needs a person if Supercast creates it in the state "%s"', async (state, words) => {
		const output = await runAccess(creatingIn(state), 'open', added);
		expect(output).toMatchObject({ action: 'created', state });
		expect(output.reason).toContain(words);
		expect(output.attention).toContain(words);
		// The reason is one sentence.
		expect(output.reason).toMatch(/^\S+, \S+ should have access, but [^.]+\.$/);
	});

	it('needs nobody if it is open and has an address', async () => {
		const nothing = { reason: null, attention: null };
		expect(await runAccess(creatingIn('available'), 'open', added)).toMatchObject(nothing);
		const back = new DirectSupercast([held(1, { state: 'deactivated' })], NOW);
		const output = await runAccess(back, 'open', { email: 'm1@a.com', id: 'c-1' });
		expect(output).toMatchObject({ ...nothing, action: 'reopened' });
	});

	it.each([
		['customer_id', { id: 'c-new' }, { customer_id: 'c-1' }, true],
		['first_name', { id: 'c-1', firstName: 'anna' }, { first_name: 'Anna' }, false],
	])(
		'says that Supercast does not take over the %s',
		async (field, person, stored, isImportant) => {
			const service = new DirectSupercast([held(1)], NOW);
			service.habit = (request) =>
				request.method === 'PATCH'
					? service.usual({ ...request, fields: { ...request.fields, ...stored } })
					: undefined;
			const output = await runAccess(service, 'open', { email: 'm1@a.com', ...person });
			expect(output).toMatchObject({ action: 'unchanged', changes: {} });
			expect(output.reason).toContain(`than the node wrote: ${field}.`);
			expect(output.attention === null).toBe(!isImportant);
		},
	);

	it('needs a person if Supercast shows no address', async () => {
		const fresh = withoutFeeds(creatingIn('available'));
		const back = withoutFeeds(new DirectSupercast([held(1, { state: 'deactivated' })], NOW));
		for (const [service, person] of [
			[fresh, added],
			[back, { email: 'm1@a.com' }],
		] as const) {
			const { attention } = await runAccess(service, 'open', person);
			expect(attention).toContain('no feed address');
		}
	});

	it('is an error if Supercast confirms the opening but still shows it closed', async () => {
		const service = new DirectSupercast([held(1, { state: 'deactivated' })], NOW);
		service.habit = ({ method }) =>
			method === 'PATCH' ? { status: 200, body: { state: 'available' } } : undefined;
		const opening = runAccess(service, 'open', { email: 'm1@a.com' });
		await expect(opening).rejects.toThrow(/while opening .*m1@a\.com.*deactivated/);
	});

	it('needs nobody because of another feed with the same customer ID', async () => {
		const service = new DirectSupercast([held(1), held(2, { customer_id: 'c-1' })], NOW);
		await runAccess(service, 'open', { email: '', id: 'c-1' });
		const output = await runAccess(service, 'open', { email: 'm1@a.com' });
		expect(output).toMatchObject({ action: 'unchanged', attention: null });
	});

	it('needs a person if another subscriber has the customer ID', async () => {
		const people = [
			held(1, { customer_id: null, state: 'deactivated' }),
			held(2, { customer_id: 'c-7' }),
		];
		const service = new DirectSupercast(people, NOW);
		const output = await runAccess(service, 'open', { email: 'm1@a.com', id: 'c-7' });
		expect(output).toMatchObject({ action: 'reopened', uuid: 'u-1' });
		expect(output.attention).toContain('another subscriber has the same customer ID: m2@a.com');
	});

	it('needs nobody if nothing had to be opened', async () => {
		const service = withoutFeeds(new DirectSupercast([held(1)], NOW));
		const output = await runAccess(service, 'open', { email: 'm1@a.com' });
		expect(output).toMatchObject({ action: 'unchanged', reason: null, attention: null });
	});
});

describe('the requests that a decision takes', () => {
	const gone = { state: 'deactivated' };

	it.each([
		['open', 'is open', {}, 'unchanged', ['GET']],
		['open', 'was closed', gone, 'reopened', ['GET', 'PATCH', 'GET']],
		['open', 'does not exist', undefined, 'created', ['GET', 'POST']],
		['close', 'is open', {}, 'closed', ['GET', 'GET', 'PATCH']],
		['close', 'was closed', gone, 'unchanged', ['GET']],
		['close', 'does not exist', undefined, 'kept', ['GET', 'GET']],
	] as const)('to %s a feed that %s', async (what, _, fields, action, methods) => {
		const service = new DirectSupercast(fields ? [held(1, fields)] : [], NOW);
		const output = await runAccess(service, what, { email: 'm1@a.com' });
		expect(output.action).toBe(action);
		expect(service.requests.map(({ method }) => method)).toEqual(methods);
		const isOpened = action === 'created' || action === 'reopened';
		expect('feed_urls' in output).toBe(isOpened);
	});
});

it('a subscriber whom a change has shown is not read again', async () => {
	const service = new DirectSupercast([held(1, { state: 'deactivated' })], NOW);
	altered(service, ({ body }) =>
		service.requests.at(-1)?.method === 'PATCH' ? { body: {} } : { body },
	);
	await runAccess(service, 'open', { email: 'm1@a.com' });
	expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH', 'GET']);
});

describe('a closed feed', () => {
	it('needs a person if the state before is one that the node does not know', async () => {
		const service = new DirectSupercast([held(1, { state: 'mystery' })], NOW);
		const { action, attention } = await runAccess(service, 'close', { email: 'm1@a.com' });
		expect(action).toBe('kept');
		expect(attention).toMatch(/"mystery", which the node does not know.*may still be open/);
	});

	describe('with another feed of the same customer ID', () => {
		/** Closes one of two feeds after the list was read, and after something happened. */
		async function closeOne(happens: (service: DirectSupercast) => void = () => undefined) {
			const service = new DirectSupercast([held(1), held(2, { customer_id: 'c-1' })], NOW);
			await runAccess(service, 'open', { email: '', id: 'c-1' });
			happens(service);
			return await runAccess(service, 'close', { email: 'm1@a.com' });
		}

		it('names it', async () => {
			const { action, attention } = await closeOne();
			expect(action).toBe('closed');
			expect(attention).toMatch(/feed of m2@a.com.* is still open/);
		});

		it('names it even if the first was closed already', async () => {
			const { action, attention } = await closeOne(({ subscribers: [first] }) => {
				Object.assign(first!, { state: 'deactivated' });
			});
			expect([action, attention]).toEqual([
				'unchanged',
				expect.stringMatching(/feed of m2@a.com.* is still open/),
			]);
		});

		it('is not looked for if the first feed stays open', async () => {
			const people = [held(1, { plan_id: 3 }), held(2, { customer_id: 'c-1' })];
			const service = new DirectSupercast(people, NOW);
			await runAccess(service, 'open', { email: '', id: 'c-1' });
			const before = service.requests.length;
			await runAccess(service, 'close', { email: 'm1@a.com' });
			expect(service.requests.slice(before).map(({ path }) => path[1])).toEqual(['m1@a.com']);
		});

		it.each<[string, (service: DirectSupercast) => void]>([
			['is closed', ({ subscribers: [, one] }) => Object.assign(one!, { state: 'deactivated' })],
			['has another ID', ({ subscribers: [, one] }) => Object.assign(one!, { customer_id: 'c-9' })],
			['is gone', ({ subscribers }) => subscribers.pop()],
		])('is silent if that feed %s by now', async (_, happens) => {
			expect(await closeOne(happens)).toMatchObject({ action: 'closed', attention: null });
		});
	});
});

describe('events about one person', () => {
	it('end in the order of arrival, even if finding the first person takes longer', async () => {
		const service = new SlowService([held(1)], NOW);
		// The look-up by customer ID reads the list, which takes longer.
		service.delays = [200, 0, 0, 0];
		const outputs = await Promise.all([
			runAccess(service, 'close', { email: '', id: 'c-1' }),
			runAccess(service, 'open', { email: 'm1@a.com' }),
		]);
		expect(outputs).toMatchObject([{ action: 'closed' }, { action: 'reopened', attention: null }]);
		expect(service.find('u-1')!.state).toBe('available');
	});

	it('Sync with an older list does not undo what Set Access has decided since', async () => {
		const people = [held(0), held(1), held(2, { state: 'deactivated' })];
		const service = new DirectSupercast(people, NOW);
		await runAccess(service, 'open', { email: people[1]!.email, id: 'c-1' });
		await runAccess(service, 'close', { email: people[2]!.email, id: 'c-2' });
		// On the list: not Ann, who has returned, but still the one who has left.
		const rows = [0, 2].map((number) => ({ email: people[number]!.email, id: `c-${number}` }));
		const result = await runRows(
			service,
			rows,
			{ options: { output: 'all' } },
			{ tools: { cameAt: 0 } },
		);
		expect([1, 2].map((number) => service.find(`u-${number}`)!.state)).toEqual([
			'available',
			'deactivated',
		]);
		const reasons = result.records.map(({ json }) => json.reason);
		expect(reasons.filter((reason) => reason !== '')).toEqual(
			Array(2).fill('handled by another operation since the list arrived'),
		);
	});

	it('two events with one customer ID and two emails leave one subscriber', async () => {
		const service = new SlowService([held(0)], NOW);
		service.delays = [3, 1, 7];
		await Promise.all([
			runAccess(service, 'open', { email: 'old@a.com', id: 'c-9' }),
			runAccess(service, 'open', { email: 'new@a.com', id: 'c-9' }),
		]);
		const both = service.subscribers.filter((one) => one.customer_id === 'c-9');
		expect(both.map(({ email, state }) => [email, state])).toEqual([['old@a.com', 'available']]);
	});
});

describe('who is meant', () => {
	/** An item for Open, with these parameters. */
	function itemWith(given: IDataObject): ItemParameters {
		const item = parametersOf({ email: '' });
		const parameter = (name: string): unknown => {
			if (name === 'access') return 'open';
			return name in given ? given[name] : item.parameter(name);
		};
		return { ...item, parameter, collection: (name) => parameter(name) as IDataObject };
	}

	it('Close finds a subscriber whose email Supercast keeps in lower case', async () => {
		const service = new DirectSupercast([held(1)], NOW);
		service.mindsCapitals = true;
		const output = await runAccess(service, 'close', { email: 'M1@a.com' });
		expect(output).toMatchObject({ action: 'closed', uuid: 'u-1' });
	});

	it('Open asks only once before it creates someone', async () => {
		const service = new DirectSupercast([], NOW);
		await runAccess(service, 'open', { email: 'New@a.com' });
		expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
	});

	it('Close needs no customer ID', async () => {
		const service = new DirectSupercast([held(1, { customer_id: null })], NOW);
		const output = await runAccess(service, 'close', { email: 'm1@a.com' });
		expect([output.action, service.subscribers[0]?.state]).toEqual(['closed', 'deactivated']);
	});

	it('Close reports someone as missing who was deleted after the list was read', async () => {
		const service = new DirectSupercast([held(1)], NOW);
		const byId = { email: '', id: 'c-1' };
		await runAccess(service, 'open', byId);
		service.subscribers.pop();
		const output = await runAccess(service, 'close', byId);
		expect(output).toMatchObject({ action: 'kept', reason: expect.stringContaining('no such') });
	});

	it('Open gives a subscriber without a customer ID the ID of the membership system', async () => {
		const service = new DirectSupercast([held(1, { customer_id: null })], NOW);
		const output = await runAccess(service, 'open', { email: 'm1@a.com', id: 'c-7' });
		expect(output).toMatchObject({ action: 'updated', customer_id: 'c-7' });
		expect(service.subscribers[0]?.customer_id).toBe('c-7');
	});

	it.each([
		['email', "'Email'"],
		['customerId', "'Customer ID'"],
	])('is unknown if the expression in %s has no value', (empty, label) => {
		const prepare = () => setAccess.prepare(itemWith({ [empty]: undefined }));
		expect(prepare).toThrow(`The expression in ${label} returned no value`);
		const description: unknown = expect.stringContaining('expression itself is wrong');
		expect(prepare).toThrow(expect.objectContaining({ description }) as Error);
	});

	it('is not said in Other Fields', () => {
		const additionalFields = { otherFields: '{"email": "m1@a.com"}' };
		expect(() => setAccess.prepare(itemWith({ email: 'm1@a.com', additionalFields }))).toThrow(
			'which Set Access sets from its own parameters',
		);
	});

	it('an option whose expression has no result is refused by its name', () => {
		const options = { closeWithPlan: 'perhaps' };
		expect(() => setAccess.prepare(itemWith({ email: 'm1@a.com', options }))).toThrow(
			"'Close Despite Plan'",
		);
	});
});

describe('a feed that stays open without a word about it', () => {
	interface Obstacle {
		applies: (subscriber: CurrentSubscriber, settings: RuleSettings) => boolean;
		setAccess: { close?: string };
	}
	const all = Object.entries(OBSTACLES).map(([reason, row]): [string, Obstacle] => [reason, row]);
	const silent = all.filter(([, row]) => row.setAccess.close === undefined);
	const settings: RuleSettings = {
		...{ addCustomerIds: true, close: 'all', closeWithPlan: false, customerIdPrefix: [] },
		...{ neverClose: new Set(), reactivate: true, replaceCustomerId: true },
	};

	it.each(silent)('would depend on a setting that Set Access does not have: %s', (_, row) => {
		const read: unknown[] = [];
		const noted = new Proxy(settings, {
			get: (target, name) => {
				read.push(name);
				return Reflect.get(target, name) as unknown;
			},
		});
		const people = [held(1), held(2, { customer_id: null, plan_id: 7, state: 'suspended' })];
		const applies = people.map((one) => row.applies(currentSubscriber({ ...one }), noted));
		expect(applies).toEqual([false, false]);
		expect(read).not.toEqual([]);
	});
});
