import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { changes } from './changes';
import type { Judge } from './finding';
import { accessJudges } from './judges/access';
import { listJudges } from './judges/lists';
import { fieldJudges, recordJudges } from './judges/records';
import { writeJudges } from './judges/writes';

/** The function that judges each fact. FACTS.md has a row for each of them. */
export const judges = {
	...accessJudges,
	...listJudges,
	...recordJudges,
	...fieldJudges,
	...writeJudges,
} satisfies Record<string, Judge>;

export type FactId = keyof typeof judges;

const changeOf: Readonly<Record<FactId, string>> = changes;

/** A statement about Supercast: a row of FACTS.md, with the function that judges it. */
export interface Fact {
	id: FactId;
	fact: string;
	/** What the probe expects, in a few words. */
	expected: string;
	/** What to change in this package if the fact turns out to be wrong. */
	change: string;
	judge: Judge;
}

/** The cells of the table in FACTS.md, without its header. */
export const rows = readFileSync(join(__dirname, 'FACTS.md'), 'utf8')
	.split('\n')
	.filter((line) => /^\| [a-z]/.test(line))
	.map((line) => line.split('|').map((cell) => cell.trim()))
	.map(([, id = '', fact = '', expected = '', certainty = '', checkedBy = '']) => ({
		...{ id, fact, expected, certainty, checkedBy },
	}))
	.filter(({ id }) => id !== 'id');

/** Every fact that the probe can check. */
export const facts: readonly Fact[] = rows
	.filter(({ id }) => id in judges)
	.map(({ id, fact, expected }) => ({
		id: id as FactId,
		fact: fact.replaceAll('`', ''),
		expected: expected.replaceAll('`', ''),
		change: changeOf[id as FactId],
		judge: judges[id as FactId],
	}));
