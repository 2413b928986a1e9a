import { apply } from '../../../nodes/Supercast/access/apply';
import { moveRounds } from '../../../nodes/Supercast/access/sync/moves';
import { asRecord } from '../../../nodes/Supercast/api/json';
import { currentSubscriber } from '../../../nodes/Supercast/access/match';
import type { AccessDecision, SubscriberDecision } from '../../../nodes/Supercast/access/rules';
import { DirectSupercast, crowd, held, type Held } from '../../doubles/directSupercast';
import { altered, NOW, retried, type Row, runAccess, runRows, withoutFeeds } from './running';
const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });
const messages = ({ hints }: Awaited<ReturnType<typeof runRows>>): string[] =>
	hints.map(({ message }) => message);
const sent = ({ requests }: DirectSupercast): string[] =>
	requests.map(({ method, path }) => `${method} ${path.join('/')}`);

describe('applying a decision', () => {
	const decision = (
		fields: Partial<SubscriberDecision>,
		one: Partial<Held> = {},
	): SubscriberDecision => {
		const subscriber = currentSubscriber({ ...held(1, one) });
		return { action: 'reopened', write: {}, subscriber, others: [], ...fields };
	};
	const run = async (service: DirectSupercast, one: AccessDecision) =>
		await apply(service, one, (subscriber) => ({ ...one, subscriber }));

	it('sends nothing if someone is kept or unchanged', async () => {
		const service = new DirectSupercast([held(1)], NOW);
		const unchanged = decision({ action: 'unchanged', write: { first_name: 'B' } });
		await run(service, unchanged);
		await run(service, { ...unchanged, action: 'kept', reason: 'state' });
		expect(service.requests).toEqual([]);
	});

	it('shows what Supercast shows of changed fields, and fails if it refuses them', async () => {
		const service = new DirectSupercast([held(1), held(2)], NOW);
		const rename = decision({ action: 'updated', write: { first_name: 'B' } });
		expect(await run(service, rename)).toMatchObject({ shown: { first_name: 'B' } });
		const taken = decision({ action: 'updated', write: { email: 'm2@a.com' } });
		await expect(run(service, taken)).rejects.toThrow('422');
	});

	it('opens the feeds of someone whom Supercast creates closed', async () => {
		const service = new DirectSupercast([], NOW);
		service.habit = ({ method, fields }) =>
			method === 'POST'
				? { status: 201, body: service.add({ ...fields, state: 'deactivated' }) }
				: undefined;
		const output = await runAccess(service, 'open', { email: 'new@a.com' });
		expect(output).toMatchObject({ action: 'reopened', state: 'available' });
		expect(service.subscribers[0]?.state).toBe('available');
	});

	it('says that someone is unchanged whom someone else creates before', async () => {
		const service = new DirectSupercast([], NOW);
		service.meanwhile = (number) => {
			if (number === 2) service.subscribers.push(held(1));
		};
		expect(await runAccess(service, 'open', { email: 'm1@a.com' })).toMatchObject({
			action: 'unchanged',
			uuid: 'u-1',
		});
	});

	describe('a second try of a closing', () => {
		/** Closes with a second try, before which something happens. */
		async function closeTwice(happens: (one: Held, service: DirectSupercast) => void) {
			const service = retried(new DirectSupercast([held(1)], NOW));
			service.meanwhile = (number) => {
				if (number === 3) happens(service.subscribers[0]!, service);
			};
			return { service, output: await runAccess(service, 'close', { email: 'm1@a.com' }) };
		}

		it('is sent if the person still has no access', async () => {
			const { service, output } = await closeTwice((one) => (one.first_name = 'B'));
			expect(output).toMatchObject({ action: 'closed', attention: null });
			expect(service.subscribers[0]?.state).toBe('deactivated');
		});

		it('is not needed if the first one has closed the feed', async () => {
			const { service, output } = await closeTwice((one) => (one.state = 'deactivated'));
			expect(output).toMatchObject({ action: 'closed', state: 'deactivated', attention: null });
			expect(service.writes).toEqual([]);
		});

		it('is not sent if the person has a plan now', async () => {
			const { service, output } = await closeTwice((one) => (one.plan_id = 3));
			expect(output).toMatchObject({
				action: 'kept',
				attention: expect.stringContaining('a plan'),
			});
			expect(service.writes).toEqual([]);
		});

		it('is not sent if the subscriber has been deleted', async () => {
			const { output } = await closeTwice((_, service) => service.subscribers.pop());
			expect(output).toMatchObject({
				action: 'kept',
				attention: expect.stringContaining('no such subscriber'),
			});
		});
	});

	it('names people by email in its errors, and says what it was doing', async () => {
		const service = new DirectSupercast([held(1)], NOW);
		await run(service, decision({ write: { first_name: 'B' } }));
		await run(service, decision({ action: 'closed' }));
		const subjects = service.requests.map(({ subject }) => [subject.text, subject.verb]);
		expect(subjects).toEqual([
			['subscriber "m1@a.com"', undefined],
			['feed of the subscriber "m1@a.com"', 'opening'],
			['subscriber "u-1"', undefined],
			['feed of the subscriber "m1@a.com"', 'closing'],
		]);
	});

	it('names people in Sync by the email on the list, their email in Supercast, or their uuid', async () => {
		const people = [held(1, { email: 'old@a.com' }), held(2), held(3, { email: '' })];
		const service = new DirectSupercast(people, NOW);
		// They wait for someone else, and are stopped.
		service.channel.queues.enterFor(['m2@a.com', 'new@a.com', 'u-3']);
		Object.assign(service, { signal: AbortSignal.abort() });
		const rows = [rowOf(held(1)), { email: 'new@a.com' }];
		const { failures } = await runRows(service, rows, withoutGrace);
		const names = failures.map(({ error }) => /subscriber "(.*)"/.exec(error.message)?.[1]);
		expect(names.sort()).toEqual(['m2@a.com', 'new@a.com', 'u-3']);
	});

	it('ends immediately if the fields fail for another reason than a refusal', async () => {
		const service = new DirectSupercast([held(1)], NOW);
		service.trouble = () => 'before';
		await expect(run(service, decision({ write: { first_name: 'B' } }))).rejects.toThrow('502');
		expect(sent(service)).toEqual(['PATCH subscribers/u-1']);
	});

	it('opens the feed under the old email if the new one is refused', async () => {
		const people = [held(1, { uuid: '', state: 'deactivated' }), held(2)];
		const service = new DirectSupercast(people, NOW);
		const one = decision({ write: { email: 'm2@a.com' } }, { uuid: '' });
		await expect(run(service, one)).rejects.toThrow('422');
		expect(sent(service).at(-1)).toBe('PATCH feeds/m1@a.com');
	});

	it('fails with the closing, unless the person changed', async () => {
		const service = new DirectSupercast([held(1)], NOW);
		service.trouble = (_, { path }) => (path[0] === 'feeds' ? 'before' : undefined);
		await expect(run(service, decision({ action: 'closed' }))).rejects.toThrow('gave 502');
	});

	it('reads someone who was created if Supercast sends no record', async () => {
		const service = altered(new DirectSupercast([], NOW), () =>
			service.requests.at(-1)?.method === 'POST' ? { body: undefined } : {},
		);
		const output = await runAccess(service, 'open', { email: 'new@a.com' });
		expect(sent(service)).toEqual([
			'GET subscribers/new@a.com',
			'POST subscribers',
			'GET subscribers/new@a.com',
		]);
		expect(service.requests.at(-1)?.mayBeHidden).toBe(true);
		expect(output).toMatchObject({ action: 'created', uuid: service.subscribers[0]!.uuid });
	});

	it('reads someone again who was reopened, but nobody else', async () => {
		const back = new DirectSupercast([held(1, { state: 'deactivated' })], NOW);
		await runAccess(back, 'open', { email: 'm1@a.com' });
		expect(sent(back).slice(1)).toEqual(['PATCH feeds/u-1', 'GET subscribers/u-1']);
		const fresh = new DirectSupercast([], NOW);
		await runAccess(fresh, 'open', { email: 'new@a.com' });
		expect(sent(fresh)).toHaveLength(2);
	});

	it('asks for no email that is not given', async () => {
		const service = new DirectSupercast([held(1)], NOW);
		await runAccess(service, 'open', { email: '', id: 'c-1' });
		expect(sent(service)).toEqual(['GET subscribers', 'GET subscribers/u-1']);
	});
});

