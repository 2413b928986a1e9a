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

/** Every kind, and what the server sends. All of them come with status 200. */
export const PAGE_FAULTS = {
	/** A web page, for example from a cache or a firewall. */
	html: { leaves: 'nothing' },
	/** A notice from PHP before the JSON. */
	notice: { leaves: 'nothing' },
	/** The first half of the page's text. */
	cut: { leaves: 'nothing' },
	/** An empty object, `{}`. */
	emptyObject: { leaves: 'nothing' },
	/** Only an object with `errors`. */
	errors: { leaves: 'nothing' },
	/** Half of the page's records, and `errors`. */
	errorsWithData: { leaves: 'fewer' },
	/** A page without records, but with all other fields. */
	emptyPage: { leaves: 'fewer' },
	/** A page that says that it is the last page. */
	endsEarly: { leaves: 'fewer', needsPages: true },
	/** A page without one of its records. The total still counts this record. */
	recordLeftOut: { leaves: 'fewer' },
	/** A complete page, after which its last record is deleted. So the next page skips a record. */
	recordGone: { leaves: 'fewer', needsPages: true },
	/** Members who joined in the same second, in another order. */
	tiesShuffled: { leaves: 'fewer', lasts: true, needsPages: true },
	/** A total that is five too high. */
	totalAbove: { leaves: 'everyone', lasts: true, needsTotal: true },
	/** No total. */
	totalMissing: { leaves: 'everyone', lasts: true, needsTotal: true },
	/** The first page again. */
	pageIgnored: { leaves: 'no end', lasts: true, needsPages: true },
	/** As `pageIgnored`, but each response contains another text. */
	nonce: { leaves: 'no end', lasts: true, needsPages: true },
	/** The first page and the second page alternately. */
	pagesAlternate: { leaves: 'no end', lasts: true, needsPages: true },
	/** A page whose link to the next page leads to the same page. */
	cursorRepeats: { leaves: 'no end', lasts: true, needsPages: true },
	/** No records, and the name of a next page. */
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
