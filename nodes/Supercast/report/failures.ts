/** What a run says of which some changes failed. */

import { hasUnknownOutcome, InputError, ServiceError } from '../api/errors/errors';
import { asRecord, textOf } from '../api/json';
import { CHANGES } from '../access/rules';
import { joinNames, numberText, personName } from './names';
import type { ToldRun } from './run';

/** All failures in one error, of the same type as the first failure. Undefined if there is none. */
export function errorOfFailures(run: ToldRun): InputError | ServiceError | undefined {
	const { failed, outcomes, closed } = run;
	const [first] = failed.map(({ error }) => error);
	if (first === undefined) return undefined;
	const all = outcomes.filter(({ action }) => CHANGES.includes(action)).length;
	const message = `${numberText(failed.length)} of ${numberText(all)} changes failed`;
	const description = [
		`The first: ${first.message}. ${textOf(asRecord(first).description)}`.trim(),
		namesUnder(
			'Not done',
			failed.filter(({ error }) => !hasUnknownOutcome(error)),
		),
		namesUnder(
			'Perhaps done, which nobody knows',
			failed.filter(({ error }) => hasUnknownOutcome(error)),
		),
		closed.length === 0 ? '' : `Closed: ${joinNames(closed.map((one) => personName(one)))}.`,
		'The next run tries again.',
	];
	const text = description.filter((part) => part !== '').join(' ');
	return first instanceof ServiceError
		? new ServiceError(message, text, first.failure, first.attempts)
		: new InputError(message, text);
}

function namesUnder(heading: string, some: ToldRun['failed']): string {
	const names = some.map((one) => `${personName(one)} (should be ${one.action})`);
	return names.length === 0 ? '' : `${heading}: ${joinNames(names)}.`;
}
