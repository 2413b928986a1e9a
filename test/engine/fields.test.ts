import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../harness/engine';
import { credentialOf, useSandbox } from '../support/sandbox';

const sandbox = useSandbox();

async function run(parameters: INodeParameters) {
	return await runSupercast({ parameters, credential: credentialOf(sandbox.current) });
}

function lastBody(): unknown {
	return sandbox.current.state.requests.at(-1)?.body;
}

describe('the fields of a create', () => {
	it("are sent under Supercast's own names, wrapped, together with Other Fields", async () => {
		await run({
			resource: 'subscriber',
			operation: 'create',
			email: ' ann@example.com ',
			additionalFields: {
				customerId: 'c-1',
				firstName: 'Ann',
				lastName: 'Smith',
				ignoreUsageAlerts: true,
				timeZone: 'Europe/Berlin',
				otherFields: '{ "plan_id": 2 }',
			},
		});
		expect(lastBody()).toEqual({
			subscriber: {
				email: 'ann@example.com',
				customer_id: 'c-1',
				first_name: 'Ann',
				last_name: 'Smith',
				ignore_usage_alerts: true,
				time_zone: 'Europe/Berlin',
				plan_id: 2,
			},
		});
	});

	it.each([
		['{ "first_name": "Bob" }', 'The field "first_name" appears twice'],
		['{ "email": "bob@example.com" }', 'The field "email" appears twice'],
		['[1]', 'is not a JSON object'],
		['"text"', 'is not a JSON object'],
		['{ plan: 1 }', 'is not a JSON object'],
	])('refuse %s in Other Fields before any request', async (otherFields, words) => {
		const { error } = await run({
			resource: 'subscriber',
			operation: 'create',
			email: 'ann@example.com',
			additionalFields: { firstName: 'Ann', otherFields },
		});
		expect(error?.message).toContain(words);
		expect(sandbox.current.stats().requests).toBe(0);
	});
});

describe('an update', () => {
	const ann = () => ({
		__rl: true,
		mode: 'email',
		value: sandbox.current.state.subscribers[0]!.email,
	});

	it('of nothing is reported before any request', async () => {
		const { error } = await run({
			resource: 'subscriber',
			operation: 'update',
			subscriber: ann(),
			updateFields: {},
		});
		expect(error?.message).toContain("'Update Fields' is empty");
		expect(sandbox.current.stats().requests).toBe(0);
	});

	it('checks a new email before any request', async () => {
		const { error } = await run({
			resource: 'subscriber',
			operation: 'update',
			subscriber: ann(),
			updateFields: { email: 'nonsense' },
		});
		expect(error?.message).toContain("'Email' is not an email address");
		expect(sandbox.current.stats().requests).toBe(0);
	});
});

describe('the date of an episode', () => {
	async function publishedAt(typed: string): Promise<unknown> {
		const { error } = await run({
			resource: 'episode',
			operation: 'create',
			title: 'One',
			additionalFields: { publishedAt: typed },
		});
		const body = lastBody() as { episode?: IDataObject } | undefined;
		return error?.message ?? body?.episode?.published_at;
	}

	it('keeps its offset', async () => {
		expect(await publishedAt('2026-03-01T10:00:00+05:00')).toBe('2026-03-01T10:00:00.000+05:00');
	});

	it('without an offset is read in the time zone of the workflow', async () => {
		expect(await publishedAt('2026-03-01T10:00:00')).toBe('2026-03-01T10:00:00.000-05:00');
	});

	it('is refused when it is no date', async () => {
		expect(await publishedAt('soon')).toContain("'Published At' is not a date");
	});
});

describe('simplify', () => {
	const FIELDS = [
		'email',
		'state',
		'uuid',
		'first_name',
		'last_name',
		'customer_id',
		'plan_name',
		'feed_urls',
		'created_at',
		'updated_at',
	];

	it('is on by default and leaves ten fields, including the feed addresses', async () => {
		const { output } = await run({ resource: 'subscriber', operation: 'getAll', limit: 1 });
		const { json } = output[0]!;
		expect(Object.keys(json)).toEqual(FIELDS);
		expect(json.feed_urls).toEqual([sandbox.current.state.feedUrl(json.email as string)]);
	});

	it.each(['create', 'upsert', 'update'])(
		'shows the values that a %s has just set',
		async (operation) => {
			const { email } = sandbox.current.state.subscribers[0]!;
			const fields = { ignoreUsageAlerts: true, timeZone: 'Europe/Berlin', firstName: 'Nora' };
			const { output } = await run({
				resource: 'subscriber',
				operation,
				email: 'new.one@example.com',
				subscriber: { __rl: true, mode: 'email', value: email },
				additionalFields: fields,
				updateFields: fields,
			});
			const set = { ignore_usage_alerts: true, time_zone: 'Europe/Berlin', first_name: 'Nora' };
			expect(output[0]!.json).toMatchObject(set);
			expect(output[0]!.json).not.toHaveProperty('subscriptions');
		},
	);

	it('returns everything when it is off', async () => {
		const { output } = await run({
			resource: 'subscriber',
			operation: 'getAll',
			limit: 1,
			simplify: false,
		});
		expect(Object.keys(output[0]!.json).length).toBeGreaterThan(FIELDS.length);
		expect(output[0]!.json).toHaveProperty('subscriptions');
	});
});

describe('get many', () => {
	it.each([
		['oldest', true],
		['newest', true],
		['unordered', false],
	] as const)('returns each record once, order %s, headers %s', async (order, headers) => {
		sandbox.current.controls.changeSettings({ order, headers, perPageMax: 7 });
		const { output } = await run({ resource: 'subscriber', operation: 'getAll', returnAll: true });
		sandbox.current.controls.changeSettings({ order: 'oldest', headers: true, perPageMax: 100 });
		const uuids = output.map(({ json }) => json.uuid);
		expect(new Set(uuids)).toEqual(
			new Set(sandbox.current.state.subscribers.map(({ uuid }) => uuid)),
		);
		expect(uuids).toHaveLength(sandbox.current.state.subscribers.length);
	});

	it('treats the limit as a total for each item', async () => {
		const { output } = await runSupercast({
			parameters: { resource: 'subscriber', operation: 'getAll', limit: '={{ $json.limit }}' },
			credential: credentialOf(sandbox.current),
			items: [{ limit: 3 }, { limit: 2 }],
		});
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 1].map((item) => ({ item })),
		);
		expect(sandbox.current.stats().requests).toBe(2);
	});
});
