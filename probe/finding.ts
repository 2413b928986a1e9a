import type { Limit } from './evidence/limit';
import type { ProbedReading } from './evidence/reading';
import type { Writing } from './evidence/writing';

export type Verdict = 'holds' | 'does not hold' | 'unknown';

/** What the probe says of one fact. `seen` holds no data of anybody: statuses, forms and names of fields. */
export interface Finding {
	verdict: Verdict;
	seen: string;
}

/** All that was seen; `writing` and `limit` are there when they were asked for. */
export interface Evidence {
	reading: ProbedReading;
	writing?: Writing;
	limit?: Limit;
}

/** A statement about the service, and how far it is known. */
export interface Fact {
	/** What is said of the service. */
	fact: string;
	/** What the probe expects to see, in a few words. */
	expected: string;
	/** Where it stands; empty when nowhere. */
	source:
		'' | 'client' | 'help' | 'integrations' | 'reference' | 'specification' | 'client, reference';
	/** How sure it is, and what the package does about it. */
	certainty: string;
	/** Which part of the probe finds it out; `nothing` when none does. */
	foundBy: 'limit' | 'nothing' | 'reading' | 'write';
	/** Says what was seen. Without it, the probe has no row for the fact. */
	judge?: (evidence: Evidence) => Finding;
}

export const holds = (seen: string): Finding => ({ verdict: 'holds', seen });
export const doesNot = (seen: string): Finding => ({ verdict: 'does not hold', seen });
export const unclear = (seen: string): Finding => ({ verdict: 'unknown', seen });

/** A finding by a condition, with one text for both ways. */
export const holdsIf = (condition: boolean, seen: string): Finding =>
	condition ? holds(seen) : doesNot(seen);

/** A finding on what writing showed; without it there is none. */
export function ofWriting(judge: (writing: Writing) => Finding): Fact['judge'] {
	return ({ writing }) =>
		writing === undefined ? unclear('not tried (needs --write)') : judge(writing);
}
