/** A page about a run of Sync, as blocks that become either a text or HTML. */

/** What a color means: someone has access, someone has none, a number, a decision, an aside. */
export type Tone = 'attention' | 'closed' | 'number' | 'open' | 'quiet';

export interface Count {
	count: number;
	/** What is counted, such as "joined". */
	label: string;
	tone: Tone;
}

/** One bar up, one bar down, and a level, for each date. */
export interface ChartDay {
	date: string;
	opened: number;
	closed: number;
	open: number;
}

export type Block =
	| { kind: 'chart'; days: readonly ChartDay[] }
	| { kind: 'counts'; title: string; counts: readonly Count[] }
	| { kind: 'lights'; lights: ReadonlyArray<{ tone: Tone; text: string }> }
	| ListBlock
	| { kind: 'words'; text: string; tone: Tone };

/** A list of people or of what to do. An email shows the first lines, and how many more there are. */
export interface ListBlock {
	kind: 'list';
	title: string;
	lines: readonly string[];
	tone: Tone;
	/** How many lines an email shows. */
	most?: number;
	/** How many there are, if not all have a line. */
	count?: number;
}

/** So many lines of a list leave room for what needs a person, also on a phone. */
export const FEW_LINES = 12;

const MOST_LINES = 50;

/** So many lines a browser shows without a delay. */
const MOST_ON_PAGE = 5_000;

export function words(text: string, tone: Tone = 'attention'): Block {
	return { kind: 'words', text, tone };
}

export function listBlock(
	title: string,
	tone: Tone,
	lines: readonly string[],
	length: Pick<ListBlock, 'count' | 'most'> = {},
): ListBlock {
	return { kind: 'list', title, tone, lines, ...length };
}

/** @param isEmail Whether there is room for a few lines only. */
export function shownLines(block: ListBlock, isEmail: boolean): string[] {
	const { lines, most = MOST_LINES, count = lines.length } = block;
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
	return textOfBlock(block) === '';
}

/** A block as text. Empty if it shows nothing. */
export function textOfBlock(block: Block): string {
	switch (block.kind) {
		case 'counts':
			return `${printable(block.title)}: ${countsText(block.counts)}.`;
		case 'list':
			return listText(block.title, shownLines(block, true));
		case 'chart':
			return chartText(block.days);
		case 'lights':
			return block.lights.map(({ text }) => printable(text)).join('\n');
		case 'words':
			return block.text.split('\n').map(printable).join('\n');
	}
}

/**
 * Characters that nobody sees, that break a line, or that change the direction of what follows, by
 * their categories in Unicode. Without the joiner, an emoji of several would fall apart.
 */
const UNSEEN =
	/(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of others, such as a name, in one line. */
export function printable(text: string): string {
	return text.replace(UNSEEN, ' ');
}

/** Such as "3 joined, 1 left, 812 open". */
export function countsText(counts: readonly Count[]): string {
	return counts.map(({ count, label }) => `${numberText(count)} ${printable(label)}`).join(', ');
}

function listText(title: string, lines: readonly string[]): string {
	if (lines.length === 0) return '';
	return [`${printable(title)}:`, ...lines.map((line) => `- ${printable(line)}`)].join('\n');
}

/** The chart in words. Empty for a single day, of which the counts are told anyway. */
export function chartText(days: readonly ChartDay[]): string {
	const [first] = days;
	const last = days.at(-1);
	if (first === undefined || last === undefined || first === last) return '';
	const sum = (key: 'closed' | 'opened'): string =>
		numberText(days.reduce((total, day) => total + day[key], 0));
	const start = first.open - first.opened + first.closed;
	const level = `from ${numberText(start)} to ${numberText(last.open)} open feeds`;
	return `In ${days.length} days: ${sum('opened')} joined, ${sum('closed')} left, ${level}.`;
}

/** With a comma for thousands. */
export function numberText(count: number): string {
	return count.toLocaleString('en-US');
}

/** Such as "November 25". */
export function dateText(date: string): string {
	const [, month = '', day = ''] = date.split('-');
	return `${MONTHS[Number(month) - 1] ?? month} ${Number(day)}`;
}

/** Such as "Wednesday". */
export function weekdayOf(date: string): string {
	return WEEKDAYS[new Date(date).getUTCDay()] ?? '';
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const MONTHS = [
	...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
	...['August', 'September', 'October', 'November', 'December'],
];
