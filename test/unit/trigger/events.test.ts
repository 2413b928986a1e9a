import type { IDataObject } from 'n8n-workflow';

import type { Change, EventKind } from '../../../nodes/Supercast/trigger/eventKind';
import {
	EVENTS,
	eventIdOf,
	keptFields,
	type EventSettings,
	type TriggerEvent,
} from '../../../nodes/Supercast/trigger/events';
import { exampleOf } from '../../../nodes/Supercast/trigger/sample';

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
			{ ...change, record: { ...subscriber, updated_at: '2026-03-02' } },
		];
		const ids = others.map((one) => idOf('subscriberStateChanged', one));
		expect(new Set([id, ...ids]).size).toBe(4);
	});

	it('is the note if the record was deleted', () => {
		const deleted = (before?: string): string => idOf('subscriberDeleted', { before, since: 1 });
		expect(deleted('u-1,ann@example.com,7')).toMatch(/^subscriberDeleted:u-1:[\w+/]{8}$/);
		expect(deleted(',ann@example.com,7')).toMatch(/^subscriberDeleted:ann@example.com:[\w+/]{8}$/);
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
			expect(kindOf(event).fieldsOf({ record: { id: 1 } })).toEqual({});
			expect(kindOf(event).sampleOf({ id: 1 })).toEqual({ record: { id: 1 } });
		},
	);
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
	const STATES = ['available', 'charge_failure', 'deactivated', 'pending', 'suspended'];
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
			expect(fieldsOf({ before })).toEqual({ previousState: state });
		},
	);

	it('takes one letter if Supercast documents the state', () => {
		const notes = STATES.map((state) =>
			kindOf('subscriberStateChanged').fingerprintOf(stateOf(state)),
		);
		expect(notes).toEqual(['a', 'c', 'd', 'p', 's']);
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
		expect(fieldsOf(sample)).toEqual({ previousState: 'available' });
		const any = kindOf('subscriberStateChanged').sampleOf(stateOf('available'));
		expect(any.record).toEqual(stateOf('available'));
		expect(fieldsOf(any)).toEqual({ previousState: 'pending' });
	});

	it('returns an empty earlier state if none was remembered', () => {
		expect(kindOf('subscriberStateChanged').fieldsOf({})).toEqual({ previousState: '' });
	});
});

describe('a deleted subscriber', () => {
	const ann = { uuid: 'u-1', email: 'ann, the "first" 100%@example.com', customer_id: 'cus 1' };

	it('is remembered by UUID, email and customer ID', () => {
		const { fingerprintOf, fieldsOf, shouldReport } = kindOf('subscriberDeleted');
		const fingerprint = fingerprintOf({ ...ann, first_name: 'Ann' });
		expect(fingerprint).not.toMatch(/\s/);
		expect(fieldsOf({ before: fingerprint })).toEqual(ann);
		expect(shouldReport(ann)).toBe(false);
	});

	it('is returned without the fields that it did not have', () => {
		const { fingerprintOf } = kindOf('subscriberDeleted');
		expect(keptFields(fingerprintOf({ uuid: 'u-1', email: null }) ?? '')).toEqual({ uuid: 'u-1' });
		expect(keptFields(fingerprintOf({ customer_id: 7 }) ?? '')).toEqual({ customer_id: '7' });
		expect(kindOf('subscriberDeleted').fieldsOf({})).toEqual({});
	});

	it('has a sample from a subscriber who exists', () => {
		const { sampleOf, fieldsOf } = kindOf('subscriberDeleted');
		expect(fieldsOf(sampleOf(ann))).toEqual(ann);
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
