import type { IDataObject } from 'n8n-workflow';

import { laterMemory, MOST_STORED, type ListMemory } from '../access/sync/memory/absences';
import { runtime } from '../api/clock';
import { asRecord } from '../api/json';
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
		damaged: Number(stored.damaged) || 0,
		systems: [stored.systems].flat().filter((one) => typeof one === 'string'),
	};
}

function countsIn(stored: unknown): Map<string, number> {
	const counts = Object.entries(asRecord(stored)).filter(
		(entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= -1,
	);
	return new Map(counts);
}

function write({ missing, refused, stuck, written, ...times }: ListMemory): IDataObject {
	const names = { missing: some(missing), refused: some(refused), stuck: some(stuck) };
	return { ...times, ...names, written: some(written) };
}

function some(counts: ReadonlyMap<string, number>): IDataObject {
	return Object.fromEntries([...counts].slice(0, MOST_STORED));
}
