import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../api/client';
import { findRecord, pageReader } from '../../api/records';
import { listRequest } from '../../operations/kinds';
import type { FetchedList } from '../../operations/lists';
import { simplifySubscriber, subscribers as kind } from '../../subscriber/kind';
import { findSubscriber } from '../../subscriber/listing';
import { lookUp } from '../../subscriber/requests';
import { nameAfter, type AppliedDecision } from '../apply';
import { NO_SUBSCRIBER } from '../match';
import type { AccessDecision } from '../rules';

/**
 * How many members to create between two counts. At 100 requests per minute, this takes half a
 * minute.
 */
const BETWEEN_COUNTS = 50;

/** How many members each run looks up first, because a list might not show everyone. */
const FIRST_LOOK_UPS = 20;

/** If the list lacks this many subscribers, it is incomplete. */
const FEWEST_UNLISTED = 2;

/**
 * Skips the look-up before a member is created, if the list proves that there is no subscriber with
 * the email. Decision 0012 says what this relies on.
 */
export class NewMembers {
	/** How many subscribers this run has created. */
	private created = 0;

	/** How many look-ups have found someone whom the list did not show. */
	private unlisted = 0;

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
		const found = await findSubscriber(this.client, email, kind);
		if (found !== undefined) this.unlisted += 1;
		return found;
	}

	/** Notes that this run has created a subscriber. */
	noteCreated(): void {
		this.created++;
	}

	/** Whether the list lacks people. A single one may have been added since the list was read. */
	get areSomeUnlisted(): boolean {
		return this.unlisted >= FEWEST_UNLISTED;
	}

	private async countAgain(): Promise<boolean> {
		if (this.total === undefined || this.unlisted > 0) return false;
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
	{ client, isStopped }: { client: SupercastClient; isStopped: () => boolean },
): Promise<AppliedDecision> {
	const { action, subscriber = NO_SUBSCRIBER, write } = outcome;
	if (action !== 'created' && action !== 'reopened') return outcome;
	const { shown = subscriber.fields } = outcome;
	if (feedUrlsOf(shown).length > 0) return { ...outcome, shown };
	const find = { ...lookUp(nameAfter(subscriber, write)), mayBeHidden: true };
	const found = await findRecord(client, find).catch((error: unknown) => {
		// The feed is open, so a failure here must not count as a failed change.
		if (isStopped()) throw error;
		return undefined;
	});
	return { ...outcome, shown: found ?? shown };
}

/** The private addresses of a subscriber, as Supercast shows them. */
export function feedUrlsOf(record: AccessDecision['write']): string[] {
	return simplifySubscriber(record).feed_urls;
}
