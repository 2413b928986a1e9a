import type { Limit } from './evidence/limit';
import type { ProbedReading } from './evidence/reading';
import type { Writing } from './evidence/writing';
import { inWords, isTelling, type Answer } from './answer';

export type Verdict = 'holds' | 'does not hold' | 'unknown';

/**
 * What the probe found out about one fact. `seen` contains no personal data, but only statuses,
 * formats and field names.
 */
export interface Finding {
	verdict: Verdict;
	seen: string;
}

/** All results. `writing` and `limit` are present if they were requested. */
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

/** A finding that depends on a condition, with a text for each case. */
export const holdsIf = (condition: boolean, seen: string, otherwise = seen): Finding =>
	condition ? holds(seen) : doesNot(otherwise);

/**
 * A finding about a response.
 * @param without The finding if the probe did not send the request.
 */
export function ofAnswer(
	answer: Answer | undefined,
	judge: (answer: Answer) => Finding,
	without = notReached(),
): Finding {
	if (answer === undefined) return without;
	return isTelling(answer) ? judge(answer) : unclear(inWords(answer));
}

/** A finding about a write request. Unknown if the probe did not write. */
export const ofWriting =
	(judge: (writing: Writing) => Finding): Judge =>
	({ writing }) =>
		writing === undefined ? unclear('not tried (needs --write)') : judge(writing);
