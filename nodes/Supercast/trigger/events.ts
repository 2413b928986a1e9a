import type { IDataObject } from 'n8n-workflow';

import { emailsOf, identifierKey } from '../api/identity';
import { textOf, timeOf } from '../api/json';
import { shownState } from '../api/states';
import { episode } from '../resources/episode';
import { question } from '../resources/question';
import { subscribers } from '../subscriber/kind';
import { isOpenState, stateRow, STATES, stateStoredAs, storedState } from '../subscriber/states';
import { usageAlert } from '../resources/usageAlert';
import type { Change, EventKind } from './eventKind';
import { idHash } from './knownIds';

/** The values of the parameter `event` in saved workflows. */
export type TriggerEvent = keyof typeof EVENTS;

/** `now` is in milliseconds since 1970. */
export type EventSettings = { states: readonly string[]; email: string; now: number };

/** The fields of a subscriber to remember, so that the trigger can return them after a deletion. */
const KEPT_FIELDS = ['uuid', 'email', 'customer_id'];

/** Whether feeds in this state are open. Null if the node does not know the state. */
function isOpenIn(state: string): boolean | null {
	return stateRow(state)?.isOpen ?? null;
}

/** A state as the trigger stores it. */
function storedOf({ state }: IDataObject): string {
	const shown = shownState(state);
	return storedState(shown) ?? escaped(shown);
}

/** The state that the trigger has stored. */
function stateOf(stored: string): string {
	return stateStoredAs(stored) ?? decodeURIComponent(stored);
}

function isOpenNow({ state }: IDataObject = {}): boolean | null {
	return isOpenIn(shownState(state));
}

function created(kind: EventKind['kind']): EventKind {
	// An alert may contain the uuid of its subscriber, so the alert's own ID comes first.
	const [first, second] = kind === subscribers ? ['uuid', 'id'] : ['id', 'uuid'];
	return {
		kind,
		time: 'created_at',
		readsAll: false,
		idOf: (record) => textOf(record[first]) || textOf(record[second]) || JSON.stringify(record),
		fingerprintOf: () => '',
		shouldReport: () => true,
		reportsDeletions: false,
		isLasting: kind === subscribers || kind === episode.kind,
		// Storing this many records takes 320 kB, and listing them takes 400 requests.
		maxRecords: 40_000,
		fieldsOf: () => ({}),
		sampleOf: (record) => ({ record }),
	};
}

function subscriberCreated(): EventKind {
	return {
		...created(subscribers),
		fieldsOf: ({ record }) => ({ wasOpen: false, isOpen: isOpenNow(record) }),
	};
}

function usageAlertCreated({ email }: EventSettings): EventKind {
	const wanted = identifierKey(email);
	return {
		...created(usageAlert.kind),
		shouldReport: (record) =>
			wanted === '' || emailsOf(record).some((one) => identifierKey(one) === wanted),
	};
}

function subscriberStateChanged({ states }: EventSettings): EventKind {
	const isWanted = ({ state }: IDataObject): boolean =>
		states.length === 0 || states.includes(shownState(state));
	return {
		...created(subscribers),
		time: 'updated_at',
		needs: 'state',
		readsAll: true,
		fingerprintOf: storedOf,
		// If Supercast starts or stops returning states, no subscriber has changed.
		shouldReport: (record, before = '') =>
			before !== '' && textOf(record.state) !== '' && isWanted(record),
		fieldsOf: ({ record, before = '' }) => {
			const previousState = stateOf(before);
			return { previousState, wasOpen: isOpenIn(previousState), isOpen: isOpenNow(record) };
		},
		sampleOf: (record) => {
			const { state = states[0] } = isWanted(record) ? record : {};
			const { pending, available } = STATES;
			const before = isOpenState(textOf(state)) ? pending : available;
			return { record: { ...record, state }, before: before.stored };
		},
	};
}

function subscriberDeleted(): EventKind {
	const fingerprintOf = (record: IDataObject): string =>
		[...KEPT_FIELDS.map((field) => escaped(textOf(record[field]))), storedOf(record)].join(',');
	return {
		...created(subscribers),
		readsAll: true,
		reportsDeletions: true,
		// Each record takes 100 bytes in the stored state.
		maxRecords: 20_000,
		fingerprintOf,
		shouldReport: () => false,
		fieldsOf: ({ before = '' }) => {
			const [stored = ''] = before.split(',').slice(KEPT_FIELDS.length);
			return { ...keptFields(before), wasOpen: isOpenIn(stateOf(stored)), isOpen: false };
		},
		sampleOf: (record) => ({ before: fingerprintOf(record) }),
	};
}

function episodePublished({ now }: EventSettings): EventKind {
	return {
		...created(episode.kind),
		time: 'published_at',
		readsAll: true,
		fingerprintOf: ({ published_at: time }) => (timeOf(time) <= now ? '' : undefined),
	};
}

/** By the value of the parameter `event`. */
export const EVENTS = {
	usageAlertCreated,
	subscriberCreated,
	subscriberStateChanged,
	subscriberDeleted,
	episodeCreated: () => created(episode.kind),
	episodePublished,
	questionCreated: () => created(question.kind),
} satisfies Record<string, (settings: EventSettings) => EventKind>;

/** What starts the workflow, in the editor's words. */
export const EVENT_TEXTS: Record<TriggerEvent, string> = {
	episodeCreated: 'When an episode is created, even if it is not published',
	episodePublished: 'When the publication date of an episode is reached',
	questionCreated: 'When a question is created',
	subscriberCreated: 'When a subscriber is created, in n8n or in any other app',
	subscriberDeleted: 'When a subscriber is deleted. Returns their UUID, email and customer ID.',
	subscriberStateChanged:
		'When the state of a subscriber changes, for example because a feed closes or a payment fails',
	usageAlertCreated: 'When Supercast flags a private feed as shared or downloaded unusually often',
};

/**
 * Identifies an event, even if the trigger returns it again after a crash. A record can reach the
 * same state again, but only after the trigger has returned something in between.
 */
export function eventIdOf(
	{ record, before, since }: Change,
	eventKind: EventKind,
	event: string,
): string {
	const { uuid, email } = record || before === undefined ? {} : keptFields(before);
	const id = record ? eventKind.idOf(record) : textOf(uuid ?? email);
	if (before === undefined) return `${event}:${id}`;
	const occasion = JSON.stringify([since, record?.state]);
	return `${event}:${id}:${idHash(occasion)}`;
}

/** The fields that a fingerprint of the event `subscriberDeleted` holds. */
export function keptFields(fingerprint: string): IDataObject {
	const values = fingerprint.split(',').map(decodeURIComponent);
	const fields = KEPT_FIELDS.map((name, index) => [name, values[index]] as const);
	return Object.fromEntries(fields.filter(([, value]) => value));
}

/** Spaces and commas are used as separators. */
function escaped(text: string): string {
	return text.replace(/[\s,%]/g, encodeURIComponent);
}
