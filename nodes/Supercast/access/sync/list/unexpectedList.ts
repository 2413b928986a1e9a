/** Signs in the list of subscribers that Supercast does not work as expected (decision 0018). */

import { MINUTE_MS } from '../../../api/clock';
import { textOf } from '../../../api/json';
import type { CurrentSubscriber } from '../../match';
import { stateRow } from '../../../subscriber/states';

const DAY_MS = 24 * 60 * MINUTE_MS;

/** A list with fewer subscribers proves nothing. */
const FEWEST = 5;

/** With fewer old subscribers, their times prove nothing. */
const FEWEST_FOR_TIMES = 20;

/** A larger share of old subscribers can't have changed so recently. */
const MOST_CHANGED = 0.9;

/** What the signs depend on, besides the list. */
export interface ListFacts {
	/** Supercast's time, in milliseconds since 1970. */
	now: number;
	/** Unless it is 0, Sync must know when subscribers have changed. */
	graceHours: number;
	/** Whether this process has just changed the subscriber. */
	isOwnWork: (subscriber: CurrentSubscriber) => boolean;
}

/** Longer than the two minutes in which subscribers seem to have changed. */
export const OWN_WORK_MS = 3 * MINUTE_MS;

/** What is strange about a list, as the end of a sentence about it. Undefined if nothing is. */
export function unexpectedIn(
	subscribers: readonly CurrentSubscriber[],
	facts: ListFacts,
): string | undefined {
	if (subscribers.length < FEWEST) return undefined;
	const patterns = facts.graceHours === 0 ? PATTERNS : [...PATTERNS, NO_TIMES];
	const pattern = patterns.find(([applies]) => applies(subscribers, facts));
	return pattern?.[1](subscribers);
}

type UnexpectedPattern = [
	applies: (subscribers: readonly CurrentSubscriber[], facts: ListFacts) => boolean,
	inWords: (subscribers: readonly CurrentSubscriber[]) => string,
];

const PATTERNS: UnexpectedPattern[] = [
	[(all) => isMost(all, ({ email }) => email === ''), () => 'it shows no emails'],
	[(all) => isMost(all, ({ state }) => state === ''), () => 'it shows no states'],
	[
		(all) => isMost(all, ({ state }) => isUnknown(state)),
		(all) => {
			const example = textOf(all.map(({ state }) => state).find(isUnknown));
			return `most subscribers have states that the node does not know, such as "${example}"`;
		},
	],
	[
		(all) => all.every(({ fields }) => !('customer_id' in fields)),
		() => 'it shows no customer IDs',
	],
	[areTimesOfReading, () => 'nearly all subscribers seem to have changed in the last two minutes'],
];

/** Without a time, Grace Hours protects everyone forever. */
const NO_TIMES: UnexpectedPattern = [
	(all) => isMost(all, hasNoTime),
	(all) => {
		const { created_at: created, updated_at: updated } = all.find(hasNoTime)?.fields ?? {};
		const example = textOf(created) || textOf(updated);
		const form =
			example === '' ? '' : ` in a form that the node knows, only ones such as "${example}"`;
		return `it shows no times${form}`;
	},
];

function hasNoTime({ createdTime, updatedTime }: CurrentSubscriber): boolean {
	return Number.isNaN(createdTime) && Number.isNaN(updatedTime);
}

function isMost(
	subscribers: readonly CurrentSubscriber[],
	applies: (one: CurrentSubscriber) => boolean,
): boolean {
	return subscribers.filter(applies).length > subscribers.length / 2;
}

function isUnknown(state: string): boolean {
	return stateRow(state) === undefined;
}

/**
 * Whether Supercast shows the time of reading as the time of the last change. Ignores recent
 * subscribers and those whom the node itself has just changed.
 */
function areTimesOfReading(
	subscribers: readonly CurrentSubscriber[],
	{ now, isOwnWork }: ListFacts,
): boolean {
	const old = subscribers.filter(({ createdTime }) => createdTime < now - DAY_MS);
	const isChanged = ({ updatedTime }: CurrentSubscriber): boolean =>
		updatedTime > now - 2 * MINUTE_MS;
	if (!isNearlyAll(old.filter(isChanged), old)) return false;
	const others = old.filter((one) => !isOwnWork(one));
	return isNearlyAll(others.filter(isChanged), others);
}

function isNearlyAll(
	some: readonly CurrentSubscriber[],
	all: readonly CurrentSubscriber[],
): boolean {
	return all.length >= FEWEST_FOR_TIMES && some.length > MOST_CHANGED * all.length;
}
