/** All numbers of a run, for workflows that decide something by them. The texts tell the same ones. */

import type { IDataObject } from 'n8n-workflow';

import type { Obstacle } from '../access/reasons';
import type { AccessAction } from '../access/rules';
import type { StatusCount } from '../access/sync/statuses';
import { groupBy } from '../operations/groupBy';
import type { ToldRun } from './run';

/** How many records the list lacks. Null if nobody can tell. */
function recordsMissing({ incomplete }: ToldRun): number | null {
	if (incomplete.some(({ kind }) => kind === 'unknownNumber')) return null;
	const [missing] = incomplete.flatMap((one) => (one.kind === 'missingRecords' ? one : []));
	return missing === undefined ? 0 : missing.expected - missing.read;
}

/** How many feeds have each reason. */
export function countsOf(notOwn: ToldRun['notOwn']): Array<[Obstacle, number]> {
	const groups = groupBy(notOwn, ({ reason }) => reason);
	return [...groups].map(([reason, all]) => [reason, all.length]);
}

/** How many members the list has: the people with Open. */
export function membersOf({ people }: Pick<ToldRun, 'people'>): number {
	return people.filter(({ access }) => access === 'open').length;
}

/** How many people the list names, ended ones too. */
export function listedIn({ statuses }: Pick<ToldRun, 'statuses'>): number {
	return statuses.reduce((sum, { people }) => sum + people, 0);
}

/** Why the access is given is for people, so only the page has it. */
function statusItem({ access, people, product, status }: StatusCount): IDataObject {
	return { access, people, product, status };
}

export function numbersItem(run: ToldRun): IDataObject {
	const { plan, openFeeds, waiting, withoutFeed, conflicts, unclear, channel, failed } = run;
	const { closing, opening, wrong } = plan;
	return {
		...countActions(run),
		failed: failed.length,
		members: membersOf(run),
		open: openFeeds.size,
		closingNext: waiting.length,
		payersWithoutFeed: withoutFeed.length,
		conflicts: conflicts.length,
		unclear: unclear.length,
		notOwn: Object.fromEntries(countsOf(run.notOwn)),
		statuses: run.statuses.map(statusItem),
		channel,
		limit: {
			isExceeded: run.exceeded !== undefined || opening.isOver,
			closing: {
				...{ limit: closing.limit, percent: closing.percent, of: closing.of },
				...{ used: closing.used, due: closing.due, moves: closing.moves },
				allowed: closing.allowed,
			},
			opening: {
				...{
					limit: Number.isFinite(opening.limit) ? opening.limit : null,
					percent: opening.percent,
					of: opening.of,
				},
				wanted: opening.wanted,
			},
		},
		wrong: wrong?.kind ?? null,
		incomplete: run.next.incomplete,
		recordsMissing: recordsMissing(run),
		listed: listedIn(run),
		known: plan.known,
	};
}

function countActions({ outcomes, isWrong }: ToldRun): Record<AccessAction, number> {
	const counts = { created: 0, reopened: 0, updated: 0, closed: 0, kept: 0, unchanged: 0 };
	// If the list is wrong, nothing of what it asks for is done.
	const done = isWrong ? [] : outcomes.filter(({ error }) => error === undefined);
	for (const { action } of done) counts[action] += 1;
	return counts;
}
