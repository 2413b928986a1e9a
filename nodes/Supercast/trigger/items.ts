import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { timeOf } from '../api/json';
import { nearLimit, type Change, type EventKind } from './eventKind';
import { eventIdOf, type TriggerEvent } from './events';
import { idHash } from './knownIds';

export interface ItemSettings {
	event: TriggerEvent;
	eventKind: EventKind;
	isSimplified: boolean;
}

/**
 * One item for each change, the oldest first.
 * @param known How many records the trigger remembers.
 */
export function itemsOf(
	{ event, eventKind, isSimplified }: ItemSettings,
	changes: readonly Change[],
	known: number,
): INodeExecutionData[] {
	const warning = nearLimit(eventKind, known);
	return oldestFirst(changes, eventKind.time).map((change) => {
		const { record, repeats = 0 } = change;
		const fields = eventKind.fieldsOf(change);
		const eventId = eventIdOf(change, eventKind, event);
		const simplified = record && isSimplified ? eventKind.kind.simplify?.(record) : undefined;
		const json: IDataObject = {
			id: nameOfChange(change, eventKind),
			eventId,
			...fields,
			...(simplified ?? record),
		};
		if (repeats > 0) json.repeats = repeats;
		if (warning !== undefined) json.warning = warning;
		return { json };
	});
}

function oldestFirst(changes: readonly Change[], time: string): Change[] {
	const at = ({ record }: Change): number => timeOf(record?.[time]);
	const number = ({ record }: Change): number => Number(record?.id);
	return [...changes].sort((one, other) => at(one) - at(other) || number(one) - number(other) || 0);
}

/** The ID or uuid of a record. Without either, its hash, or the email of a deleted record. */
function nameOfChange(change: Change, eventKind: EventKind) {
	const { record } = change;
	const { id, uuid, email } = record ?? eventKind.fieldsOf(change);
	return id ?? uuid ?? (record ? idHash(eventKind.idOf(record)) : email);
}
