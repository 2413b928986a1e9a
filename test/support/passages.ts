/** The pages as a reader meets them: paragraph by paragraph, and row by row. */

import { anchorOf, pageAt } from './pages';

/** A paragraph, an item of a list, or a row of a table. */
export interface Passage {
	page: string;
	/** The anchors of the headings above it, the nearest last. */
	anchors: readonly string[];
	/** Without markup. */
	text: string;
}

/** The passages of a page, without its code. */
export function passagesIn(page: string): Passage[] {
	const passages: Passage[] = [];
	let anchors: string[] = [];
	let lines: string[] = [];
	const end = (): void => {
		const text = plain(lines.join(' '));
		if (text !== '') passages.push({ page, anchors, text });
		lines = [];
	};
	for (const line of pageAt(page)
		.replace(/```[\s\S]*?```/g, '')
		.split('\n')) {
		const [, marks = '', heading = ''] = /^(#+) (.*)$/.exec(line) ?? [];
		if (/^\s*(?:$|#|\||[-*] |\d+\. )/.test(line)) end();
		if (marks === '') lines.push(line);
		else anchors = [...anchors.slice(0, marks.length - 1), anchorOf(heading)];
	}
	end();
	return passages;
}

/** Text as it is shown: links are their words, and bold text and code have no marks. */
function plain(markdown: string): string {
	return markdown
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/[*`]/g, '')
		.replace(/\s+/g, ' ')
		.trim();
}
