import type { Limit } from './evidence/limit';
import type { ProbedReading } from './evidence/reading';
import type { Writing } from './evidence/writing';
import type { Answer } from './service';

export type Verdict = 'holds' | 'does not hold' | 'unknown';

/**
 * The probe's finding about one fact. `seen` holds no personal data: only statuses, forms and field
 * names.
 */
export interface Finding {
	verdict: Verdict;
	seen: string;
}

/** All results. `writing` and `limit` are there if they were requested. */
export interface Evidence {
	reading: ProbedReading;
	writing?: Writing;
	limit?: Limit;
}

export type Judge = (evidence: Evidence) => Finding;

export const holds = (seen: string): Finding => ({ verdict: 'holds', seen });
export const doesNot = (seen: string): Finding => ({ verdict: 'does not hold', seen });
export const unclear = (seen: string): Finding => ({ verdict: 'unknown', seen });
export const notReached = (): Finding => unclear('the probe did not get this far');

/** A finding that depends on a condition, with one text for both cases. */
export const holdsIf = (condition: boolean, seen: string, otherwise = seen): Finding =>
	condition ? holds(seen) : doesNot(otherwise);

/** A response in words: its status and its form. */
export const inWords = ({ status, form }: Answer): string =>
	status === 0 ? form : `${status}, ${form}`;

/** Whether a response says something about Supercast, unlike an outage or a used-up limit. */
export const isTelling = ({ status }: Answer): boolean => ![0, 429, 502, 503, 504].includes(status);

/**
 * A finding about a response.
 *
 * @param without The finding if the request was not sent.
 */
export function ofAnswer(
	answer: Answer | undefined,
	judge: (answer: Answer) => Finding,
	without = notReached(),
): Finding {
	if (answer === undefined) return without;
	return isTelling(answer) ? judge(answer) : unclear(inWords(answer));
}

/** A finding about writing. Unknown if the probe did not write. */
export const ofWriting =
	(judge: (writing: Writing) => Finding): Judge =>
	({ writing }) =>
		writing === undefined ? unclear('not tried (needs --write)') : judge(writing);
