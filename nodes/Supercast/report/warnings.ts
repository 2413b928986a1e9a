/** Sentences about the list of subscribers and the clock, for hints and the summary. */

import { PROBE } from '../api/errors/errors';
import type { AppliedDecision } from '../access/apply';
import { LIST_REASONS, type ListReason } from '../access/reasons';
import type { AccessDecision } from '../access/rules';
import { reasonText, timeText } from './wording';
import type { ListCounter } from '../access/sync/memory/absences';
import { HOUR_MS, type SyncPlan } from '../access/sync/plan';
import { emailOf, joinNames } from './page/names';

interface ClosingFacts {
	/** What is strange about the list, in words. */
	strangeness?: string;
	noClosingReason?: ListReason;
}

/** Why this run closes no feeds. Empty if it may close some. */
export function closingWarning({ noClosingReason: reason, strangeness }: ClosingFacts): string {
	if (strangeness !== undefined) return strangeText(strangeness);
	// A list that is not whole has its own sentences.
	if (reason === undefined || reason === 'notWhole') return '';
	const { text, remedy } = LIST_REASONS[reason];
	return `Sync closes no feeds in this run (${text}). ${remedy}`.trim();
}

/** A warning if the two clocks differ by an hour or more. Otherwise empty. */
export function clockWarning(skewMs: number): string {
	const hours = Math.round(Math.abs(skewMs) / HOUR_MS);
	if (Math.abs(skewMs) < HOUR_MS) return '';
	const time = hours === 1 ? 'an hour' : `${hours} hours`;
	return `The clock of your n8n server differs from Supercast's by ${time}. Sync uses Supercast's time.`;
}

function strangeText(strangeness: string): string {
	return `Supercast's list of subscribers is not as expected: ${strangeness}. Sync opens feeds, but closes none. To find the difference, run ${PROBE}.`;
}

export const UNLISTED_WARNING = strangeText('it does not show everyone');

/** Whose feeds stay open because they may be members without a subscriber. Empty if there are none. */
export function stillOpenWarning(outcomes: readonly AccessDecision[]): string {
	const spared = outcomes.filter(({ reason }) => reason === 'mayBeListed');
	if (spared.length === 0) return '';
	return `Not on the list, but still open: ${joinNames(spared.map(emailOf))}. They have no customer ID, and may be members for whom Sync found no subscriber. Sync can close their feeds once all members on the list have a subscriber.`;
}

/** Whose feeds could not be closed again, since when, and why. Empty if there are none. */
export function stuckWarning(outcomes: readonly AppliedDecision[]): string {
	const stuck = outcomes.flatMap((one) => {
		const { error, stuckSince } = one;
		if (stuckSince === undefined) return [];
		return [
			`${emailOf(one)} (since ${timeText(stuckSince)}: ${error?.message ?? reasonText(one)})`,
		];
	});
	if (stuck.length === 0) return '';
	return `These feeds should be closed, but could not be: ${joinNames(stuck)}. Check them in Supercast, and close them there.`;
}

/** Says that the lists come too rarely to be counted. Empty if they do not. */
export function forgottenWarning({ hasForgotten }: ListCounter, { decisions }: SyncPlan): string {
	if (!hasForgotten || !decisions.some(({ reason }) => reason === 'waits')) return '';
	return "The previous list came more than 30 hours ago, so Sync counts the lists again from this one. If your lists always come so rarely, set 'Close After (Lists)' to 1.";
}

/** Says once whose fields Supercast shows differently. Empty if there are none. */
export function heldWarning(held: readonly string[]): string {
	if (held.length === 0) return '';
	return `Supercast shows other values than Sync wrote: ${joinNames(held)}. Sync leaves these fields alone until your list changes. If Supercast changes names itself, you need do nothing. If it shows the old email, the member may have to confirm the new one.`;
}
