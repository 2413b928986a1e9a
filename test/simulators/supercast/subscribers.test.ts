import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { ask, fetchAnswer, useSandboxes } from './helpers';

const start = useSandboxes();
const AWKWARD = 'a/b+c%2F?x=#@example.com';

interface Shown {
	uuid: string;
	email: string;
	state: string;
	first_name: string | null;
	plan_id: number | null;
	plan_name: string | null;
	ignore_usage_alerts: boolean;
	subscriptions: Array<{ feed_url: string; state: string }>;
	[legacy: string]: unknown;
}

interface Refusal {
	message: string;
	errors: Record<string, string[]>;
}

const feedOf = (subscriber: Shown): string => subscriber.subscriptions[0]?.feed_url ?? '';

describe('subscribers', () => {
	it('accepts wrapped JSON, flat JSON and a wrapped form alike', async () => {
		const sandbox = await start();
		const bodies = [
			{
				subscriber: { email: 'one@example.com', first_name: 'Ö & "x"', ignore_usage_alerts: true },
			},
			{ email: 'two@example.com', first_name: 'Ö & "x"', ignore_usage_alerts: 'true' },
			'subscriber[email]=three%40example.com&subscriber[first_name]=%C3%96+%26+%22x%22' +
				'&subscriber[ignore_usage_alerts]=1',
		];
		for (const body of bodies) {
			const { status, body: made } = await ask<Shown>(sandbox, '/subscribers', { body });
			expect(status).toBe(201);
			expect(made).toMatchObject({ first_name: 'Ö & "x"', ignore_usage_alerts: true });
			expect(made.state).toBe('available');
		}
		expect(sandbox.state.subscribers.slice(-3).map((row) => row.email)).toEqual([
			'one@example.com',
			'two@example.com',
			'three@example.com',
		]);
	});

	it('finds an awkward email in exactly one path segment, in any case', async () => {
		const sandbox = await start();
		await ask(sandbox, '/subscribers', { body: { subscriber: { email: AWKWARD } } });
		const path = `/subscribers/${encodeURIComponent(AWKWARD)}`;
		const { status, body } = await ask<Shown>(sandbox, path);
		expect([status, body.email]).toEqual([200, AWKWARD]);
		expect(sandbox.state.requests.at(-1)).toMatchObject({
			route: 'GET /subscribers/:id',
			params: { id: AWKWARD },
		});
		const upper = `/subscribers/${encodeURIComponent(AWKWARD.toUpperCase())}`;
		expect((await ask<Shown>(sandbox, upper)).body.uuid).toBe(body.uuid);
		expect((await ask(sandbox, `/subscribers/${body.uuid}`)).status).toBe(200);
		expect((await ask(sandbox, `/feeds/${encodeURIComponent(AWKWARD)}`)).status).toBe(200);
		// Encoded twice, the email names someone else. Without encoding, its slash makes another path.
		expect((await ask(sandbox, `/subscribers/${encodeURIComponent(path)}`)).status).toBe(404);
		expect((await ask(sandbox, '/subscribers/a/b@example.com')).status).toBe(404);
	});

	it('finds no subscriber by customer id', async () => {
		const sandbox = await start();
		const body = { subscriber: { email: 'c@example.com', customer_id: 'cus_1' } };
		expect((await ask(sandbox, '/subscribers', { body })).body.customer_id).toBe('cus_1');
		expect((await ask(sandbox, '/subscribers/cus_1')).status).toBe(404);
	});

	it('names each wrong field, and ignores unknown ones', async () => {
		const sandbox = await start();
		const wrong = {
			email: 'nobody',
			first_name: ['x'],
			ignore_usage_alerts: 'perhaps',
			plan_id: 9,
		};
		const { status, body } = await ask<Refusal>(sandbox, '/subscribers', {
			body: { subscriber: wrong },
		});
		expect(status).toBe(422);
		expect(body.errors).toEqual({
			email: ['is invalid'],
			first_name: ['is invalid'],
			ignore_usage_alerts: ['is invalid'],
		});
		expect(body.message).toContain('Email is invalid');
		const blank = await ask<Refusal>(sandbox, '/subscribers', {
			body: { subscriber: { email: ' ' } },
		});
		expect(blank.body.errors).toEqual({ email: ["can't be blank"] });
		const extra = { subscriber: { email: 'x@example.com', uuid: 'mine', state: 'suspended' } };
		const made = await ask<Shown>(sandbox, '/subscribers', { body: extra });
		expect(made.body.state).toBe('available');
		expect(made.body.uuid).not.toBe('mine');
	});

	it.each([
		['reject', 422, 25],
		['reactivate', 200, 25],
		['duplicate', 201, 26],
	] as const)(
		'answers an existing email as the setting says: %s',
		async (onExistingEmail, status, total) => {
			const sandbox = await start({ onExistingEmail });
			const email = sandbox.state.subscribers[3]?.email ?? '';
			const state = { feed_token: { state: 'inactive' } };
			await ask(sandbox, `/feeds/${email}`, { method: 'PATCH', body: state });
			const again = await ask<Shown & Refusal>(sandbox, '/subscribers', {
				body: { subscriber: { email: email.toUpperCase() } },
			});
			expect(again.status).toBe(status);
			expect(sandbox.state.subscribers).toHaveLength(total);
			if (status === 422) expect(again.body.errors.email).toEqual(['has already been taken']);
			else expect(again.body.state).toBe('available');
		},
	);

	it('changes the given fields and keeps the rest', async () => {
		const sandbox = await start();
		const [first, second] = sandbox.state.subscribers;
		const before = { ...first };
		const path = `/subscribers/${first?.uuid}`;
		const changed = await ask<Shown>(sandbox, path, {
			method: 'PATCH',
			body: { subscriber: { email: 'New@example.com', plan_id: null } },
		});
		expect(changed.status).toBe(200);
		expect(changed.body).toMatchObject({ email: 'New@example.com', plan_name: null });
		expect(changed.body.first_name).toBe(before.first_name);
		expect((await ask(sandbox, `/subscribers/${before.email}`)).status).toBe(404);
		expect((await ask(sandbox, '/subscribers/new@example.com')).status).toBe(200);
		const taken = await ask(sandbox, path, { method: 'PATCH', body: { email: second?.email } });
		expect(taken.status).toBe(422);
	});
});

