/** What a run of Sync has done, or would do, as parts of its page. */

import type { AppliedDecision } from '../../access/apply';
import type { Ground } from '../../access/judge/judge';
import type { AccessAction, Decision } from '../../access/rules';
import type { StatusCount } from '../../access/sync/statuses';
import { membersOf } from '../numbers';
import { counted, feeds, numberText, people, personName, shownWord } from '../names';
import { reasonText, whyLeft } from '../reasons';
import type { NextRun, ToldRun } from '../run';
import { listBlock, words, type Block } from './blocks';

/** What a dry run is, and how its changes are made. */
export function dryRunBlocks(run: ToldRun): Block[] {
	const { settings, nextRun, plan } = run;
	const start = 'This was a dry run, so nothing changed in Supercast.';
	if (nextRun === undefined) {
		return [words(`${start} With this list, a real run changes nothing either.`, 'number')];
	}
	const counts =
		run.waiting.length === 0
			? ''
			: ` A feed closes if ${settings.closeAfter} lists in a row, at least a minute apart, show no current membership. Lists of dry runs count, too.`;
	const { wanted, limit, later } = plan.opening;
	const isFirst = limit > later && wanted > later;
	const first = isFirst
		? ` A run by schedule may open at most ${feeds(later)}, so start the first real run by hand.`
		: '';
	return [
		words(
			`${start} To make the changes, turn off 'Dry Run' in the node Sync.${first}${counts}`,
			'number',
		),
	];
}

/** What the next run does, and then what the lists after it do. Closings come first. */
export function nextRunBlocks(run: ToldRun): Block[] {
	const { nextRun, updated, others } = run;
	if (nextRun === undefined) return [];
	const { opening, closing, later } = nextRun;
	const withReason = (one: AppliedDecision): string => `${personName(one)} (${whyItCloses(one)})`;
	return [
		nextRunCounts(run, nextRun),
		listBlock(
			'Open now, and would close with the next real run',
			'closed',
			closing.map(withReason),
			{
				most: 50,
			},
		),
		listBlock(
			'Not open now, and would open with the next real run',
			'open',
			opening.map((one) => `${personName(one)} (${one.subscriber ? 'closed' : 'new'})`),
		),
		listBlock(
			'Would change with the next real run',
			'number',
			updated.map((one) => `${personName(one)} (${reasonText(one, others)})`),
		),
		listBlock('Open now, and would close with a list after that', 'closed', later.map(withReason)),
	];
}

function nextRunCounts({ openFeeds }: ToldRun, { opening, closing }: NextRun): Block {
	return {
		kind: 'counts',
		title: 'What the next real run would do, if its list says the same',
		counts: [
			{ count: closing.length, label: 'would close', tone: 'closed' },
			{ count: opening.length, label: 'would open', tone: 'open' },
			{ count: openFeeds.size, label: 'open now', tone: 'number' },
			{
				count: openFeeds.size + opening.length - closing.length,
				label: 'open after it',
				tone: 'number',
			},
		],
	};
}

/** Why a feed closes, now or with a later list. */
function whyItCloses({ ended }: Decision): string {
	return whyLeft(ended);
}

/** Whose feed closes with a later list, unless the person is a member on that list. */
export function waitingBlock({ waiting, others }: ToldRun): Block {
	const lines = waiting.map((one) => `${personName(one)} (${reasonText(one, others)})`);
	return listBlock('Feeds that close if the next lists say the same', 'closed', lines);
}

/** Counts of the list and of the changes. */
export function countsBlock(run: ToldRun): Block {
	const { failed, updated, areAllSubscribers } = run;
	const atLeast = areAllSubscribers ? '' : 'at least ';
	const unsure = failed.length > 0 ? ', as far as is known' : '';
	const open = run.openFeeds.size;
	const parts = [
		`${counted(membersOf(run), 'member')} on the list (people whose access is open).`,
		`${atLeast}${feeds(open)} ${open === 1 ? 'is' : 'are'} open in Supercast${unsure}.`,
		updated.length > 0 && !run.settings.dryRun
			? `${counted(updated.length, 'subscriber')} updated.`
			: '',
	];
	return words(parts.filter((part) => part !== '').join(' '), 'quiet');
}

/** Whose feeds this run opened and closed, for those who look at it in the editor. */
export function changedBlocks({ opened, closed, updated, others }: ToldRun): Block[] {
	const lines = (some: readonly AppliedDecision[]): string[] =>
		some.map((one) => `${personName(one)} (${reasonText(one, others)})`);
	const titles: Array<[string, 'closed' | 'number' | 'open', readonly AppliedDecision[]]> = [
		['Closed in this run', 'closed', closed],
		['Opened in this run', 'open', opened],
		['Updated in this run', 'number', updated],
	];
	return titles.map(([title, tone, some]) =>
		listBlock(`${title}: ${numberText(some.length)}`, tone, lines(some)),
	);
}

/** Who counts: what each status and product means. */
export function statusesBlock({ statuses }: ToldRun): Block {
	const isPlain = statuses.every(({ status, product, access }) => {
		return status === '' && product === undefined && access === 'open';
	});
	const lines = statuses.map(({ status, product, access, grounds, people: count }) => {
		const words = [
			shownWord(status) || 'no status',
			product === undefined ? '' : shownWord(product) || 'no product',
		];
		const why = groundsText(grounds);
		return `${words.filter((word) => word !== '').join(', ')}: ${people(count)}, ${access}${why}`;
	});
	const open = statuses.filter(({ access }) => access === 'open');
	const hasProducts = new Set(open.map(({ product }) => product)).size > 1;
	const hint = hasProducts ? ". To leave out a product, enter it in 'Other Products'" : '';
	return listBlock(`Who counts${hint}`, 'number', isPlain ? [] : lines, { most: 50 });
}

/** Why records give an access that does not follow from their status. */
const GROUNDS: Record<Ground['kind'], string> = {
	status: '',
	endedOn: "'Access Until' has passed",
	otherProduct: "in 'Other Products'",
	noProduct: 'the product is in no list',
	unknownProduct: 'the product is in no list',
	unnamedProduct: 'the product has no name',
	noStatus: 'the status is in no list',
	unknownStatus: 'the status is in no list',
	unreadableDay: "'Access Until' is not a day",
	notAccess: "'Access' says nothing of this",
};

function groundsText(grounds: StatusCount['grounds']): string {
	const texts = new Set([...grounds].map((one) => GROUNDS[one]).filter((text) => text !== ''));
	return texts.size === 0 ? '' : ` (${[...texts].join(', ')})`;
}

/** How many requests a change takes, on average (docs/troubleshooting.md). */
const REQUESTS: Partial<Record<AccessAction, number>> = {
	closed: 2,
	created: 1,
	reopened: 2,
	updated: 1,
};

/** How long a real run would take. Empty if it would be less than a minute. */
export function durationBlock({ nextRun, updated, perMinute, plan }: ToldRun): Block {
	if (nextRun === undefined || perMinute === 0) return words('');
	const { opening, closing } = nextRun;
	const requests = [...opening, ...updated]
		.map(({ action }) => REQUESTS[action] ?? 0)
		.reduce((sum, each) => sum + each, closing.length * 2);
	// The run usually reads 100 subscribers with one request.
	const minutes = Math.round((requests + plan.decisions.length / 100) / perMinute);
	if (minutes < 1) return words('');
	const time = minutes === 1 ? 'a minute' : `${numberText(minutes)} minutes`;
	return words(`The next run takes about ${time} at ${perMinute} requests a minute.`, 'number');
}
