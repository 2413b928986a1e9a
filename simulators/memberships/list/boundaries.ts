import type { Boundaries, ExpressionFacts } from '../boundaries';

type Gives = ExpressionFacts['gives'];

const cells = {
	...{ email: 'ana@example.com', id: '17', firstName: 'Ana', lastName: 'Bell' },
	...{ status: 'active', until: '' },
};
const column = Object.fromEntries(Object.keys(cells).map((name) => [name, name]));

/** An expression that reads cells of a row of the file. */
const ofRow = (names: string[], gives: Gives): ExpressionFacts => ({
	reads: { $json: names },
	gives,
	with: { $json: cells },
});
/** One that reads a cell by the name of its column in **Who Counts**. */
const ofCell = (name: string, gives: Gives): ExpressionFacts => ({
	reads: { $json: [`row.${name}`] },
	gives,
	with: { $json: { row: cells, column, everyRow: 'undecided', access: { active: 'keep' } } },
});
/** One that reads what **Each Row** made of a row. */
const ofMade = (names: string[], gives: Gives): ExpressionFacts => ({
	reads: { $json: names },
	gives,
	with: {
		$json: {
			...{ row: cells, column, email: cells.email, id: cells.id, status: 'active', until: '' },
			...{ ends: '', isPlain: false, verdict: 'keep' },
		},
	},
});

/** What the expressions and calls of `any-list.json` do, whatever is in the file. */
export const listBoundaries = {
	pages: [],
	expressions: {
		'Rows in Use: condition 1': ofRow(['email', 'id'], 'flag'),
		'Who Counts: row': ofRow(['email'], 'anything'),
		'Each Row: email': ofCell('email', 'text'),
		'Each Row: id': ofCell('id', 'text'),
		'Each Row: status': ofCell('status', 'text'),
		'Each Row: until': ofCell('until', 'text'),
		'Each Row: ends': ofCell('until', ['']),
		'Each Row: isPlain': ofCell('email', 'flag'),
		'Each Row: verdict': ofCell('status', 'no change'),
		'The List: choices': ofRow(['email'], 'text'),
		'The List: hint': {
			reads: { 'Read the Rows': ['email'] },
			gives: 'text',
			with: { 'Read the Rows': cells },
		},
		'Who Is a Member: email': ofMade(['email'], 'anything'),
		'Who Is a Member: customerId': ofMade(['email', 'id'], 'anything'),
		'Who Is a Member: recordId': { gives: ['0'] },
		'Who Is a Member: access': ofMade(['until', 'verdict'], 'no change'),
		'Who Is a Member: status': ofMade(['until'], 'text'),
		'Who Is a Member: firstName': ofMade(['row.firstName'], 'anything'),
		'Who Is a Member: lastName': ofMade(['row.lastName'], 'anything'),
	},
	calls: { 'Read the File': 'the execution fails' },
} satisfies Boundaries;
