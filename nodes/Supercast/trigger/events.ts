/** The trigger's events: what each event watches, detects and returns. */
import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { asRecord, textOf } from '../api/json';
import type { RecordKind, Simplifiable } from '../operations/recordKind';
import { episodes } from '../resources/episode';
import { questions } from '../resources/question';
import { subscribers } from '../resources/subscriber/subscriber';
import { usageAlerts } from '../resources/usageAlert';

/** The values of the parameter `event` in saved workflows. */
export type TriggerEvent = keyof typeof EVENTS;

/** The node's parameters, with `email` in lower case. `now` is in milliseconds since 1970. */
export type EventSettings = { states: readonly string[]; email: string; now: number };

/** Thrown when a poll has used up its time. */
export class TimeIsUpError extends InputError {}

/**
 * A change to report, with the record's previous note. Without `record`, the record was deleted.
 */
export interface Change {
	record?: IDataObject | undefined;
	before?: string | undefined;
}

/** What a node watches: its event, with the settings of the node. */
export interface Watch {
	kind: RecordKind & Partial<Simplifiable>;
	/** Returns the ID that identifies a record among all records of its kind. */
	idOf: (record: IDataObject) => string;
	/**
	 * The note to remember with the ID. Undefined for a record to ignore for now, such as an
	 * unpublished episode.
	 */
	noteOf: (record: IDataObject) => string | undefined;
	/**
	 * Whether to return `record`. `note` is its current note. `before` is its previous note, or
	 * undefined for a new record.
	 */
	isNews(record: IDataObject, note: string, before: string | undefined): boolean;
	/** Whether the event can only be detected by reading the whole list. */
	readsAll: boolean;
	/** Whether to report deleted records. */
	tellsGone: boolean;
	/** How many records the trigger can remember. */
	most: number;
	/** The field that contains the time of the event. */
	time: string;
	/** The fields to return with the record, or instead of it. */
	fieldsOf(change: Change): IDataObject;
	/**
	 * What a test in the editor shows for an existing record. Undefined if the event cannot occur
	 * for it.
	 */
	sampleOf(record: IDataObject): Change | undefined;
}

/**
 * States (Supercast API reference, the subscriber object). The first letter of a state is its note.
 */
const STATES = ['available', 'charge_failure', 'deactivated', 'pending', 'suspended'];

/** The fields of a subscriber to remember, so that the trigger can return them after a deletion. */
const KEPT_FIELDS = ['uuid', 'email', 'customer_id'];

function created(kind: Watch['kind']): Watch {
	// An alert may contain the uuid of its subscriber, so the alert's own ID comes first.
	const names = kind === subscribers ? ['uuid', 'id'] : ['id', 'uuid'];
	return {
		kind,
		time: 'created_at',
		readsAll: false,
		idOf: (record) =>
			names.map((name) => textOf(record[name])).find((id) => id !== '') ?? JSON.stringify(record),
		noteOf: () => '',
		isNews: (_record, _note, before) => before === undefined,
		tellsGone: false,
		// Storing this many records takes 320 kB, and listing them takes 400 requests.
		most: 40_000,
		fieldsOf: () => ({}),
		sampleOf: (record) => ({ record }),
	};
}

function usageAlertCreated({ email }: EventSettings): Watch {
	// The fields of an alert are not documented. The fields for its subscriber are inferred.
	const isWanted = ({ subscriber, subscriber_email: other, email: own }: IDataObject): boolean =>
		['', asRecord(subscriber).email, other, own].some((one) => textOf(one).toLowerCase() === email);
	return {
		...created(usageAlerts),
		isNews: (record, _, before) => before === undefined && isWanted(record),
		sampleOf: (record) => (isWanted(record) ? { record } : undefined),
	};
}

function subscriberStateChanged({ states }: EventSettings): Watch {
	const isWanted = ({ state }: IDataObject): boolean =>
		states.length === 0 || states.includes(textOf(state));
	return {
		...created(subscribers),
		time: 'updated_at',
		readsAll: true,
		noteOf: ({ state }) =>
			STATES.find((one) => one === state)?.slice(0, 1) ?? escaped(textOf(state)),
		// If Supercast starts or stops returning states, no subscriber has changed.
		isNews: (record, note, before = '') =>
			note !== '' && before !== '' && note !== before && isWanted(record),
		fieldsOf: ({ before = '' }) => ({
			previousState: STATES.find((one) => one.slice(0, 1) === before) ?? decodeURIComponent(before),
		}),
		sampleOf: (record) =>
			isWanted(record) ? { record, before: record.state === 'available' ? 'p' : 'a' } : undefined,
	};
}

function subscriberDeleted(): Watch {
	const noteOf = (record: IDataObject): string =>
		KEPT_FIELDS.map((field) => escaped(textOf(record[field]))).join(',');
	return {
		...created(subscribers),
		readsAll: true,
		tellsGone: true,
		// Each record takes 100 bytes in the stored state.
		most: 20_000,
		noteOf,
		isNews: () => false,
		fieldsOf: ({ before = '' }) => keptFields(before),
		sampleOf: (record) => ({ before: noteOf(record) }),
	};
}

function episodePublished({ now }: EventSettings): Watch {
	const isOut = ({ published_at: time }: IDataObject): boolean => Date.parse(textOf(time)) <= now;
	return {
		...created(episodes),
		time: 'published_at',
		readsAll: true,
		noteOf: (record) => (isOut(record) ? '' : undefined),
		sampleOf: (record) => (isOut(record) ? { record } : undefined),
	};
}

/** The functions that build the watch of each event, by the value of the parameter `event`. */
export const EVENTS = {
	usageAlertCreated,
	subscriberCreated: () => created(subscribers),
	subscriberStateChanged,
	subscriberDeleted,
	episodeCreated: () => created(episodes),
	episodePublished,
	questionCreated: () => created(questions),
} satisfies Record<string, (settings: EventSettings) => Watch>;

/** The error for a list with more records than the trigger can remember. */
export function tooLong({ kind: { plural }, most }: Watch): InputError {
	const limit = `${most.toLocaleString('en')} ${plural}`;
	return new InputError(
		`There are more than ${limit}, which is too many for this event`,
		`The trigger remembers every record in the data that n8n stores with the workflow. This event supports up to ${limit}.`,
	);
}

/** Reads the fields in the note of a subscriber. */
export function keptFields(note: string): IDataObject {
	const values = note.split(',').map(decodeURIComponent);
	const fields = KEPT_FIELDS.map((name, index) => [name, values[index]] as const);
	return Object.fromEntries(fields.filter(([, value]) => value));
}

/** Escapes a text, so that spaces and commas can be used as separators. */
function escaped(text: string): string {
	return text.replace(/[\s,%]/g, encodeURIComponent);
}
