import { NodeApiError } from 'n8n-workflow';

import { searchList } from '../support/engine';
import { credentialOf, useSandbox } from '../support/sandbox';

const sandbox = useSandbox({ subscribers: 700 });

async function search(method: string, filter?: string, token?: string) {
	const options = {
		parameters: { resource: 'subscriber', operation: 'get' },
		credential: credentialOf(sandbox.current),
	};
	return await searchList(options, method, filter, token);
}

/** Scrolls to the end, as a person would. */
async function searchAll(filter?: string) {
	const values: unknown[] = [];
	let token: string | undefined;
	do {
		const result = await search('searchSubscribers', filter, token);
		values.push(...result.results.map(({ value }) => value));
		token = result.paginationToken;
	} while (token !== undefined);
	return values;
}

describe('the list of a resource locator', () => {
	it('shows name and email, and names the record by its uuid', async () => {
		const { results } = await search('searchSubscribers');
		const { uuid, email, first_name, last_name } = sandbox.current.state.subscribers[0]!;
		expect(results).toContainEqual({ name: `${first_name} ${last_name} (${email})`, value: uuid });
	});

	it('costs one request to open, and pages on when the person scrolls', async () => {
		const first = await search('searchSubscribers');
		expect(sandbox.current.stats().requests).toBe(1);
		expect(first.results).toHaveLength(100);
		const second = await search('searchSubscribers', undefined, first.paginationToken);
		expect(second.results).toHaveLength(100);
		expect(second.results[0]?.value).not.toBe(first.results[0]?.value);
	});

	it.each([[true], [false]])('finds everybody in the end, headers %s', async (headers) => {
		sandbox.current.controls.changeSettings({ headers });
		const everybody = sandbox.current.state.subscribers.map(({ uuid }) => uuid);
		expect(new Set(await searchAll())).toEqual(new Set(everybody));
		sandbox.current.controls.changeSettings({ headers: true });
	});

	it('finds by a part of the email or name, whatever the case, far down the list', async () => {
		const last = sandbox.current.state.subscribers.at(-1)!;
		expect(await searchAll(last.email.toUpperCase())).toEqual([last.uuid]);
		expect(await searchAll(` ${last.first_name} ${last.last_name} `)).toContain(last.uuid);
		expect(await searchAll('nobody of that name')).toEqual([]);
	});

	it('reads a few pages at most for one key press', async () => {
		await search('searchSubscribers', 'nobody of that name');
		expect(sandbox.current.stats().requests).toBe(5);
	});

	it.each([
		'searchCreators',
		'searchEpisodes',
		'searchInvites',
		'searchRoles',
		'searchUsageAlerts',
	])('%s shows something for every record', async (method) => {
		const { results } = await search(method);
		expect(results.length).toBeGreaterThan(0);
		for (const { name, value } of results) {
			expect(name).not.toBe('');
			expect(value).not.toBe('');
		}
	});

	it('names the person whom a usage alert is about', async () => {
		const { results } = await search('searchUsageAlerts');
		const [alert] = sandbox.current.state.usageAlerts;
		const person = sandbox.current.state.subscriber(alert!.subscriber_uuid);
		expect(results[0]?.name).toContain(person?.email);
	});

	it('says in the editor what is wrong with the credential', async () => {
		const options = {
			parameters: {},
			credential: { ...credentialOf(sandbox.current), accessToken: 'unknown' },
		};
		const failed = searchList(options, 'searchSubscribers');
		await expect(failed).rejects.toThrow(NodeApiError);
		await expect(failed).rejects.toThrow('did not accept the access token');
	});
});
