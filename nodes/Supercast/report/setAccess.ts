/** The output of Set Access. */

import type { IDataObject } from 'n8n-workflow';

import { textOf } from '../api/json';
import type { AppliedDecision } from '../access/apply';
import type { Reason } from '../access/reasons';
import type { MemberRecord } from '../access/record';
import { changesOf, opensFeed } from '../access/rules';
import { feedUrlsOf, NO_SUBSCRIBER } from '../access/subscribers';
import { closedFeedText } from '../subscriber/kind';
import { closedFeedOf } from './openFeeds';
import { adviceOn, type Advice } from './reasons';
import { shownWord } from './names';
import { causeOf } from './unclear';

export function accessOutput(record: MemberRecord, decision: AppliedDecision): IDataObject {
	const { action, subscriber = NO_SUBSCRIBER, shown = {}, write } = decision;
	return {
		access: record.access,
		action,
		email: firstOf(write.email, subscriber.email, record.email),
		state: firstOf(STATE_AFTER[action], subscriber.isOpen ? 'available' : subscriber.state),
		previousState: action === 'created' ? null : firstOf(subscriber.state),
		uuid: firstOf(shown.uuid, subscriber.uuid),
		customer_id: firstOf(write.customer_id, subscriber.customerId),
		...adviceFor(record, decision, shown),
		changes: changesOf(decision),
		...(opensFeed(decision) && { feed_urls: feedUrlsOf(shown) }),
	};
}

/** The state that Supercast has shown after feeds were closed or reopened. */
const STATE_AFTER: Record<string, string> = { closed: 'deactivated', reopened: 'available' };

/** The first text that is not empty. */
function firstOf(...values: unknown[]): string | null {
	return values.map(textOf).find((text) => text !== '') ?? null;
}

/** Both are null in all ordinary cases. */
interface Told {
	reason: string | null;
	attention: string | null;
}

function adviceFor(record: MemberRecord, decision: AppliedDecision, shown: IDataObject): Told {
	const about = otherProductAdvice(record, decision);
	if (about !== undefined) return about;
	const isOpening = record.access === 'open';
	const advice = adviceAfter(decision, isOpening ? 'open' : 'close', shown);
	const who = nameOf(record);
	const start = isOpening ? `${who} should have access, ` : `The access of ${who} ends, `;
	const { leftOut = [] } = decision;
	const left = leftOut.length === 0 ? '' : `Left out: ${leftOut.join('; ')}.`;
	const reason = [advice.sentence && `${start}${advice.sentence}`, left].filter(Boolean).join(' ');
	return {
		reason: reason || null,
		attention: advice.remedy === '' ? null : `${reason} ${advice.remedy}`,
	};
}

/** Why the person of this record is not the subscriber. */
const NOT_THEIRS: ReadonlyArray<Reason | undefined> = ['noSubscriber', 'otherId', 'otherSystem'];

/** Another product may be bought beside the membership, so only a closing needs a look. */
function otherProductAdvice(
	{ ground, ...record }: MemberRecord,
	{ action, reason: why }: AppliedDecision,
): Told | undefined {
	if (ground.kind !== 'otherProduct') return undefined;
	const cause = `because the product "${shownWord(ground.product)}" is in 'Other Products'.`;
	if (NOT_THEIRS.includes(why)) {
		return { reason: `Nothing changed for ${nameOf(record)}, ${cause}`, attention: null };
	}
	if (action !== 'closed') return undefined;
	const reason = `The feed of ${nameOf(record)} closed, ${cause}`;
	return {
		reason,
		attention: `${reason} If the person still pays for the feed, activate it in Supercast. Then let 'Customer ID' return the ID of the subscription, so that no other purchase closes the feed.`,
	};
}

const NO_FEED_ADDRESS: Advice = {
	sentence: 'but Supercast shows no feed address yet.',
	remedy: 'Get the subscriber again later.',
};

function adviceAfter(
	decision: AppliedDecision,
	access: 'close' | 'open',
	shown: IDataObject,
): Advice {
	const usual = usualAdvice(decision, access, shown);
	const notOpen = access === 'open' ? closedFeedOf(decision) : undefined;
	return usual.sentence === '' && notOpen !== undefined ? anotherFeed(notOpen) : usual;
}

function usualAdvice(
	decision: AppliedDecision,
	access: 'close' | 'open',
	shown: IDataObject,
): Advice {
	if (!opensFeed(decision)) return adviceOn(decision, access);
	const { subscriber = NO_SUBSCRIBER } = decision;
	if (decision.action === 'created' && subscriber.state !== '' && !subscriber.isOpen) {
		return adviceOn({ ...decision, action: 'kept', reason: 'state' }, access);
	}
	return feedUrlsOf(shown).length === 0 ? NO_FEED_ADDRESS : { sentence: '', remedy: '' };
}

const anotherFeed = (state: string): Advice => ({
	sentence: `but ${closedFeedText(shownWord(state))}.`,
	remedy: 'Check this subscriber in Supercast.',
});

/** The output for a person whose access stays as it is. */
export function leftOutput(record: MemberRecord): IDataObject {
	return {
		access: record.access,
		action: 'kept',
		email: firstOf(record.email),
		state: null,
		previousState: null,
		uuid: null,
		customer_id: firstOf(record.customerId),
		...(record.access === 'unclear' ? unclearAdvice(record) : keepAdvice(record)),
		changes: {},
	};
}

function keepAdvice(record: MemberRecord): Told {
	const why = record.access === 'close' ? "'Only Open' is on" : shownWord(record.status);
	const reason = `The access of ${nameOf(record)} stays as it is (${why || "'Access' is keep"}).`;
	return { reason, attention: null };
}

function unclearAdvice(record: MemberRecord): Told {
	const { what, advice } = causeOf(record);
	const reason = `The access of ${nameOf(record)} is unclear, so nothing changed: ${what}.`;
	return { reason, attention: `${reason} ${advice}` };
}

function nameOf({ email, customerId }: Pick<MemberRecord, 'customerId' | 'email'>): string {
	const names = [email, customerId].filter((name) => name !== '').map(shownWord);
	return names.join(', ') || 'a person without an email and an ID';
}
