import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Recent } from '../api/register/recent';
import { staticDataOf } from './context';

/** How many Syncs this process keeps something of. */
const MOST_SYNCS = 100;

/** What one Sync keeps between its runs. */
export interface Kept<Value> {
	load: () => Value;
	keep: (value: Value) => void;
}

/** Something that each Sync keeps, and how n8n stores it. */
interface Kind<Value> {
	/** Its name in the node's static data. */
	name: string;
	/** What this process keeps, by Sync. */
	here: Recent<Value>;
	nothing: Value;
	/** Which of two values counts: the one of this process, or the one that n8n has stored. */
	choose: (here: Value, stored: Value) => Value;
	/** Invalid static data must not make a run fail, so `read` checks everything. */
	read: (stored: unknown, credential: string) => Value;
	write: (value: Value, credential: string) => IDataObject;
}

/**
 * What a Sync keeps is in two places: this process, and the node's static data. n8n stores static
 * data after each production execution, also after a failed one, but not after a manual one.
 * @param credential The credential's ID. With another credential, the node keeps nothing.
 */
export function keptFor<Value>(
	context: IExecuteFunctions,
	credential: string,
	{ name, here, nothing, choose, read, write }: Kind<Value>,
): Kept<Value> {
	const key = JSON.stringify([context.getWorkflow().id, context.getNode().id, credential]);
	const stored = staticDataOf(context);
	return {
		load: () => choose(here.get(key) ?? nothing, read(stored[name], credential)),
		keep: (value) => {
			here.set(key, value);
			here.forget(() => here.size > MOST_SYNCS);
			stored[name] = write(value, credential);
		},
	};
}
