/** What this process knows of the people in a channel, apart from the list (decision 0012). */

import type { IDataObject } from 'n8n-workflow';

import type { Runtime } from '../clock';
import { identifierKey } from '../identity';
import { Recent } from './recent';

/** A Sync waits up to half an hour before it says that it runs. */
const KEPT_MS = 60 * 60_000;

const MOST_KEPT = 100_000;

/** A request that changes a person, and whose end is uncertain. */
export interface OpenChange {
	/** Ends when there is a response, or will be none. */
	readonly ended: Promise<unknown>;
	/** Until when it may still be processed, or be hidden from reads. */
	until: number;
}

/** What is known of a person, under one of their names. */
interface Known {
	/** When something was last noted. */
	at: number;
	/** When the latest event about them was decided. Undefined if there was only a Sync. */
	decidedAt?: number;
	/** How many changes there had been when they may have changed. */
	change: number;
	/** Until when a new or renamed record may be hidden. */
	hiddenUntil?: number;
	/** When a change was last sent. */
	sentAt?: number;
	open?: readonly OpenChange[];
}

/** What to note about a person. */
interface Note {
	/** Whether they may have changed in Supercast. */
	isChange: boolean;
	/** Whether an event has led to it. A Sync with an older list does not undo it. */
	isEvent: boolean;
}

/**
 * What this process has decided, changed and asked for, by person. One rule for its memory: it
 * forgets what is older than an hour and older than the lists of all running Syncs, and the oldest
 * names if there are too many. Then it says that everyone may have changed.
 */
export class Ledger {
	private changes = 0;

	/** By the keys of a person. */
	private readonly people = new Recent<Known>();

	/** When the lists of the running Syncs arrived. */
	private readonly lists = new Set<{ readingBeganAt: number }>();

	/** The latest that was forgotten. */
	private readonly forgotten: Pick<Known, 'change' | 'decidedAt'> = { change: 0 };

	constructor(private readonly runtime: Pick<Runtime, 'clock' | 'oldMs' | 'visibleMs'>) {}

	/** In milliseconds. Never goes backward. */
	now(): number {
		return this.runtime.clock.now();
	}

	/** How many changes have been noted so far. */
	get changeCount(): number {
		return this.changes;
	}

	/** Notes that someone has decided about a person, also after a failure. */
	noteDecision(keys: Iterable<string>, { isChange, isEvent }: Note): void {
		const at = this.now();
		if (isChange) this.changes += 1;
		for (const key of keys) {
			this.add(key, {
				...(isEvent && { decidedAt: at }),
				...(isChange && { change: this.changes }),
			});
		}
		this.forgetOld();
	}

	/** Keeps all decisions since a list arrived, until the returned function is called. */
	keepSince(readingBeganAt: number): () => void {
		const list = { readingBeganAt };
		this.lists.add(list);
		return () => void this.lists.delete(list);
	}

	/** Whether an event about the person was decided at `time` or later, as far as is known. */
	hasDecidedSince(keys: Iterable<string>, time: number): boolean {
		return this.known(keys).some(({ decidedAt }) => decidedAt !== undefined && decidedAt >= time);
	}

	/** Whether the person may have changed after the first `count` changes. */
	hasChangedSince(keys: Iterable<string>, count: number): boolean {
		return this.known(keys).some(({ change }) => change > count);
	}

	/** Notes names that a record has only now, so that reads may not find it yet. */
	noteNew(names: readonly unknown[], hiddenMs = this.runtime.oldMs): void {
		const hiddenUntil = this.now() + hiddenMs;
		for (const key of names.map(identifierKey)) if (key !== '') this.add(key, { hiddenUntil });
	}

	/** For how long a record with this name may still be hidden. */
	hiddenMs(name: unknown): number {
		return (this.people.get(identifierKey(name))?.hiddenUntil ?? 0) - this.now();
	}

	/** Notes that a read found a record under this name. If it is new, its other names are so too. */
	noteSameRecord(name: unknown, { uuid, email }: IDataObject): void {
		const hiddenMs = this.hiddenMs(name);
		if (hiddenMs > 0) this.noteNew([name, uuid, email], hiddenMs);
	}

	/** Notes a request that was sent, and whose end is open. The caller sets `until` in the end. */
	noteOpen(keys: readonly string[], ended: Promise<unknown>): OpenChange {
		const open: OpenChange = { ended, until: Infinity };
		const sentAt = this.now();
		for (const key of keys) this.add(key, { sentAt, open: [...this.openFor([key]), open] });
		return open;
	}

	/** The changes of a person that may still be processed, or be hidden from reads. */
	openFor(keys: Iterable<string>): OpenChange[] {
		const now = this.now();
		const all = [...keys].flatMap((key) => this.people.get(key)?.open ?? []);
		return [...new Set(all)].filter(({ until }) => until > now);
	}

	/**
	 * Notes that work on a person has failed. If it has sent a change since then, nothing proves what
	 * came of it, and reads may not show it yet.
	 */
	noteFailure(keys: ReadonlySet<string>, since: number): void {
		const sent = [...keys].flatMap((key) => this.people.get(key)?.sentAt ?? []);
		if (sent.some((at) => at >= since))
			this.noteOpen([...keys], Promise.resolve()).until = this.now() + this.runtime.visibleMs;
	}

	/** Notes that all these names are those of one person, whose open changes are everyone's. */
	spreadOpen(keys: ReadonlySet<string>): void {
		const open = this.openFor(keys);
		if (open.length > 0) for (const key of keys) this.add(key, { open });
	}

	private add(key: string, known: Partial<Known>): void {
		this.people.set(key, { change: 0, ...this.people.get(key), ...known, at: this.now() });
	}

	/** What is known of a person, and of those who were forgotten. */
	private known(keys: Iterable<string>): Array<Pick<Known, 'change' | 'decidedAt'>> {
		return [this.forgotten, ...[...keys].flatMap((key) => this.people.get(key) ?? [])];
	}

	private forgetOld(): void {
		const needed = [...this.lists].map(({ readingBeganAt }) => readingBeganAt);
		const oldest = Math.min(this.now() - KEPT_MS, ...needed);
		const isOld = ({ at }: Known): boolean => at < oldest || this.people.size > MOST_KEPT;
		const { forgotten } = this;
		for (const { decidedAt, change } of this.people.forget(isOld)) {
			if (decidedAt !== undefined) {
				forgotten.decidedAt = Math.max(forgotten.decidedAt ?? decidedAt, decidedAt);
			}
			forgotten.change = Math.max(forgotten.change, change);
		}
	}
}
