import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { asRecord, textOf } from '../../api/json';
import { Recent } from '../../api/ledger/recent';
import { StaticData } from './staticData';

/** How many Syncs this process keeps something of. */
const MOST_SYNCS = 100;

/**
 * Whose memory it is. With another credential for the same channel, a Sync still knows what it
 * knew. With the same credential, it does too, so that it notices another channel.
 */
export interface MemoryOwner {
	/** The credential's ID. */
	credential: string;
	/** What Supercast calls the channel. Undefined if that is unknown. */
	channel?: string;
}

/** What one Sync keeps between its runs. */
export interface Kept<Value> {
	load: () => Value;
	keep: (value: Value) => void;
	/** The names under which it is kept. */
	owner: () => MemoryOwner;
	/** Whether n8n has given this execution what it has stored. */
	isGiven: () => boolean;
}

/** Something that each Sync keeps, and how n8n stores it. */
interface Storage<Value> {
	/** Its name in the node's static data. */
	name: string;
	/** Which of two values counts: the one of this process, or the one that n8n has stored. */
	choose: (here: Value, stored: Value) => Value;
	/** Invalid static data must not make a run fail, so this checks everything. */
	read: (stored: Record<string, unknown>) => Value;
	write: (value: Value) => IDataObject;
}

interface Owned<Value> {
	owner: MemoryOwner;
	value: Value;
}

/**
 * What Syncs keep is in two places: this process, and n8n's static data, which n8n stores after each
 * production execution, also after a failed one, but not after a manual one.
 */
export class SyncStore<Value> {
	/** By workflow, node, and credential or channel. */
	private readonly here = new Recent<Owned<Value>>();

	constructor(private readonly storage: Storage<Value>) {}

	/** Forgets what this process knows, as after a restart. For tests. */
	restart(): void {
		this.here.clear();
	}

	/** @param owner With another credential and another channel, the node keeps nothing. */
	of(context: IExecuteFunctions, owner: MemoryOwner): Kept<Value> {
		const { here } = this;
		const { name, choose, read, write } = this.storage;
		const sync = [context.getWorkflow().id, context.getNode().id];
		const data = new StaticData(context);
		const find = (): Owned<Value> => {
			const known = ownerKeysOf(sync, owner).flatMap((key) => here.get(key) ?? []);
			const all = [...new Set(known)];
			const nothing = { owner: { credential: owner.credential }, value: read({}) };
			if (all.length === 0) all.push(nothing);
			// Versions that did not know the channel have stored only the credential.
			const stored = asRecord(data.get(name));
			const isOwn = isSameOwner(ownerIn(stored), owner);
			all.push(isOwn ? { owner: ownerIn(stored), value: read(stored) } : nothing);
			return ofChannel(all, owner).reduce((one, other) =>
				choose(one.value, other.value) === one.value ? one : other,
			);
		};
		// If the credential now opens another channel, the memory is still that of the first one.
		const ownerNow = (): MemoryOwner => ({
			...owner,
			channel: find().owner.channel ?? owner.channel,
		});
		return {
			load: () => find().value,
			owner: ownerNow,
			isGiven: () => data.isGiven,
			keep: (value) => {
				const kept = { owner: ownerNow(), value };
				for (const key of ownerKeysOf(sync, kept.owner)) here.set(key, kept);
				here.forget(() => here.size > 2 * MOST_SYNCS);
				data.set(name, () => ({ ...write(value), ...kept.owner }));
			},
		};
	}
}

function ownerKeysOf(sync: unknown[], { credential, channel }: MemoryOwner): string[] {
	const names = [
		['credential', credential],
		...(channel === undefined ? [] : [['channel', channel]]),
	];
	return names.map((one) => JSON.stringify([...sync, ...one]));
}

function ownerIn({ credential, channel }: Record<string, unknown>): MemoryOwner {
	return { credential: textOf(credential), channel: textOf(channel) || undefined };
}

function isSameOwner(one: MemoryOwner, other: MemoryOwner): boolean {
	if (one.channel !== undefined && one.channel === other.channel) return true;
	return one.credential === other.credential;
}

/** If one of these belongs to the channel for sure, leaves out those of another channel. */
function ofChannel<T>(all: Array<Owned<T>>, { channel }: MemoryOwner): Array<Owned<T>> {
	const isSure = channel !== undefined && all.some(({ owner }) => owner.channel === channel);
	if (!isSure) return all;
	return all.filter(({ owner }) => owner.channel === undefined || owner.channel === channel);
}
