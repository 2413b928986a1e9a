import { SYSTEMS } from '../../../simulators/memberships';
import type { ExpressionFacts, Given } from '../../../simulators/memberships/boundaries';
import { asIs, between, changesNothing, count, flag, matching, oneOf, text } from './checks';
import type { Check } from './checks';
import type { Items } from './evaluate';
import { JOINED_WORKFLOWS, type Facts } from './joined';
import { fieldsOf, membersOf, pagesOf, type Rows } from './memberFields';
import { of, row, type Boundary } from './rows';
import { NEW_MEMBERS, TAIL } from './tail';

/** A total of the system can be `anything`: Sync refuses one that is no number, and closes nobody. */
const GIVEN: Record<Given, Check> = {
	...{ anything: asIs, 'no change': changesNothing },
	...{ text, flag, count, seconds: between(1.7e9, 1e11) },
};

function checkOf(gives: ExpressionFacts['gives']): Check {
	if (typeof gives === 'string') return GIVEN[gives];
	return gives instanceof RegExp ? matching(gives) : oneOf(...gives);
}

/** The row of an expression before **Sync**. */
function rowOf({ reads = {}, gives, with: more = {} }: ExpressionFacts, reader: string): Boundary {
	const { 'Fields in Use': fields, ...others } = more;
	const items: Items = {
		[reader]: [{}],
		...Object.fromEntries(Object.entries(others).map(([node, item]) => [node, [item]])),
		'Fields in Use': [{ customerId: ['cus_1', 'cus_2'], recordId: ['1', '2'], ...fields }],
	};
	const paths = Object.entries(reads).flatMap(([node, names]) => of(node, ...names));
	return row(paths.length > 0 ? 'a service' : 'n8n', paths, checkOf(gives), items);
}

function rowsOf({ boundaries, reader, saysWhoIsNew }: Facts): Rows {
	const { pages, fields, expressions } = boundaries;
	return {
		...TAIL,
		...(saysWhoIsNew && NEW_MEMBERS),
		...Object.fromEntries(pages.flatMap((one) => Object.entries(pagesOf(one)))),
		...(fields && { ...fieldsOf(fields), ...membersOf(fields) }),
		...Object.fromEntries(
			Object.entries(expressions).map(([key, facts]) => [key, rowOf(facts, reader)]),
		),
	};
}

/** The workflows that read members, by their file. */
export const MEMBER_WORKFLOWS: Record<string, Facts> = {
	...Object.fromEntries(Object.values(SYSTEMS).map(({ file, workflow }) => [file, workflow])),
	...JOINED_WORKFLOWS,
};

/** Their expressions. */
export const MEMBERS: Record<string, Rows> = Object.fromEntries(
	Object.entries(MEMBER_WORKFLOWS).map(([file, facts]) => [file, rowsOf(facts)]),
);
