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

/** The Markdown of a section. */
export function section(title: string, rows: Row[]): string {
	const lines = rows.map(({ what, measured, goal, reached }) => {
		const verdict = reached === undefined ? '' : reached ? 'yes' : '**no**';
		return `| ${what} | ${measured} | ${goal} | ${verdict} |`;
	});
	return [
		`### ${title}`,
		'',
		'| what | measured | goal | reached |',
		'|---|---|---|---|',
		...lines,
		'',
	].join('\n');
}
