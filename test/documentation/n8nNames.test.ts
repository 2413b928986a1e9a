import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../harness/system/paths';
import { namesTakenFromN8n } from '../support/n8nNames';

const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const names = read('test', 'versions', 'README.md');
const table = /<!-- n8n: begin -->([\s\S]*?)<!-- n8n: end -->/.exec(names)![1]!;
const rows = table.match(/^\| `.*$/gm)!.map((row) => row.split('|').map((cell) => cell.trim()));

/** These are words of the description, not names that the code imports or calls. */
const notInCode = ['n8nNodesApiVersion'];

describe('the table of what the package takes from n8n', () => {
	const named = rows.flatMap(([, names]) =>
		[...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
	);

	it('lists exactly what the published code imports from n8n and calls on its contexts', () => {
		expect(named.filter((name) => !notInCode.includes(name)).sort()).toEqual(namesTakenFromN8n());
	});

	it('says in each row where it is used, what n8n 3 does, and where that was seen', () => {
		for (const [, names, used, inN8n3, seen] of rows) {
			expect([names, used !== '', inN8n3 !== '', /interfaces\.ts|2\.41|\d{5}/.test(seen!)]).toEqual(
				[names, true, true, true],
			);
		}
	});
});
