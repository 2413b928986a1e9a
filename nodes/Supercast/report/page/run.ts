/** What a run of Sync has done, or would do, as parts of its page. */

import { CONFLICTS, isConflict } from '../../access/reasons';
import { NO_SUBSCRIBER } from '../../access/match';
import type { AccessAction, AccessDecision } from '../../access/rules';
import { USUAL_PERCENT } from '../../access/parameters';
import { percentFor } from '../../access/settings';
import { reasonText } from '../wording';
import { listBlock, type Block } from './blocks';
import { emailOf, feeds, FEW_NAMES, nameLines } from './names';

export interface RunNumbers extends Record<AccessAction, number> {
	failed: number;
	/** How many feeds should be closed and could not be, also with an earlier list. */
	stuck: number;
	/** How many people are on the list. */
	listed: number;
	/** How many feeds are open after the run. */
	open: number;
	keptByReason: Record<string, number>;
}

/** Counts of the list and of the changes. */
export function changesBlock(numbers: RunNumbers, dryRun: boolean): Block {
	const { created, reopened, closed, updated, failed, listed, open } = numbers;
	const members = listed === 1 ? '1 member' : `${listed} members`;
	const would = dryRun ? 'would be ' : '';
	const counts: Array<[number, string]> = [
		[created, `${would}added, with an open feed`],
		[reopened, `${would}reopened`],
		[closed, `${would}closed`],
		[updated, `${would}updated`],
		[failed, 'failed. The next run tries again'],
	];
	const changed = counts.filter(([count]) => count > 0);
	const nothing = dryRun ? 'Nothing would change.' : 'Nothing had to change.';
	const after = dryRun ? ' after these changes' : '';
	const lines =
		changed.length === 0
			? [nothing]
			: ['Subscribers:', ...changed.map(([count, what]) => `- ${count} ${what}`)];
	const text = [`${members} on the list, and ${feeds(open)} open${after}.`, ...lines].join('\n');
	return { kind: 'words', text, tone: 'quiet' };
}

/** Whom the run left alone, by reason. */
export function keptBlock({ keptByReason }: RunNumbers): Block {
	const kept = Object.entries(keptByReason).filter(([reason]) => reason !== 'conflict');
	const lines = kept.map(([reason, count]) => `${reason.replace(/^state: /, '')}: ${count}`);
	return listBlock('Left alone', 'quiet', lines);
}

export function conflictsBlock(conflicts: readonly AccessDecision[]): Block {
	const lines = conflicts.filter(isConflict).map((one) => {
		const what = reasonText(one).replace(/^conflict: /, '');
		return `${emailOf(one)}: ${what}. ${CONFLICTS[one.reason].remedy}`;
	});
	return listBlock('Needs a decision', 'attention', nameLines(lines, { most: FEW_NAMES }));
}

/** What a real run would do: the counts, and who. Closings come first. */
export function plannedBlocks(decisions: readonly AccessDecision[], open: number): Block[] {
	const closing = decisions.filter(
		({ action, reason }) => action === 'closed' || reason === 'waits',
	);
	const opening = decisions.filter(({ action }) => action === 'created' || action === 'reopened');
	const updated = decisions.filter(({ action }) => action === 'updated');
	const withId = updated.filter(({ write }) => 'customer_id' in write).length;
	const others = updated.length - withId;
	const withReason = (one: AccessDecision) => `${emailOf(one)} (${reasonText(one)})`;
	const changes = [
		withId > 0 ? `${withId} would get the customer ID on your list` : '',
		others > 0 ? `${others} would get other new values` : '',
	].filter((one) => one !== '');
	return [
		{
			kind: 'counts',
			title: 'What a real run would do',
			counts: [
				{ count: closing.length, label: 'would close', tone: 'closed' },
				{ count: opening.length, label: 'would open', tone: 'open' },
				{ count: open, label: 'open after that', tone: 'number' },
			],
		},
		listBlock('Would close', 'closed', nameLines(closing.map(withReason))),
		listBlock('Would open', 'open', nameLines(opening.map(emailOf), { most: FEW_NAMES })),
		listBlock('Would change', 'number', changes),
	];
}

/** How many requests a change takes, on average (docs/limits.md). */
const REQUESTS: Partial<Record<AccessAction, number>> = {
	closed: 2,
	created: 1,
	reopened: 2,
	updated: 1,
};

/**
 * How long a real run would take. Empty if it would be less than a minute.
 * @param subscribers How many there are. The run reads 100 with one request.
 */
export function durationText(
	planned: Record<AccessAction, number>,
	{ subscribers, perMinute }: { subscribers: number; perMinute: number },
): string {
	const changes = Object.entries(REQUESTS) as Array<[AccessAction, number]>;
	const requests = changes.reduce((sum, [action, each]) => sum + planned[action] * each, 0);
	const count = changes.reduce((sum, [action]) => sum + planned[action], 0);
	const minutes = Math.round((requests + subscribers / 100) / perMinute);
	if (!(minutes >= 1) || perMinute === 0) return '';
	const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
	return `A real run makes ${count} changes. This takes about ${time} at ${perMinute} requests a minute.`;
}

interface LeftBefore {
	/** How many feeds Sync may close, and how many of those are missing from the list. */
	inScope: number;
	missing: number;
	maxClosePercent: number;
	closeAfter: number;
}

/** Those who are not on the list, and whose feeds stay open because they have no customer ID. */
export function leftBeforeBlocks(decisions: readonly AccessDecision[], facts: LeftBefore): Block[] {
	const some = decisions.filter(
		({ member, reason, subscriber = NO_SUBSCRIBER }) =>
			member === undefined && reason === 'noCustomerId' && subscriber.state === 'available',
	);
	if (some.length === 0) return [];
	const limit = limitText(some.length, facts);
	const who =
		some.length === 1
			? '1 person is not on your list and has no customer ID, so the feed stays open.'
			: `${some.length} people are not on your list and have no customer ID, so their feeds stay open.`;
	const text = [
		who,
		`- If all left long ago, set 'Close' to 'All Subscribers'${limit}. Turn off 'Dry Run', and ${timesText(facts)} Then set 'Close' to 'Subscribers With a Customer ID' again${limit === '' ? '' : `, and 'Max Close (%)' to ${USUAL_PERCENT}`}.`,
		"- If only some left, first enter the others in 'Never Close'.",
		'- If all may stay, such as guests and staff, change nothing.',
	];
	return [
		{ kind: 'words', text: text.join('\n'), tone: 'attention' },
		listBlock('Not on your list, without a customer ID', 'attention', nameLines(some.map(emailOf))),
	];
}

/** The limit that these closings need, if it is higher than the present one. */
function limitText(count: number, { inScope, missing, maxClosePercent }: LeftBefore): string {
	const percent = percentFor(count + missing, inScope + count);
	const isEnough = percent <= maxClosePercent || count + missing <= 1;
	return isEnough ? '' : `, and 'Max Close (%)' to ${percent}`;
}

function timesText({ closeAfter }: LeftBefore): string {
	return closeAfter === 1
		? 'run it once.'
		: `run it ${closeAfter === 2 ? 'twice' : `${closeAfter} times`}, at least a minute apart.`;
}
