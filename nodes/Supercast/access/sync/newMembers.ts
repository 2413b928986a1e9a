import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { findRecord, pageReader } from '../../api/records';
import { listRequest } from '../../operations/kinds';
import type { FetchedList } from '../../operations/lists';
import { subscribers as kind } from '../../subscriber/kind';
import { findPerson } from '../../subscriber/findPerson';
import { lookUp } from '../../subscriber/listing';
import { nameAfter, type AppliedDecision } from '../apply';
import { opensFeed } from '../rules';
import { feedUrlsOf, NO_SUBSCRIBER } from '../subscribers';

/**
 * How many members to create between two counts. At 100 requests per minute, this takes half a
 * minute.
 */
const BETWEEN_COUNTS = 50;

/** How many members each run looks up first, because a list might not show everyone. */
const FIRST_LOOK_UPS = 20;

/**
 * Asks Supercast again for members who are not on its list. If counting the subscribers again
 * proves that the list shows all of them, one count asks for many members (decision 0012).
 */
export class NewMembers {
	/** How many subscribers this run has created. */
	private created = 0;

	/** Whether a look-up has found someone whom the list did not show. */
	private isListShort = false;

	/** Whether the last count has shown only the subscribers that this run has read or created. */
	private areAllKnown = false;

	/** The number of subscribers on the list. Undefined if it proves nothing. */
	private readonly total: number | undefined;

	constructor(
		private readonly client: SupercastClient,
		{ total, isComplete }: Pick<FetchedList<unknown>, 'isComplete' | 'total'>,
	) {
		this.total = isComplete ? total : undefined;
	}

	/** Works on members in parts, and counts the subscribers before each part but the first. */
	async inParts<T>(
		members: readonly T[],
		work: (part: readonly T[]) => Promise<void>,
	): Promise<void> {
		await work(members.slice(0, FIRST_LOOK_UPS));
		for (let start = FIRST_LOOK_UPS; start < members.length; start += BETWEEN_COUNTS) {
			this.areAllKnown = await this.countAgain();
			await work(members.slice(start, start + BETWEEN_COUNTS));
		}
	}

	/** Finds the subscriber with the email, if there is one. Throws ServiceError. */
	async find(email: string): Promise<IDataObject | undefined> {
		if (this.areAllKnown) return undefined;
		const [found] = await findPerson(this.client, email, '', 'told');
		if (found !== undefined) this.isListShort = true;
		return found;
	}

	/** Notes that this run has created a subscriber. */
	noteCreated(): void {
		this.created++;
	}

	private async countAgain(): Promise<boolean> {
		if (this.total === undefined || this.isListShort) return false;
		const fetchPage = pageReader(this.client, listRequest(kind));
		const total = await fetchPage(1, 1).then(
			(page) => page.total,
			() => undefined,
		);
		return total === this.total + this.created;
	}
}

/** A welcome email needs the feed's address. Reads the record if no response has shown one. */
export async function withFeedUrls(
	outcome: AppliedDecision,
	client: SupercastClient,
): Promise<AppliedDecision> {
	const { subscriber = NO_SUBSCRIBER, write } = outcome;
	if (!opensFeed(outcome)) return outcome;
	const { shown = subscriber.fields } = outcome;
	if (feedUrlsOf(shown).length > 0) return { ...outcome, shown };
	const find = { ...lookUp(nameAfter(subscriber, write)), mayBeHidden: true };
	const found = await findRecord(client, find).catch((error: unknown) => {
		// The feed is open, so a failure here must not count as a failed change.
		if (client.signal?.aborted === true) throw error;
		return undefined;
	});
	return { ...outcome, shown: found ?? shown };
}
