/** What a run says that stopped: why, who is concerned, and the one thing to do. */

import { proposeAllowance } from '../access/allowOnce';
import type { AppliedDecision } from '../access/apply';
import type { WrongList } from '../access/sync/plan';
import { conflictTexts } from './conflicts';
import { remediesFor, whatIsMissing } from './incomplete';
import { asRecord, textOf } from '../api/json';
import {
	counted,
	feeds,
	joinNames,
	nameOfPerson,
	numberText,
	people,
	personName,
	shownWord,
} from './names';
import { listedIn } from './numbers';
import type { ExceededLimit, ToldRun } from './run';

export interface StopTexts {
	/**
	 * What happened, without a word of the list, of Supercast or of a person, because n8n reads it:
	 * an error whose message has the word "canceled" is no error for n8n (n8n-core 2.41).
	 */
	message: string;
	/** For the subject of an email. */
	title: string;
	/** Who is concerned, and what to do. */
	description: string;
}

/** After so many incomplete lists in a row, a run fails. */
const MOST_INCOMPLETE = 2;

type WrongRows = {
	[Kind in WrongList['kind']]: (run: ToldRun, wrong: WrongList & { kind: Kind }) => StopTexts;
};

const NOBODY_LISTED =
	'Sync never treats an empty list as the end of all memberships. Check the node that reads the list, and the filter after it. If nobody is a member any more, close the feeds with Feed: Deactivate.';

const WRONG: WrongRows = {
	namesNobody: (run) => {
		const [first] = run.list.invalid;
		const why = first === undefined ? '' : `${first.error.message}. `;
		return {
			...stopped(run, 'the list names nobody'),
			description: `${feeds(run.openFeeds.size)} are open. ${why}${remedyOf(first?.error) || NOBODY_LISTED}`,
		};
	},
	tooManyOpenings: (run, { limit }) => ({
		...stopped(
			run,
			`${feeds(limit.wanted)} would open`,
			`, but the limit is ${numberText(limit.limit)}`,
		),
		description: `${knownText(run)} Who would get a feed: ${openingNames(run)}. Check the filter of the list. If all of them pay, ${allow('open', limit.wanted, run)}`,
	}),
	unclearPeople: (run, { conflicts, unknown, records }) => ({
		...stopped(
			run,
			`it is unclear who ${numberText(conflicts + unknown)} of ${counted(records, 'record')} are`,
		),
		description: [
			knownText(run),
			unknown > 0
				? `${counted(unknown, 'record')} have neither an email nor a customer ID that Supercast has. The first ones: ${namelessIn(run)}.`
				: '',
			conflictsText(run),
			"Check the fields in 'Email' and 'Customer ID' of Sync.",
		]
			.filter((part) => part !== '')
			.join(' '),
	}),
	unknownList: (run) => ({
		...stopped(run, 'Supercast has nobody on the list'),
		description: `${knownText(run)} Supercast had ${people(run.next.known)} of the list before. The first ones: ${listedNames(run)}. Check that the credential is that of the right channel, and the fields in 'Email' and 'Customer ID'. If all of them are new, ${allow('open', Math.max(1, run.plan.opening.wanted), run)}`,
	}),
};

/** What a wrong list says. Undefined if the list is not wrong. */
export function wrongTexts(run: ToldRun): StopTexts | undefined {
	const { wrong } = run.plan;
	return wrong && WRONG[wrong.kind](run, wrong as never);
}

/** What a run says that is over the limit. Undefined if it is not. With 0, it closes nothing anyway. */
export function limitTexts(run: ToldRun): StopTexts | undefined {
	const { closing } = run.plan;
	if (run.exceeded === undefined || closing.percent === 0) return undefined;
	const limit = `, but the limit is ${numberText(closing.limit)} in 24 hours`;
	const used =
		closing.used === 0
			? ''
			: `Of these ${numberText(closing.limit)}, ${numberText(closing.used)} ${closing.used === 1 ? 'is' : 'are'} used up. `;
	const { due, moves } = run.exceeded;
	return {
		...stopped(run, whatIsOver(run.exceeded), limit),
		description: `${used}${knownText(run)} These feeds stay as they are: ${namesOver(run)}. Check these people in your membership system. If the list is right, ${allow('close', due.length + moves, run)}`,
	};
}

function whatIsOver({ due, moves }: ExceededLimit): string {
	const parts = [
		due.length > 0 || moves === 0 ? `${feeds(due.length)} would close` : '',
		moves > 0 ? `${feeds(moves)} would go to another email` : '',
	];
	return parts.filter((part) => part !== '').join(' and ');
}

function namesOver({ exceeded, outcomes }: ToldRun): string {
	const moved = outcomes.filter((one) => one.reason === 'overLimit' && one.person !== undefined);
	const names = moved.map(
		(one) => `${shownWord(one.subscriber?.email ?? '')} to ${shownWord(one.person?.email ?? '')}`,
	);
	return joinNames([...(exceeded?.due ?? []).map((one) => personName(one)), ...names]);
}

/** What the third incomplete list in a row says, and each later one. Undefined before. */
export function incompleteTexts(run: ToldRun): StopTexts | undefined {
	const { incomplete, next } = run;
	if (incomplete.length === 0 || run.isWrong || next.incomplete <= MOST_INCOMPLETE)
		return undefined;
	const title = `Sync closes no feeds: the last ${numberText(next.incomplete)} lists were incomplete`;
	const waiting = run.outcomes.filter(({ reason }) => reason === 'incomplete');
	const names =
		waiting.length === 0
			? ''
			: ` These feeds stay open until then: ${joinNames(waiting.map((one) => personName(one)))}.`;
	return {
		...{ title, message: title },
		description: `${knownText(run)} The list ${whatIsMissing(incomplete)}. ${remediesFor(incomplete)} Until a list is complete, Sync only opens feeds.${names}`,
	};
}

/** How a stop begins, in an error and in a title. */
function stopped(
	{ settings }: ToldRun,
	what: string,
	limit = '',
): Pick<StopTexts, 'message' | 'title'> {
	const title = `${settings.dryRun ? 'Sync would stop' : 'Sync stopped'}: ${what}`;
	return { title, message: `${title}${limit}` };
}

function knownText(run: ToldRun): string {
	return `Supercast has ${numberText(run.plan.known)} of the ${people(listedIn(run))} on the list.`;
}

function allow(kind: 'close' | 'open', count: number, { endedAt }: ToldRun): string {
	return `enter this text in the option 'Allow Once': ${proposeAllowance(kind, count, endedAt)}`;
}

function openingNames({ outcomes }: ToldRun): string {
	const opening = outcomes.filter(({ action }) => action === 'created' || action === 'reopened');
	return joinNames(opening.map((one) => personName(one)));
}

function namelessIn({ people: all, list }: ToldRun): string {
	const nameless = all.filter((one) => one.email === '' && one.subscribers.length === 0);
	const items = list.invalid.map(({ item }) => `item ${item}`);
	return joinNames([...nameless.map(nameOfPerson), ...items]);
}

function listedNames({ people: all }: ToldRun): string {
	return joinNames(all.map(nameOfPerson));
}

function conflictsText({ conflicts }: ToldRun): string {
	if (conflicts.length === 0) return '';
	const names = joinNames(conflicts.map((one: AppliedDecision) => personName(one)));
	const [first] = conflicts;
	const { what = '', cure = '' } = first?.person ? conflictTexts(first.person) : {};
	return `In conflict: ${names}. The first: ${what}. ${cure}`;
}

function remedyOf(error: Error | undefined): string {
	return textOf(asRecord(error).description);
}
