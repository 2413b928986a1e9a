/**
 * What is left for someone who believes every page: `nothing` (no page of the system's own),
 * `fewer` (members are missing), `no end` (another page always follows), `everyone`.
 */
export type Left = 'nothing' | 'fewer' | 'no end' | 'everyone';

interface PageFaultFacts {
	leaves: Left;
	/** Whether it also affects all pages after the one that the fault names. */
	lasts?: true;
	/** Whether it needs a second page, so a list in one file can't have it. */
	needsPages?: true;
	/** Whether it needs a count of the whole list, which Stripe and a file don't have. */
	needsTotal?: true;
}

/** Every kind. All of them come with status 200. `simulators/memberships/README.md` describes each. */
export const PAGE_FAULTS = {
	html: { leaves: 'nothing' },
	notice: { leaves: 'nothing' },
	cut: { leaves: 'nothing' },
	emptyObject: { leaves: 'nothing' },
	errors: { leaves: 'nothing' },
	errorsWithData: { leaves: 'fewer' },
	emptyPage: { leaves: 'fewer' },
	endsEarly: { leaves: 'fewer', needsPages: true },
	recordLeftOut: { leaves: 'fewer' },
	recordGone: { leaves: 'fewer', needsPages: true },
	tiesShuffled: { leaves: 'fewer', lasts: true, needsPages: true },
	totalAbove: { leaves: 'everyone', lasts: true, needsTotal: true },
	totalMissing: { leaves: 'everyone', lasts: true, needsTotal: true },
	pageIgnored: { leaves: 'no end', lasts: true, needsPages: true },
	nonce: { leaves: 'no end', lasts: true, needsPages: true },
	pagesAlternate: { leaves: 'no end', lasts: true, needsPages: true },
	cursorRepeats: { leaves: 'no end', lasts: true, needsPages: true },
	pagesEmpty: { leaves: 'no end', lasts: true, needsPages: true },
} as const satisfies Record<string, PageFaultFacts>;

/** The name of a kind. */
export type PageFaultKind = keyof typeof PAGE_FAULTS;

/** What all kinds have in common, for tests that try each of them. */
export const pageFaultFacts: Record<PageFaultKind, PageFaultFacts> = PAGE_FAULTS;

/** A fault that a test injects into the pages of a mock server. */
export interface PageFault {
	kind: PageFaultKind;
	/** The number of the page, from 1. Without it, all pages. */
	page?: number;
	/** How many responses it affects. Without it, all of them. */
	times?: number;
}

/** Finds the fault of a page, and counts it. */
export function duePageFault(all: PageFault[], page: number): PageFault | undefined {
	const fault = all.find((one) => one.times !== 0 && isOn(one, page));
	if (fault?.times !== undefined) fault.times -= 1;
	return fault;
}

function isOn({ kind, page }: PageFault, asked: number): boolean {
	if (page === undefined) return true;
	return page === asked || (pageFaultFacts[kind].lasts === true && asked > page);
}
