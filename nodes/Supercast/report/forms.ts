/**
 * The forms in which the summary tells a run. All show the same title and blocks. To add a form,
 * add a row: its name becomes a field of the summary item.
 */

import { textPage, type Block } from './page/blocks';
import { htmlPage } from './page/html';

export interface Told {
	title: string;
	blocks: readonly Block[];
}

export const FORMS = {
	/** One line, for the subject of an email. */
	title: ({ title }: Told) => title,
	/** Several lines, for the body of an email. */
	text: ({ blocks }: Told) => textPage(blocks),
	/** The same report for the body of an email in HTML. */
	html: ({ title, blocks }: Told) => htmlPage(title, blocks),
};

/** A report in all forms. */
export function inAllForms(told: Told): Record<keyof typeof FORMS, string> {
	const entries = Object.entries(FORMS).map(([name, form]) => [name, form(told)]);
	return Object.fromEntries(entries) as Record<keyof typeof FORMS, string>;
}