describe('a run of Sync', () => {
	const all = { options: { output: 'all' } };

	it('changes emails first, opens before it closes, and changes fields last', async () => {
		const [ann, bob, cy, dee] = [held(1), held(2, { state: 'deactivated' }), held(3), held(4)];
		const service = new DirectSupercast([dee, cy, bob, ann], NOW);
		await runRows(service, [
			{ ...rowOf(cy), firstName: 'Cy' },
			rowOf(bob),
			{ email: 'new@a.com', id: 'c-new' },
			{ email: 'ann@a.com', id: 'c-1' },
		]);
		expect(service.writes.map(({ method, path }) => `${method} ${path.join('/')}`)).toEqual([
			'PATCH subscribers/u-1',
			'POST subscribers',
			'PATCH feeds/u-2',
			'PATCH feeds/u-4',
			'PATCH subscribers/u-3',
		]);
		// An update is not read again.
		expect(sent(service)).toHaveLength(9);
	});

	it('after a failed creation, closes nobody who may be that member', async () => {
		const people = [held(1, { state: 'deactivated' }), held(2)];
		for (const [path, id, state] of [
			['subscribers', '', 'available'],
			['subscribers', 'c-new', 'available'],
			['feeds/u-1', '', 'deactivated'],
		] as const) {
			const service = new DirectSupercast(people, NOW);
			service.trouble = (_, request) =>
				request.method !== 'GET' && request.path.join('/') === path ? 'before' : undefined;
			const rows = [rowOf(people[0]!), { email: 'new@a.com', id }];
			const result = await runRows(service, rows, all);
			expect([path, id, service.find('u-2')!.state]).toEqual([path, id, state]);
			expect(result.failures).toHaveLength(1);
		}
	});

	it('keeps someone who was deleted before the reopening', async () => {
		const service = new DirectSupercast([held(1, { state: 'deactivated' })], NOW);
		service.meanwhile = (number) => {
			if (number === 2) service.subscribers.pop();
		};
		const { records } = await runRows(service, [rowOf(held(1))], all);
		expect(records[0]!.json).toMatchObject({
			...{ action: 'kept', email: 'm1@a.com' },
			reason: 'deleted since the list of subscribers was read',
		});
	});

	it('names a further record of someone by its own email', async () => {
		const people = [held(1, { customer_id: null }), held(2, { customer_id: 'c-1' })];
		const { records } = await runRows(new DirectSupercast(people, NOW), [rowOf(held(1))], all);
		expect(records.map(({ json }) => [json.action, json.email, json.reason])).toEqual([
			['unchanged', 'm1@a.com', ''],
			[
				'kept',
				'm2@a.com',
				'conflict: c-1 belongs to m1@a.com on your list, but to m2@a.com in Supercast',
			],
		]);
		const twice = [...people, held(3, { customer_id: 'c-1' })];
		const rows = [{ email: '', id: 'c-1' }];
		const unclear = await runRows(new DirectSupercast(twice, NOW), rows, all);
		expect(unclear.records.map(({ json }) => json.reason)).toEqual([
			'conflict: several subscribers have the same customer ID or email',
			'conflict: several subscribers have the same customer ID or email',
			'no customer ID',
		]);
	});

	it('says nothing about someone who is not on the list and was already deactivated', async () => {
		const service = new DirectSupercast([held(1), held(2, { state: 'deactivated' })], NOW);
		expect((await runRows(service, [rowOf(held(1))], all)).records).toHaveLength(1);
	});

	it('closes no feed with an ID of another system, unless there is a prefix or no ID', async () => {
		const people = [held(1), held(2, { customer_id: 'cus_42' })];
		const rows: Array<[Row, string, string]> = [
			[rowOf(held(1)), '', 'available'],
			[rowOf(held(1)), 'cus_', 'none'],
			[{ email: 'm1@a.com' }, '', 'deactivated'],
			[{ email: 'm1@a.com' }, 'cus_', 'deactivated'],
		];
		for (const [row, prefix, state] of rows) {
			const service = new DirectSupercast(people, NOW);
			const options = prefix === '' ? {} : { customerIdPrefix: prefix };
			const result = await runRows(service, [row], { close: 'all', options }).catch(
				() => undefined,
			);
			expect(result === undefined ? 'none' : service.find('u-2')!.state).toBe(state);
		}
	});

	it.each([
		[59, undefined],
		[60, 'by an hour'],
		[150, 'by 3 hours'],
		[-150, 'by 3 hours'],
	])('warns about a clock that is wrong by %i minutes: %s', async (minutes, words) => {
		const date = new Date(NOW + minutes * 60_000).toUTCString();
		const service = altered(new DirectSupercast(crowd(1), NOW), ({ headers }) => ({
			headers: { ...headers, date },
		}));
		const said = messages(await runRows(service, [rowOf(held(0))]));
		const clock = said.find((one) => one.startsWith('The clock'));
		expect(clock).toEqual(
			words && expect.stringMatching(`^The clock of your n8n server differs.* ${words}. Sync uses`),
		);
	});

	it('does not count the time of its changes as a wrong clock', async () => {
		const service = new DirectSupercast([], NOW);
		const now = (): number => NOW + service.writes.length * 2 * 3_600_000;
		const result = await runRows(service, [{ email: 'new@a.com' }], {}, { tools: { now } });
		expect(messages(result).join(' ')).not.toContain('The clock of your n8n server');
		expect(messages(result)[0]).toBe('Supercast: 1 feed opened. 0 unchanged.');
	});
});