describe('access, from the subscriber’s side', () => {
	it('is a valid RSS document with the published episodes', async () => {
		const sandbox = await start({ episodes: 5 });
		const draft = { title: 'No audio yet', published_at: '2025-01-01T00:00:00Z' };
		expect((await ask(sandbox, '/episodes', { body: draft })).status).toBe(201);
		const url = sandbox.state.feedUrl(sandbox.state.subscribers[0]?.uuid ?? '') ?? '';
		const feed = await fetchAnswer(url);
		expect(feed.status).toBe(200);
		expect(feed.headers.get('content-type')).toMatch('application/rss+xml');
		expect(XMLValidator.validate(feed.text)).toBe(true);
		const parsed = new XMLParser({ ignoreAttributes: false }).parse(feed.text) as {
			rss: {
				'@_version': string;
				channel: { title: string; item: Array<{ title: string; enclosure: object }> };
			};
		};
		expect(parsed.rss['@_version']).toBe('2.0');
		expect(parsed.rss.channel.title).toBe('The Demo Hour');
		expect(parsed.rss.channel.item).toHaveLength(5);
		expect(parsed.rss.channel.item[0]?.title).toMatch(/^Episode 5:/);
		expect(parsed.rss.channel.item[0]?.enclosure).toBeDefined();
	});

	it('ends permanently with the subscriber, and the address is remembered', async () => {
		const sandbox = await start();
		const email = sandbox.state.subscribers[0]?.email ?? '';
		const { body } = await ask<Shown>(sandbox, `/subscribers/${email}`);
		expect((await fetchAnswer(feedOf(body))).status).toBe(200);
		const gone = await ask<Shown>(sandbox, `/subscribers/${email}`, { method: 'DELETE' });
		expect([gone.status, gone.body.uuid]).toEqual([200, body.uuid]);
		expect((await fetchAnswer(feedOf(body))).status).toBe(403);
		expect((await ask(sandbox, `/subscribers/${email}`)).status).toBe(404);
		expect((await ask(sandbox, `/subscribers/${email}`, { method: 'DELETE' })).status).toBe(404);
		expect((await fetchAnswer(`${sandbox.origin}/feeds/${'0'.repeat(32)}.xml`)).status).toBe(404);
		const back = await ask<Shown>(sandbox, '/subscribers', { body: { email } });
		expect((await fetchAnswer(feedOf(back.body))).status).toBe(200);
		expect((await fetchAnswer(feedOf(body))).status).toBe(403);
	});

	it.each([
		['suspended', 'suspended', 403],
		['inactive', 'deactivated', 403],
		['available', 'available', 200],
	])('follows the feed’s state %s, read back as %s', async (state, readBack, feedStatus) => {
		const sandbox = await start();
		const uuid = sandbox.state.subscribers[0]?.uuid ?? '';
		const change = async (body: unknown) =>
			await ask(sandbox, `/feeds/${uuid}`, { method: 'PATCH', body });
		await change({ state: 'suspended' });
		const changed = await change(`feed_token[state]=${state}`);
		expect([changed.status, changed.body.state]).toEqual([200, state]);
		const { body } = await ask<Shown>(sandbox, `/subscribers/${uuid}`);
		expect([body.state, body.subscriptions[0]?.state]).toEqual([readBack, readBack]);
		expect((await fetchAnswer(feedOf(body))).status).toBe(feedStatus);
	});

	it('refuses a state that feeds do not have', async () => {
		const sandbox = await start();
		const path = `/feeds/${sandbox.state.subscribers[0]?.uuid}`;
		const wrong = { method: 'PATCH', body: { feed_token: { state: 'deactivated' } } };
		const { status, body } = await ask<Refusal>(sandbox, path, wrong);
		expect(status).toBe(422);
		expect(body.errors).toEqual({ state: ['is not included in the list'] });
		expect(sandbox.state.subscribers[0]?.state).toBe('available');
	});
});
