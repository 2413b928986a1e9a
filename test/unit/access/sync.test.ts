import { FakeService, type Held } from './fakeService';
import { NOW, runRows, type Row } from './running';

const LONG_AGO = '2025-06-01T00:00:00.000Z';

function held(number: number, fields: Partial<Held> = {}): Held {
	return {
		uuid: `u-${number}`,
		email: `member.${number}@example.com`,
		customer_id: `c-${number}`,
		first_name: 'Ann',
		state: 'available',
		plan_id: null,
		created_at: LONG_AGO,
		updated_at: LONG_AGO,
		...fields,
	};
}

function rowOf({ email, customer_id: id }: Held): Row {
	return { email, id: id ?? '' };
}

function actions(result: Awaited<ReturnType<typeof runRows>>): string[] {
	return result.records.map(({ json }) => `${String(json.action)} ${String(json.email)}`);
}

function readings({ requests }: FakeService): number {
	return requests.filter(({ query }) => query?.page === 1).length;
}

const people = Array.from({ length: 5 }, (_, number) => held(number));
const [gone, ...others] = people;
const list = others.map(rowOf);

describe('reading the subscribers', () => {
	it('reads them again when their number is not the total, and continues when it is', async () => {
		const service = new FakeService(people, NOW);
		service.total = () => (service.requests.length <= 2 ? 6 : 5);
		expect(actions(await runRows(service, list))).toEqual([`closed ${gone!.email}`]);
		expect(readings(service)).toBe(2);
	});

	it('closes nobody, and says so, when the number is never the total', async () => {
		const service = new FakeService(people, NOW);
		service.total = () => 6;
		const result = await runRows(service, [...list, { email: 'new@example.com' }]);
		expect(actions(result)).toEqual(['created new@example.com']);
		expect(readings(service)).toBe(3);
		expect(result.hints.at(-1)?.message).toContain('Sync closes no feeds in this run');
	});

	it('relies on the end of the list when there is no total', async () => {
		const service = new FakeService(people, NOW);
		service.total = () => undefined;
		expect(actions(await runRows(service, list))).toEqual([`closed ${gone!.email}`]);
	});

	it('writes nothing when a page fails', async () => {
		const service = new FakeService(people, NOW);
		service.perPage = 2;
		service.trouble = (number) => (number === 3 ? 'before' : undefined);
		await expect(runRows(service, list)).rejects.toThrow('gave 502');
		expect(service.writes).toEqual([]);
	});
});

describe('before a closing', () => {
	const changes: Array<[string, (one: Held) => void]> = [
		['was changed', (one) => (one.updated_at = '2026-01-15T00:00:00.000Z')],
		['got a plan', (one) => (one.plan_id = 7)],
		['was suspended', (one) => (one.state = 'suspended')],
		['has another email', (one) => (one.email = 'other@example.com')],
	];
	it.each(changes)('keeps someone who %s since the reading', async (_, change) => {
		const service = new FakeService(people, NOW);
		service.meanwhile = (number) => {
			if (number === 2) change(service.find(gone!.uuid)!);
		};
		const result = await runRows(service, list, { options: { output: 'all' } });
		const [kept] = result.records.filter(({ json }) => json.uuid === gone!.uuid);
		expect(kept?.json).toMatchObject({
			action: 'kept',
			reason: 'changed since the list of subscribers was read',
		});
		expect(service.writes).toEqual([]);
	});

	it('does not fail for someone who was deleted since', async () => {
		const service = new FakeService(people, NOW);
		service.meanwhile = (number) => {
			if (number === 2) service.subscribers.shift();
		};
		const result = await runRows(service, list);
		expect(result).toMatchObject({ records: [], failures: [] });
		expect(service.writes).toEqual([]);
	});
});

