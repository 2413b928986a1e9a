/** The lists that the workflows read, each named after its system. */
export type MemberList = 'stripe' | 'patreon' | 'memberful' | 'ghost' | 'woocommerce' | 'list';

/**
 * What is left for someone who believes every page: `nothing` (no page of the system's own),
 * `fewer` (members are missing), `no end` (another page always follows), `everyone`.
 */
export type Left = 'nothing' | 'fewer' | 'no end' | 'everyone';

interface DamageFacts {
	leaves: Left;
	/** Whether it also affects all pages after the one that a damage names. */
	lasts?: true;
	/** Whether it needs a second page, so a list in one file can't have it. */
	needsPages?: true;
	/** Whether it needs a count of the whole list, which Stripe and a file don't have. */
	needsTotal?: true;
}

/** Every damage. All of them come with status 200. `simulators/memberships/README.md` describes each. */
export const DAMAGES = {
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
} as const satisfies Record<string, DamageFacts>;

/** The name of a damage. */
export type DamageKind = keyof typeof DAMAGES;

/** What all damages have in common, for tests that try each of them. */
export const damageFacts: Record<DamageKind, DamageFacts> = DAMAGES;

/** A damage to a list. */
export interface Damage {
	list: MemberList;
	kind: DamageKind;
	/** The number of the page, from 1. Without it, all pages. */
	page?: number;
	/** How many responses it affects. Without it, all of them. */
	times?: number;
}

/** Finds the damage to a page, and counts it. */
export function dueDamage(all: Damage[], list: MemberList, page: number): Damage | undefined {
	const damage = all.find((one) => one.list === list && one.times !== 0 && isOn(one, page));
	if (damage?.times !== undefined) damage.times -= 1;
	return damage;
}

function isOn({ kind, page }: Damage, asked: number): boolean {
	if (page === undefined) return true;
	return page === asked || (damageFacts[kind].lasts === true && asked > page);
}
