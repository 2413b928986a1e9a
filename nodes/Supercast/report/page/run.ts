/** What a run of Sync has done, or would do, as parts of its page. */

import { NO_SUBSCRIBER } from '../../access/match';
import { USUAL_PERCENT } from '../../access/parameters';
import { isConflict } from '../../access/reasons';
import type { AccessAction, AccessDecision } from '../../access/rules';
import { percentFor } from '../../access/settings';
import { keptByReason, type ToldRun } from '../run';
import { reasonText, statusText, whyItCloses } from '../wording';
import { groupBy } from '../../subscriber/customerId';
import { FEW_LINES, listBlock, words, type Block } from './blocks';
import { feeds, personName } from './names';

/** What a dry run is, and how its changes are made. */
export function dryRunBlock(run: ToldRun): Block {
	const { plan, settings, opening, closing, closingSoon, numbers } = run;
	const start = 'This was a dry run, so nothing changed in Supercast.';
	if (plan.refusal !== undefined) {
		return words(
			`${start} With the present settings, a real run changes nothing either, because Sync would refuse it.`,
		);
	}
	const changes = opening.length + closing.length + closingSoon.length + numbers.updated;
	if (changes === 0) return words(`${start} With this list, a real run would change nothing.`);
	const lists =
		closingSoon.length === 0
			? ''
			: ` A feed closes only if ${settings.closeAfter} lists in a row lack the person.`;
	return words(`${start} To make these changes, turn off 'Dry Run' in the node Sync.${lists}`);
}

/** What real runs would do: the counts, and who. Closings come first. */
export function plannedBlocks({ closing, closingSoon, opening, plan, numbers }: ToldRun): Block[] {
	const gone = [...closing, ...closingSoon];
	const updated = plan.decisions.filter(({ action }) => action === 'updated');
	const withId = updated.filter(({ write }) => 'customer_id' in write).length;
	const others = updated.length - withId;
	const changes = [
		withId > 0 ? `${withId} would get the customer ID on your list` : '',
		others > 0 ? `${others} would get other changes, such as a new email` : '',
	].filter((one) => one !== '');
	return [
		{
			kind: 'counts',
			title: 'What this list would change',
			counts: [
				{ count: gone.length, label: 'would close', tone: 'closed' },
				{ count: opening.length, label: 'would open', tone: 'open' },
				{ count: numbers.open, label: 'open after that', tone: 'number' },
			],
		},
		listBlock('Would close', 'closed', gone.map(withReason)),
		listBlock('Would open', 'open', opening.map(personName), { most: FEW_LINES }),
		listBlock('Would change', 'number', changes),
	];
}

function withReason(one: AccessDecision): string {
	return `${personName(one)} (${whyItCloses(one)})`;
}

/** Whose feed closes with a later list, unless the person is a member on that list. */
export function closingSoonBlock({ closingSoon }: ToldRun): Block {
	const lines = closingSoon
		.filter(({ reason }) => reason === 'waits')
		.map((one) => `${personName(one)} (${reasonText(one)})`);
	const title = 'Feeds that close if the next lists say the same';
	return listBlock(title, 'closed', lines, { most: FEW_LINES });
}

/** Counts of the list and of the changes. */
export function changesBlock({ numbers, plan, settings }: ToldRun): Block {
	const { created, reopened, closed, updated, failed, listed, open } = numbers;
	const members = listed === 1 ? '1 member' : `${listed} members`;
	if (settings.dryRun) {
		return words(`${members} on the list, and ${feeds(plan.open)} open now.`, 'quiet');
	}
	const counts: Array<[number, string]> = [
		[created, 'added, with an open feed'],
		[reopened, 'reopened'],
		[closed, 'closed'],
		[updated, 'updated'],
		[failed, 'failed. The next run tries again'],
	];
	const changed = counts.filter(([count]) => count > 0);
	const lines =
		changed.length === 0
			? ['Nothing had to change.']
			: ['Subscribers:', ...changed.map(([count, what]) => `- ${count} ${what}`)];
	const text = [`${members} on the list, and ${feeds(open)} open.`, ...lines].join('\n');
	return words(text, 'quiet');
}

/** Who counts: what each status means. Empty if the list has only members, without a status. */
export function statusesBlock({ statuses }: ToldRun): Block {
	const isPlain = statuses.every(({ status, access }) => status === '' && access === 'open');
	const lines = statuses.map(({ status, access, people }) => {
		const count = people === 1 ? '1 person' : `${people} people`;
		return `${status || 'no status'}: ${count}, ${access}`;
	});
	return listBlock('Who counts', 'number', isPlain ? [] : lines);
}

