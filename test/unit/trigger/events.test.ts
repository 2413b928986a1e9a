import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { InputError, ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import type { FetchPage } from '../../../nodes/Supercast/api/paging/page';
import { SUBSCRIBER_STATES } from '../../../nodes/Supercast/subscriber/states';
import { SupercastTrigger } from '../../../nodes/Supercast/SupercastTrigger.node';
import type { Change, EventKind } from '../../../nodes/Supercast/trigger/eventKind';
import {
	eventIdOf,
	EVENTS,
	type EventSettings,
	keptFields,
	type TriggerEvent,
} from '../../../nodes/Supercast/trigger/events';
import { exampleOf } from '../../../nodes/Supercast/trigger/sample';
import { HOUR, many, Polls } from './pollsOf';

describe('events', () => {
	const NOW = Date.parse('2026-03-01T12:00:00Z');

	function kindOf(event: TriggerEvent, settings: Partial<EventSettings> = {}): EventKind {
		return EVENTS[event]({ states: [], email: '', now: NOW, ...settings });
	}

	/** Whether the trigger returns a record that it has never seen. */
	function isNew(event: TriggerEvent, record: IDataObject, settings?: Partial<EventSettings>) {
		const { fingerprintOf, shouldReport } = kindOf(event, settings);
		const fingerprint = fingerprintOf(record);
		return fingerprint !== undefined && shouldReport(record);
	}

	/** Whether the trigger returns a record that it has seen before, after it has changed. */
	function isChange(
		event: TriggerEvent,
		[before, after]: [IDataObject, IDataObject],
		settings?: Partial<EventSettings>,
	): boolean {
		const { fingerprintOf, shouldReport } = kindOf(event, settings);
		return (
			fingerprintOf(after) !== fingerprintOf(before) && shouldReport(after, fingerprintOf(before))
		);
	}

	describe('what identifies a record', () => {
		it.each([
			['subscriberCreated', { id: 7, uuid: 'u' }, 'u'],
			['subscriberCreated', { id: 7 }, '7'],
			['usageAlertCreated', { id: 7, uuid: 'u' }, '7'],
			['usageAlertCreated', { uuid: 'u' }, 'u'],
			['episodeCreated', { id: 7, uuid: 'u' }, '7'],
			['questionCreated', { text: 'Why?' }, '{"text":"Why?"}'],
		] as const)('%s %j', (event, record, id) => {
			expect(kindOf(event).idOf(record)).toBe(id);
		});
	});

	describe('what identifies an event', () => {
		const idOf = (event: TriggerEvent, change: Change): string =>
			eventIdOf(change, kindOf(event), event);
		const subscriber = { uuid: 'u', state: 'available', updated_at: '2026-03-01' };

		it('is the record if it is new', () => {
			expect(idOf('episodeCreated', { record: { id: 7 } })).toBe('episodeCreated:7');
			expect(idOf('subscriberCreated', { record: subscriber })).toBe('subscriberCreated:u');
		});

		it('is also the occasion if the record was known', () => {
			const change = { record: subscriber, before: 'p', since: 1 };
			const id = idOf('subscriberStateChanged', change);
			expect(id).toMatch(/^subscriberStateChanged:u:[\w+/]{8}$/);
			expect(idOf('subscriberStateChanged', { ...change })).toBe(id);
			const others = [
				{ ...change, since: 2 },
				{ ...change, record: { ...subscriber, state: 'pending' } },
			];
			const ids = others.map((one) => idOf('subscriberStateChanged', one));
			expect(new Set([id, ...ids]).size).toBe(3);
		});

		it('stays the same if another field has changed meanwhile', () => {
			const change = { record: subscriber, before: 'p', since: 1 };
			const renamed = { ...subscriber, first_name: 'Ann', updated_at: '2026-03-02' };
			expect(idOf('subscriberStateChanged', { ...change, record: renamed })).toBe(
				idOf('subscriberStateChanged', change),
			);
		});

		it('is the note if the record was deleted', () => {
			const deleted = (before?: string): string => idOf('subscriberDeleted', { before, since: 1 });
			expect(deleted('u-1,ann@example.com,7')).toMatch(/^subscriberDeleted:u-1:[\w+/]{8}$/);
			expect(deleted(',ann@example.com,7')).toMatch(
				/^subscriberDeleted:ann@example.com:[\w+/]{8}$/,
			);
			expect(deleted()).toBe('subscriberDeleted:');
		});
	});

	describe('the field that holds the time of an event, and how much of the list it needs', () => {
		it.each([
			['usageAlertCreated', 'created_at', false, false, 40_000],
			['subscriberCreated', 'created_at', false, false, 40_000],
			['subscriberStateChanged', 'updated_at', true, false, 40_000],
			['subscriberDeleted', 'created_at', true, true, 20_000],
			['episodeCreated', 'created_at', false, false, 40_000],
			['episodePublished', 'published_at', true, false, 40_000],
			['questionCreated', 'created_at', false, false, 40_000],
		] as const)('%s', (event, time, readsAll, reportsDeletions, maxRecords) => {
			expect(kindOf(event)).toMatchObject({ time, readsAll, reportsDeletions, maxRecords });
		});
	});

	it.each(Object.keys(EVENTS) as TriggerEvent[])(
		'a test in the editor shows an example of %s, even if the list is empty',
		(event) => {
			const { kind } = kindOf(event);
			expect(Object.keys(exampleOf(kind.path, []))).toContain('created_at');
		},
	);

	describe('the editor', () => {
		const { properties } = new SupercastTrigger().description;
		const events = Object.keys(EVENTS) as TriggerEvent[];

		it('warns of each event that reads the whole list', () => {
			const notice = properties.find(({ name }) => name === 'readsAllNotice');
			const wanted = events.filter((event) => kindOf(event).readsAll);
			expect([...(notice?.displayOptions?.show?.event ?? [])].sort()).toEqual(wanted.sort());
		});

		it('offers Include Existing only if the first poll can return records', () => {
			const { options = [] } = properties.find(({ name }) => name === 'options') ?? {};
			const [includeExisting] = options as INodeProperties[];
			const hidden = includeExisting?.displayOptions?.hide?.['/event'] ?? [];
			const wanted = events.filter((event) => !isNew(event, { id: 1, published_at: '2026-01-01' }));
			expect([...hidden].sort()).toEqual(wanted.sort());
		});
	});

	describe('a list that can be replaced as a whole', () => {
		it('has usage alerts or questions', () => {
			const events = Object.keys(EVENTS) as TriggerEvent[];
			expect(events.filter((event) => !kindOf(event).isLasting)).toEqual([
				'usageAlertCreated',
				'questionCreated',
			]);
		});
	});

	describe('a created record', () => {
		it.each(['subscriberCreated', 'episodeCreated', 'questionCreated'] as const)(
			'is news once: %s',
			(event) => {
				expect(isNew(event, { id: 1 })).toBe(true);
				expect(isChange(event, [{ id: 1 }, { id: 1, title: 'New' }])).toBe(false);
				expect(kindOf(event).sampleOf({ id: 1 })).toEqual({ record: { id: 1 } });
			},
		);

		it('adds fields only to a subscriber', () => {
			for (const event of ['episodeCreated', 'questionCreated'] as const)
				expect(kindOf(event).fieldsOf({ record: { id: 1 } })).toEqual({});
		});
	});

	describe('a usage alert', () => {
		const forms: IDataObject[] = [
			{ subscriber: { email: 'Ann@Example.com' } },
			{ subscriber_email: 'ann@example.com' },
			{ email: 'ANN@example.com' },
			{ email: 'other@example.com', subscriber: { email: 'ann@example.com' } },
		];

		it.each(forms)('is news for the wanted subscriber, wherever their email is: %j', (alert) => {
			expect(isNew('usageAlertCreated', alert, { email: 'ann@example.com' })).toBe(true);
			expect(isNew('usageAlertCreated', alert, { email: 'bob@example.com' })).toBe(false);
			expect(isNew('usageAlertCreated', alert)).toBe(true);
			expect(isChange('usageAlertCreated', [alert, alert])).toBe(false);
		});
	});

	describe('a changed state', () => {
		const STATES = SUBSCRIBER_STATES;
		const stateOf = (state: string | undefined): IDataObject => ({ uuid: 'u', state });

		it.each([...STATES, 'on hold, 50%'])('is news when it becomes another one: %s', (state) => {
			const event = 'subscriberStateChanged';
			expect(isChange(event, [stateOf(state), stateOf('other')])).toBe(true);
			expect(isChange(event, [stateOf('other'), stateOf(state)])).toBe(true);
			expect(isChange(event, [stateOf(state), stateOf(state)])).toBe(false);
			expect(isNew(event, stateOf(state))).toBe(false);
		});

		it.each([...STATES, 'on hold, 50%'])(
			'is remembered and returned as the earlier one: %s',
			(state) => {
				const { fingerprintOf, fieldsOf } = kindOf('subscriberStateChanged');
				const before = fingerprintOf(stateOf(state));
				expect(before).not.toMatch(/\s/);
				expect(fieldsOf({ before }).previousState).toBe(state);
			},
		);

		it('is stored as in the workflows of earlier versions', () => {
			const { fingerprintOf } = kindOf('subscriberStateChanged');
			const stored = STATES.map((state) => [state, fingerprintOf(stateOf(state))]);
			expect(new Set(stored.map(([, note]) => note)).size).toBe(STATES.length);
			expect(Object.fromEntries(stored)).toEqual({
				// Versions that did not know a state have stored its word.
				...Object.fromEntries(STATES.map((state) => [state, state])),
				...{ available: 'a', charge_failure: 'c', deactivated: 'd', pending: 'p', suspended: 's' },
			});
		});

		it('is no news when Supercast starts or stops showing states', () => {
			const event = 'subscriberStateChanged';
			expect(isChange(event, [stateOf(undefined), stateOf('suspended')])).toBe(false);
			expect(isChange(event, [stateOf('suspended'), stateOf(undefined)])).toBe(false);
		});

		it('is news only if the new state was chosen', () => {
			const settings = { states: ['suspended'] };
			const event = 'subscriberStateChanged';
			expect(isChange(event, [stateOf('available'), stateOf('suspended')], settings)).toBe(true);
			expect(isChange(event, [stateOf('suspended'), stateOf('available')], settings)).toBe(false);
		});

		it('has a sample into a selected state, from another one', () => {
			const { sampleOf, fieldsOf } = kindOf('subscriberStateChanged', { states: ['suspended'] });
			const sample = sampleOf(stateOf('available'));
			expect(sample.record).toEqual(stateOf('suspended'));
			expect(fieldsOf(sample)).toMatchObject({ previousState: 'available' });
			const any = kindOf('subscriberStateChanged').sampleOf(stateOf('available'));
			expect(any.record).toEqual(stateOf('available'));
			expect(fieldsOf(any)).toMatchObject({ previousState: 'pending' });
		});

		it('returns an empty earlier state if none was remembered', () => {
			expect(kindOf('subscriberStateChanged').fieldsOf({})).toMatchObject({ previousState: '' });
		});
	});

	describe('whether feeds were open before, and are open now', () => {
		const STATES = ['available', 'on_hold', ...SUBSCRIBER_STATES, 'inactive', undefined];
		const OPEN: Record<string, boolean | null> = {
			...Object.fromEntries(SUBSCRIBER_STATES.map((state) => [state, false])),
			...{ available: true, inactive: false, on_hold: null, undefined: null },
		};
		const isOpen = (state: string | undefined) => OPEN[String(state)];
		const of = (state: string | undefined): IDataObject => ({ uuid: 'u', state });

		it.each(STATES)('is told of a subscriber created as %s', (state) => {
			const { fieldsOf } = kindOf('subscriberCreated');
			expect(fieldsOf({ record: of(state) })).toEqual({ wasOpen: false, isOpen: isOpen(state) });
		});

		it.each(STATES)('is told of a change from %s to any other state', (state) => {
			const { fingerprintOf, fieldsOf } = kindOf('subscriberStateChanged');
			for (const next of STATES) {
				const change = { record: of(next), before: fingerprintOf(of(state)) };
				const told = { wasOpen: isOpen(state), isOpen: isOpen(next) };
				expect([next, fieldsOf(change)]).toEqual([next, expect.objectContaining(told)]);
			}
		});

		it.each(STATES)('is told of a subscriber deleted as %s', (state) => {
			const { fingerprintOf, fieldsOf } = kindOf('subscriberDeleted');
			const told = { uuid: 'u', wasOpen: isOpen(state), isOpen: false };
			expect(fieldsOf({ before: fingerprintOf(of(state)) })).toEqual(told);
		});

		it('is unknown if an earlier version of the trigger remembered no state', () => {
			const { fieldsOf } = kindOf('subscriberDeleted');
			const told = { uuid: 'u', email: 'a@b.c', wasOpen: null, isOpen: false };
			expect(fieldsOf({ before: 'u,a@b.c,' })).toEqual(told);
		});
	});

	describe('a deleted subscriber', () => {
		const ann = { uuid: 'u-1', email: 'ann, the "first" 100%@example.com', customer_id: 'cus 1' };

		it('is remembered by UUID, email and customer ID', () => {
			const { fingerprintOf, fieldsOf, shouldReport } = kindOf('subscriberDeleted');
			const fingerprint = fingerprintOf({ ...ann, first_name: 'Ann' });
			expect(fingerprint).not.toMatch(/\s/);
			expect(fieldsOf({ before: fingerprint })).toMatchObject(ann);
			expect(shouldReport(ann)).toBe(false);
		});

		it('is returned without the fields that it did not have', () => {
			const { fingerprintOf } = kindOf('subscriberDeleted');
			expect(keptFields(fingerprintOf({ uuid: 'u-1', email: null }) ?? '')).toEqual({
				uuid: 'u-1',
			});
			expect(keptFields(fingerprintOf({ customer_id: 7 }) ?? '')).toEqual({ customer_id: '7' });
			expect(keptFields('')).toEqual({});
		});

		it('has a sample from a subscriber who exists', () => {
			const { sampleOf, fieldsOf } = kindOf('subscriberDeleted');
			expect(fieldsOf(sampleOf(ann))).toMatchObject(ann);
		});
	});

	describe('a published episode', () => {
		const due = (ms: number): IDataObject => ({
			id: 1,
			published_at: new Date(NOW + ms).toISOString(),
		});

		it.each([
			[-1, true],
			[0, true],
			[1, false],
		])('is news from its time of publication on: %d ms later', (ms, expected) => {
			expect(isNew('episodePublished', due(ms))).toBe(expected);
		});

		it('is no news without a time, and none after it was news', () => {
			expect(isNew('episodePublished', { id: 1 })).toBe(false);
			expect(isChange('episodePublished', [due(-1), due(-1)])).toBe(false);
			expect(kindOf('episodePublished').fingerprintOf(due(-1))).toBe('');
		});
	});
});

/** Polls that knew this many records. Now none of them is in the list, but this many others. */
async function replaced(event: TriggerEvent, known: number, others: number): Promise<Polls> {
	const polls = new Polls(event, many(known));
	await polls.poll();
	return Object.assign(polls, { records: many(others, 1_000) });
}

describe('a list without any known record', () => {
	it.each([
		['subscriberDeleted', 3, 0],
		['subscriberDeleted', 3, 1],
		['subscriberCreated', 3, 3],
		['episodeCreated', 10, 250],
		// As long as if these were new records.
		['episodeCreated', 10, 110],
	] as const)('stops the trigger: %s, %d known, %d others', async (event, known, others) => {
		const polls = await replaced(event, known, others);
		const noun = event === 'episodeCreated' ? 'episodes' : 'subscribers';
		const error: unknown = await polls.poll().catch((reason: unknown) => reason);
		expect(error).toBeInstanceOf(InputError);
		expect(error).toMatchObject({
			message: `None of the ${known} ${noun} that the trigger knows is in the list any more`,
			description: expect.stringContaining('may now belong to another channel'),
		});
		polls.records = many(known);
		expect(await polls.poll()).toEqual([]);
	});

	it('stops the trigger without a total, too', async () => {
		const polls = await replaced('episodeCreated', 3, 3);
		const withoutTotal: FetchPage = async (...request) => ({
			records: (await polls.fetchPage(...request)).records,
		});
		await expect(polls.poll(false, withoutTotal)).rejects.toThrow('None of the 3 episodes');
	});

	it.each([
		// All questions may be answered and deleted.
		['questionCreated', 10, 10],
		// Too few to be sure.
		['subscriberCreated', 2, 10],
		['subscriberCreated', 10, 2],
		['episodeCreated', 10, 0],
	] as const)('may be right: %s, %d known, %d others', async (event, known, others) => {
		const polls = await replaced(event, known, others);
		expect(await polls.poll()).toEqual(polls.records.map(({ id }) => id));
	});

	it('is read to its end, even if its total is too low', async () => {
		const polls = await replaced('episodeCreated', 10, 100);
		const others = polls.records.map(({ id }) => id);
		polls.records.push(...many(10));
		const withLowTotal: FetchPage = async (...request) => ({
			...(await polls.fetchPage(...request)),
			total: 100,
		});
		expect(await polls.poll(false, withLowTotal)).toEqual(others);
	});

	it('stops the trigger, even if every page is the same', async () => {
		const polls = new Polls('episodeCreated', many(10));
		await polls.poll();
		const records = many(10, 100);
		const samePage: FetchPage = async () => {
			if (++polls.requests > 20) throw new Error('The poll does not end.');
			return { records, total: 17 };
		};
		await expect(polls.poll(false, samePage)).rejects.toThrow('None of the 10 episodes');
	});
});

describe('a fetch that ended late', () => {
	const late = new ServiceError('late', '', { kind: 'network', code: 'ETIMEDOUT' });

	/** 150 people came, and the next poll has no time left for their second page. */
	async function withLateFetch(): Promise<Polls> {
		const polls = new Polls('subscriberCreated', many(100));
		await polls.poll();
		polls.records.push(...many(150, 1_000));
		polls.now += HOUR;
		polls.isLate = true;
		polls.failures.set(2, late);
		return polls;
	}

	it('goes on with the next page, even if no known record follows', async () => {
		const polls = await withLateFetch();
		expect(await polls.poll()).toEqual([]);
		polls.failures.clear();
		expect(await polls.poll()).toHaveLength(150);
		expect(polls.requests).toBe(2);
	});

	it('hides nothing that comes after it', async () => {
		const polls = await withLateFetch();
		await polls.poll();
		polls.failures.clear();
		await polls.poll();
		polls.records.push(...many(1, 2_000));
		expect(await polls.poll()).toEqual([2_000]);
	});

	it('goes on with the next page if it had read the ends of the list', async () => {
		const polls = new Polls('episodeCreated', many(250));
		await polls.poll();
		polls.records.splice(150, 0, { id: 'new' });
		polls.isLate = true;
		polls.failures.set(3, late);
		expect([await polls.poll(), polls.requests]).toEqual([[], 3]);
		polls.failures.clear();
		const numbers: number[] = [];
		const found = await polls.poll(false, async (page, perPage) => {
			numbers.push(page);
			return await polls.fetchPage(page, perPage);
		});
		expect([found, numbers]).toEqual([['new'], [2]]);
	});

	it('starts again with another credential', async () => {
		const polls = new Polls('subscriberStateChanged', many(350));
		await polls.poll();
		polls.isLate = true;
		polls.failures.set(3, late);
		await polls.poll();
		polls.failures.clear();
		const records = many(250, 1000).map((record) => ({ ...record, state: 'available' }));
		Object.assign(polls, { source: 'B', records });
		await polls.poll();
		Object.assign(records[0]!, { state: 'suspended' });
		expect(await polls.poll()).toEqual([1000]);
	});
});
