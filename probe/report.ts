import Table from 'cli-table3';

import { hostKind } from './evidence/hosts';
import { LISTS, type ListName, type ProbedReading } from './evidence/reading';
import { facts, type FactId } from './facts';
import type { Evidence, Finding } from './finding';
import type { ProbeOutcome } from './run';
import { recordOf, shapeOf } from './shapes';

/** One row: a fact and its finding. */
export interface ReportRow extends Finding {
	id: FactId;
	fact: string;
	expected: string;
}

/** The content of a file to attach to an issue: forms and names of fields, and no personal data. */
export interface Report {
	probe: 1;
	day: string;
	host: ReturnType<typeof hostKind>;
	path: string;
	requests: number;
	facts: ReportRow[];
	/** Names of the fields of each kind of record, with the types of their values. */
	fields: Record<string, Record<string, string>>;
}

/** A row for every fact that the probe can check. */
export function findings(evidence: Evidence): ReportRow[] {
	return (Object.keys(facts) as FactId[]).flatMap((id) => {
		const { fact, expected, judge } = facts[id];
		return judge === undefined ? [] : [{ id, fact, expected, ...judge(evidence) }];
	});
}

/**
 * Makes the report.
 *
 * @throws Error when it would hold an email or web address, which it never should.
 */
export function reportOf(
	{ evidence, requests }: ProbeOutcome,
	baseUrl: string,
	now: number,
): Report {
	const { pathname } = new URL(baseUrl);
	const report: Report = {
		probe: 1,
		day: new Date(now).toISOString().slice(0, 10),
		host: hostKind(baseUrl),
		path: ['/api/v1', '/v1'].includes(pathname) ? pathname : 'another',
		requests,
		facts: findings(evidence),
		fields: fieldsOf(evidence.reading),
	};
	const seen = JSON.stringify([report.facts.map((row) => row.seen), report.fields]);
	if (/@|:\/\//.test(seen))
		throw new Error('The report was not written, because it would contain an address');
	return report;
}

function fieldsOf({ lists, channel, lookups }: ProbedReading): Report['fields'] {
	const names = Object.keys(lists) as ListName[];
	const ofLists = names.map((name) => [LISTS[name], shapeOf(lists[name]?.rows ?? [])] as const);
	const single = [
		['channel', channel.status === 200 ? recordOf(channel, 'channel') : undefined],
		['feed', lookups.feed?.status === 200 ? recordOf(lookups.feed, 'feed') : undefined],
	] as const;
	const ofSingle = single.flatMap(([name, record]) =>
		record === undefined ? [] : [[name, shapeOf([record])] as const],
	);
	return Object.fromEntries([...ofLists, ...ofSingle]);
}

const WIDTHS = [44, 26, 34, 14];

/** The rows as a table for a terminal. */
export function tableOf(rows: readonly ReportRow[]): string {
	const table = new Table({
		head: ['fact', 'expected', 'seen', 'result'],
		colWidths: WIDTHS,
		wordWrap: true,
		style: { head: [], border: [], compact: false },
	});
	for (const { fact, expected, seen, verdict } of rows) {
		table.push([fact, expected, seen, verdict].map((cell) => cell.replaceAll('`', '')));
	}
	return table.toString();
}

/** How many rows have each verdict, in a sentence. */
export function summaryOf(rows: readonly ReportRow[]): string {
	const count = (verdict: Finding['verdict']): number =>
		rows.filter((row) => row.verdict === verdict).length;
	return `${count('holds')} facts hold, ${count('does not hold')} do not hold, and ${count('unknown')} are unknown.`;
}
