import type { SupercastClient } from '../../../api/client';
import { keysOf } from '../../../api/identity';
import { textOf } from '../../../api/json';
import type { FetchedList } from '../../../operations/lists';
import { readSubscribers } from '../../../subscriber/listing';
import { subscribers as kind } from '../../../subscriber/kind';
import { currentSubscriber, namesOfSubscriber, type CurrentSubscriber } from '../../match';
import type { ListReason } from '../../reasons';
import type { SyncSettings } from '../../settings';
import { OWN_WORK_MS, unexpectedIn } from './unexpectedList';

/** A list of members that lay around for longer than this before its Sync began closes nothing. */
const OLD_BEFORE_MS = 5 * 60_000;

/** What is known about the list of members, and how to read the one of subscribers. */
export interface SnapshotTools {
	client: SupercastClient;
	settings: Pick<SyncSettings, 'graceHours'>;
	badItems: number;
	/** In milliseconds since 1970. */
	now: () => number;
	/** When the node received the list, according to `now`. */
	receivedAt: number;
	/** How long the list lay around before the node received it. */
	idleMs: number;
	/** Whether another branch of the workflow may bring more members to this node. */
	mayGetMore: boolean;
}

/** Supercast's list of subscribers, and what it means for this run. */
export interface SubscriberSnapshot {
	list: FetchedList<CurrentSubscriber>;
	/** Supercast's time at the end of the reading, in milliseconds since 1970. */
	time: number;
	/** The same moment, on the clock of this process. */
	endedAt: number;
	/** What is unexpected about the list, in words. */
	unexpected?: string;
	/** Why this run must not close any feeds. Undefined if it may. */
	noClosingReason?: ListReason;
}

/** Whether the list shows all subscribers as they are: a person who is not on it does not exist. */
export function isTrusted({ list, unexpected }: SubscriberSnapshot): boolean {
	return list.isComplete && unexpected === undefined;
}

/** @param isShort Whether the list of members is known not to be complete. */
export async function readSubscriberList(
	tools: SnapshotTools,
	isShort: boolean,
): Promise<SubscriberSnapshot> {
	const { client, settings, now, receivedAt, idleMs } = tools;
	const isOld = now() - receivedAt + idleMs > OLD_BEFORE_MS;
	const { list, time } = await readTimed(client, now);
	const isOwnWork = (one: CurrentSubscriber): boolean =>
		client.channel.ledger.hasWorkedWithin(keysOf(namesOfSubscriber(one)), OWN_WORK_MS);
	const { graceHours } = settings;
	const unexpected = unexpectedIn(list.taken, { now: time, graceHours, isOwnWork });
	const reason = isShort ? 'membersIncomplete' : whyNothingCloses(tools, list, isOld);
	const noClosingReason = unexpected === undefined ? reason : 'unexpected';
	return { list, time, endedAt: now(), unexpected, noClosingReason };
}

/** Reads all subscribers, and Supercast's time at the end, in milliseconds since 1970. */
async function readTimed(
	client: SupercastClient,
	now: () => number,
): Promise<{ list: FetchedList<CurrentSubscriber>; time: number }> {
	let time = now();
	const timed: SupercastClient = {
		...client,
		request: async (given) => {
			const response = await client.request(given);
			time = Date.parse(textOf(response.headers.date)) || now();
			return response;
		},
	};
	const list = await readSubscribers(timed, kind, currentSubscriber);
	return { list, time };
}

/** Why this run must not close any feeds. Undefined if it may. */
function whyNothingCloses(
	{ badItems, mayGetMore }: SnapshotTools,
	{ isComplete }: FetchedList<unknown>,
	isOld: boolean,
): ListReason | undefined {
	if (badItems > 0) return 'badItems';
	if (!isComplete) return 'incomplete';
	if (mayGetMore) return 'branches';
	return isOld ? 'tooOld' : undefined;
}
