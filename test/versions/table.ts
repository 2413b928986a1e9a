import type { Count } from './suite';

/** The results of one version. */
export interface Row {
	n8n: string;
	node: string;
	engine: Count;
	/** Missing if only the engine is tested. */
	server?: Count;
}

const begin = '<!-- versions: begin -->';
const end = '<!-- versions: end -->';

const header = ['n8n', 'Node', "tests on n8n's engine", 'tests in the real server'];

/** The table as Markdown, its columns aligned. */
export function tableOf(rows: Row[]): string {
	const cells = rows.map(({ n8n, node, engine, server }) => [
		n8n,
		node,
		inWords(engine),
		server === undefined ? '–' : inWords(server),
	]);
	const lines = [header, ...cells];
	const widths = header.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
	const format = (line: string[]): string =>
		`| ${line.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
	const rule = widths.map((width) => '-'.repeat(width));
	return [format(header), format(rule), ...cells.map(format)].join('\n');
}

/**
 * Inserts a table between the marks in a text.
 *
 * @throws Error when the marks are missing.
 */
export function insertTable(text: string, table: string): string {
	const from = text.indexOf(begin);
	const to = text.indexOf(end);
	if (from < 0 || to < from) throw new Error(`The text has no ${begin} followed by ${end}`);
	return `${text.slice(0, from + begin.length)}\n\n${table}\n\n${text.slice(to)}`;
}

/** The number of tests changes with every commit, so only a failed run shows numbers. */
function inWords({ passed, failed }: Count): string {
	return failed === 0 ? 'passed' : `${failed} failed, ${passed} passed`;
}
