import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	laterMemory,
	MOST_STORED,
	NOTHING_REMEMBERED,
	type ListMemory,
} from '../access/sync/memory/absences';
import { asRecord } from '../api/json';
import { staticDataOf } from './context';

/** What a Sync remembers between its lists, and where to store it. */
export interface SyncMemory {
	load: () => ListMemory;
	remember: (memory: ListMemory) => void;
}

/** How many Syncs this process remembers. */
const MOST_SYNCS = 100;

/** What each Sync of this process remembers, by workflow, node and credential. */
const processMemory = new Map<string, ListMemory>();

/**
 * What earlier runs of this node remembered, and where to store what this run adds. The memory is
 * in two places: this process, and the node's static data. n8n stores static data after each
 * production execution, also after a failed one, but not after a manual one.
 * @param credential The credential's ID. With another credential, the node remembers nothing.
 * @param now In milliseconds since 1970.
 * @param remembered What the process remembers.
 */
export function memoryFor(
	context: IExecuteFunctions,
	credential: string,
	now: () => number,
	remembered = processMemory,
): SyncMemory {
	const key = JSON.stringify([context.getWorkflow().id, context.getNode().id, credential]);
	const stored = staticDataOf(context);
	return {
		load: () => {
			const here = remembered.get(key) ?? NOTHING_REMEMBERED;
			return laterMemory(here, read(asRecord(stored.sync), credential), now());
		},
		remember: (memory) => {
			// The latest Sync comes last, so that the oldest one is forgotten first.
			remembered.delete(key);
			remembered.set(key, memory);
			for (const oldest of remembered.keys()) {
				if (remembered.size <= MOST_SYNCS) break;
				remembered.delete(oldest);
			}
			stored.sync = write(memory, credential);
		},
	};
}

/** Invalid static data must not make a run fail, so everything is checked. */
function read(stored: Record<string, unknown>, credential: string): ListMemory {
	if (stored.credential !== credential) return NOTHING_REMEMBERED;
	return {
		seenAt: Number(stored.seenAt) || 0,
		countedAt: Number(stored.countedAt) || 0,
		missing: countsIn(stored.missing),
		refused: countsIn(stored.refused),
		shortLists: Number(stored.shortLists) || 0,
		stuck: countsIn(stored.stuck),
		written: countsIn(stored.written),
	};
}

function countsIn(stored: unknown): Map<string, number> {
	const counts = Object.entries(asRecord(stored)).filter(
		(entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= -1,
	);
	return new Map(counts);
}

function write(
	{ missing, refused, stuck, written, ...times }: ListMemory,
	credential: string,
): IDataObject {
	const names = { missing: some(missing), refused: some(refused), stuck: some(stuck) };
	return { ...times, ...names, written: some(written), credential };
}

function some(counts: ReadonlyMap<string, number>): IDataObject {
	return Object.fromEntries([...counts].slice(0, MOST_STORED));
}