/** Whom the run skipped, by reason. Those who close soon are named elsewhere. */
export function skippedBlock({ done }: ToldRun): Block {
	const others = done.filter((one) => !NAMED_ELSEWHERE.has(one.reason ?? '') && !isConflict(one));
	const lines = Object.entries(keptByReason(others)).map(
		([reason, count]) => `${reason.replace(/^state: /, '')}: ${count}`,
	);
	return listBlock('Skipped', 'quiet', lines);
}

const NAMED_ELSEWHERE: ReadonlySet<string> = new Set(['overLimit', 'unclear', 'waits']);

/** How many requests a change takes, on average (docs/troubleshooting.md). */
const REQUESTS: Partial<Record<AccessAction, number>> = {
	closed: 2,
	created: 1,
	reopened: 2,
	updated: 1,
};

/** How long a real run would take. Empty if it would be less than a minute. */
export function durationBlock({ plan, perMinute }: ToldRun): Block {
	const { planned, decisions } = plan;
	const changes = Object.entries(REQUESTS) as Array<[AccessAction, number]>;
	const requests = changes.reduce((sum, [action, each]) => sum + planned[action] * each, 0);
	const count = changes.reduce((sum, [action]) => sum + planned[action], 0);
	// The run usually reads 100 subscribers with one request.
	const minutes = Math.round((requests + decisions.length / 100) / perMinute);
	if (plan.refusal !== undefined || !(minutes >= 1) || perMinute === 0) return words('');
	const time = minutes === 1 ? 'a minute' : `${minutes} minutes`;
	return words(
		`A real run makes ${count} changes. This takes about ${time} at ${perMinute} requests a minute.`,
	);
}

/** Those who are not members on the list, and whose feeds stay open because they have no customer ID. */
export function leftBeforeBlocks(run: ToldRun): Block[] {
	const some = run.plan.decisions.filter(
		({ member, reason, subscriber = NO_SUBSCRIBER }) =>
			member === undefined && reason === 'noCustomerId' && subscriber.isOpen,
	);
	if (some.length === 0) return [];
	const limit = limitText(some.length, run);
	const who =
		some.length === 1
			? '1 person is not a member on your list and has no customer ID, so the feed stays open.'
			: `${some.length} people are not members on your list and have no customer ID, so their feeds stay open.`;
	const text = [
		`${who}${endedText(some)}`,
		`- If all left long ago, set 'Close Feeds of' to 'All Missing Subscribers'${limit}. Turn off 'Dry Run', and ${timesText(run)} Then set 'Close Feeds of' to 'Missing Subscribers With a Customer ID' again${limit === '' ? '' : `, and 'Max Close (%)' to ${USUAL_PERCENT}`}.`,
		"- If only some left, first enter the others in 'Never Close'.",
		'- If all may stay, such as guests and staff, change nothing.',
	];
	return [
		words(text.join('\n')),
		listBlock(
			'Not members on your list, without a customer ID',
			'attention',
			some.map((one) => {
				const status = statusText(one);
				return status === '' ? personName(one) : `${personName(one)} (${status})`;
			}),
		),
	];
}

/** How many of these people have records that have ended, by status. Empty if nobody has. */
function endedText(some: readonly AccessDecision[]): string {
	const ended = groupBy(
		some.filter((one) => one.ended !== undefined),
		(one) => statusText(one) || 'no longer a member',
	);
	const counts = [...ended].map(([status, all]) => `${all.length} ${status}`);
	return counts.length === 0
		? ''
		: ` Of these people, some have records that have ended: ${counts.join(', ')}.`;
}

/** The limit that these closings need, if it is higher than the present one. */
function limitText(count: number, { plan: { inScope, missing }, settings }: ToldRun): string {
	const all = count + missing.length;
	const percent = percentFor(all, inScope + count);
	const isEnough = percent <= settings.maxClosePercent || all <= 1;
	return isEnough ? '' : `, and 'Max Close (%)' to ${percent}`;
}

function timesText({ settings: { closeAfter } }: ToldRun): string {
	return closeAfter === 1
		? 'run it once.'
		: `run it ${closeAfter === 2 ? 'twice' : `${closeAfter} times`}, at least a minute apart.`;
}
