/** Reads the pages as a user does: section by section. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

export const pageAt = (path: string): string => readFileSync(join(root, path), 'utf8');

export const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replace(/ /g, '-');

/** The section with this anchor, with its subsections. */
export function sectionOf(text: string, anchor: string): string {
	const heading = [...text.matchAll(/^(#+) (.*)$/gm)].find((one) => anchorOf(one[2]!) === anchor)!;
	const rest = text.slice(heading.index + heading[0].length);
	const end = rest.search(new RegExp(`^#{1,${heading[1]!.length}} `, 'm'));
	return end < 0 ? rest : rest.slice(0, end);
}

/** A person reads about 240 words in a minute, so these words take half a minute. */
export const MOST_WORDS = 120;

/** The words of sentences. People search tables and code instead of reading them. */
const wordsOf = (text: string): number =>
	(
		text
			.replace(/```[\s\S]*?```|^\|.*$/gm, '')
			.replace(/\]\([^)]*\)/g, ']')
			.match(/[\p{L}\p{N}]\S*/gu) ?? []
	).length;

/** How many words a reader passes until the last part of the answer. Each part must be there. */
export function wordsBefore(text: string, answer: readonly RegExp[]): number {
	const ends = answer.map((part) => text.search(part) + part.exec(text)![0].length);
	return wordsOf(text.slice(0, Math.max(...ends)));
}
