import type { IDataObject } from 'n8n-workflow';

import type { Change } from '../../../nodes/Supercast/trigger/eventKind';
import { EVENTS, type TriggerEvent } from '../../../nodes/Supercast/trigger/events';
import { itemsOf } from '../../../nodes/Supercast/trigger/items';
import { idHash } from '../../../nodes/Supercast/trigger/knownIds';

/** The items for these changes, while the trigger remembers so many records. */
function items(event: TriggerEvent, changes: Change[], known = 1, isSimplified = false) {
	const eventKind = EVENTS[event]({ states: [], email: '', now: 0 });
	return itemsOf({ event, eventKind, isSimplified }, changes, known).map(({ json }) => json);
}

function idsOf(event: TriggerEvent, records: IDataObject[]): unknown[] {
	return items(
		event,
		records.map((record) => ({ record })),
	).map(({ id }) => id);
}

describe('the items of an output', () => {
	it('have the oldest event first, by the time of the event', () => {
		const times = ['2026-03-02T00:00:00Z', '2026-03-01 23:59:59', '1772323200', '2026-03-03'];
		const records = times.map((time, index) => ({
			id: 4 - index,
			created_at: time,
			updated_at: '2026-01-01',
		}));
		expect(idsOf('subscriberCreated', records)).toEqual([2, 3, 4, 1]);
	});

	it('have the lowest ID first if the times are the same or unknown', () => {
		const one = '2026-03-01T00:00:00Z';
		expect(idsOf('episodeCreated', [{ id: 10 }, { id: 9 }, { id: '8' }])).toEqual(['8', 9, 10]);
		const records = [10, 9, 11].map((id) => ({ id, created_at: one }));
		expect(idsOf('episodeCreated', records)).toEqual([9, 10, 11]);
	});

	it('keep the order of the list without times and numbers', () => {
		const records = ['c', 'a', 'b'].map((uuid) => ({ uuid }));
		expect(idsOf('subscriberCreated', records)).toEqual(['c', 'a', 'b']);
		const deleted = ['c', 'a'].map((uuid) => ({ before: `${uuid},,` }));
		expect(items('subscriberDeleted', deleted).map(({ id }) => id)).toEqual(['c', 'a']);
	});

	it('have the record, the ID of the event, and what the event adds', () => {
		const record = { id: 7, uuid: 'u-7', state: 'suspended' };
		const [item] = items('subscriberStateChanged', [{ record, before: 'a', since: 5 }]);
		expect(item).toEqual({
			...record,
			eventId: expect.stringMatching(/^subscriberStateChanged:u-7:.{8}$/),
			previousState: 'available',
		});
	});

	it('have only the most important fields if they are simplified', () => {
		const record = { uuid: 'u-7', email: 'ann@example.com', odd_field: 'odd' };
		expect(items('subscriberCreated', [{ record }])[0]).toHaveProperty('odd_field');
		const [simple] = items('subscriberCreated', [{ record }], 1, true);
		expect(simple).toMatchObject({ id: 'u-7', email: 'ann@example.com', feed_urls: [] });
		expect(simple).not.toHaveProperty('odd_field');
		// A kind of record without a shorter form, and a deleted subscriber, are returned as they are.
		expect(items('episodeCreated', [{ record }], 1, true)[0]).toHaveProperty('odd_field');
		const [deleted] = items('subscriberDeleted', [{ before: 'u-7,,' }], 1, true);
		expect(deleted).toMatchObject({ id: 'u-7', uuid: 'u-7' });
	});

	it('say how often a restart has repeated them', () => {
		const change = { record: { id: 7 } };
		expect(items('episodeCreated', [{ ...change, repeats: 2 }])[0]).toHaveProperty('repeats', 2);
		for (const one of [change, { ...change, repeats: 0 }]) {
			expect(items('episodeCreated', [one])[0]).not.toHaveProperty('repeats');
		}
	});

	it('warn from four fifths of the records on that the trigger can remember', () => {
		const change = { record: { id: 7 } };
		expect(items('episodeCreated', [change], 31_999)[0]).not.toHaveProperty('warning');
		expect(items('episodeCreated', [change], 32_000)[0]?.warning).toMatch(/32,000 episodes/);
	});
});

describe('the ID of an item', () => {
	it.each([
		['the ID', { id: 7, uuid: 'u-7', email: 'ann@example.com' }, 7],
		['the UUID without an ID', { uuid: 'u-7', email: 'ann@example.com' }, 'u-7'],
	])('is %s', (_, record, id) => {
		expect(items('questionCreated', [{ record }])[0]?.id).toBe(id);
	});

	it('is a hash of a record without both, so that no two records share it', () => {
		const record = { text: 'Why?', email: 'ann@example.com' };
		const [item] = items('questionCreated', [{ record }]);
		expect(item?.id).toBe(idHash(JSON.stringify(record)));
	});

	it.each([
		['u-1,ann@example.com,7', 'u-1'],
		[',ann@example.com,7', 'ann@example.com'],
	])('is what is known of a deleted subscriber: %s', (before, id) => {
		expect(items('subscriberDeleted', [{ before }])[0]?.id).toBe(id);
	});
});