describe('someone who joins during the run', () => {
	const email = 'late@example.com';
	const rows = [...people.map(rowOf), { email, id: 'c-late', firstName: 'Lea' }];

	it.each<[string, Partial<Held>, string[], string]>([
		['as wanted', { first_name: 'Lea' }, [], 'unchanged'],
		['under another name', {}, ['PATCH subscribers'], 'updated'],
		[
			'and is deactivated',
			{ state: 'deactivated' },
			['PATCH subscribers', 'PATCH feeds'],
			'reopened',
		],
		['and is suspended', { state: 'suspended' }, [], 'kept'],
		['with the ID of someone else', { customer_id: 'c-other' }, [], 'kept'],
	])('%s', async (_, fields, writes, action) => {
		const service = new FakeService(people, NOW);
		service.meanwhile = (number) => {
			if (number === 2)
				service.subscribers.push(held(9, { email, customer_id: 'c-late', ...fields }));
		};
		const result = await runRows(service, rows, { options: { output: 'all' } });
		expect(service.writes.map(({ method, path }) => `${method} ${path[0]}`)).toEqual(writes);
		expect(result.records.find(({ json }) => json.email === email)?.json.action).toBe(action);
	});

	it('is found when they join between the look-up and the creation', async () => {
		const service = new FakeService(people, NOW);
		service.meanwhile = (number) => {
			if (number === 3) service.subscribers.push(held(9, { email, customer_id: 'c-late' }));
		};
		expect(actions(await runRows(service, rows))).toEqual([`updated ${email}`]);
		expect(service.subscribers).toHaveLength(6);
	});
});

describe('a Supercast that shows little', () => {
	it('names people by email when it shows no uuid, even after the email changed', async () => {
		const back = held(1, { uuid: '', state: 'deactivated' });
		const service = new FakeService([back], NOW);
		const rows = [{ email: 'moved@example.com', id: 'c-1' }];
		expect(actions(await runRows(service, rows))).toEqual(['reopened moved@example.com']);
		expect(service.writes.map(({ path }) => path.join('/'))).toEqual([
			`subscribers/${back.email}`,
			'feeds/moved@example.com',
		]);
	});

	it('does not write a hidden field again and again', async () => {
		const { uuid, email, customer_id, state } = held(1);
		const service = new FakeService([{ uuid, email, customer_id, state } as Held], NOW);
		await runRows(service, [{ ...rowOf(held(1)), firstName: 'Anna' }]);
		expect(service.writes).toEqual([]);
	});

	it('keeps someone whose age is hidden, unless age does not matter', async () => {
		const service = new FakeService([held(1, { created_at: '' }), held(2)], NOW);
		expect(actions(await runRows(service, [rowOf(held(2))]))).toEqual([]);
		const options = { graceHours: 0 };
		expect(await runRows(service, [rowOf(held(2))], { options })).toMatchObject({ failures: [] });
		expect(service.subscribers[0]?.state).toBe('deactivated');
	});

	it.each<[string, string, string]>([
		['seconds since 1970', '1735689600', 'deactivated'],
		['seconds since 1970, of an hour ago', String(NOW / 1000 - 3_600), 'available'],
		['a number that is no time', '5', 'available'],
	])('reads an age from %s', async (_, created_at, state) => {
		const service = new FakeService([held(1, { created_at }), held(2)], NOW);
		await runRows(service, [rowOf(held(2))]);
		expect(service.subscribers[0]?.state).toBe(state);
	});

	it('counts the plan of a subscription as a plan', async () => {
		const billed = { ...held(1), subscriptions: [null, { plan_id: 4 }] };
		const service = new FakeService([billed, held(2)], NOW);
		await runRows(service, [rowOf(held(2))]);
		expect(service.writes).toEqual([]);
	});
});

describe('a customer ID', () => {
	it('is never written to an existing subscriber', async () => {
		const billed = held(1, { customer_id: null, plan_id: 3 });
		const service = new FakeService([billed], NOW);
		await runRows(service, [{ email: billed.email, id: 'c-mine' }]);
		expect(service.writes).toEqual([]);
	});
});

describe('what the editor says', () => {
	it('warns about members whom no run with this prefix will ever close', async () => {
		const service = new FakeService([], NOW);
		const rows = [{ email: 'a@example.com', id: 'p_1' }, { email: 'b@example.com' }];
		const { hints } = await runRows(service, rows, { options: { customerIdPrefix: 'p_' } });
		expect(hints.at(-1)).toMatchObject({
			type: 'warning',
			message: expect.stringContaining('cannot close the feeds of 1 member on the list'),
		});
	});
});
