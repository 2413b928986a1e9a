/** Lists as people have them, with invented people: eight members, one of them new, and someone who has left. */

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
	/** Fields of **Sync**. */
	sync?: Record<string, string>;
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

/** What n8n writes into a field when someone drags a column into it. */
export const column = (name: string): string => `={{ $json['${name}'] }}`;

/** The fields of a file with a column of emails and none of IDs. */
export function emailIn(name: string): Record<string, string> {
	return { email: column(name), customerId: `=list-{{ $json['${name}'] }}` };
}

/** The fields of a file with a column of states. */
export function statesIn(
	name: string,
	words: { openFor: string; closeFor: string },
): Record<string, string> {
	return { status: column(name), ...words };
}

/** The fields of a file in which everyone is a member. */
export const everyRow = { access: 'open' };

/** Changes fields of **Sync** and its options. */
export function inSync(
	fields: Record<string, unknown>,
	options: Record<string, unknown> = {},
): Edit {
	return ({ name, parameters }) => {
		if (name !== 'Sync') return;
		Object.assign(parameters, fields);
		Object.assign(parameters.options as object, options);
	};
}

/** Counts only one product, tier or price, as the note says. */
export function counting(one: string, ...others: string[]): Edit {
	return inSync({}, { products: one, otherProducts: others.join(', ') });
}
