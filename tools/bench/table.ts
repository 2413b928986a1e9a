/** The measurements as a table. */

/** One line of the table. */
export interface Row {
	what: string;
	measured: string;
	goal: string;
	/** Undefined for a value that is only shown for comparison. */
	reached?: boolean;
}

/** A line with a number as its upper limit. */
export function atMost(what: string, value: number, goal: number, unit = ''): Row {
	return { what, measured: show(value, unit), goal: `≤ ${goal}${unit}`, reached: value <= goal };
}

/** A line with a number as its lower limit. */
export function atLeast(what: string, value: number, goal: number, unit = ''): Row {
	return { what, measured: show(value, unit), goal: `≥ ${goal}${unit}`, reached: value >= goal };
}

/** A line whose goal must be met exactly. */
export function exactly(what: string, value: number, goal: number): Row {
	return { what, measured: String(value), goal: `= ${goal}`, reached: value === goal };
}

/** A line without a goal. */
export function shown(what: string, measured: string): Row {
	return { what, measured, goal: '' };
}

function show(value: number, unit: string): string {
	return `${value.toFixed(Math.abs(value) < 10 ? 3 : 1)}${unit}`;
}

/** The middle one of these values, or the higher one of two. Infinite if there are none. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((one, other) => one - other);
	return sorted[Math.floor(sorted.length / 2)] ?? Infinity;
}

/** What a page says was measured: each value by the title of its section and its row. */
export type Measured = ReadonlyMap<string, string>;

const keyOf = (title: string, what: string): string => `${title} | ${what}`;

/** Reads the values from the tables of a page that `section` made. */
export function measuredIn(page: string): Measured {
	const found = new Map<string, string>();
	let title = '';
	let column = 0;
	for (const line of page.split('\n')) {
		if (line.startsWith('### ')) title = line.slice(4).trim();
		const cells = line.split('|').map((cell) => cell.trim());
		const [, what] = cells;
		if (what === 'what') column = cells.indexOf('measured');
		const measured = cells[column];
		if (what !== undefined && measured !== undefined) found.set(keyOf(title, what), measured);
	}
	return found;
}

/** The Markdown of a section. Beside each value is the one that was measured before. */
export function section(title: string, rows: Row[], before: Measured): string {
	const lines = rows.map(({ what, measured, goal, reached }) => {
		const verdict = reached === undefined ? '' : reached ? 'yes' : '**no**';
		const last = before.get(keyOf(title, what)) ?? '';
		return `| ${what} | ${last} | ${measured} | ${goal} | ${verdict} |`;
	});
	return [
		`### ${title}`,
		'',
		'| what | before | measured | goal | reached |',
		'|---|---|---|---|---|',
		...lines,
		'',
	].join('\n');
}
