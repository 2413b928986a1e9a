/** Keeps what each Sync remembers: in this process, and in n8n's static data. */

import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	NOTHING_REMEMBERED,
	type DayTold,
	type FeedChanges,
	type NamedPeople,
	type SyncMemory,
} from '../../access/sync/memory';
import { runtime } from '../../api/clock';
import { asRecord, textOf } from '../../api/json';
import { Recent } from '../../api/ledger/recent';
import { StaticData } from './staticData';

/** How many Syncs this process keeps something of. */
const MOST_SYNCS = 100;

/** How many names n8n stores between executions: at most about 100 KB for each Sync. */
const MOST_STORED = 2_000;

/** Which feeds were open: 6 characters for each of 20,000. */
const LONGEST_STORED_FEEDS = 120_000;

/** What is kept, and since when, in milliseconds since 1970. */
interface Kept {
	at: number;
	memory: SyncMemory;
}

/** By workflow, node and credential. Another credential may open another channel. */
const here = new Recent<Kept>();

/** Forgets what this process knows, as after a restart. For tests. */
export function forgetAll(): void {
	here.clear();
}

/** Where one Sync keeps what it remembers. */
export class MemoryPlace {
	private readonly stored: StaticData;
	private readonly key: string;

	constructor(
		context: IExecuteFunctions,
		private readonly credential: string,
	) {
		this.stored = new StaticData(context);
		this.key = JSON.stringify([context.getWorkflow().id, context.getNode().id, credential]);
	}

	/** What is remembered. A time in the future, after a clock was set back, counts for nothing. */
	load(): SyncMemory {
		const now = runtime.clock.date();
		const known = [here.get(this.key), this.readStored()].filter(
			(one): one is Kept => one !== undefined && one.at <= now,
		);
		const [latest] = known.sort((one, other) => other.at - one.at);
		return latest?.memory ?? NOTHING_REMEMBERED;
	}

	keep(memory: SyncMemory): void {
		const at = runtime.clock.date();
		here.set(this.key, { at, memory });
		here.forget(() => here.size > MOST_SYNCS);
		this.stored.set('sync', () => ({ at, credential: this.credential, ...written(memory) }));
	}

	private readStored(): Kept | undefined {
		const stored = asRecord(this.stored.get('sync'));
		const at = numberOf(stored.at);
		if (at === undefined || textOf(stored.credential) !== this.credential) return undefined;
		return { at, memory: readMemory(stored) };
	}
}

/** Static data may be invalid, which must not make a run fail. So this checks everything. */
function readMemory(stored: Record<string, unknown>): SyncMemory {
	return {
		countedAt: numberOf(stored.countedAt),
		missing: countsIn(stored.missing),
		changes: [stored.changes].flat().flatMap(changesIn),
		used: countsIn(stored.used),
		known: numberOf(stored.known) ?? 0,
		incomplete: numberOf(stored.incomplete) ?? 0,
		told: dayIn(asRecord(stored.told)),
	};
}

function written({ missing, changes, used, told, ...numbers }: SyncMemory): IDataObject {
	const isStored = told !== undefined && told.open.length <= LONGEST_STORED_FEEDS;
	return {
		...numbers,
		...(isStored && { told: { ...told, joined: copied(told.joined), left: copied(told.left) } }),
		missing: Object.fromEntries([...missing].slice(0, MOST_STORED)),
		changes: changes.map((one) => ({ ...one })),
		used: Object.fromEntries(used),
	};
}

function dayIn({
	day,
	at,
	since,
	open,
	joined,
	left,
}: Record<string, unknown>): DayTold | undefined {
	const time = numberOf(at);
	if (typeof day !== 'string' || typeof open !== 'string' || time === undefined) return undefined;
	const names = { joined: peopleIn(asRecord(joined)), left: peopleIn(asRecord(left)) };
	return { day, at: time, since: numberOf(since), open, ...names };
}

function peopleIn({ count, names }: Record<string, unknown>): NamedPeople | undefined {
	const number = numberOf(count);
	const texts = [names].flat().filter((one): one is string => typeof one === 'string');
	return number === undefined ? undefined : { count: number, names: texts };
}

function copied(people: NamedPeople | undefined): IDataObject | undefined {
	return people && { count: people.count, names: [...people.names] };
}

function changesIn(stored: unknown): FeedChanges[] {
	const [at, closed, counted] = ['at', 'closed', 'counted'].map((name) =>
		numberOf(asRecord(stored)[name]),
	);
	if (at === undefined || closed === undefined || counted === undefined) return [];
	return [{ at, closed, counted }];
}

function countsIn(stored: unknown): Map<string, number> {
	const entries = Object.entries(asRecord(stored));
	return new Map(
		entries.flatMap(([name, count]) => {
			const number = numberOf(count);
			return number === undefined ? [] : [[name, number] as const];
		}),
	);
}

function numberOf(stored: unknown): number | undefined {
	return Number.isSafeInteger(stored) && Number(stored) >= 0 ? Number(stored) : undefined;
}
