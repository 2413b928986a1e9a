/** Why Sync refuses to run, and what to do: one row for each kind of refusal. */

import { InputError } from '../api/errors/errors';
import { unknownMembers } from '../access/sync/list/columns';
import type { ListRefusal, TooManyClosings, TooManyOpenings } from '../access/sync/planned';
import type { SyncRecord } from '../access/sync/record';
import { feeds, joinPeople, subscriberName } from './page/names';
import { timeText } from './wording';

/** What a refusal says. */
interface RefusalTexts {
	message: string;
	description: string;
}

type RefusalRows = {
	[Kind in ListRefusal['kind']]: (
		refusal: ListRefusal & { kind: Kind },
		record: Pick<SyncRecord, 'rows' | 'settings'>,
	) => RefusalTexts;
};

const REFUSALS: RefusalRows = {
	conflicts: ({ unclear, listed }) => ({
		message: `Sync found conflicts for ${unclear} of the ${listed} members on the list`,
		description:
			"Check 'Email' and 'Customer ID'. They must be the ones that Supercast has. If you have moved to another membership system, first replace the customer IDs in Supercast. The documentation says how.",
	}),
	limits: ({ closings, openings }, { settings }) => {
		const exceeded = [
			...(closings === undefined ? [] : [closingTexts(closings, settings.closeAfter)]),
			...(openings === undefined ? [] : [openingTexts(openings)]),
		];
		const who = closings === undefined ? '' : ` ${namesOfClosings(closings)}`;
		return {
			message: `Sync would ${exceeded.map(({ sentence }) => sentence).join('. It would ')}`,
			description: `First check that the list of members is complete. ${wrongListText(closings)} set ${exceeded.flatMap(({ remedies }) => remedies).join(' and ')}. Until then, Sync neither opens nor closes feeds.${who}`,
		};
	},
	otherChannel: () => ({
		message: "Supercast's list has none of the subscribers that Sync knows",
		description:
			'The credential may now belong to another channel, or Supercast may have an outage. Sync changed nothing. If Supercast shows the same subscribers again, Sync continues. If you have moved to another channel, create a new credential for it, and choose it in Sync.',
	}),
	moves: ({ moved, known, limit, percent, from, to }) => ({
		message: `Sync would give a new email to ${moved} of ${known} members whom it knows by customer ID, but the limit is ${limit}`,
		description: `For example, the feed of ${from} would go to ${to}. Check 'Customer ID'. An ID must always name the same person. The number of a row changes when rows are added or sorted. If all these people really have new emails, set 'Max Close (%)' to ${percent} for one run.`,
	}),
	strangers: ({ closings }) => ({
		message: `Sync would ${closingSentence(closings)}, and it recognizes nobody on the list`,
		description:
			"Check 'Email' and 'Customer ID'. They must be the ones that Supercast has. If all members are new, first close the old feeds with Feed: Deactivate.",
	}),
	unknownMembers: ({ unknown, listed }, { rows }) => {
		const { message, description } = unknownMembers(unknown, listed, rows);
		return { message, description: description };
	},
};

/** What the refusal of a run says. Undefined if the run was not refused. */
export function refusalTexts(
	record: Pick<SyncRecord, 'rows' | 'settings'> & { plan: { refusal?: ListRefusal } },
): RefusalTexts | undefined {
	const { refusal } = record.plan;
	if (refusal === undefined) return undefined;
	// TypeScript can't see that each row takes the refusals of its kind.
	const texts = REFUSALS[refusal.kind] as (one: ListRefusal, given: typeof record) => RefusalTexts;
	return texts(refusal, record);
}

/** The error of a real run that was refused. Undefined if it was not. */
export function refusalError(record: SyncRecord): InputError | undefined {
	const texts = refusalTexts(record);
	return texts && new InputError(texts.message, texts.description);
}

/** How to close only the feeds that a wrong list opened. The limit then stays for everyone else. */
function wrongListText(closings: TooManyClosings | undefined): string {
	const { openedTogether: wrong } = closings ?? {};
	if (wrong === undefined) return 'If it is,';
	const time = timeText(wrong.at);
	const these = wrong.feeds === 1 ? 'this feed' : `these ${wrong.feeds} feeds`;
	return `Because of the list from ${time}, Sync opened ${wrong.feeds} of these feeds. If that list was wrong, set 'Wrong List' to "${time}". Sync then closes ${these}, and the limit still applies to all others. If that list was right,`;
}

/** A limit that a plan exceeds, and the settings that would allow it. */
interface ExceededTexts {
	sentence: string;
	remedies: string[];
}

function closingTexts(closings: TooManyClosings, closeAfter: number): ExceededTexts {
	const { percent, count } = closings;
	const runs = closeAfter === 1 ? 'for one run' : `for ${closeAfter} runs`;
	return {
		sentence: closingSentence(closings),
		remedies: [
			...(percent === undefined ? [] : [`'Max Close (%)' to ${percent} ${runs}`]),
			...(count === undefined ? [] : [`'Max Close (Feeds)' to ${count} ${runs}`]),
		],
	};
}

function closingSentence({ closing, inScope, limit }: TooManyClosings): string {
	return `close the feeds of ${closing.length} of ${inScope} subscribers, but the limit is ${limit}`;
}

function openingTexts({ opening, limit, before }: TooManyOpenings): ExceededTexts {
	const why = before === undefined ? '' : `, because the list before had ${before} members`;
	return {
		sentence: `open ${feeds(opening)}, but the limit is ${limit}${why}`,
		remedies: [`'Max Open (Feeds)' to ${opening} for one run`],
	};
}

function namesOfClosings({ closing }: TooManyClosings): string {
	return `Feeds that would close: ${joinPeople(closing.map(subscriberName))}.`;
}
