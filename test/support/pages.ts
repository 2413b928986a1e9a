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