const withoutGrace = { options: { output: 'all', graceHours: 0 } };
const reasons = ({ records }: Awaited<ReturnType<typeof runRows>>): unknown[] =>
	records.map(({ json }) => json.reason);
const hints = ({ hints: all }: Awaited<ReturnType<typeof runRows>>): string =>
	all.map(({ message }) => message).join('\n');

describe('the feed address of a new or returning member', () => {
	const rows = [{ email: 'new@a.com', id: 'c-new' }, rowOf(held(1))];

	/** A service that shows the address only to reads of open feeds. */
	function hiding(): DirectSupercast {
		const service = new DirectSupercast([held(1, { state: 'deactivated' })], NOW);
		return altered(service, ({ body }) => {
			const { state } = asRecord(body);
			const isShown = service.requests.at(-1)?.method === 'GET' && state === 'available';
			return isShown || Array.isArray(body)
				? {}
				: { body: { ...Object(body), feed_url: undefined } };
		});
	}

	it.each(['available', 'pending'])('is read if it is not shown, first "%s"', async (state) => {
		const service = hiding();
		const { request } = service;
		service.request = async (given) => {
			const { body, ...rest } = await request(given);
			return { ...rest, body: given.method === 'POST' ? { ...Object(body), state } : body };
		};
		const { records } = await runRows(service, rows, withoutGrace);
		for (const { json } of records) expect(json.feed_urls).toHaveLength(1);
	});

	it('is read once', async () => {
		const service = hiding();
		await runRows(service, [rowOf(held(1))], withoutGrace);
		const reads = service.requests.filter(({ path }) => path.length === 2 && path[0] !== 'feeds');
		expect(reads.map(({ path, mayBeHidden }) => [path[1], mayBeHidden])).toEqual([
			['u-1', undefined],
			['u-1', true],
		]);
	});

	it('may be missing, because the feed is open all the same', async () => {
		const service = hiding();
		const lastRead = 4;
		service.trouble = (number, { method }) =>
			number >= lastRead && method === 'GET' ? 'before' : undefined;
		const { failures, records } = await runRows(service, [rowOf(held(1))], withoutGrace);
		expect([failures, records[0]?.json.action]).toEqual([[], 'reopened']);
		expect(service.subscribers[0]?.state).toBe('available');
	});
});

