/** What people feel: how long a payment waits for its feed, and what Sync needs for a long list. */

import type { IDataObject } from 'n8n-workflow';

import { runAlone, startService, Worker, type BenchService } from './processes';
import { LIMIT, listing, opening, syncing } from './runs';
import { atMost, exactly, shown, type Row } from './table';

async function serviceWith(subscribers: number, limit: number): Promise<BenchService> {
	return await startService({ 'rate-limit': limit, 'latency-ms': 5, subscribers, 'log-size': 0 });
}

/** Opens the feed of one new person in a process that has just started, and then of another one. */
async function payments(subscribers: number): Promise<Row[]> {
	const service = await serviceWith(subscribers, LIMIT);
	const worker = new Worker();
	const rows: Row[] = [];
	for (const when of ['first', 'second']) {
		const before = (await service.stats()).requests;
		const { ms } = await worker.run({
			kind: 'run',
			run: opening(service, [`${when}@example.com`]),
		});
		const requests = (await service.stats()).requests - before;
		const what = `${subscribers.toLocaleString('en')} subscribers, ${when} payment after n8n starts`;
		rows.push(shown(what, `${(ms / 1000).toFixed(2)} s, ${requests} requests`));
	}
	const created = (await service.emails()).length - subscribers;
	worker.stop();
	service.stop();
	return [...rows, exactly(`${subscribers.toLocaleString('en')} subscribers: created`, created, 2)];
}

/** From a payment to the open feed of one person, with the real minute. */
export async function onePayment(): Promise<Row[]> {
	return [...(await payments(2_000)), ...(await payments(10_000))];
}

/** The size of both lists as JSON, in bytes. */
async function sizeOfLists(service: BenchService, members: IDataObject[]): Promise<number> {
	const { jsonBytes } = await runAlone({ kind: 'run', run: listing(service) });
	return jsonBytes + Buffer.byteLength(JSON.stringify(members));
}

/** For n8n's engine and Sync together. Node allows itself 2 to 4 GB. */
const SMALL_HEAP_MB = 300;

/** A Sync whose list has everyone whom Supercast has, and one person in a hundred more. */
async function longSync(subscribers: number): Promise<Row[]> {
	const service = await serviceWith(subscribers, 0);
	const known = await service.people();
	const members = [
		...known.map(({ email, customer_id: id }) => ({ email, id })),
		...Array.from({ length: subscribers / 100 }, (_, n) => ({
			email: `new-${n}@example.com`,
			id: `new-${n}`,
		})),
	];
	const bytes = await sizeOfLists(service, members);
	const sync = async (heapMb?: number) => {
		await service.reset();
		const result = await runAlone({ kind: 'run', run: syncing(service, members) }, [], heapMb);
		return { ...result, created: (await service.emails()).length - subscribers };
	};
	const result = await sync();
	const small = await sync(SMALL_HEAP_MB);
	service.stop();
	const name = subscribers.toLocaleString('en');
	return [
		shown(`${name} subscribers: time`, `${(result.ms / 1000).toFixed(1)} s`),
		shown(
			`${name} subscribers: peak heap / JSON of both lists`,
			(result.peakHeapBytes / bytes).toFixed(3),
		),
		atMost(
			`${name} subscribers: time with a heap of ${SMALL_HEAP_MB} MB / time`,
			small.ms / result.ms,
			3,
		),
		atMost(`${name} subscribers: longest block, in ms`, result.blockedMs ?? Infinity, 100),
		shown(`${name} subscribers: JSON of both lists`, `${(bytes / 1e6).toFixed(1)} MB`),
		// A run that fails early is quick.
		exactly(
			`${name} subscribers: created`,
			Math.min(result.created, small.created),
			subscribers / 100,
		),
	];
}

/** Sync of long lists, without a limit. */
export async function longSyncs(): Promise<Row[]> {
	return [...(await longSync(10_000)), ...(await longSync(100_000))];
}
