/** Sentences about the list of subscribers and the clock, for hints and the summary. */

import { PROBE } from '../../api/errors/errors';
import { REASONS, type Reason } from '../reasons';
import type { AccessDecision } from '../rules';
import { HOUR_MS } from './plan';
import { emailOf, joinNames } from './summary';

interface ClosingFacts {
	/** What is strange about the list, in words. */
	strangeness?: string;
	noClosingReason?: Reason;
}

/** Why this run closes no feeds. Empty if it may close some. */
export function closingWarning({ noClosingReason: reason, strangeness }: ClosingFacts): string {
	if (strangeness !== undefined) return strangeText(strangeness);
	// A list that is not whole has its own sentences.
	if (reason === undefined || reason === 'notWhole') return '';
	const merge = ' Add a Merge node before Sync, so that Sync receives all items together.';
	const advice = reason === 'branches' ? merge : '';
	return `Sync closes no feeds in this run (${REASONS[reason]}).${advice}`;
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
