/** What the trigger can watch, and what it hands on. */

import type { IDataObject } from 'n8n-workflow';

import type { RecordKind, Simplifiable } from '../operations/recordKind';
import { episodes } from '../resources/episode';
import { questions } from '../resources/question';
import { subscribers } from '../resources/subscriber/subscriber';
import { usageAlerts } from '../resources/usageAlert';
import { identityOf } from '../api/paging/readPages';
import { codeOf } from './codes';

/** Values of the parameter `event`, and the kind of record whose list each of them watches. */
export const WATCHED: Record<TriggerEvent, RecordKind & Partial<Simplifiable>> = {
	usageAlertCreated: usageAlerts,
	subscriberCreated: subscribers,
	episodeCreated: episodes,
	questionCreated: questions,
};

/** What a saved workflow holds in the parameter `event`. */
export type TriggerEvent =
	'usageAlertCreated' | 'subscriberCreated' | 'episodeCreated' | 'questionCreated';

/**
 * What the workflow gets of a record: the same as from the node's operation Get, and always an `id`
 * that tells it from all others of its kind. A subscriber without one is told by the uuid.
 */
export function outputOf(
	record: IDataObject,
	kind: RecordKind & Partial<Simplifiable>,
	isSimplified: boolean,
): IDataObject {
	const { id = record.uuid ?? codeOf(identityOf(record)) } = record;
	const shown = isSimplified && kind.simplify !== undefined ? kind.simplify(record) : record;
	return { id, ...shown };
}
