import { hostKind, LISTS, type ListName, type ProbedReading } from './evidence/reading';
import { facts, type FactId } from './facts';
import type { Evidence, Finding, Verdict } from './finding';
import { withPlaces } from './places';
import type { ProbeOutcome } from './run';
import { recordOf, shapeOf, type Fields } from './shapes';

/** One row: a fact and its finding. */
export interface ReportRow extends Finding {
	id: FactId;
	fact: string;
	expected: string;
	/** What to change in this package if the fact turns out to be wrong. */
	change?: string;
}

/** The content of the file to attach to an issue: formats and field names, but no personal data. */
export interface Report {
	probe: 2;
	day: string;
	host: ReturnType<typeof hostKind>;
	path: string;
	requests: number;
	facts: ReportRow[];
	/** The field names of each kind of record, with the types of their values. */
	fields: Record<string, Record<string, string>>;
}

/** A row for every fact that the probe can check. */
export function findings(evidence: Evidence): ReportRow[] {
	return facts.map(({ id, fact, expected, change, judge }) => {
		const found = judge(evidence);
		return { id, fact, expected, ...found, change: isOff(found) ? withPlaces(change) : undefined };
	});
}

const isOff = ({ verdict }: Finding): boolean => verdict === 'does not hold';

/**
 * Makes the report.
 * @param hidden Collects the field names that the report leaves out because they may be data.
 * @throws Error if it would contain an email or web address, which it never should.
 */
export function reportOf(
	{ evidence, requests }: ProbeOutcome,
	baseUrl: string,
	now: number,
	hidden?: Set<string>,
): Report {
	const { pathname } = new URL(baseUrl);
	const report: Report = {
		probe: 2,
		day: new Date(now).toISOString().slice(0, 10),
		host: hostKind(baseUrl),
		path: ['/api/v1', '/v1'].includes(pathname) ? pathname : 'another',
		requests,
		facts: findings(evidence),
		fields: fieldsOf(evidence.reading, hidden),
	};
	const seen = JSON.stringify([report.facts.map((row) => row.seen), report.fields]);
	if (/@|:\/\//.test(seen)) throw new Error('it would contain an address');
	return report;
}

function fieldsOf(
	{ lists, channel, lookups }: ProbedReading,
	hidden?: Set<string>,
): Report['fields'] {
	const kinds = new Map<string, readonly Fields[]>();
	for (const [list, { rows }] of Object.entries(lists)) kinds.set(LISTS[list as ListName], rows);
	for (const [name, answer] of Object.entries({ channel, feed: lookups.feedByUuid })) {
		const record = answer?.status === 200 ? recordOf(answer, name) : undefined;
		if (record !== undefined) kinds.set(name, [record]);
	}
	return Object.fromEntries([...kinds].map(([name, rows]) => [name, shapeOf(name, rows, hidden)]));
}

const TITLES: ReadonlyArray<[Verdict, string]> = [
	['holds', 'These facts hold'],
	['unknown', 'These facts stay unknown'],
	['does not hold', 'These facts do not hold: change the package'],
];

/** The rows for a terminal. The most important ones come last. */
export function textOfRows(rows: readonly ReportRow[]): string {
	return TITLES.map(([verdict, title]) => {
		const own = rows.filter((row) => row.verdict === verdict);
		const lines = own.map((row) => (verdict === 'holds' ? shortLine(row) : longLines(row)));
		return `${title} (${own.length})\n${lines.join('')}`;
	}).join('\n');
}

const shortLine = ({ fact, seen }: ReportRow): string => `  ${fact} (${seen})\n`;

function longLines({ fact, expected, seen, change }: ReportRow): string {
	const lines = [`  ${fact}`, `    expected: ${expected}; seen: ${seen}`];
	if (change !== undefined) lines.push(`    change:   ${change}`);
	return `${lines.join('\n')}\n`;
}
