import type { SandboxOptions } from '../../sandbox';
import { LIST_KEYS } from '../../sandbox/data/lists';
import { ask, fetchAnswer, useSandboxes } from './helpers';

const start = useSandboxes();

interface Refusal {
	errors: Record<string, string[]>;
}

interface Alert {
	id: number | string;
	created_at: string;
	subscriber: { uuid: string; email: string };
}

it.each(LIST_KEYS)('lists all %s', async (key) => {
	const sandbox = await start();
	const path = key.replace(/[A-Z]/g, '_$&').toLowerCase();
	const { body } = await ask<unknown[]>(sandbox, `/${path}`);
	expect(body).toHaveLength(sandbox.state[key].length);
	expect(body.length).toBeGreaterThan(0);
});

describe('records with separate lives', () => {
	it.each([
		['/episodes', 'episode', { title: 'New', language: 'de' }, { explicit: 'yes' }],
		['/creators', 'creator', { email: 'new@example.com' }, { first_name: 'Noor' }],
		['/roles', 'role', { name: 'Editor', permissions: ['api_access'] }, { description: 'Edits' }],
	])('%s: created, read, changed, deleted', async (path, name, fields, change) => {
		const sandbox = await start();
		const made = await ask(sandbox, path, { body: { [name]: fields } });
		expect([made.status, made.body]).toEqual([201, expect.objectContaining(fields)]);
		const one = `${path}/${String(made.body.uuid ?? made.body.id)}`;
		expect((await ask(sandbox, one)).body).toEqual(made.body);
		const changed = await ask(sandbox, one, { method: 'PATCH', body: { [name]: change } });
		expect(changed.body).toMatchObject({ ...fields, ...change });
		const before = Number((await ask(sandbox, path)).headers.get('x-total'));
		expect((await ask(sandbox, one, { method: 'DELETE' })).status).toBe(200);
		expect(Number((await ask(sandbox, path)).headers.get('x-total'))).toBe(before - 1);
		for (const method of ['GET', 'DELETE']) {
			expect((await ask(sandbox, one, { method })).status).toBe(404);
		}
	});

	it.each([
		['/episodes', { title: '' }, { title: ["can't be blank"] }],
		['/episodes', { title: 'x', language: 'xx' }, { language: ['is not included in the list'] }],
		['/episodes', { title: 'x', explicit: true }, { explicit: ['is invalid'] }],
		['/episodes', { title: 'x', published_at: '31.12.25' }, { published_at: ['is invalid'] }],
		['/episodes', { title: 'x', published_at: '2025-13-41' }, { published_at: ['is invalid'] }],
		['/creators', { first_name: 'x' }, { email: ["can't be blank"] }],
		[
			'/creators',
			{ email: 'a@b.c', password: 'short' },
			{ password: ['is too short (minimum is 6 characters)'] },
		],
		['/roles', { description: 'x' }, { name: ["can't be blank"] }],
		['/questions', { body: 'x' }, { title: ["can't be blank"] }],
	])('POST %s refuses %j', async (path, body, errors) => {
		const sandbox = await start();
		const answer = await ask<Refusal>(sandbox, path, { body });
		expect([answer.status, answer.body.errors]).toEqual([422, errors]);
	});

	it('finds creators by email, and never shows a password', async () => {
		const sandbox = await start();
		const body = { email: 'Who@example.com', password: 'longer-than-six' };
		const made = await ask(sandbox, '/creators', { body });
		expect(made.text).not.toContain('longer');
		expect(JSON.stringify(sandbox.state.requests)).not.toContain('longer');
		const found = await ask(sandbox, '/creators/who%40EXAMPLE.com');
		expect(found.body.uuid).toBe(made.body.uuid);
		expect((await ask(sandbox, '/creators', { body })).status).toBe(422);
	});

	it('has one channel, which can be read and changed', async () => {
		const sandbox = await start();
		const body = { channel: { title: 'Renamed', subdomain: 'stolen' } };
		const changed = await ask(sandbox, '/channel', { method: 'PATCH', body });
		expect(changed.status).toBe(200);
		const { body: channel } = await ask(sandbox, '/channel');
		expect([channel.title, channel.subdomain]).toEqual(['Renamed', 'demo']);
		const wrong = { channel: { website_url: 'javascript:alert(1)' } };
		const refused = await ask(sandbox, '/channel', { method: 'PATCH', body: wrong });
		expect(refused.status).toBe(422);
	});

	it('lists invites and withdraws them; lists questions and asks them', async () => {
		const sandbox = await start();
		expect((await ask<unknown[]>(sandbox, '/invites')).body).toHaveLength(2);
		expect((await ask(sandbox, '/invites/1', { method: 'DELETE' })).status).toBe(200);
		expect((await ask<unknown[]>(sandbox, '/invites')).body).toHaveLength(1);
		const body = { question: { title: 'Why?', body: 'Because.' } };
		expect((await ask(sandbox, '/questions', { body })).status).toBe(201);
		expect((await ask<unknown[]>(sandbox, '/questions')).body.at(-1)).toMatchObject(body.question);
	});

	it('puts an episode into the feeds once it has audio and its time has come', async () => {
		const sandbox = await start({ now: () => Date.UTC(2025, 0, 1, 9, 2), episodes: 5 });
		const feed = await fetchAnswer(
			sandbox.state.feedUrl(sandbox.state.subscribers[0]?.uuid ?? '') ?? '',
		);
		expect(feed.text.match(/<item>/g)).toHaveLength(3);
	});
});