describe('a run that is stopped', () => {
	it.each<[string, number, number, boolean]>([
		['ends with the error of a change', 3, 4, true],
		['ends with the error of a look-up after the change', 4, 4, true],
		['would continue if it were not stopped', 3, 4, false],
	])('%s', async (_, from, last, stopped) => {
		const service = withoutFeeds(
			new DirectSupercast(
				[held(1, { state: 'deactivated' }), held(2, { state: 'deactivated' })],
				NOW,
			),
		);
		service.trouble = (number) => (number >= from ? 'before' : undefined);
		const run = runRows(service, [held(1), held(2)].map(rowOf), withoutGrace, {
			isStopped: () => stopped,
		});
		if (stopped) await expect(run).rejects.toThrow('gave 502');
		else expect((await run).failures).toHaveLength(2);
		expect(service.requests.length > last).toBe(!stopped);
	});
});

describe('emails that change hands', () => {
	it('a new member does not get the record of a member whose email could not change', async () => {
		const service = new DirectSupercast([held(1)], NOW);
		service.trouble = (_, { method }) => (method === 'PATCH' ? 'before' : undefined);
		const moved = { email: 'moved@a.com', id: 'c-1' };
		const newcomer = { email: 'm1@a.com', id: 'c-new' };
		const result = await runRows(service, [moved, newcomer], withoutGrace);
		expect(reasons(result)).toContain('conflict: another subscriber has the email m1@a.com');
		expect(service.subscribers).toEqual([held(1)]);
	});

	it('change one after the other, each when it is free', () => {
		const move = (number: number, email: string): AccessDecision => {
			const subscriber = currentSubscriber({ ...held(number) });
			return { action: 'updated', write: { email }, subscriber, others: [] };
		};
		const [first, second, third] = [move(1, 'new@a.com'), move(2, 'm1@a.com'), move(3, 'm2@a.com')];
		const capitals = move(4, 'M4@a.com');
		const swapped = [move(5, 'm6@a.com'), move(6, 'm5@a.com')];
		const renamed = { ...move(7, ''), write: { first_name: 'B' } };
		const added: AccessDecision = { action: 'created', write: { email: 'x@a.com' }, others: [] };
		const decisions = [third, second, first, capitals, ...swapped, renamed, added];
		expect(moveRounds(decisions)).toEqual([[first, capitals, added], [second], [third], swapped]);
	});

	it('two members who have swapped their emails are skipped', async () => {
		const service = new DirectSupercast([held(1), held(2)], NOW);
		const swapped = [
			{ email: 'm2@a.com', id: 'c-1' },
			{ email: 'm1@a.com', id: 'c-2' },
		];
		const result = await runRows(service, swapped, withoutGrace);
		expect(service.writes).toEqual([]);
		expect(String(reasons(result))).toContain('conflict');
	});

	it.each(['B', 'A'])(
		'a member is reopened as "%s" without the email that someone else keeps',
		async (firstName) => {
			const people = [held(1, { state: 'deactivated', first_name: 'A' }), held(2)];
			const service = new DirectSupercast(people, NOW);
			const rows = [
				{ email: 'm2@a.com', id: 'c-1', firstName },
				{ email: '', id: 'c-2' },
			];
			const { failures } = await runRows(service, rows, withoutGrace);
			expect(failures).toEqual([]);
			expect(service.find('u-1')).toMatchObject({ state: 'available', email: 'm1@a.com' });
			expect(service.find('u-2')).toMatchObject({ email: 'm2@a.com' });
		},
	);
});

