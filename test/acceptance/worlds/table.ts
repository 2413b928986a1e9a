/**
 * Prints what happens to people in random lives, to compare two states of the code:
 * `npx tsx test/acceptance/worlds/table.ts [LIVES] [lives|gradual|years]`.
 * LIVES is the number of lives for each kind. The environment variable SEED selects others.
 */

import { goWrongGradually, type Gradual } from './gradual';
import { live, type LifeOptions } from './life';
import { PROMISES, type Promised } from './promises';
import { sum, type Numbers } from './tally';
import { WRONG_LISTS, wrongList, type Kind } from './wrongLists';
import { liveYear, type YearOptions } from './years';

const [given, only] = process.argv.slice(2);
const LIVES = Number(given ?? 10);
const SEED = Number(process.env.SEED ?? 1);

function print(line: string): void {
	process.stdout.write(`${line}\n`);
}

function printRow(cells: Array<number | string>): void {
	print(`| ${cells.join(' | ')} |`);
}

function printHead(...head: string[]): void {
	print('');
	printRow(head);
	printRow(head.map((_, column) => (column === 0 ? '---' : '---:')));
}

/** How right lists may differ. */
const RIGHT: Record<string, Partial<LifeOptions>> = {
	'All lists are right': {},
	'All lists are right, and Set Access works beside Sync': { hasEvents: true },
	'All lists are right, and a second system has its own Sync': { hasTwoSyncs: true },
};

let lives = 0;

async function livesOf(options: Partial<LifeOptions>): Promise<Numbers> {
	const all: Numbers[] = [];
	for (let count = 0; count < LIVES; count++) {
		lives += 1;
		all.push(await live({ ...options, seed: SEED * 100_000 + lives }));
	}
	return sum(all);
}

const HEAD = [
	...[
		'lists',
		'payers hit',
		'minutes',
		'unhealed',
		'leavers',
		'late',
		'untold',
		'strangers',
		'hours',
	],
	...['given away', 'closed', 'failed', 'stops', '% of limit'],
];

function cells(one: Numbers): number[] {
	return [
		...[
			one.lists,
			one.payersHit,
			one.payerMinutes,
			one.unhealed,
			one.leavers,
			one.late,
			one.untold,
		],
		...[one.strangers, Math.round(one.strangerMinutes / 60), one.givenAway, one.closed],
		...[one.failed, one.stops, Math.round(one.mostOfLimit)],
	];
}

async function printLives(): Promise<void> {
	const results: Array<[string, Numbers]> = [];
	const add = async (text: string, options: Partial<LifeOptions>): Promise<void> => {
		const numbers = await livesOf(options);
		results.push([text, numbers]);
		printRow([text, ...cells(numbers)]);
	};
	print(`\n${LIVES} lives of two days of each kind`);
	printHead('kind', ...HEAD);
	for (const [text, options] of Object.entries(RIGHT)) await add(text, options);
	for (const kind of Object.keys(WRONG_LISTS) as Kind[]) await add(wrongList(kind).text, { kind });
	const total = sum(results.map(([, numbers]) => numbers));
	printRow(['**All**', ...cells(total)]);
	printHead('sentence of the page', 'times broken', 'kinds', 'such as');
	for (const [promise, text] of Object.entries(PROMISES) as Array<[Promised, string]>) {
		const broken = results.filter(([, one]) => (one.broken[promise] ?? 0) > 0);
		const [[example] = ['']] = broken;
		printRow([text, total.broken[promise] ?? 0, broken.length, example]);
	}
	printHead('what runs that failed said', 'runs');
	const reasons = Object.entries(total.reasons);
	for (const reason of reasons.sort(([, one], [, other]) => other - one)) printRow(reason);
}

async function printGradual(): Promise<void> {
	const cellsOf = (text: string, one: Gradual): Array<number | string> => [
		...[text, one.members, one.lists, one.closed, one.opened, one.closedInADay],
		...[one.firstStop ?? 'never', one.namesSomeone === true ? 'yes' : 'no'],
	];
	const head = ['lists', 'closed', 'opened', 'closed in 24 hours', 'stops at list', 'names them'];
	printHead('kind', 'members', ...head);
	for (const kind of ['gradualEnd', 'gradualStrangers'] as const) {
		for (const members of [200, 1_200, 5_000]) {
			printRow(cellsOf(wrongList(kind).text, await goWrongGradually(kind, members)));
		}
	}
}

/** Large channels have fewer months and fewer lists, because each run takes long. */
const YEARS: Array<Omit<YearOptions, 'seed'>> = [
	{ members: 20, months: 60 },
	{ members: 33, months: 60 },
	{ members: 200, months: 24 },
	{ members: 2_000, months: 2, everyMinutes: 60 },
	{ members: 10_000, months: 1, everyMinutes: 240 },
];

async function printYears(): Promise<void> {
	const head = ['members', 'months', 'a list each (min)', 'stops a year'];
	printHead('who leaves', ...head, ...HEAD);
	for (const onOneDay of [0, 0.08]) {
		for (const year of YEARS) {
			const numbers = await liveYear({ ...year, onOneDay, seed: SEED });
			const { members, months, everyMinutes = 5 } = year;
			const text = onOneDay === 0 ? '5% a month' : '5% a month, and 8% on one day';
			const perYear = ((12 * numbers.stops) / months).toFixed(1);
			printRow([text, members, months, everyMinutes, perYear, ...cells(numbers)]);
		}
	}
}

async function main(): Promise<void> {
	const start = performance.now();
	print(`Seed: ${SEED}`);
	const parts = { lives: printLives, gradual: printGradual, years: printYears };
	for (const [name, part] of Object.entries(parts)) {
		if (only !== undefined && only !== name) continue;
		const before = performance.now();
		await part();
		print(`\n${name}: ${Math.round((performance.now() - before) / 1000)} s`);
	}
	print(`Together: ${Math.round((performance.now() - start) / 1000)} s`);
}

void main();
