import type { IDataObject } from 'n8n-workflow';

import {
	useJumpingClock,
	errorTexts,
	restartProcess,
	type QuickRun,
	type Start,
} from '../../support/quickNode';
import type { Answer } from '../../doubles/supercast';
import { row, TestChannel } from './channel';

const clock = useJumpingClock();
const MINUTE_MS = 60_000;

const channelWith = (...feeds: ConstructorParameters<typeof TestChannel>[1]): TestChannel =>
	new TestChannel(clock, feeds);

const closed = { state: 'deactivated' };
const actionsOf = ({ items }: QuickRun): unknown[] =>
	items.filter(({ action }) => action !== 'summary').map(({ action }) => action);

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

describe('a run of Sync', () => {
	it('creates first, reopens then, closes after that, and changes fields last', async () => {
		const channel = channelWith([1, { customer_id: null }], [2, closed], 3);
		await channel.sync([row(1), row(2), row('new')]);
		expect(channel.changes).toEqual([
			...['POST subscribers', 'PATCH feeds/u-2', 'PATCH feeds/u-3', 'PATCH subscribers/u-1'],
		]);
		expect((await channel.sync([row(1), row(2), row('new')])).error).toBeUndefined();
		expect(channel.changes).toHaveLength(4);
	});

	it('changes nothing in a dry run, but counts the list', async () => {
		const channel = channelWith(1, 2);
		const options = { closeAfter: 2 };
		await channel.sync([row(1), row('new')], { dryRun: true, options });
		expect(channel.changes).toEqual([]);
		await clock.pass(MINUTE_MS);
		await channel.sync([row(1), row('new')], { options });
		expect([channel.state(2), channel.changes.length]).toEqual(['deactivated', 2]);
	});

	it('closes whom lists lack that come quickly, once a minute has passed between two of them', async () => {
		const channel = channelWith(1, 2);
		const options = { closeAfter: 2 };
		await channel.sync([row(1)], { options });
		await clock.pass(40_000);
		await channel.sync([row(1)], { options });
		expect(channel.state(2)).toBe('available');
		await clock.pass(40_000);
		await channel.sync([row(1)], { options });
		expect(channel.state(2)).toBe('deactivated');
	});

	it('goes on counting after a restart, with what n8n has stored of the runs by schedule', async () => {
		const channel = channelWith(1, 2, 3);
		const options = { closeAfter: 2 };
		const isClosed = async (mode: 'manual' | 'trigger', missing: number): Promise<boolean> => {
			const rows = [1, 2, 3].filter((one) => one !== missing).map((one) => row(one));
			await channel.sync(rows, { options }, { mode });
			await clock.pass(5 * MINUTE_MS);
			restartProcess();
			await channel.sync(rows, { options });
			return channel.state(missing) === 'deactivated';
		};
		expect(await isClosed('trigger', 2)).toBe(true);
		await clock.pass(5 * MINUTE_MS);
		expect(await isClosed('manual', 3)).toBe(false);
	});

	it('forgets that someone is missing whom a list shows that then cannot be worked on', async () => {
		const channel = channelWith(1, 2);
		const options = { closeAfter: 2 };
		const next = async (...rows: IDataObject[]) => {
			await clock.pass(5 * MINUTE_MS);
			return await channel.sync(rows, { options });
		};
		await next(row(1));
		channel.answer(() => ({ status: 422, body: { message: 'no' } }));
		expect((await next(row(1), row(2))).error).toBeDefined();
		channel.answer(() => undefined);
		await next(row(1));
		expect(channel.state(2)).toBe('available');
	});

	it('stops at a page that cannot be read, and changes nothing', async () => {
		const channel = channelWith(1, 2);
		channel.service.perPage = 1;
		channel.answer(({ query }) => (Number(query?.page) === 2 ? { status: 403 } : undefined));
		const ran = await channel.sync([row(1)]);
		expect(errorTexts(ran)).toContain('Nothing was changed');
		expect(channel.changes).toEqual([]);
	});

	it('remembers what it has closed, even if it is stopped then', async () => {
		const channel = channelWith(...numbersTo(8));
		const stop = new AbortController();
		channel.answer((_, name) => {
			if (channel.changes.length === 3 && name.startsWith('GET')) stop.abort();
			return undefined;
		});
		const rows = [6, 7, 8].map((number) => row(number));
		const parameters = { maxClosePercent: 10, options: { parallelRequests: 1 } };
		const { error } = await channel.sync(rows, parameters, { signal: stop.signal });
		expect([error !== undefined, channel.changes.length]).toEqual([true, 3]);
		await clock.pass(5 * MINUTE_MS);
		// Two more are allowed, and three are due.
		expect(errorTexts(await channel.sync(rows.slice(1), parameters))).toContain('close');
		expect(channel.changes).toHaveLength(3);
	});

	it('closes nobody who is missing for the second time, weeks after the first', async () => {
		const channel = channelWith(1, 2);
		const options = { closeAfter: 2 };
		const all = [row(1), row(2)];
		for (const rows of [[row(1)], all, all, [row(1)]]) {
			await channel.sync(rows, { options });
			await clock.pass(7 * 24 * 60 * MINUTE_MS);
		}
		expect(channel.state(2)).toBe('available');
	});

	it('closes five feeds of a small channel within 24 hours, whatever each list asks for', async () => {
		const numbers = numbersTo(12);
		const channel = channelWith(...numbers);
		const rows = numbers.map((number) => row(number));
		const runs: QuickRun[] = [];
		for (const gone of [2, 4, 5, 6]) {
			runs.push(await channel.sync(rows.slice(gone), { maxClosePercent: 10 }));
			await clock.pass(5 * MINUTE_MS);
		}
		expect(runs.map(({ error }) => error !== undefined)).toEqual([false, false, false, true]);
		expect(channel.changes).toHaveLength(5);
	});

	it('gives five feeds of a small channel another email within 24 hours, and no sixth', async () => {
		const numbers = numbersTo(12);
		const channel = channelWith(...numbers);
		const moved = (...some: number[]) =>
			numbers.map((one) => row(one, some.includes(one) ? { email: `x${one}@example.com` } : {}));
		const parameters = { maxClosePercent: 10 };
		await channel.sync(moved(1, 2, 3, 4, 5), parameters);
		await clock.pass(5 * MINUTE_MS);
		const next = await channel.sync(moved(1, 2, 3, 4, 5, 6), parameters);
		expect(errorTexts(next)).toContain('m6@example.com to x6@example.com');
		expect([channel.one(5).email, channel.one(6).email]).toEqual([
			...['x5@example.com', 'm6@example.com'],
		]);
	});

	it('closes people who leave next, after it was allowed once to close more', async () => {
		const channel = channelWith(...numbersTo(20));
		const rows = numbersTo(20).map((number) => row(number));
		const parameters = { maxClosePercent: 10 };
		const message = errorTexts(await channel.sync(rows.slice(8), parameters));
		const [allowOnce = ''] = /close 8 until .* UTC/.exec(message) ?? [];
		const options = { allowOnce };
		await channel.sync(rows.slice(8), { ...parameters, options });
		await clock.pass(5 * MINUTE_MS);
		const next = await channel.sync(rows.slice(13), { ...parameters, options });
		expect([next.error, channel.changes.length]).toEqual([undefined, 13]);
	});

	it('does not count for the limit what could not be closed', async () => {
		const channel = channelWith(...numbersTo(12));
		const rows = numbersTo(12).map((number) => row(number));
		const parameters = { maxClosePercent: 10 };
		channel.answer(({ path }) => (path[0] === 'feeds' ? { status: 422, body: {} } : undefined));
		expect((await channel.sync(rows.slice(5), parameters)).error).toBeDefined();
		channel.answer(() => undefined);
		await clock.pass(5 * MINUTE_MS);
		expect((await channel.sync(rows.slice(5), parameters)).error).toBeUndefined();
		expect(channel.state(5)).toBe('deactivated');
	});

	it('counts 24 hours from the closing, and not from the beginning of a run', async () => {
		const channel = channelWith(...numbersTo(12));
		const rows = numbersTo(12).map((number) => row(number));
		const parameters = { maxClosePercent: 10, options: { maxWaitSeconds: 1_000 } };
		let isAsked = false;
		channel.answer(({ method }) => {
			if (method !== 'POST' || isAsked) return undefined;
			isAsked = true;
			return { status: 429, headers: { 'retry-after': '480' } };
		});
		await channel.sync([...rows.slice(5), row('new')], parameters);
		await clock.pass(24 * 60 * MINUTE_MS - 5 * MINUTE_MS);
		const next = await channel.sync([...rows.slice(6), row('new')], parameters);
		expect(errorTexts(next)).toContain('the limit is 5 in 24 hours');
		expect([channel.state(5), channel.state(6)]).toEqual(['deactivated', 'available']);
	});

	it('opens a member who returns while the limit is exceeded, under the old email', async () => {
		const returning = { ...closed, email: 'old@example.com' };
		const channel = channelWith(...numbersTo(12), [20, returning]);
		const rows = numbersTo(6).map((number) => row(number));
		const ran = await channel.sync([...rows, row(20)], { maxClosePercent: 10 });
		expect(ran.error).toBeDefined();
		expect(channel.one(20)).toMatchObject({ email: 'old@example.com', state: 'available' });
	});

	it.each<[string, Partial<Start>, string]>([
		['six minutes old', { readAt: -6 * MINUTE_MS }, 'available'],
		['four minutes old', { readAt: -4 * MINUTE_MS }, 'deactivated'],
		['pinned', { isPinned: true, mode: 'manual' }, 'available'],
		['a part, because another branch is due', { isMoreDue: true }, 'available'],
	])('opens, and closes only with a list that is whole and new: %s', async (_, start, state) => {
		const channel = channelWith(1, 2);
		const readAt = clock.date() + (start.readAt ?? 0);
		await channel.sync([row(1), row('new')], {}, { ...start, readAt });
		expect([channel.state(2), channel.service.subscribers.length]).toEqual([state, 3]);
	});

	it('fails with the third incomplete list, unless a complete one is between them', async () => {
		const channel = channelWith(1, 2);
		const fails: boolean[] = [];
		for (const recordsExpected of [9, 0, 9, 1, 9, 9, 9]) {
			const items = recordsExpected === 0 ? [{ status: 'x' }] : [row(1)];
			const { error } = await channel.sync(items, { options: { recordsExpected, closeAfter: 9 } });
			fails.push(error !== undefined);
		}
		// The second one names nobody.
		expect(fails).toEqual([false, true, false, false, false, false, true]);
	});

	it('opens no more feeds by an allowance than it says, however many lists come', async () => {
		const channel = channelWith(1);
		const members = (from: number) => [
			...[row(1), ...numbersTo(60).map((number) => row(from + number))],
		];
		const message = errorTexts(await channel.sync(members(100)));
		const [allowOnce = ''] = /open \d+ until .* UTC/.exec(message) ?? [];
		const options = { allowOnce };
		expect((await channel.sync(members(100), { options })).error).toBeUndefined();
		await clock.pass(5 * MINUTE_MS);
		expect(errorTexts(await channel.sync(members(200), { options }))).toContain('open');
		expect(channel.changes).toHaveLength(60);
	});
});

