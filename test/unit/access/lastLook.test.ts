import type { IDataObject } from 'n8n-workflow';

import { useJumpingClock, errorTexts } from '../../support/quickNode';
import { row, TestChannel } from './channel';

const clock = useJumpingClock();

const channelWith = (...feeds: ConstructorParameters<typeof TestChannel>[1]): TestChannel =>
	new TestChannel(clock, feeds);

describe('before a feed closes, Sync reads the subscriber once more', () => {
	const GET = 'GET subscribers/u-2';

	it.each<[string, (channel: TestChannel) => void]>([
		[
			'was changed by someone',
			({ service }) => Object.assign(service.find('u-2')!, { updated_at: '2026-06-01T00:00:00Z' }),
		],
		['has a plan', ({ service }) => Object.assign(service.find('u-2')!, { plan_id: 7 })],
		['is suspended', ({ service }) => Object.assign(service.find('u-2')!, { state: 'suspended' })],
		[
			'has another email',
			({ service }) => Object.assign(service.find('u-2')!, { email: 'x@example.com' }),
		],
		[
			'has another ID',
			({ service }) => Object.assign(service.find('u-2')!, { customer_id: 'c-7' }),
		],
		[
			'is closed already',
			({ service }) => Object.assign(service.find('u-2')!, { state: 'deactivated' }),
		],
		['is deleted', ({ service }) => service.subscribers.splice(1, 1)],
	])('and leaves alone who %s', async (_, happens) => {
		const channel = channelWith(1, 2);
		channel.when(GET, () => happens(channel));
		const ran = await channel.sync([row(1)]);
		expect([ran.error, channel.changes]).toEqual([undefined, []]);
	});

	it.each<[string, string, IDataObject]>([
		['in another time zone', GET, { updated_at: '2025-06-01T02:00:00+02:00' }],
		['without the time', GET, { updated_at: undefined }],
		['without the time in the list', 'GET subscribers', { updated_at: undefined }],
		['without the customer ID', GET, { customer_id: undefined }],
		['without the state', GET, { state: undefined }],
		['without the plan', GET, { plan_id: undefined }],
	])('and closes who is as before, although Supercast shows it %s', async (_, asked, fields) => {
		const channel = channelWith(1, 2);
		channel.answer((request, name) => {
			if (name !== asked || channel.changes.length > 0) return undefined;
			const { body, ...answer } = channel.service.usual(request);
			const shown = (one: IDataObject): IDataObject =>
				JSON.parse(JSON.stringify({ ...one, ...fields })) as IDataObject;
			return { ...answer, body: Array.isArray(body) ? body.map(shown) : shown(body as never) };
		});
		await channel.sync([row(1)]);
		expect(channel.state(2)).toBe('deactivated');
	});

	it('again before each further try', async () => {
		const channel = channelWith(1, 2, 3);
		let tries = 0;
		channel.answer(({ path }) => {
			if (path[0] !== 'feeds') return undefined;
			tries += 1;
			if (path[1] === 'u-2') Object.assign(channel.one(2), { plan_id: 7 });
			return tries < 3 ? { status: 503 } : undefined;
		});
		await channel.sync([row(1)]);
		expect([channel.state(2), channel.state(3)]).toEqual(['available', 'deactivated']);
	});

	it('and says that it has closed whom a lost try has closed', async () => {
		const channel = channelWith(1, 2);
		channel.answer((request) => {
			if (request.path[0] !== 'feeds') return undefined;
			channel.service.usual(request);
			return { status: 503 };
		});
		const ran = await channel.sync([row(1)]);
		expect([channel.state(2), ran.items[0]?.action]).toEqual(['deactivated', 'closed']);
	});

	it('fails if only the time changes after a try, because the feed is still open', async () => {
		const channel = channelWith(1, 2);
		channel.answer(({ path }) => {
			if (path[0] !== 'feeds') return undefined;
			Object.assign(channel.one(2), { updated_at: '2026-06-01T00:00:00Z' });
			return { status: 503 };
		});
		expect(errorTexts(await channel.sync([row(1)]))).toContain('m2@example.com');
	});

	it('counts a feed as open that could not be closed', async () => {
		const channel = channelWith(1, 2);
		channel.answer(({ path }) => (path[0] === 'feeds' ? { status: 422, body: {} } : undefined));
		const { error } = await channel.sync([row(1)]);
		const { report } = (error as { context?: IDataObject }).context ?? {};
		expect(report).toMatchObject({
			text: expect.stringContaining('2 feeds are open in Supercast'),
		});
	});

	it('says that nobody knows, if the answer to a closing is lost and nothing shows it', async () => {
		const channel = channelWith(1, 2);
		let isSent = false;
		channel.answer(({ method }) => {
			isSent ||= method === 'PATCH';
			return isSent ? { status: 504 } : undefined;
		});
		const told = errorTexts(await channel.sync([row(1)], { options: { maxWaitSeconds: 1 } }));
		expect(told).toContain('Perhaps done, which nobody knows: ');
		expect(told).not.toContain('Not done');
	});

	it('a run closes no more feeds ten minutes after it has read them', async () => {
		const channel = channelWith(1, 2, 3);
		const lists = [row(1), row('new')];
		channel.answer(({ method }) =>
			method === 'POST' ? { status: 429, headers: { 'retry-after': '660' } } : undefined,
		);
		await channel.sync(lists, { options: { maxWaitSeconds: 1_000 } });
		expect([channel.state(2), channel.state(3)]).toEqual(['available', 'available']);
		channel.answer(() => undefined);
		await channel.sync(lists);
		expect([channel.state(2), channel.state(3)]).toEqual(['deactivated', 'deactivated']);
	});
});
