/** A fact that pages have repeated, and the place where it stands. */
export interface Fact {
	fact: string;
	/** A page, and the anchor of a heading. */
	home: string;
	/** Recognizes a passage that states the fact. A mention or a link does not match. */
	statement: RegExp;
	/** Whether the README may sum it up. */
	inReadme?: boolean;
	/** Other words in which pages have stated the fact. */
	alsoAs: string[];
}
