import { insertTable, tableOf } from '../versions/table';

const rows = [
	{
		n8n: '1.85.4',
		node: '20.20.2',
		engine: { passed: 304, failed: 0 },
		server: { passed: 3, failed: 1 },
	},
	{ n8n: '2.41.1', node: '24.0.0', engine: { passed: 304, failed: 0 } },
];

it('says in columns what passed, and how many failed', () => {
	expect(tableOf(rows).split('\n')).toEqual([
		"| n8n    | Node    | tests on n8n's engine | tests in the real server |",
		'| ------ | ------- | --------------------- | ------------------------ |',
		'| 1.85.4 | 20.20.2 | passed                | 1 failed, 3 passed       |',
		'| 2.41.1 | 24.0.0  | passed                | –                        |',
	]);
});

it('replaces only the text between the marks', () => {
	const text = 'before\n<!-- versions: begin -->\nold\n<!-- versions: end -->\nafter\n';
	const once = insertTable(text, '| new |');
	expect(once).toBe(
		'before\n<!-- versions: begin -->\n\n| new |\n\n<!-- versions: end -->\nafter\n',
	);
	expect(insertTable(once, '| new |')).toBe(once);
	expect(() => insertTable('without marks', '| new |')).toThrow('has no <!-- versions: begin -->');
});