describe('usage alerts', () => {
	const firstAlert = async (options?: SandboxOptions) => {
		const sandbox = await start(options);
		const { body } = await ask<Alert[]>(sandbox, '/usage_alerts');
		const [alert] = body;
		if (!alert) throw new Error('No alert');
		const act = async (action: string) =>
			await ask(sandbox, `/usage_alerts/${alert.id}/${action}`, { method: 'PATCH' });
		const open = async () =>
			(await ask<Alert[]>(sandbox, '/usage_alerts')).body.map((one) => one.id);
		const again = async () => {
			const { controls } = sandbox;
			return controls
				.addUsageAlerts(sandbox.state.subscribers.length)
				.some((one) => one.subscriber_uuid === alert.subscriber.uuid);
		};
		return { sandbox, alert, act, open, again };
	};

	it('names the subscriber', async () => {
		const { sandbox, alert } = await firstAlert();
		const { uuid, email } = sandbox.state.subscriber(alert.subscriber.email) ?? {};
		expect(alert.subscriber).toEqual({ uuid, email });
		expect(typeof alert.id).toBe('number');
	});

	it('has UUIDs as ids if the setting says so', async () => {
		const { alert, act } = await firstAlert({ ids: 'uuid' });
		expect(alert.id).toMatch(/^[0-9a-f-]{36}$/);
		expect((await act('dismiss')).status).toBe(200);
	});

	it('dismiss: gone this time, but the next one comes', async () => {
		const { alert, act, open, again } = await firstAlert();
		expect((await act('dismiss')).status).toBe(200);
		expect(await open()).not.toContain(alert.id);
		expect((await act('dismiss')).status).toBe(404);
		expect(await again()).toBe(true);
	});

	it('ignore: that subscriber never raises alerts again', async () => {
		const { sandbox, alert, act, open, again } = await firstAlert();
		await act('ignore');
		expect(await open()).not.toContain(alert.id);
		const listener = sandbox.state.subscriber(alert.subscriber.uuid);
		expect([listener?.ignore_usage_alerts, listener?.state]).toEqual([true, 'available']);
		expect(await again()).toBe(false);
	});

	it('suspend: feed closed and billing unlinked', async () => {
		const { sandbox, alert, act, open } = await firstAlert();
		const url = sandbox.state.feedUrl(alert.subscriber.uuid) ?? '';
		expect((await fetchAnswer(url)).status).toBe(200);
		await act('suspend');
		expect(await open()).not.toContain(alert.id);
		expect((await fetchAnswer(url)).status).toBe(403);
		const { body } = await ask(sandbox, `/subscribers/${alert.subscriber.uuid}`);
		expect(body).toMatchObject({ state: 'suspended', plan_id: null, plan_price_cents: null });
	});

	it('accepts no other action', async () => {
		const { act } = await firstAlert();
		expect((await act('delete')).status).toBe(404);
	});
});
