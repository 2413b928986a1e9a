import { NodeApiError } from 'n8n-workflow';

import { PAGES_AHEAD } from '../../../nodes/Supercast/api/paging/readAhead';
import { runtime } from '../../../nodes/Supercast/api/clock';
import { searchList } from '../../../harness/engine';
import { startHttpServer } from '../../support/httpServer';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

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
	it('shows name and email, and selects the record by its uuid', async () => {
		const { results } = await search('searchSubscribers');
		const { uuid, email, first_name, last_name } = sandbox.current.state.subscribers.at(-1)!;
		expect(results).toContainEqual({ name: `${first_name} ${last_name} (${email})`, value: uuid });
	});

	it.each([
		['oldest', 2],
		['newest', 1],
	] as const)(
		'begins with the newest if Supercast sends the %s first, with %d requests',
		async (order, requests) => {
			sandbox.current.controls.changeSettings({ order });
			const first = await search('searchSubscribers');
			expect(sandbox.current.stats().requests).toBe(requests);
			const second = await search('searchSubscribers', undefined, first.paginationToken);
			expect(sandbox.current.stats().requests).toBe(requests + 1);
			sandbox.current.controls.changeSettings({ order: 'oldest' });
			const shown = [...first.results, ...second.results].map(({ value }) => value);
			const newest = sandbox.current.state.subscribers.slice(-200).reverse();
			expect(shown).toEqual(newest.map(({ uuid }) => uuid));
		},
	);

	it('begins with the first page if the order is unknown', async () => {
		sandbox.current.controls.changeSettings({ order: 'unordered' });
		const { results } = await search('searchSubscribers');
		sandbox.current.controls.changeSettings({ order: 'oldest' });
		expect(results).toHaveLength(100);
		expect(sandbox.current.stats().requests).toBe(1);
	});

	it('sorts a list of one page by its dates', async () => {
		sandbox.current.controls.changeSettings({ order: 'unordered' });
		const { results } = await search('searchEpisodes');
		sandbox.current.controls.changeSettings({ order: 'oldest' });
		const newest = [...sandbox.current.state.episodes].sort(
			(one, other) => Date.parse(other.created_at) - Date.parse(one.created_at),
		);
		expect(results.map(({ value }) => value)).toEqual(newest.map(({ id }) => String(id)));
	});

	it.each([[true], [false]])('finds everyone in the end, headers %s', async (headers) => {
		sandbox.current.controls.changeSettings({ headers });
		const everybody = sandbox.current.state.subscribers.map(({ uuid }) => uuid);
		expect(new Set(await searchAll())).toEqual(new Set(everybody));
		sandbox.current.controls.changeSettings({ headers: true });
	});

	it('finds a part of the email or name, in any case, far down the list', async () => {
		const last = sandbox.current.state.subscribers.at(-1)!;
		expect(await searchAll(last.email.toUpperCase())).toEqual([last.uuid]);
		expect(await searchAll(` ${last.first_name} ${last.last_name} `)).toContain(last.uuid);
		expect(await searchAll('nobody of that name')).toEqual([]);
	});

	it.each(['oldest', 'newest', 'unordered'] as const)(
		'finds any existing record with one search, order %s',
		async (order) => {
			sandbox.current.controls.changeSettings({ order });
			for (const index of [0, 350, 699]) {
				const person = sandbox.current.state.subscribers[index]!;
				const part = person.email.slice(2, -3);
				const { results } = await search('searchSubscribers', part);
				expect(results.map(({ value }) => value)).toContain(person.uuid);
			}
			sandbox.current.controls.changeSettings({ order: 'oldest' });
		},
	);

	it('reads the list once at most', async () => {
		const { results, paginationToken } = await search('searchSubscribers', 'nobody of that name');
		expect(results).toEqual([]);
		expect(paginationToken).toBeUndefined();
		expect(sandbox.current.stats().requests).toBe(7);
	});

	it('looks up a whole email or uuid directly', async () => {
		const { email, uuid } = sandbox.current.state.subscribers[350]!;
		for (const filter of [` ${email.toUpperCase()} `, uuid]) {
			const { results } = await search('searchSubscribers', filter);
			expect(results.map(({ value }) => value)).toEqual([uuid]);
		}
		expect(sandbox.current.stats().byRoute).toEqual({ 'GET /subscribers/:id': { '200': 2 } });
	});

	it('continues the search for a text that only looks like a whole email', async () => {
		const { email, uuid } = sandbox.current.state.subscribers[350]!;
		const { results } = await search('searchSubscribers', email.slice(0, -1));
		expect(results.map(({ value }) => value)).toEqual([uuid]);
	});

	describe('that takes too long to read', () => {
		const { clock } = runtime;
		// The time is over after the requests for the pages that hang.
		const hung = () => sandbox.current.controls.faults()[0]?.left === 20 - PAGES_AHEAD - 1;
		const untilAsked = async (signal?: AbortSignal) => {
			while (signal?.aborted === false && !hung()) {
				await new Promise((resolve) => setImmediate(resolve));
			}
		};
		useQuickRuntime({
			clock: {
				...clock,
				sleep: async (ms, signal) =>
					await (ms === 10_000 ? untilAsked(signal) : clock.sleep(ms, signal)),
			},
		});

		function hangAfter(pages: number): void {
			sandbox.current.controls.addFaults({ kind: 'stall', skip: pages, times: 20, stallMs: 300 });
		}

		it('shows what was found in time, and continues when the person scrolls', async () => {
			sandbox.current.controls.changeSettings({ order: 'newest' });
			hangAfter(1);
			const first = await search('searchSubscribers', '1@example');
			sandbox.current.controls.clearFaults();
			const token = first.paginationToken;
			const second = await search('searchSubscribers', '1@example', token);
			sandbox.current.controls.changeSettings({ order: 'oldest' });
			expect(first.results).toHaveLength(10);
			const found = [...first.results, ...second.results].map(({ name }) => name);
			expect(found[10]).toContain('.591@example.com');
			expect(new Set(found).size).toBe(found.length);
		});

		it('reports it instead of showing an empty list', async () => {
			hangAfter(1);
			await expect(search('searchSubscribers', 'nobody of that name')).rejects.toThrow(
				'No subscriber that matches "nobody of that name" was found within 10 seconds',
			);
		});
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

	it('reads backward past empty pages if the total is too high', async () => {
		const people = Array.from({ length: 150 }, (_, number) => ({
			uuid: `person-${number}`,
			created_at: new Date(number * 1000).toISOString(),
		}));
		const server = await startHttpServer(({ url }, response) => {
			const end = Number(/[?&]page=(\d+)/.exec(url!)![1]) * 100;
			response.writeHead(200, { 'Content-Type': 'application/json', 'X-Total': '450' });
			response.end(JSON.stringify(people.slice(end - 100, end)));
		});
		const credential = { ...credentialOf(sandbox.current), baseUrl: `${server.origin}/api/v1` };
		const { results } = await searchList({ parameters: {}, credential }, 'searchSubscribers');
		await server.close();
		const newest = people.slice(100).reverse();
		expect(results.map(({ value }) => value)).toEqual(newest.map(({ uuid }) => uuid));
	});

	it('shows the person of a usage alert', async () => {
		const { results } = await search('searchUsageAlerts');
		const [alert] = sandbox.current.state.usageAlerts;
		const person = sandbox.current.state.subscriber(alert!.subscriber_uuid);
		expect(results.map(({ name }) => name)).toContain(`${person?.email}: ${alert?.message}`);
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