describe('a new member', () => {
	const late = (fields: IDataObject = {}) => ({
		email: 'mnew@example.com',
		customer_id: 'c-new',
		...fields,
	});

	it.each<[string, IDataObject, string, string[]]>([
		['is not created again', {}, 'unchanged', []],
		['is reopened', closed, 'reopened', ['PATCH feeds/u-9']],
		['stays suspended', { state: 'suspended' }, 'kept', []],
		['gets the ID of the list', { customer_id: null }, 'updated', ['PATCH subscribers/u-9']],
	])(
		'who appears after the list of subscribers was read %s',
		async (_, fields, action, changes) => {
			const channel = channelWith(1);
			channel.when('GET subscribers/mnew@example.com', () => channel.add(9, late(fields)));
			await channel.sync([row(1), row('new', { name: 'Ann' })]);
			expect([action, channel.changes]).toEqual([action, changes]);
		},
	);

	it('who appears between the look-up and the creation is not created again', async () => {
		const channel = channelWith(1);
		channel.when('POST subscribers', () => channel.add(9, late({ customer_id: null })));
		await channel.sync([row(1), row('new')]);
		expect(channel.service.subscribers).toHaveLength(2);
		expect(channel.one(9).customer_id).toBe('c-new');
	});

	it('who has another name in Supercast by now waits for the next list', async () => {
		const channel = channelWith(1, 2);
		channel.when('GET subscribers/mnew@example.com', () => {
			Object.assign(channel.one(2), { email: 'mnew@example.com' });
		});
		const ran = await channel.sync([row(1), row('new'), row(2)]);
		expect([ran.error, channel.changes]).toEqual([undefined, []]);
	});

	it('is opened if Supercast creates the feed closed', async () => {
		const channel = channelWith(1);
		channel.answer(({ method, fields }) =>
			method === 'POST'
				? { status: 201, body: channel.service.add({ ...fields, state: 'deactivated' }) }
				: undefined,
		);
		await channel.sync([row(1), row('new')]);
		expect(channel.service.subscribers.map(({ state }) => state)).toEqual(
			Array(2).fill('available'),
		);
	});

	it('gets a feed without the name that Supercast refuses', async () => {
		const channel = channelWith(1);
		channel.answer(({ method, fields }) =>
			method === 'POST' && 'first_name' in fields
				? { status: 422, body: { errors: { first_name: ['is too long'] } } }
				: undefined,
		);
		const ran = await channel.sync([row(1), row('new', { name: 'x'.repeat(300) })]);
		expect([ran.error, actionsOf(ran)]).toEqual([undefined, ['created']]);
	});

	it('gets a feed without Other Fields that cannot be sent', async () => {
		const channel = channelWith(1);
		for (const otherFields of ['{ "email": "x@example.com" }', 'no JSON']) {
			const ran = await channel.sync([row(1), row(`new${otherFields.length}`)], {
				additionalFields: { otherFields },
			});
			expect(actionsOf(ran)).toContain('created');
		}
	});

	it('who cannot be created keeps a feed without a customer ID open, and no other one', async () => {
		const channel = channelWith(1, 2, [3, { customer_id: null }]);
		channel.answer(({ method }) => (method === 'POST' ? { status: 422, body: {} } : undefined));
		const ran = await channel.sync([row(1), row('new')]);
		expect(ran.error).toBeDefined();
		expect([channel.state(2), channel.state(3)]).toEqual(['deactivated', 'available']);
	});

	it('is named with the address of the feed, even if no response to a change shows it', async () => {
		const channel = channelWith(1, [2, closed]);
		channel.service.changesShow = 'nothing';
		const { items } = await channel.sync([row(1), row(2), row('new', { name: 'Lea' })]);
		const opened = items.filter(({ feed_urls: urls }) => urls !== undefined);
		expect(opened).toMatchObject([
			{ email: 'm2@example.com', first_name: 'Ann', feed_urls: [expect.stringContaining('.xml')] },
			{
				email: 'mnew@example.com',
				first_name: 'Lea',
				feed_urls: [expect.stringContaining('.xml')],
			},
		]);
	});
});

