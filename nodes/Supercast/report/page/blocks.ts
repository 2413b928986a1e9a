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
	| { kind: 'list'; title: string; lines: readonly string[]; tone: Tone }
	| { kind: 'words'; text: string; tone: Tone };

export function listBlock(title: string, tone: Tone, lines: readonly string[]): Block {
	return { kind: 'list', title, tone, lines };
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

function textOfBlock(block: Block): string {
	switch (block.kind) {
		case 'counts':
			return `${block.title}: ${countsText(block.counts)}.`;
		case 'list':
			return listText(block.title, block.lines);
		case 'chart':
			return chartText(block.days);
		case 'lights':
			return block.lights.map(({ text }) => text).join('\n');
		case 'words':
			return block.text;
	}
}

/** Such as "3 joined, 1 left, 812 open". */
export function countsText(counts: readonly Count[]): string {
	return counts.map(({ count, label }) => `${numberText(count)} ${label}`).join(', ');
}

function listText(title: string, lines: readonly string[]): string {
	return lines.length === 0 ? '' : [`${title}:`, ...lines.map((line) => `- ${line}`)].join('\n');
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
