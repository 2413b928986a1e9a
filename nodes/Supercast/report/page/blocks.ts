/** A page about a run of Sync, as blocks that become either a text or HTML. */

import { numberText, printable } from '../names';

/** What a color means: someone has access, someone has none, a number, a decision, an aside. */
export type Tone = 'attention' | 'closed' | 'number' | 'open' | 'quiet';

export interface Count {
	count: number;
	/** What is counted, such as "joined". */
	label: string;
	tone: Tone;
}

export type Block =
	| { kind: 'counts'; title: string; counts: readonly Count[] }
	| { kind: 'words'; text: string; tone: Tone }
	| ListBlock;

/** A list of people or of what to do. An email shows the first lines, and how many more there are. */
export interface ListBlock {
	kind: 'list';
	title: string;
	lines: readonly string[];
	tone: Tone;
	/** How many lines an email shows. */
	most: number;
	/** How many there are, if not all have a line. */
	count: number;
}

/** So many lines of a list leave room for what needs a person, also on a phone. */
export const FEW_LINES = 12;

/** So many lines a browser shows without a delay. */
const MOST_ON_PAGE = 5_000;

export function words(text: string, tone: Tone = 'attention'): Block {
	return { kind: 'words', text, tone };
}

export function listBlock(
	title: string,
	tone: Tone,
	lines: readonly string[],
	{ most = FEW_LINES, count = lines.length }: Partial<ListBlock> = {},
): ListBlock {
	return { kind: 'list', title, tone, lines, most, count };
}

/** @param isEmail Whether there is room for a few lines only. */
export function shownLines({ lines, most, count }: ListBlock, isEmail: boolean): string[] {
	const shown = lines.slice(0, isEmail ? most : MOST_ON_PAGE);
	const more = count - shown.length;
	return more > 0 ? [...shown, `and ${numberText(more)} more`] : shown;
}

/** The text of an email. Blocks without content are left out. */
export function textPage(blocks: readonly Block[]): string {
	return blocks
		.map(textOfBlock)
		.filter((one) => one !== '')
		.join('\n\n');
}

/** Whether a block shows nothing. */
export function isEmptyBlock(block: Block): boolean {
	return block.kind === 'list' ? block.lines.length === 0 : textOfBlock(block) === '';
}

/** A block as text. Empty if it shows nothing. */
export function textOfBlock(block: Block): string {
	switch (block.kind) {
		case 'counts':
			return `${printable(block.title)}: ${countsText(block.counts)}.`;
		case 'list':
			return listText(block);
		case 'words':
			return block.text.split('\n').map(printable).join('\n');
	}
}

/** Such as "3 joined, 1 left, 812 open". */
export function countsText(counts: readonly Count[]): string {
	return counts.map(({ count, label }) => `${numberText(count)} ${printable(label)}`).join(', ');
}

function listText(block: ListBlock): string {
	if (block.lines.length === 0) return '';
	const lines = shownLines(block, true).map((line) => `- ${printable(line)}`);
	return [`${printable(block.title)}:`, ...lines].join('\n');
}
