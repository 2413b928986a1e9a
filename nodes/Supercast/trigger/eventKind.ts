import type { IDataObject } from 'n8n-workflow';

import { InputError, PROBE } from '../api/errors/errors';
import type { RecordKind } from '../operations/kinds';

/** If `record` is undefined, the record was deleted. */
export interface Change {
	record?: IDataObject;
	/** The fingerprint that the trigger remembered. Undefined for a new record. */
	before?: string;
	/** When the trigger had last returned something, in milliseconds since 1970. */
	since?: number;
	/** How many times the trigger has repeated this event because n8n restarted. */
	repeats?: number;
}

/** What the trigger watches for: the records, what it remembers of each, and which changes count. */
export interface EventKind {
	kind: RecordKind;
	idOf: (record: IDataObject) => string;
	/** Undefined for a record to ignore for now, such as an unpublished episode. */
	fingerprintOf: (record: IDataObject) => string | undefined;
	/** Only called if the fingerprint differs from `before`, which is undefined for a new record. */
	shouldReport(record: IDataObject, before?: string): boolean;
	/** Whether only the whole list shows the event. */
	readsAll: boolean;
	reportsDeletions: boolean;
	/** The field that the event is about. Without it, there would never be an event. */
	needs?: string;
	/** Whether the list normally keeps some of its records from one poll to the next. */
	isLasting: boolean;
	maxRecords: number;
	/** The field that contains the time of the event. */
	time: string;
	/** The fields to return with the record, or instead of it. */
	fieldsOf(change: Change): IDataObject;
	/** What a test in the editor shows, made from an example of a record. */
	sampleOf(record: IDataObject): Change;
}

/** The share of `maxRecords` at which the trigger starts to warn. */
const WARN_FROM = 0.8;

const INSTEAD =
	"Instead of this trigger, use Schedule Trigger, Get Many and Remove Duplicates. Set 'History Size' above twice the list size. These nodes find no deletions.";

const countInWords = (count: number): string => count.toLocaleString('en');

/** The error for a list that is too long to remember. */
export function tooLong({ kind: { plural }, maxRecords }: EventKind): InputError {
	const limit = `${countInWords(maxRecords)} ${plural}`;
	return new InputError(
		`There are more than ${limit}, which is too many for this event`,
		`The trigger remembers every record, and n8n stores this memory with the workflow. This event supports up to ${limit}. ${INSTEAD}`,
	);
}

/** A warning if a list will soon be too long. */
export function nearLimit({ kind, maxRecords }: EventKind, count: number): string | undefined {
	if (count < WARN_FROM * maxRecords) return undefined;
	return `The trigger remembers ${countInWords(count)} ${kind.plural}, and stops above ${countInWords(maxRecords)}. ${INSTEAD}`;
}

/** The error for an empty list with a total, because the trigger would never see a record. */
export function emptyPages({ kind: { plural } }: EventKind, total: number): InputError {
	return new InputError(
		`Supercast lists no ${plural}, but reports a total of ${countInWords(total)}`,
		`The next poll reads the list again. If this happens repeatedly, Supercast may number its pages in a way that the node does not expect. To find out, run ${PROBE}.`,
	);
}

/** The error for a list whose records lack the field that the event is about. */
export function fieldMissing({ kind: { plural } }: EventKind, field: string): InputError {
	return new InputError(
		`Supercast's ${plural} have no field "${field}", so the trigger cannot detect this event`,
		`The trigger stopped. If Supercast shows the field again, the trigger continues. To find the difference, run ${PROBE}.`,
	);
}

/**
 * The error for a list without any known record. It may belong to another channel, or Supercast may
 * have an outage.
 */
export function noneLeft({ kind: { plural } }: EventKind, count: number): InputError {
	const known = `${countInWords(count)} ${plural}`;
	return new InputError(
		`None of the ${known} that the trigger knows is in the list any more`,
		'The trigger stopped, because the credential may now belong to another channel, or Supercast may have an outage. If Supercast lists the same records again, the trigger continues. To work with the current list, copy the trigger node, delete the old one, connect the copy and publish.',
	);
}
