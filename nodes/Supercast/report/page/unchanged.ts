/** Whose feeds a run of Sync does not change, as parts of its page. */

import type { Obstacle } from '../../access/reasons';
import { feedNow, joinNames, numberText, personName, recordsOf, statusText } from '../names';
import { countsOf } from '../numbers';
import { REASONS, reasonText } from '../reasons';
import type { ToldRun } from '../run';
import { FEW_LINES, listBlock, words, type Block } from './blocks';

/** Which open feeds are not Sync's own, and why. Daily emails only count them. */
export function notOwnBlock(run: ToldRun, isEmail: boolean): Block {
	const { notOwn } = run;
	if (notOwn.length === 0) return words('');
	const causes = countsOf(notOwn).map(
		([reason, count]) => `${obstacleText(reason)}: ${numberText(count)}`,
	);
	const title = `Open feeds that Sync never closes: ${numberText(notOwn.length)} (${causes.join('; ')})`;
	const isCount = isEmail && !run.settings.dryRun;
	return isCount ? words(`${title}.`, 'quiet') : listBlock(title, 'quiet', notOwnLines(run));
}

function notOwnLines({ notOwn, others }: ToldRun): string[] {
	return notOwn.map(({ subscriber, reason }) => {
		const why = reasonText({ subscriber, reason, action: 'kept', write: {} }, others);
		return `${personName({ subscriber })} (${why})`;
	});
}

function obstacleText(reason: Obstacle): string {
	return REASONS[reason].text.replace(/\{\w+\}/g, '');
}

/** Whose feeds stay as they are because of their records. Unclear people are named elsewhere. */
export function keptBlock({ outcomes, others, isWrong }: ToldRun): Block {
	const kept = isWrong ? [] : outcomes.filter(({ reason }) => reason === 'keep');
	const lines = kept.map((one) => {
		const feed = one.person === undefined ? '' : `, ${feedNow(one.person)}`;
		return `${personName(one)} (${statusText(recordsOf(one)) || reasonText(one, others)}${feed})`;
	});
	return listBlock(`Stays as it is, by Keep: ${numberText(lines.length)}`, 'quiet', lines);
}

/** What to do about open feeds of people who are not on the list, and whom Sync never closes. */
export function guestBlocks(run: ToldRun): Block[] {
	const { outcomes, settings } = run;
	const guests = outcomes.filter(({ reason, ended = [] }) => {
		return reason === 'noCustomerId' && ended.length === 0;
	});
	if (guests.length === 0) return [];
	const names = joinNames(
		guests.map((one) => personName(one)),
		FEW_LINES,
	);
	const one = guests.length === 1;
	return [
		words(
			[
				`Not on the list, and without a customer ID: ${names}. ${one ? 'This feed stays' : 'These feeds stay'} open.`,
				'- Guests and staff: there is nothing to do.',
				'- People who left long ago: close their feeds with Feed: Deactivate.',
				...(settings.close === 'prefix'
					? ['- Members: give them the customer ID of your list in Supercast.']
					: []),
			].join('\n'),
			'quiet',
		),
	];
}
