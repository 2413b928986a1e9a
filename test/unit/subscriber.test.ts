import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../nodes/Supercast/api/client';
import { Channel } from '../../nodes/Supercast/api/sharedChannel';
import { runtime } from '../../nodes/Supercast/api/clock';
import { ServiceError } from '../../nodes/Supercast/api/errors/errors';
import type { ApiRequest, ApiResponse } from '../../nodes/Supercast/api/types';
import { NoSuchRecordError } from '../../nodes/Supercast/operations/kinds';
import type { ItemParameters } from '../../nodes/Supercast/operations/types';
import { customerIdentifier } from '../../nodes/Supercast/subscriber/customerId';
import { subscriberFields, simplifySubscriber } from '../../nodes/Supercast/subscriber/kind';
import { upsert } from '../../nodes/Supercast/subscriber/upsert';

/** Two records per page. `before` is called before each response, and may change the list. */
function clientOf(people: IDataObject[], before: (page: number) => void = () => undefined) {
	const pages: number[] = [];
	const client: SupercastClient = {
		channel: new Channel(runtime),
		request: async ({ query = {} }) => {
			const page = Number(query.page);
			pages.push(page);
			before(page);
			return {
				status: 200,
				headers: { 'x-per-page': '2', 'x-total': String(people.length) },
				body: people.slice((page - 1) * 2, page * 2),
			};
		},
	};
	return { client, pages };
}

/** The name of the subscriber with a customer ID. */
async function nameFor(typed: string, client: SupercastClient): Promise<string> {
	const { search } = customerIdentifier(typed);
	return await search.choose(client, await search.find(client));
}

const people = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ uuid: `u${index}`, customer_id: `c${index}` }));

describe('a customer ID', () => {
	it('is found although the list moved up during the fetch, by reading it again', async () => {
		const rows = people(5);
		let isFirst = true;
		// u2 moves from page 2 to page 1 after page 1 was read.
		const { client } = clientOf(rows, (page) => {
			if (page === 2 && isFirst) {
				isFirst = false;
				rows.shift();
			}
		});
		expect(await nameFor('c2', client)).toBe('u2');
	});

	it('is not reported as missing when the list changed in every fetch', async () => {
		const rows = people(30);
		let isDue = true;
		// Someone is deleted once in each reading.
		const { client, pages } = clientOf(rows, (page) => {
			if (page === 5 && isDue) rows.shift();
			isDue = page !== 5 && (isDue || page === 1);
		});
		const failed = nameFor('x', client);
		await expect(failed).rejects.toThrow('could not determine whether a subscriber has');
		await expect(failed).rejects.not.toThrow(NoSuchRecordError);
		expect(pages.filter((page) => page === 1)).toHaveLength(3);
	});

	it('is missing when the list did not change, which was read once for all items', async () => {
		const { client, pages } = clientOf(people(5));
		const asked = ['x', 'y', 'z'].map((id) => nameFor(id, client));
		for (const failed of asked) await expect(failed).rejects.toThrow(NoSuchRecordError);
		expect(pages).toEqual([1, 2, 3]);
	});

	it('leads to the email of someone without a uuid, and may be a number', async () => {
		const { client } = clientOf([{ email: 'ann@example.com', customer_id: 42 }]);
		expect(await nameFor(' 42 ', client)).toBe('ann@example.com');
	});
});

const [first, second] = ['https://example.com/feeds/1', 'https://example.com/feeds/2'];

describe('the feed addresses of a subscriber', () => {
	it.each([
		[
			'of each subscription',
			{ subscriptions: [{ feed_url: first }, { feed_url: second }] },
			[first, second],
		],
		['of the older list', { feed_url: [first, second] }, [first, second]],
		['of the older text', { feed_url: first }, [first]],
		['not twice', { subscriptions: [{ feed_url: first }], feed_url: [first] }, [first]],
		['of nobody', { subscriptions: [], feed_url: null }, []],
		['where nothing is one', { subscriptions: [null, {}], feed_url: [null, 7] }, []],
	])('%s', (_name, record, expected) => {
		expect(simplifySubscriber(record).feed_urls).toEqual(expected);
	});
});

const email = 'ann@example.com';
const record = { uuid: 'u-1', email, state: 'available', feed_url: 'https://example.com/feed' };

const answer = (body: unknown): ApiResponse => ({ status: 200, headers: {}, body });
const missing = new ServiceError('missing', '', { kind: 'status', status: 404, body: {} });

/** Runs the operation for one item, against a server that sends these responses in turn. */
async function run(answers: Array<ApiResponse | Error>, options: IDataObject = {}) {
	const asked: ApiRequest[] = [];
	const given = [...answers];
	const client: SupercastClient = {
		request: async (request) => {
			asked.push(request);
			const next = given.shift() ?? new Error(`one request too many: ${request.method}`);
			if (next instanceof Error) throw next;
			return await Promise.resolve(next);
		},
		channel: new Channel(runtime),
	};
	const item: ItemParameters = {
		...{ timezone: 'UTC', now: 0, isOld: false },
		parameter: (name) => ({ email, simplify: true })[name],
		collection: (name) => (name === 'options' ? options : {}),
		locator: () => ({ mode: '', value: '' }),
	};
	const output = (async () => await upsert.prepare(item).run(client))();
	return { output, methods: () => asked.map(({ method }) => method) };
}

describe('create or update', () => {
	it('reads a created subscriber if the response does not show them', async () => {
		const { output, methods } = await run([missing, answer(undefined), answer(record)]);
		const [created] = await output;
		expect(created).toMatchObject({ action: 'created', feed_urls: ['https://example.com/feed'] });
		expect(methods()).toEqual(['GET', 'POST', 'GET']);
	});

	it.each([true, 'true', ' TRUE '])(
		'opens the feed again with Reactivate %j',
		async (reactivate) => {
			const closed = answer({ ...record, state: 'deactivated' });
			const { output, methods } = await run([closed, answer(undefined), answer(record)], {
				reactivate,
			});
			expect((await output)[0]).toMatchObject({ action: 'updated', state: 'available' });
			expect(methods()).toEqual(['GET', 'PATCH', 'GET']);
		},
	);

	it('refuses a Reactivate that is neither on nor off, before any request', async () => {
		const { output, methods } = await run([], { reactivate: 'maybe' });
		await expect(output).rejects.toThrow("'Reactivate' is neither true nor false");
		expect(methods()).toEqual([]);
	});
});

describe('Time Zone', () => {
	const field = subscriberFields.others.find(({ name }) => name === 'timeZone');
	const offered = (field?.options ?? []).map((option) => (option as { value: string }).value);

	it.each(['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Europe/Kyiv', 'America/Nuuk'])(
		'offers %s once, and takes it',
		(zone) => {
			expect(offered.filter((one) => one === zone)).toHaveLength(1);
			expect(subscriberFields.convert.time_zone(zone)).toBe(zone);
		},
	);

	it('offers only what it takes', () => {
		expect(offered.length).toBeGreaterThan(400);
		for (const zone of offered) expect(subscriberFields.convert.time_zone(zone)).toBe(zone);
	});
});