describe('the address of a feed that only a read of the subscriber shows', () => {
	/** @param read How this read is answered. As usual, if undefined. */
	async function reopened(read?: Answer): Promise<QuickRun> {
		const channel = channelWith(1, [2, closed]);
		channel.answer((request, name) => {
			if (name === 'GET subscribers/u-2' && channel.state(2) === 'available') return read;
			const { body, ...answer } = channel.service.usual(request);
			const shown = [body].flat().map((one) => ({ ...(one as IDataObject), feed_url: undefined }));
			return { ...answer, body: Array.isArray(body) ? shown : shown[0] };
		});
		return await channel.sync([row(1), row(2)]);
	}

	it('is in the output', async () => {
		const { items } = await reopened();
		expect(items[0]).toMatchObject({ feed_urls: [expect.stringContaining('.xml')] });
	});

	it('fails nothing, if Supercast does not answer', async () => {
		const { items, error } = await reopened({ status: 500, body: {} });
		expect([error, items[0]]).toMatchObject([undefined, { action: 'reopened', feed_urls: [] }]);
	});
});

describe('a member who returns', () => {
	it('is opened with the new email, ID and name', async () => {
		const channel = channelWith([1, { ...closed, email: 'old@example.com', first_name: 'X' }]);
		await channel.sync([row(1, { name: 'Ann' })]);
		expect(channel.one(1)).toMatchObject({
			email: 'm1@example.com',
			state: 'available',
			first_name: 'Ann',
		});
	});

	it('is opened without the name that Supercast refuses', async () => {
		const channel = channelWith([1, { ...closed, email: 'old@example.com' }]);
		channel.answer(({ method, fields }) =>
			method === 'PATCH' && 'first_name' in fields ? { status: 422, body: {} } : undefined,
		);
		await channel.sync([row(1, { name: 'Bea' })]);
		expect(channel.one(1)).toMatchObject({ email: 'm1@example.com', state: 'available' });
	});

	it('who cannot be reopened holds back no closing', async () => {
		const channel = channelWith(1, [2, closed], [3, { customer_id: null }]);
		channel.answer((_, name) =>
			name === 'PATCH feeds/u-2' ? { status: 422, body: {} } : undefined,
		);
		const ran = await channel.sync([row(1), row(2)]);
		expect(ran.error).toBeDefined();
		expect([channel.state(2), channel.state(3)]).toEqual(['deactivated', 'deactivated']);
	});

	it('stays closed, and no field is left out, if Supercast refuses for another reason', async () => {
		const channel = channelWith([1, closed]);
		channel.answer(({ method }) => (method === 'PATCH' ? { status: 403, body: {} } : undefined));
		const ran = await channel.sync([row(1, { name: 'Bea' })]);
		expect(ran.error).toBeDefined();
		expect(channel.changes).toEqual(['PATCH subscribers/u-1']);
	});

	it('is opened under the old email if Supercast refuses the new one, which is told', async () => {
		const channel = channelWith([1, { ...closed, email: 'old@example.com' }]);
		channel.answer(({ method, fields }) =>
			method === 'PATCH' && 'email' in fields ? { status: 422, body: {} } : undefined,
		);
		const ran = await channel.sync([row(1)]);
		expect(ran.error).toBeDefined();
		expect(channel.one(1)).toMatchObject({ email: 'old@example.com', state: 'available' });
	});

	it.each<[string, () => IDataObject | undefined]>([
		['who was deleted meanwhile', () => undefined],
		['whose feed is suspended meanwhile', () => ({ state: 'suspended' })],
		['who has a plan meanwhile', () => ({ plan_id: 7 })],
	])('%s waits for the next list', async (_, fields) => {
		const channel = channelWith([1, closed], 2);
		channel.when('GET subscribers/u-1', () => {
			const now = fields();
			if (now === undefined) channel.service.subscribers.shift();
			else Object.assign(channel.one(1), now);
		});
		await channel.sync([row(1), row(2)]);
		expect(channel.changes).toEqual([]);
	});
});

describe('an email that Supercast does not take', () => {
	it('stops nothing, and is not told as changed', async () => {
		const channel = channelWith([1, { email: 'old@example.com' }], 2);
		channel.answer((request) =>
			'email' in request.fields ? channel.service.usual({ ...request, fields: {} }) : undefined,
		);
		const ran = await channel.sync([row(1), row(2)]);
		expect([ran.error, channel.one(1).email]).toEqual([undefined, 'old@example.com']);
		expect(ran.items.at(-1)).toMatchObject({ numbers: { updated: 0 } });
	});
});
