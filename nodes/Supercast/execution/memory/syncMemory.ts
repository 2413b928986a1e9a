import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import {
	laterMemory,
	MOST_STORED,
	NOTHING_REMEMBERED,
	type ListMemory,
	type MissedLists,
} from '../../access/sync/memory/absences';
import {
	countQuestions,
	headQuestions,
	knownIdentifiers,
	entriesOf,
	identifierQuestions,
	readCounts,
	readHead,
	type AskedIdentifiers,
	type Head,
} from '../../access/sync/memory/entries';
import { runtime } from '../../api/clock';
import { asRecord, textOf } from '../../api/json';
import { SeenItems } from './seenItems';
import { SyncStore, type Kept, type MemoryOwner } from './syncStore';

/** What earlier runs of a Sync remembered, in this process and in n8n's static data. */
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
		missing: missedIn(stored.missing),
		refused: countsIn(stored.refused),
		shortLists: Number(stored.shortLists) || 0,
		stuck: countsIn(stored.stuck),
		written: countsIn(stored.written),
		damaged: Number(stored.damaged) || 0,
		people: Number.isSafeInteger(stored.people) ? Number(stored.people) : undefined,
		known: textOf(stored.known).split(' ').filter(Boolean),
		opened: countsIn(stored.opened),
		systems: [stored.systems].flat().filter((one) => typeof one === 'string'),
	};
}

