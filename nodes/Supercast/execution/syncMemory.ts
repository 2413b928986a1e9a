import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	laterMemory,
	MOST_STORED,
	NOTHING_REMEMBERED,
	type ListMemory,
} from '../access/sync/memory/absences';
import { asRecord } from '../api/json';
import { Recent } from '../api/register/recent';
import { keptFor, type Kept } from './syncStore';

/** What each Sync of this process remembers, by workflow, node and credential. */
const memoriesHere = new Recent<ListMemory>();

/**
 * What earlier runs of this node remembered, and where to store what this run adds.
 * @param credential The credential's ID.
 * @param now In milliseconds since 1970.
 */
export function memoryFor(
	context: IExecuteFunctions,
	credential: string,
	now: () => number,
): Kept<ListMemory> {
	const choose = (one: ListMemory, other: ListMemory): ListMemory => laterMemory(one, other, now());
	const kind = {
		name: 'sync',
		here: memoriesHere,
		nothing: NOTHING_REMEMBERED,
		choose,
		read: readStoredMemory,
		write,
	};
	return keptFor(context, credential, kind);
}

function readStoredMemory(data: unknown, credential: string): ListMemory {
	const stored = asRecord(data);
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
