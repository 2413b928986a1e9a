import type { IDataObject } from 'n8n-workflow';

import type { FieldsFacts, PagesFacts } from '../../../simulators/memberships/boundaries';
import { asIs, flag, type Check } from './checks';
import type { Items } from './evaluate';
import { row, type Boundary } from './rows';

export type Rows = Record<string, Boundary>;

/**
 * A value of each record on a page. One record, however damaged, leaves the other as it is, and opens
 * and closes no feed.
 */
const beside =
	(other: unknown): Check =>
	(value) => {
		if (!Array.isArray(value) || value.length !== 2) return 'does not have both records';
		const [first, second] = value as unknown[];
		if (first === 'open' || first === 'close') return 'opens or closes a feed';
		const isSame = JSON.stringify(second) === JSON.stringify(other);
		return isSame ? undefined : 'has changed the other record';
	};

const deepOwn = (path: string, names: string[]): string[] => [
	`$json.${path}`,
	...names.map((name) => `$json.${path}.${name}`),
];

/** The rows of **Fields in Use**: what each reads of the first record, and what the second one has. */
export function fieldsOf({ list, record, counts, of }: FieldsFacts): Rows {
	const base: Items = { $json: [{ ...counts, [list]: [record('a'), record('b')] }] };
	return Object.fromEntries(
		Object.entries(of).map(([name, [reads, other]]) => [
			`Fields in Use: ${name}`,
			row('a service', deepOwn(`${list}.0`, reads), beside(other), base),
		]),
	);
}

/** The rows of **Who Is a Member**, which gets what **Fields in Use** makes of two records. */
export function membersOf({ counts, of, status }: FieldsFacts): Rows {
	const lists = Object.fromEntries(
		Object.entries(of).map(([name, [, other]]) => [name, [other, other]]),
	) as IDataObject;
	const reads = Object.keys(of).map((name) => `$json.${name}.0`);
	const base: Items = { $json: [{ ...counts, ...lists }] };
	return {
		'Who Is a Member: access': row('another node', reads, beside('keep'), base),
		'Who Is a Member: status': row('another node', reads, beside(status), base),
	};
}

/** Whether n8n reads no further page, and where the next one begins. */
export function pagesOf({ nodes, next, reads, response }: PagesFacts): Rows {
	const path = 'options.pagination.pagination';
	const base: Items = { $response: [{ statusCode: 200, headers: {}, ...response }] };
	const paths = reads.map((name) => `$response.${name}`);
	// Whatever throws ends the list, too, and n8n gives nothing then.
	const ends: Check = (value) => (value === undefined || value === null ? undefined : flag(value));
	const rowsOf = (node: string): Array<[string, Boundary]> => [
		[`${node}: ${path}.parameters.parameters.${next}.value`, row('a service', paths, asIs, base)],
		[`${node}: ${path}.completeExpression`, row('a service', paths, ends, base)],
	];
	return Object.fromEntries(nodes.flatMap(rowsOf));
}
