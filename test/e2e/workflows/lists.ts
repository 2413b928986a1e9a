/** Lists as people have them, with invented people: eight members, one of them new, and someone who has left. */

import type { WorkflowNode } from '../../harness/n8n/setup';
import { counting as setCounts } from '../../workflows/records';
import type { Edit } from './fixture';

/** Someone in a list. */
export interface Listed {
	email: string;
	/** The name without letters that only some encodings have. */
	name: string;
	at: number;
	isMember: boolean;
}

/** What a run of the workflow does with a list, as the owner sees it. */
export type Outcome = 'right' | 'right after reading' | 'wrong and loud';

/** What a person changes after reading the note, or the message of the first run. */
export interface Reading {
	/** Fields of **Who Counts**. */
	counts?: Record<string, string>;
	/** Options of the node that reads the rows. */
	rows?: Record<string, unknown>;
}

/** A list, and what becomes of it. */
export interface MemberExport {
	name: string;
	text: (people: Listed[]) => Buffer | string;
	outcome: Outcome;
	/** The customer ID in Supercast. Usually it comes from the email. */
	id?: (one: Listed) => string;
	reading?: Reading;
	/** Whether the new member is not in it. */
	hasNoNew?: boolean;
	/** What the owner is told if the run succeeds, but something is wrong. */
	told?: RegExp;
}

/** A file: its header, and a row for each person. Without `withLeft`, it has only members. */
export function listFile(
	header: string,
	row: (one: Listed) => string,
	{ withLeft = true, end = '\n', top = '', bottom = '' } = {},
): MemberExport['text'] {
	return (people) =>
		top +
		[header, ...people.filter((one) => withLeft || one.isMember).map(row)].join(end) +
		end +
		bottom;
}

/** For lists that have only members. */
export const membersOnly = { withLeft: false };

/** What a column of states has for members, and for those who have left. */
export const state =
	(yes: string, no: string) =>
	({ isMember }: Listed): string =>
		isMember ? yes : no;

/** What **Who Counts** says of a list with a column of emails and none of IDs. */
export function emailIn(column: string): Record<string, string> {
	return { 'column.email': column };
}

/** What **Who Counts** says of a column of states. */
export function statesIn(
	column: string,
	states: Record<string, 'close' | 'keep' | 'open'>,
): Record<string, string> {
	const fields: Record<string, string> = { 'column.status': column };
	for (const [word, value] of Object.entries(states)) fields[`access.${word}`] = value;
	return fields;
}

/** Sets fields of **Who Counts**, and adds those that it lacks, as the note says. */
export { counting as counts } from '../../workflows/records';

/** Counts only one product, tier or price, as the note says. */
export function counting(one: string): Edit {
	return (node) => {
		const other = fieldNames(node).find((name) => name.endsWith('.other'));
		if (other === undefined) return;
		setCounts({ [other]: '', [other.replace(/other$/, one)]: 'open' })(node);
	};
}

function fieldNames({ name, parameters }: WorkflowNode): string[] {
	if (name !== 'Who Counts') return [];
	const { assignments } = parameters.assignments as { assignments: Array<{ name: string }> };
	return assignments.map((field) => field.name);
}