describe('before a closing', () => {
	it('people whom the list did not show keep all feeds open', async () => {
		const service = new DirectSupercast(crowd(30), NOW);
		const hidden = [1, 2].map((one) => held(900 + one, { email: `new${one}@a.com` }));
		service.meanwhile = (number) => {
			if (number === 2) service.subscribers.push(...hidden);
		};
		const listed = [...crowd(29).map(rowOf), ...hidden.map(rowOf)];
		const result = await runRows(service, listed, withoutGrace);
		expect(service.find('u-29')?.state).toBe('available');
		expect(reasons(result)).toContain("Supercast's list of subscribers does not show everyone");
		expect(hints(result)).toContain(
			'it does not show everyone. Sync opens feeds, but closes no feeds.',
		);
	});

	it('an unexpected list of subscribers keeps all feeds open', async () => {
		const people = [held(0), ...[1, 2, 3, 4].map((one) => held(one, { state: 'mystery' }))];
		const service = new DirectSupercast(people, NOW);
		const result = await runRows(service, [rowOf(held(9))], withoutGrace);
		expect(service.find('u-0')?.state).toBe('available');
		expect(reasons(result)).toContain("Supercast's list of subscribers is not as expected");
		expect(hints(result)).toContain('"mystery". Sync opens feeds, but closes no feeds.');
	});

	it('a subscriber without a customer ID stays open if the list names someone only by ID', async () => {
		for (const [id, state] of [
			['c-unknown', 'available'],
			['', 'deactivated'],
		] as const) {
			const service = new DirectSupercast([held(1), held(2, { customer_id: null })], NOW);
			const listed = [rowOf(held(1)), ...(id === '' ? [] : [{ email: '', id }])];
			await runRows(service, listed, { ...withoutGrace, close: 'all' });
			expect([id, service.find('u-2')?.state]).toEqual([id, state]);
		}
	});

	it.each<[string, Row[], string]>([
		['closes, because that feed is closed', [], 'deactivated'],
		['stays open if the list may open that feed again', [{ email: 'm2@a.com' }], 'available'],
	])('a member whose ID a deactivated subscriber has %s', async (_, listed, state) => {
		const twin = held(2, { customer_id: 'c-1', state: 'deactivated' });
		const service = new DirectSupercast([held(1), twin, held(3)], NOW);
		await runRows(service, [...listed, rowOf(held(3))], withoutGrace);
		expect(service.find('u-1')?.state).toBe(state);
	});

	it('a change of only the time, after a try, is an error', async () => {
		const service = new DirectSupercast([held(1), held(2)], NOW);
		retried(service, () => {
			service.find('u-2')!.updated_at = '2026-01-15T02:59:00.000Z';
		});
		const { failures } = await runRows(service, [rowOf(held(1))], withoutGrace);
		expect(failures).toHaveLength(1);
		expect(failures[0]?.error).toMatchObject({
			message: expect.stringContaining('shows the state "available"'),
			description: expect.stringContaining('expected the state "inactive"'),
		});
	});

	it('someone who was on no list and changes between two tries stays open', async () => {
		const service = new DirectSupercast([held(1), held(2)], NOW);
		retried(service, () => {
			const time = '2026-01-15T02:59:00Z';
			Object.assign(service.find('u-2')!, { first_name: 'B', updated_at: time });
		});
		const result = await runRows(service, [rowOf(held(1))], withoutGrace);
		expect(result.failures).toEqual([]);
		expect(reasons(result)).toContain('changed since the list of subscribers was read');
		expect(service.writes).toEqual([]);
	});
});
