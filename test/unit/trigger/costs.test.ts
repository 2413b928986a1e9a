import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { detect } from '../../../nodes/Supercast/trigger/detect';
import { EVENTS, type TriggerEvent } from '../../../nodes/Supercast/trigger/events';
import { StateStore } from '../../../nodes/Supercast/trigger/state';

const SIZES = [10, 100, 1_000, 10_000, 25_000];
const ORDERS = ['newest', 'by update', 'oldest', 'shuffled'] as const;

interface Cost {
	first: number;
	quiet: number;
	oneNew: number;
}

/** Requests of the first poll, of a quiet one, and of one that finds a new record. */
async function measure(
	event: TriggerEvent,
	size: number,
	order: (typeof ORDERS)[number],
	hasHeaders: boolean,
): Promise<Cost> {
	const list: IDataObject[] = Array.from({ length: size }, (_, index) => ({
		...{ id: index, state: 'available' },
	}));
	const clock = { now: () => 1_700_000_000_000, processStartedAt: 0 };
	const store = new StateStore({ workflow: {} }, event, new Map(), clock);
	let requests = 0;
	const requestsOfPoll = async (found: number): Promise<number> => {
		requests = 0;
		const changes = await detect({
			eventKind: EVENTS[event]({ states: [], email: '', now: clock.now() }),
			fetchPage: async (page, perPage) => {
				requests++;
				const records = list.slice((page - 1) * perPage, page * perPage);
				return { records, ...(hasHeaders ? { perPage, total: list.length } : {}) };
			},
			isGone: async () => false,
			signal: new AbortController().signal,
			store,
			source: '',
			includeExisting: false,
			clock,
		});
		expect(changes).toHaveLength(found);
		return requests;
	};
	const first = await requestsOfPoll(0);
	const quiet = await requestsOfPoll(0);
	const place = { newest: 0, 'by update': 0, oldest: size, shuffled: Math.floor(size / 2) };
	list.splice(place[order], 0, { id: 'new' });
	return { first, quiet, oneNew: await requestsOfPoll(EVENTS_OF_CHANGE.has(event) ? 0 : 1) };
}

const EVENTS_OF_CHANGE = new Set<TriggerEvent>(['subscriberStateChanged', 'subscriberDeleted']);

function cell(values: number[]): string {
	expect(new Set(values).size).toBe(1);
	return String(values[0]);
}

it('match the table in decision 0007', async () => {
	const rows: string[] = [];
	for (const size of SIZES) {
		const costs = new Map<string, Cost>();
		for (const order of ORDERS) {
			costs.set(order, await measure('subscriberCreated', size, order, true));
			costs.set(`${order}, no headers`, await measure('subscriberCreated', size, order, false));
		}
		const change = await measure('subscriberStateChanged', size, 'newest', true);
		const of = (key: keyof Cost, suffix: string, orders: readonly string[] = ORDERS): string =>
			cell(orders.map((order) => costs.get(`${order}${suffix}`)![key]));
		rows.push(
			[
				size.toLocaleString('en'),
				of('first', ''),
				of('quiet', ''),
				of('oneNew', '', ['newest', 'by update']),
				of('oneNew', '', ['oldest']),
				of('oneNew', '', ['shuffled']),
				of('quiet', ', no headers'),
				of('first', ', no headers'),
				of('oneNew', ', no headers'),
				cell([change.quiet]),
			].join(' | '),
		);
	}
	const docs = readFileSync(
		join(__dirname, '../../../docs/decisions/0007-trigger-memory.md'),
		'utf8',
	);
	const table = docs
		.split('\n')
		.filter((line) => /^\| +[\d,]+ +\| +\d+ /.test(line))
		.map((line) =>
			line
				.split('|')
				.slice(1, -1)
				.map((one) => one.trim())
				.join(' | '),
		);
	expect(table).toEqual(rows);
});
