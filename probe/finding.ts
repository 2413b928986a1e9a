import type { Limit } from './evidence/limit';
import type { ProbedReading } from './evidence/reading';
import type { Writing } from './evidence/writing';

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

/** A statement about Supercast, and how certain it is. */
export interface Fact {
	/** The statement itself. */
	fact: string;
	/** What the probe expects, in a few words. */
	expected: string;
	/** Its source; empty if there is none. */
	source:
		'' | 'client' | 'help' | 'integrations' | 'reference' | 'specification' | 'client, reference';
	/** How certain it is, and what the package does about it. */
	certainty: string;
	/** The part of the probe that checks it; `nothing` if none does. */
	foundBy: 'limit' | 'nothing' | 'reading' | 'write';
	/** Describes the result. Without it, the probe has no row for the fact. */
	judge?: (evidence: Evidence) => Finding;
}

export const holds = (seen: string): Finding => ({ verdict: 'holds', seen });
export const doesNot = (seen: string): Finding => ({ verdict: 'does not hold', seen });
export const unclear = (seen: string): Finding => ({ verdict: 'unknown', seen });

/** A finding that depends on a condition, with one text for both cases. */
export const holdsIf = (condition: boolean, seen: string): Finding =>
	condition ? holds(seen) : doesNot(seen);

/** A finding about writing. Undefined if the probe did not write. */
export function ofWriting(judge: (writing: Writing) => Finding): Fact['judge'] {
	return ({ writing }) =>
		writing === undefined ? unclear('not tried (needs --write)') : judge(writing);
}
