import { type IDataObject, type INodeParameters, NodeApiError } from 'n8n-workflow';

import { runSupercast, searchList } from '../../harness/engine';
import { runtime } from '../../../nodes/Supercast/api/clock';
import { PAGES_AHEAD } from '../../../nodes/Supercast/api/paging/readAhead';
import { startHttpServer } from '../../support/httpServer';
import { hintsOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

describe('filters', () => {
	const sandbox = useSandbox({ subscribers: 240, episodes: 12 });

	async function getMany(resource: string, filters: INodeParameters, more: INodeParameters = {}) {
		const { output, error, run } = await runSupercast({
			parameters: { resource, operation: 'getAll', returnAll: true, filters, ...more },
			credential: credentialOf(sandbox.current),
			timezone: 'America/New_York',
		});
		const [task] = run.data.resultData.runData.Supercast ?? [];
		const hints = (task?.hints ?? []).map(({ message }) => message);
		return { records: output.map(({ json }) => json), error, hints };
	}

	const subscribers = () => sandbox.current.state.subscribers;
	const emails = (records: readonly IDataObject[]) => records.map(({ email }) => email);

	/** Changes fields of the subscriber at this index, and returns the subscriber's email. */
	function change(index: number, values: object): string {
		return Object.assign(subscribers().at(index)!, values).email;
	}

	function pagesRead(): number {
		return sandbox.current.stats().requests;
	}

	describe('the filters of subscribers', () => {
		it('find deactivated subscribers, if Supercast calls that state inactive', async () => {
			const closed = change(10, { state: 'inactive' });
			const { records } = await getMany('subscriber', { state: 'deactivated' });
			expect(records.map(({ email }) => email)).toContain(closed);
		});

		it('find by several states', async () => {
			const suspended = change(10, { state: 'suspended' });
			const pending = change(-1, { state: 'pending' });
			for (const state of [['suspended', 'pending'], 'suspended, pending']) {
				const { records } = await getMany('subscriber', { state });
				const expected = subscribers().filter((one) =>
					['suspended', 'pending'].includes(one.state),
				);
				expect(emails(records)).toEqual(expected.map(({ email }) => email));
				expect(emails(records)).toEqual(expect.arrayContaining([suspended, pending]));
			}
		});

		it('find by customer ID and plan, number or text', async () => {
			const ann = change(200, { customer_id: 'c-1', plan_id: 77 });
			change(201, { customer_id: 'C-1', plan_id: 77 });
			change(202, { customer_id: 'c-1', plan_id: 78 });
			for (const planId of ['77', 77]) {
				const { records } = await getMany('subscriber', { customerId: ' c-1 ', planId });
				expect(emails(records)).toEqual([ann]);
			}
		});

		it('find by date, from that time on, in the time zone of the workflow', async () => {
			const before = { created_at: '2026-02-01T04:59:59Z', updated_at: '2026-02-01T04:59:59Z' };
			for (const index of subscribers().keys()) change(index, before);
			const ann = change(3, { created_at: '2026-02-01T05:00:00Z' });
			const bob = change(5, { updated_at: '2026-02-01T05:00:00Z' });
			const created = await getMany('subscriber', { createdAfter: '2026-02-01T00:00:00' });
			expect(emails(created.records)).toEqual([ann]);
			const updated = await getMany('subscriber', { updatedAfter: '2026-02-01T05:00:00Z' });
			expect(emails(updated.records)).toEqual([bob]);
		});

		it('return everyone if no state is chosen, also people in a state that nobody knows', async () => {
			const held = change(7, { state: 'on_hold' });
			const { records } = await getMany('subscriber', { state: [] });
			expect(emails(records)).toContain(held);
			expect(records).toHaveLength(240);
		});

		it('leave out records that lack the field', async () => {
			for (const index of subscribers().keys()) change(index, { updated_at: undefined });
			const { records } = await getMany('subscriber', { updatedAfter: '2000-01-01' });
			expect(records).toEqual([]);
		});

		it('read only as far as the limit needs, and count only matching records', async () => {
			const wanted = [3, 120, 130, 220].map((index) => change(index, { customer_id: 'c-1' }));
			const filters = { customerId: 'c-1' };
			const some = await getMany('subscriber', filters, { returnAll: false, limit: 2 });
			expect(emails(some.records)).toEqual(wanted.slice(0, 2));
			expect(pagesRead()).toBe(2);
			expect(some.hints).toEqual(['Of the first 121 of 240 subscribers, 2 match the filters.']);
			const all = await getMany('subscriber', filters);
			expect(emails(all.records)).toEqual(wanted);
			expect(all.hints).toEqual(['Of 240 subscribers, 4 match the filters.']);
		});

		it.each([
			['customerId', '', "The filter 'Customer ID' is empty"],
			['customerId', [], "The filter 'Customer ID' is empty"],
			['state', '', "The filter 'State' is empty"],
			['createdAfter', 'soon', "'Created After' is not a date"],
			['state', ['inactive'], '\'State\' cannot be "inactive"'],
		])('%s: %j is refused before anything is sent', async (name, typed, words) => {
			const { records, error } = await getMany('subscriber', { [name]: typed });
			expect(error?.message).toContain(words);
			expect(error?.description).toMatch(/\w/);
			expect(records).toEqual([]);
			expect(pagesRead()).toBe(0);
		});
	});

	describe('the filters of episodes', () => {
		it('separate published episodes from drafts and scheduled ones', async () => {
			const [draft, scheduled, ...rest] = sandbox.current.state.episodes;
			Object.assign(draft!, { published_at: null });
			Object.assign(scheduled!, { published_at: '2999-01-01T00:00:00Z' });
			for (const one of rest) Object.assign(one, { published_at: '2026-01-02T00:00:00Z' });
			const drafts = await getMany('episode', { status: 'draft' });
			expect(drafts.records.map(({ id }) => id)).toEqual([draft!.id, scheduled!.id]);
			const published = await getMany('episode', { status: 'published' });
			expect(published.records.map(({ id }) => id)).toEqual(rest.map(({ id }) => id));
			const late = await getMany('episode', { publishedAfter: '2026-01-03' });
			expect(late.records.map(({ id }) => id)).toEqual([scheduled!.id]);
		});
	});

	describe('the filter of usage alerts', () => {
		it('finds the alerts of one person, in any case of the email', async () => {
			const [alert] = sandbox.current.state.usageAlerts;
			const person = sandbox.current.state.subscriber(alert!.subscriber_uuid)!;
			const { records } = await getMany('usageAlert', { email: ` ${person.email.toUpperCase()}` });
			expect(records.length).toBeGreaterThan(0);
			for (const { subscriber } of records) {
				expect(subscriber).toMatchObject({ email: person.email });
			}
		});
	});

	describe('a list without filters', () => {
		it('says how many there are when the limit leaves some out', async () => {
			const { hints } = await getMany('subscriber', {}, { returnAll: false, limit: 50 });
			expect(hints).toEqual(['50 of 240 subscribers']);
			expect(pagesRead()).toBe(1);
		});

		it('says nothing when all are there, or Supercast sends no total', async () => {
			expect((await getMany('subscriber', {})).hints).toEqual([]);
			sandbox.current.controls.changeSettings({ headers: false });
			expect((await getMany('subscriber', {}, { returnAll: false, limit: 5 })).hints).toEqual([]);
			sandbox.current.controls.changeSettings({ headers: true });
		});
	});
});

describe('sorting', () => {
	const sandbox = useSandbox({ subscribers: 240 });
	const subscribers = () => sandbox.current.state.subscribers;

	async function getMany(more: INodeParameters) {
		const result = await runSupercast({
			parameters: { resource: 'subscriber', operation: 'getAll', returnAll: true, ...more },
			credential: credentialOf(sandbox.current),
		});
		const emails = result.output.map(({ json }) => json.email as string);
		return { emails, error: result.error, hints: hintsOf(result) };
	}

	describe('the filters by text', () => {
		it('find a part of the email, in any case', async () => {
			const { email } = subscribers()[77]!;
			const filters = { emailContains: ` ${email.slice(1, -4).toUpperCase()} ` };
			expect((await getMany({ filters })).emails).toEqual([email]);
		});

		it('find a part of the name, over the first and the last', async () => {
			Object.assign(subscribers()[9]!, { first_name: 'Zoë', last_name: 'Quill' });
			for (const nameContains of ['zoë quill', 'QUILL', 'oe\u0308 Q']) {
				const { emails } = await getMany({ filters: { nameContains } });
				expect(emails).toEqual([subscribers()[9]!.email]);
			}
			expect((await getMany({ filters: { nameContains: 'example' } })).emails).toEqual([]);
		});
	});

	describe('the option Sort', () => {
		/** Dates that have nothing to do with the order in which Supercast sends the list. */
		const shuffle = () =>
			subscribers().forEach((person, index) => {
				const day = 1 + ((index * 7) % 240);
				Object.assign(person, { created_at: new Date(Date.UTC(2025, 0, day)).toISOString() });
			});
		const byAge = () =>
			[...subscribers()]
				.sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
				.map(({ email }) => email);
		const byEmail = () =>
			subscribers()
				.map(({ email }) => email)
				.sort();

		it.each([
			['newest', () => byAge().reverse()],
			['oldest', byAge],
			['email', byEmail],
		])('%s reads the whole list, and takes the first ones of it', async (sort, expected) => {
			shuffle();
			const limited = await getMany({ returnAll: false, limit: 5, options: { sort } });
			expect(limited.emails).toEqual(expected().slice(0, 5));
			expect(limited.hints).toBe('5 of 240 subscribers');
			expect(sandbox.current.stats().requests).toBe(3);
			const all = await getMany({ options: { sort } });
			expect(all.emails).toEqual(expected());
			expect(all.hints).toBe('');
		});

		it('counts all matches if there are filters', async () => {
			shuffle();
			for (const index of [3, 100, 239])
				Object.assign(subscribers()[index]!, { state: 'suspended' });
			const { emails, hints } = await getMany({
				returnAll: false,
				limit: 2,
				filters: { state: ['suspended'] },
				options: { sort: 'newest' },
			});
			const expected = byAge().filter((email) =>
				[3, 100, 239].some((index) => subscribers()[index]!.email === email),
			);
			expect(emails).toEqual(expected.reverse().slice(0, 2));
			expect(hints).toBe('Of 240 subscribers, 3 match the filters.');
		});
	});

	it('the list of a resource locator shows who has no open feed', async () => {
		const [ann, bob] = [subscribers().at(-1)!, subscribers().at(-2)!];
		Object.assign(ann, { state: 'charge_failure' });
		const options = {
			parameters: { resource: 'subscriber', operation: 'get' },
			credential: credentialOf(sandbox.current),
		};
		const identifierOf = async (email: string) =>
			(await searchList(options, 'searchSubscribers', email)).results[0]!.name;
		expect(await identifierOf(ann.email)).toBe(
			`${ann.first_name} ${ann.last_name} (${ann.email}), charge failure`,
		);
		expect(await identifierOf(bob.email)).toBe(`${bob.first_name} ${bob.last_name} (${bob.email})`);
	});
});

describe('the list of a resource locator', () => {
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
		const everyone = sandbox.current.state.subscribers.map(({ uuid }) => uuid);
		expect(new Set(await searchAll())).toEqual(new Set(everyone));
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
		// After the last full page, one more shows the end.
		expect(sandbox.current.stats().requests).toBe(8);
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

	it('finds someone after the total, if it is too low', async () => {
		const headers = { 'X-Total': '500' };
		const fault = {
			kind: 'answer',
			when: 'after',
			headers,
			path: '/subscribers',
			share: 1,
		} as const;
		sandbox.current.controls.addFaults(fault);
		const { uuid, first_name: name } = sandbox.current.state.subscribers.at(-1)!;
		expect(await searchAll(name!)).toContain(uuid);
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
