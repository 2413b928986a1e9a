import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { emailsOf, nameKey } from '../api/identity';
import { textOf } from '../api/json';
import { SUBSCRIBER_STATES } from '../api/records';
import { timeOf } from '../operations/validation';
import type { RecordKind } from '../operations/kinds';
import { episode } from '../resources/episode';
import { question } from '../resources/question';
import { subscribers } from '../subscriber/kind';
import { usageAlert } from '../resources/usageAlert';
import { idHash } from './state';

/** The values of the parameter `event` in saved workflows. */
export type TriggerEvent = keyof typeof EVENTS;

/** `now` is in milliseconds since 1970. */
export type EventSettings = { states: readonly string[]; email: string; now: number };

/** Without `record`, the record was deleted. `since` is when the trigger returned something before. */
export interface Change {
	record?: IDataObject;
	before?: string;
	since?: number;
	/** Whether the trigger has returned this event before n8n restarted. */
	isRepeated?: boolean;
}

export interface Watch {
	kind: RecordKind;
	idOf: (record: IDataObject) => string;
	/** Undefined for a record to ignore for now: an unpublished episode. */
	noteOf: (record: IDataObject) => string | undefined;
	/** For a record whose note differs from `before`, which is undefined for a new record. */
	shouldReport(record: IDataObject, before?: string): boolean;
	/** Whether only the whole list shows the event. */
	readsAll: boolean;
	reportsDeletions: boolean;
	/** Whether the records of a list cannot all be replaced at the same time. */
	isLasting: boolean;
	maxRecords: number;
	/** The field that contains the time of the event. */
	time: string;
	/** The fields to return with the record, or instead of it. */
	fieldsOf(change: Change): IDataObject;
	/** What a test in the editor shows, made from an example of a record. */
	sampleOf(record: IDataObject): Change;
}

/** The fields of a subscriber to remember, so that the trigger can return them after a deletion. */
const KEPT_FIELDS = ['uuid', 'email', 'customer_id'];

/** The share of `maxRecords` at which the trigger starts to warn. */
const WARN_FROM = 0.8;

function created(kind: Watch['kind']): Watch {
	// An alert may contain the uuid of its subscriber, so the alert's own ID comes first.
	const [first, second] = kind === subscribers ? ['uuid', 'id'] : ['id', 'uuid'];
	return {
		kind,
		time: 'created_at',
		readsAll: false,
		idOf: (record) => textOf(record[first]) || textOf(record[second]) || JSON.stringify(record),
		noteOf: () => '',
		shouldReport: () => true,
		reportsDeletions: false,
		isLasting: kind === subscribers || kind === episode.kind,
		// Storing this many records takes 320 kB, and listing them takes 400 requests.
		maxRecords: 40_000,
		fieldsOf: () => ({}),
		sampleOf: (record) => ({ record }),
	};
}

function usageAlertCreated({ email }: EventSettings): Watch {
	const wanted = nameKey(email);
	return {
		...created(usageAlert.kind),
		shouldReport: (record) =>
			wanted === '' || emailsOf(record).some((one) => nameKey(one) === wanted),
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
			// The first letter of a known state is its note.
			SUBSCRIBER_STATES.find((one) => one === state)?.slice(0, 1) ?? escaped(textOf(state)),
		// If Supercast starts or stops returning states, no subscriber has changed.
		shouldReport: (record, before = '') =>
			before !== '' && textOf(record.state) !== '' && isWanted(record),
		fieldsOf: ({ before = '' }) => ({
			previousState:
				SUBSCRIBER_STATES.find((one) => one.slice(0, 1) === before) ?? decodeURIComponent(before),
		}),
		sampleOf: (record) => {
			const { state = states[0] } = isWanted(record) ? record : {};
			return { record: { ...record, state }, before: state === 'available' ? 'p' : 'a' };
		},
	};
}

function subscriberDeleted(): Watch {
	const noteOf = (record: IDataObject): string =>
		KEPT_FIELDS.map((field) => escaped(textOf(record[field]))).join(',');
	return {
		...created(subscribers),
		readsAll: true,
		reportsDeletions: true,
		// Each record takes 100 bytes in the stored state.
		maxRecords: 20_000,
		noteOf,
		shouldReport: () => false,
		fieldsOf: ({ before = '' }) => keptFields(before),
		sampleOf: (record) => ({ before: noteOf(record) }),
	};
}

function episodePublished({ now }: EventSettings): Watch {
	return {
		...created(episode.kind),
		time: 'published_at',
		readsAll: true,
		noteOf: ({ published_at: time }) => (timeOf(time) <= now ? '' : undefined),
	};
}

/** By the value of the parameter `event`. */
export const EVENTS = {
	usageAlertCreated,
	subscriberCreated: () => created(subscribers),
	subscriberStateChanged,
	subscriberDeleted,
	episodeCreated: () => created(episode.kind),
	episodePublished,
	questionCreated: () => created(question.kind),
} satisfies Record<string, (settings: EventSettings) => Watch>;

/**
 * Identifies an event, even if the trigger returns it again after a crash. A record can reach the
 * same state again, but only after the trigger has returned something in between.
 */
export function eventIdOf({ record, before, since }: Change, watch: Watch, event: string): string {
	const { uuid, email } = record || before === undefined ? {} : keptFields(before);
	const id = record ? watch.idOf(record) : textOf(uuid ?? email);
	if (before === undefined) return `${event}:${id}`;
	const occasion = JSON.stringify([since, record?.state, record?.updated_at]);
	return `${event}:${id}:${idHash(occasion)}`;
}

const INSTEAD =
	"Instead of this trigger, use n8n's Schedule Trigger, the operation Get Many, and Remove Duplicates.";

export function tooLong({ kind: { plural }, maxRecords }: Watch): InputError {
	const limit = `${maxRecords.toLocaleString('en')} ${plural}`;
	return new InputError(
		`There are more than ${limit}, which is too many for this event`,
		`The trigger remembers every record in the data that n8n stores with the workflow. This event supports up to ${limit}. ${INSTEAD}`,
	);
}

/** A warning if a list will soon be too long. */
export function nearLimit({ kind, maxRecords }: Watch, count: number): string | undefined {
	if (count < WARN_FROM * maxRecords) return undefined;
	const [now, limit] = [count, maxRecords].map((one) => one.toLocaleString('en'));
	return `The trigger remembers ${now} ${kind.plural}, and stops above ${limit}. ${INSTEAD}`;
}

/** The error for a list that may belong to another channel, or to no channel during an outage. */
export function noneLeft({ kind: { plural } }: Watch, count: number): InputError {
	const known = `${count.toLocaleString('en')} ${plural}`;
	return new InputError(
		`None of the ${known} that the trigger knows is in the list any more`,
		'The trigger stopped, because the credential may now belong to another channel, or Supercast may have an outage. If Supercast lists the same records again, the trigger continues. To work with the current list, copy the trigger node, delete the old one and publish the workflow.',
	);
}

export function keptFields(note: string): IDataObject {
	const values = note.split(',').map(decodeURIComponent);
	const fields = KEPT_FIELDS.map((name, index) => [name, values[index]] as const);
	return Object.fromEntries(fields.filter(([, value]) => value));
}

/** Spaces and commas are used as separators. */
function escaped(text: string): string {
	return text.replace(/[\s,%]/g, encodeURIComponent);
}
