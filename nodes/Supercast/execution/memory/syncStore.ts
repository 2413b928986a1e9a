import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { asRecord } from '../../api/json';
import { Recent } from '../../api/ledger/recent';
import { StaticData } from './staticData';

/** How many Syncs this process keeps something of. */
const MOST_SYNCS = 100;

/** What one Sync keeps between its runs. */
export interface Kept<Value> {
	load: () => Value;
	keep: (value: Value) => void;
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

/**
 * What Syncs keep is in two places: this process, and n8n's static data, which n8n stores after each
 * production execution, also after a failed one, but not after a manual one.
 */
export class SyncStore<Value> {
	/** By workflow, node and credential. */
	private readonly here = new Recent<Value>();

	constructor(private readonly storage: Storage<Value>) {}

	/** @param credential The credential's ID. With another credential, the node keeps nothing. */
	of(context: IExecuteFunctions, credential: string): Kept<Value> {
		const { here } = this;
		const { name, choose, read, write } = this.storage;
		const key = JSON.stringify([context.getWorkflow().id, context.getNode().id, credential]);
		const data = new StaticData(context);
		return {
			load: () => {
				const stored = asRecord(data.get(name));
				const own = read(stored.credential === credential ? stored : {});
				return choose(here.get(key) ?? read({}), own);
			},
			isGiven: () => data.isGiven,
			keep: (value) => {
				here.set(key, value);
				here.forget(() => here.size > MOST_SYNCS);
				data.set(name, () => ({ ...write(value), credential }));
			},
		};
	}
}
