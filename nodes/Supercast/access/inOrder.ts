import type { SupercastClient } from '../api/client';
import { keysOf } from '../api/identity';
import { textOf } from '../api/json';
import type { ApiRequest } from '../api/types';
import type { AppliedDecision } from './apply';
import type { CurrentSubscriber, DesiredMember } from './match';

/** How to decide about a person for whom an event has arrived. */
export interface EventWork {
	member: DesiredMember;
	/** How the error names the person if the execution is stopped. */
	subject: ApiRequest;
	/** Finds the person's records. */
	find: () => Promise<CurrentSubscriber[]>;
	/** Decides and applies. `isOutdated`: whether a later event about them was decided first. */
	work: (found: CurrentSubscriber[], isOutdated: boolean) => Promise<AppliedDecision>;
}

/**
 * Works on a person while no other work in this process concerns that person, under any name. The
 * latest event wins, in the order of arrival (decision 0014). First finds the person without a
 * turn. Otherwise, two events could each have a turn on one name and wait for the other's.
 */
export async function decideInOrder(
	client: SupercastClient,
	event: EventWork,
): Promise<AppliedDecision> {
	const { decisions } = client;
	const arrival = decisions.arrive();
	let found = await findNow(client, event);
	for (;;) {
		const keys = keysOfAll(event.member, found.records);
		const outcome = await client.inTurn(
			event.subject,
			async () => {
				if (decisions.hasChangedSince(keys, found.changeCount))
					found = await findNow(client, event);
				const current = keysOfAll(event.member, found.records);
				// The person has turned out to have more names. Take a turn on these too.
				if (current.some((key) => !keys.includes(key))) return undefined;
				const isOutdated = decisions.isOutdated(keys, arrival);
				return await noted(client, keys, arrival, event.work(found.records, isOutdated));
			},
			keys,
		);
		if (outcome !== undefined) return outcome;
	}
}

interface Found {
	records: CurrentSubscriber[];
	/** How many changes there had been before the search. */
	changeCount: number;
}

async function findNow({ decisions }: SupercastClient, { find }: EventWork): Promise<Found> {
	const { changeCount } = decisions;
	return { records: await find(), changeCount };
}

/** Notes a decision once it is applied. After a failure, an earlier event may still be applied. */
async function noted(
	{ decisions }: SupercastClient,
	keys: readonly string[],
	arrival: number,
	applying: Promise<AppliedDecision>,
): Promise<AppliedDecision> {
	const outcome = await applying.catch((error: unknown) => {
		decisions.note(keys);
		throw error;
	});
	const { uuid, email } = outcome.shown ?? outcome.subscriber?.fields ?? {};
	decisions.note([...keys, ...keysOf({ uuid: textOf(uuid), email: textOf(email) })], arrival);
	return outcome;
}

/** Everything that names a person: what the event says, and what their records show. */
export function keysOfAll(
	{ email, customerIds }: DesiredMember,
	records: readonly CurrentSubscriber[],
): string[] {
	const own = records.flatMap((one) => keysOf({ ...one, customerIds: [one.customerId] }));
	return [...new Set([...keysOf({ email, customerIds }), ...own])];
}
