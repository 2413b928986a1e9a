/** The errors of a run of Sync. */

import { InputError, ServiceError } from '../api/errors/errors';
import { asRecord, textOf } from '../api/json';
import type { AppliedDecision } from '../access/apply';
import { CHANGES, type AccessDecision } from '../access/rules';
import { emailOf, joinNames } from './page/names';
import type { ToldRun } from './run';
import { detailsOf, incompletenessOf } from './incomplete';
import { reasonText, timeText, whoLeft } from './wording';

/** All failures in one error, of the same type as the first failure. Undefined if there is none. */
export function errorOfFailures({ failed, done }: ToldRun): Error | undefined {
	const [first] = failed.map(({ error }) => error);
	if (first === undefined) return undefined;
	const changed = changedIn(done);
	const stillOpen = [
		...failed.filter(({ action }) => action === 'closed'),
		...done.filter(({ reason }) => reason === 'creationFailed'),
	];
	const message = `${failed.length} of ${failed.length + changed.length} changes could not be made. The first: ${first.message}`;
	const description = [
		textOf(asRecord(first).description),
		`Not done: ${listOfNames(failed, 'should be ')}.`,
		changed.length === 0 ? 'Nothing else was done.' : `Done: ${listOfNames(changed)}.`,
		stillOpen.length === 0
			? 'No feed stays open because of this.'
			: `${whoLeft(stillOpen)}, but still open: ${joinNames(stillOpen.map(openSince))}.`,
		'Run Sync again to make the remaining changes.',
	].join(' ');
	return first instanceof ServiceError
		? new ServiceError(message, description, first.failure, first.attempts)
		: new InputError(message, description);
}

/**
 * The error of a run whose list lacks more records than a few people who have just joined or left,
 * or is incomplete again and again. Undefined if there is none. A dry run only warns.
 */
export function incompleteListError({ short, settings, done }: ToldRun): InputError | undefined {
	if (short === undefined || settings.dryRun || !(short.isOften || short.isMany)) return undefined;
	const changed = changedIn(done);
	const often = short.isOften ? `The last ${short.inARow} lists were incomplete. ` : '';
	const what = changed.length === 0 ? 'Sync changed nothing.' : `Done: ${listOfNames(changed)}.`;
	return new InputError(
		`The list ${incompletenessOf(short, ' of your membership system')}`,
		// The workflows tell apart what they have told by how a message begins.
		`${detailsOf(short)}Until the list is complete, Sync opens feeds, but closes no feeds. ${often}${what}`,
	);
}

function changedIn(done: readonly AppliedDecision[]): AppliedDecision[] {
	return done.filter(({ action }) => CHANGES.includes(action));
}

/** The people, and what was decided about them. */
function listOfNames(some: readonly AccessDecision[], before = ''): string {
	return joinNames(some.map((one) => `${emailOf(one)} (${before}${one.action})`));
}

function openSince(one: AppliedDecision): string {
	const { stuckSince } = one;
	return stuckSince === undefined
		? emailOf(one)
		: `${emailOf(one)} (since ${timeText(stuckSince)})`;
}

/** A feed that could not be closed before, since when, and why. Otherwise empty. */
export function stuckText(one: AppliedDecision): string[] {
	const { error, stuckSince } = one;
	if (stuckSince === undefined) return [];
	const why = error?.message ?? reasonText(one);
	return [`${emailOf(one)} (since ${timeText(stuckSince)}: ${why})`];
}
