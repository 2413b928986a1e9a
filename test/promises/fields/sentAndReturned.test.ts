import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';

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
