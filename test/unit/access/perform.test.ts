import { asRecord } from '../../../nodes/Supercast/api/json';
import { crowd, DirectSupercast, type Held, held } from '../../doubles/directSupercast';
import { altered, NOW, type Row, runRows } from './running';

const all = { options: { output: 'all', graceHours: 0 } };
const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });
const reasons = ({ records }: Awaited<ReturnType<typeof runRows>>): unknown[] =>
	records.map(({ json }) => json.reason);

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

	it('is read if no response has shown it', async () => {
		const { records } = await runRows(hiding(), rows, all);
		for (const { json } of records) expect(json.feed_urls).toHaveLength(1);
	});

	it('is read once', async () => {
		const service = hiding();
		await runRows(service, [rowOf(held(1))], all);
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
		const { failures, records } = await runRows(service, [rowOf(held(1))], all);
		expect([failures, records[0]?.json.action]).toEqual([[], 'reopened']);
		expect(service.subscribers[0]?.state).toBe('available');
	});
});

describe('emails that change hands', () => {
	it('a new member does not get the record of a member whose email could not change', async () => {
		const service = new DirectSupercast([held(1)], NOW);
		service.trouble = (_, { method }) => (method === 'PATCH' ? 'before' : undefined);
		const moved = { email: 'moved@a.com', id: 'c-1' };
		const newcomer = { email: 'm1@a.com', id: 'c-new' };
		const result = await runRows(service, [moved, newcomer], all);
		expect(reasons(result)).toContain('conflict: another subscriber has the email m1@a.com');
		expect(service.subscribers).toEqual([held(1)]);
	});

	it('two members who have swapped their emails are left alone', async () => {
		const service = new DirectSupercast([held(1), held(2)], NOW);
		const swapped = [
			{ email: 'm2@a.com', id: 'c-1' },
			{ email: 'm1@a.com', id: 'c-2' },
		];
		const result = await runRows(service, swapped, all);
		expect(service.writes).toEqual([]);
		expect(String(reasons(result))).toContain('conflict');
	});

	it('a member is reopened and renamed without the email that someone else keeps', async () => {
		const people = [held(1, { state: 'deactivated', first_name: 'A' }), held(2)];
		const service = new DirectSupercast(people, NOW);
		const rows = [
			{ email: 'm2@a.com', id: 'c-1', firstName: 'B' },
			{ email: '', id: 'c-2' },
		];
		const { failures } = await runRows(service, rows, all);
		expect(failures).toEqual([]);
		expect(service.find('u-1')).toMatchObject({ state: 'available', email: 'm1@a.com' });
		expect(service.find('u-2')).toMatchObject({ email: 'm2@a.com' });
	});
});

describe('before a closing', () => {
	it('people whom the list did not show keep all feeds open', async () => {
		const service = new DirectSupercast(crowd(30), NOW);
		const hidden = [1, 2].map((one) => held(900 + one, { email: `new${one}@a.com` }));
		service.meanwhile = (number) => {
			if (number === 2) service.subscribers.push(...hidden);
		};
		const listed = [...crowd(29).map(rowOf), ...hidden.map(rowOf)];
		const result = await runRows(service, listed, all);
		expect(service.find('u-29')?.state).toBe('available');
		expect(reasons(result)).toContain("Supercast's list of subscribers does not show everyone");
	});

	it('a subscriber without a customer ID stays open if the list names someone only by ID', async () => {
		for (const [id, state] of [
			['c-unknown', 'available'],
			['', 'deactivated'],
		] as const) {
			const service = new DirectSupercast([held(1), held(2, { customer_id: null })], NOW);
			const listed = [rowOf(held(1)), ...(id === '' ? [] : [{ email: '', id }])];
			await runRows(service, listed, { ...all, close: 'all' });
			expect([id, service.find('u-2')?.state]).toEqual([id, state]);
		}
	});

	it('a change of only the time, after a try, is an error', async () => {
		const service = new DirectSupercast([held(1), held(2)], NOW);
		const { request } = DirectSupercast.prototype;
		service.request = async (given) => {
			if (given.path[0] === 'feeds') service.find('u-2')!.updated_at = '2026-01-15T02:59:00.000Z';
			await given.beforeRetry?.();
			return await request.call(service, given);
		};
		const { failures } = await runRows(service, [rowOf(held(1))], all);
		expect(failures).toHaveLength(1);
		expect(failures[0]?.error.message).toContain('shows the state "available"');
	});

	it('someone who was on no list and changes between two tries stays open', async () => {
		const service = new DirectSupercast([held(1), held(2)], NOW);
		const { request } = DirectSupercast.prototype;
		service.request = async (given) => {
			if (given.path[0] === 'feeds') {
				Object.assign(service.find('u-2')!, {
					first_name: 'B',
					updated_at: '2026-01-15T02:59:00Z',
				});
			}
			await given.beforeRetry?.();
			return await request.call(service, given);
		};
		const result = await runRows(service, [rowOf(held(1))], all);
		expect(result.failures).toEqual([]);
		expect(reasons(result)).toContain('changed since the list of subscribers was read');
		expect(service.writes).toEqual([]);
	});
});