function countsIn(stored: unknown): Map<string, number> {
	const counts = Object.entries(asRecord(stored)).filter(
		(entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0,
	);
	return new Map(counts);
}

/** Stands for `notCounted` in the static data of all versions. */
const NOT_COUNTED = -1;

function missedIn(stored: unknown): Map<string, MissedLists> {
	const entries = Object.entries(asRecord(stored));
	const isNotCounted = ([, count]: [string, unknown]): boolean => count === NOT_COUNTED;
	const names = entries.filter(isNotCounted).map(([name]) => [name, 'notCounted'] as const);
	return new Map<string, MissedLists>([...countsIn(stored), ...names]);
}

function write(memory: ListMemory): IDataObject {
	const { missing, refused, stuck, written, opened, known, systems, ...numbers } = memory;
	const missed = [...missing].map(([name, count]): [string, number] => [
		name,
		count === 'notCounted' ? NOT_COUNTED : count,
	]);
	const names = { missing: some(new Map(missed)), refused: some(refused), stuck: some(stuck) };
	const entries = { written: some(written), opened: some(opened), known: known.join(' ') };
	return { ...numbers, ...names, ...entries, systems: [...(systems ?? [])] };
}

function some(counts: ReadonlyMap<string, number>): IDataObject {
	return Object.fromEntries([...counts].slice(0, MOST_STORED));
}

/** Say whose memory the store has. */
function ownerEntries({ credential, channel }: MemoryOwner): string[] {
	const ofChannel = channel === undefined ? [] : [`of channel ${channel}`];
	return [`of credential ${credential}`, ...ofChannel];
}

/** Tells another process that a Sync works with what is remembered. */
const READING = 'reading';

/** Tells that Sync that another one has begun before its end. */
const OVERLAPPED = 'overlapped';

/**
 * What is remembered of the latest list, for one run of Sync (decision 0015). The process and the
 * static data have all of it, but may have missed a list that another process received. n8n's store
 * of seen items is the same for all processes. So it says which list was the latest. If this process
 * has missed it, the store also says who was missing.
 */
export class SyncMemory {
	private readonly here: Kept<ListMemory>;

	private store: SeenItems | undefined;

	private readonly own: string;

	private known: ListMemory = NOTHING_REMEMBERED;

	private isOpen = false;

	/** Whether the names in the store are still to be looked up. */
	private hasNames = false;

	/** Stands before the entries of versions that did not know the channel. */
	private prefix = '';

	/** Whether another run has worked with the store at the same time, or never ended. */
	private isDisturbed = false;

	/** @param owner With another credential and another channel, nothing is remembered. */
	constructor(
		context: IExecuteFunctions,
		private readonly owner: MemoryOwner,
	) {
		this.here = memories.of(context, owner);
		this.store = SeenItems.of(context);
		this.own = `${READING} ${context.getExecutionId()}`;
	}

	/** What is known without looking up names. */
	async load(): Promise<ListMemory> {
		if (!this.isOpen) await this.open();
		return this.known;
	}

	/** What is known, including these names. */
	async recall(names: AskedIdentifiers): Promise<ListMemory> {
		await this.load();
		if (!this.hasNames) return this.known;
		this.hasNames = false;
		const seen = await this.see(identifierQuestions(names));
		const found = knownIdentifiers(names, seen ?? new Set());
		const counts = readCounts(found, (await this.see(countQuestions(found))) ?? new Set());
		this.known = { ...this.known, ...counts };
		return this.known;
	}

	/** Remembers this. If another run has come between, everything is forgotten instead. */
	async keep(memory: ListMemory): Promise<void> {
		await this.load();
		this.isOpen = false;
		// Without the names, the earlier list is unknown.
		const kept = this.hasNames ? { ...memory, countedAt: 0 } : memory;
		this.prefix = '';
		this.here.keep(kept);
		if (this.store === undefined) return;
		const marks = await this.see([this.own, OVERLAPPED]);
		// The other run still works with a list that is newer, so its marks must stay.
		if (marks?.has(OVERLAPPED) === true && !this.isDisturbed) return;
		const isClear = await this.store.clear();
		if (!isClear || marks?.has(this.own) !== true || this.isDisturbed) return;
		await this.see([...entriesOf(kept), ...ownerEntries(this.here.owner())]);
	}

	/**
	 * Reads what the store has, and leaves an entry there until `keep`. If a run finds such an entry,
	 * another one has not ended, so nobody knows which list is the latest.
	 */
	private async open(): Promise<void> {
		this.isOpen = true;
		this.hasNames = false;
		const here = this.here.load();
		this.known = here;
		const head = await this.storedHead();
		if (this.store === undefined) {
			// Another worker may have received the latest list.
			if (!this.here.isGiven()) this.known = NOTHING_REMEMBERED;
			return;
		}
		if (head?.seenAt === here.seenAt) return;
		this.known = { ...NOTHING_REMEMBERED, ...head };
		this.hasNames = head !== undefined;
	}

	private async storedHead(): Promise<Head | undefined> {
		const owners = ownerEntries(this.owner);
		const seen = await this.see([READING, this.own, ...owners, ...headQuestions()]);
		this.isDisturbed = seen === undefined || seen.has(READING);
		// The other run may just have ended and removed all marks, so all are written again.
		if (this.isDisturbed) await this.see([READING, this.own, OVERLAPPED]);
		const isOwn = seen !== undefined && owners.some((entry) => seen.has(entry));
		return isOwn && !this.isDisturbed ? readHead(seen) : await this.earlierHead();
	}

	/** What versions that did not know the channel have stored, under the credential alone. */
	private async earlierHead(): Promise<Head | undefined> {
		if (this.isDisturbed) return undefined;
		this.prefix = `${this.owner.credential} `;
		const seen = await this.see([READING, ...headQuestions()]);
		this.isDisturbed = seen === undefined || seen.has(READING);
		return seen === undefined || this.isDisturbed ? undefined : readHead(seen);
	}

	/** Which of these entries the store has seen. Undefined if it does not answer. */
	private async see(entries: readonly string[]): Promise<Set<string> | undefined> {
		const { prefix } = this;
		const seen = await this.store?.see(entries.map((entry) => `${prefix}${entry}`));
		if (seen === 'none') this.store = undefined;
		if (seen === undefined || seen === 'none' || seen === 'failed') return undefined;
		return new Set([...seen].map((entry) => entry.slice(prefix.length)));
	}
}
