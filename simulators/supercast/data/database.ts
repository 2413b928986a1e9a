import { hex, seededRandom, uuid, type Random } from './random';
import { LIST_INFO, type ListKey, type Lists } from './lists';
import type { ChannelRecord, Id, Subscriber } from './records';
import { Table } from './table';
import type { Settings } from '../settings';

/** A subscriber to whom Supercast has not assigned identifiers yet. */
export type NewSubscriber = Omit<Subscriber, 'id' | 'uuid' | 'feed_token'>;

/** What remains of a deleted subscriber. */
type Identity = Pick<Subscriber, 'id' | 'uuid' | 'feed_token'>;

/** All records of the sandbox. A reset replaces them. */
export class Store {
	readonly random: Random;
	readonly lists: { readonly [Key in ListKey]: Table<Lists[Key]> };
	/** The owner of a feed address; `null` once the subscriber is deleted. */
	readonly feeds = new Map<string, Subscriber | null>();
	private readonly counters = new Map<string, number>();
	/** Records that can't be read yet, and when each becomes readable. */
	private readonly appearing = new Map<object, number>();
	private readonly former = new Map<string, Identity>();
	/** What subscribers were before their latest changes, and until when reads show that. */
	private readonly before: Array<{ row: Subscriber; values: Subscriber; until: number }> = [];

	constructor(
		readonly channel: ChannelRecord,
		seed: number,
		private readonly settings: Settings,
	) {
		this.random = seededRandom(seed);
		const tables = Object.entries(LIST_INFO).map(([name, { key }]) => [name, new Table(key, seed)]);
		this.lists = Object.fromEntries(tables) as Store['lists'];
	}

	/** The next sequential number for a kind of record. */
	nextNumber(kind: string): number {
		const next = (this.counters.get(kind) ?? 0) + 1;
		this.counters.set(kind, next);
		return next;
	}

	/** The next identifier, in the format of the setting `ids`. */
	nextId(kind: string): Id {
		const next = this.nextNumber(kind);
		const { ids } = this.settings;
		return ids === 'number' ? next : ids === 'text' ? String(next) : this.nextUuid();
	}

	/** Hides a new record from reads until the given time. */
	hideUntil(row: object, moment: number): void {
		this.appearing.set(row, moment);
	}

	/** Whether a record can be read at the given time. */
	isVisible(row: object, moment: number): boolean {
		const from = this.appearing.get(row);
		if (from === undefined) return true;
		if (moment < from) return false;
		this.appearing.delete(row);
		return true;
	}

	/** Those records that can be read at the given time. */
	visible<T extends object>(rows: readonly T[], moment: number): readonly T[] {
		if (this.appearing.size === 0) return rows;
		return rows.filter((row) => this.isVisible(row, moment));
	}

	/** Lets reads show a subscriber as before a change for a while. */
	showOld(row: Subscriber, now: number): void {
		const { staleForMs } = this.settings;
		if (staleForMs > 0) this.before.push({ row, values: { ...row }, until: now + staleForMs });
	}

	/** A subscriber as a read shows them at the given time. */
	shown<T extends object>(row: T, now: number): T {
		const old = this.before.find((one) => one.row === (row as object) && one.until > now);
		return (old?.values as T | undefined) ?? row;
	}

	/** Deleted subscribers that reads still show at the given time. */
	ghosts(now: number): Subscriber[] {
		const rows = this.before.filter(({ until }) => until > now).map(({ row }) => row);
		const { subscribers } = this.lists;
		return [...new Set(rows)].filter((row) => subscribers.find(row.uuid) !== row);
	}

	nextUuid(): string {
		return uuid(this.random);
	}

	/** Adds a subscriber and opens their private feed. */
	addSubscriber(subscriber: NewSubscriber): Subscriber {
		// Changes the object itself, because copying 100,000 records would take most of the startup
		// time.
		const added = subscriber as Subscriber;
		const former = this.former.get(subscriber.email.toLowerCase());
		added.id = former?.id ?? this.nextNumber('subscriber');
		added.uuid = former?.uuid ?? this.nextUuid();
		added.feed_token = former?.feed_token ?? hex(this.random, 32);
		this.feeds.set(added.feed_token, added);
		return this.lists.subscribers.add(added);
	}

	/** Deletes a subscriber and their alerts, but remembers the feed address. */
	removeSubscriber(subscriber: Subscriber): void {
		this.feeds.set(subscriber.feed_token, null);
		if (this.settings.recreated === 'same') {
			const { id, uuid: formerUuid, feed_token } = subscriber;
			this.former.set(subscriber.email.toLowerCase(), { id, uuid: formerUuid, feed_token });
		}
		this.lists.subscribers.remove(subscriber);
		for (const alert of this.lists.usageAlerts.rows()) {
			if (alert.subscriber_uuid === subscriber.uuid) this.lists.usageAlerts.remove(alert);
		}
	}
}
