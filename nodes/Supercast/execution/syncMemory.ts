import type { IDataObject } from 'n8n-workflow';

import { laterMemory, MOST_STORED, type ListMemory } from '../access/sync/memory/absences';
import { runtime } from '../api/clock';
import { asRecord, textOf } from '../api/json';
import { SyncStore } from './syncStore';

/** What earlier runs of a Sync remembered. */
export const memories = new SyncStore<ListMemory>({
	name: 'sync',
	choose: (here, stored) => laterMemory(here, stored, runtime.clock.date()),
	read: readStoredMemory,
	write,
});

function readStoredMemory(stored: Record<string, unknown>): ListMemory {
	return {
		seenAt: Number(stored.seenAt) || 0,
		countedAt: Number(stored.countedAt) || 0,
		missing: countsIn(stored.missing),
		refused: countsIn(stored.refused),
		shortLists: Number(stored.shortLists) || 0,
		stuck: countsIn(stored.stuck),
		written: countsIn(stored.written),
		people: Number.isSafeInteger(stored.people) ? Number(stored.people) : undefined,
		known: textOf(stored.known).split(' ').filter(Boolean),
		opened: countsIn(stored.opened),
	};
}

function countsIn(stored: unknown): Map<string, number> {
	const counts = Object.entries(asRecord(stored)).filter(
		(entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= -1,
	);
	return new Map(counts);
}

function write({
	missing,
	refused,
	stuck,
	written,
	opened,
	known,
	...numbers
}: ListMemory): IDataObject {
	const names = { missing: some(missing), refused: some(refused), stuck: some(stuck) };
	const marks = { written: some(written), opened: some(opened), known: known.join(' ') };
	return { ...numbers, ...names, ...marks };
}

function some(counts: ReadonlyMap<string, number>): IDataObject {
	return Object.fromEntries([...counts].slice(0, MOST_STORED));
}
