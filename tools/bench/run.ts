/**
 * Takes and prints the measurements of tools/bench/README.md. It takes about 12 minutes. With `--record`,
 * it also writes them to that page, whose other sections then need an editor.
 *
 * Usage: npm run bench [-- --record] [-- <part of a section's title> ...]
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { pinnedN8nFolder } from '../../test/harness/system/paths';
import { manyDeletes, realMinute, strayRefusal, urgentDelete } from './deletes';
import { longSyncs, onePayment } from './people';
import { prepare } from './processes';
import { longList, singleReads } from './reads';
import { SCALE } from './runs';
import { besideAnother, fourProcesses } from './shared';
import { executionBurst, hangingAnswers, manyWaiters, newPeople } from './burst';
import { measuredIn, section, type Row } from './table';

const page = join(__dirname, 'README.md');
const RECORD = '--record';
const MARKS = ['<!-- measured: begin -->', '<!-- measured: end -->'] as const;

/** Scales milliseconds like the minute. */
const scaled = (ms: number): number => Math.round(ms / SCALE);
const constant = (ms: number): [number, number] => [scaled(ms), scaled(ms)];

const SECTIONS: Array<[string, () => Promise<Row[]>]> = [
	['1,000 deletes, response time 5 ms', async () => await manyDeletes(constant(5), 1.03)],
	['1,000 deletes, response time 2,000 ms', async () => await manyDeletes(constant(2000), 1.04)],
	[
		'1,000 deletes, random response times from 200 to 3,000 ms',
		async () => await manyDeletes([scaled(200), scaled(3000)], 1.05),
	],
	['1,000 deletes, one stray 429 in the middle', strayRefusal],
	[
		'1,000 deletes while another client uses 30 of the 100 requests for half of the time',
		besideAnother,
	],
	['Four processes that share one limit, 500 deletes each', fourProcesses],
	['One urgent delete while 1,000 wait', async () => await urgentDelete()],
	[
		'One new execution while 1,800 executions of one item wait',
		async () => await urgentDelete(1800, true),
	],
	['5,000 simultaneous executions of one delete, 20 stray 429s', executionBurst],
	['240 executions of one new person each, 2,000 subscribers', newPeople],
	['100,000 requests waiting for one limiter', manyWaiters],
	['5,000 single reads, no limit', singleReads],
	['Get Many of 100,000 records, 100 per page', longList],
	['Sync of a long list, no limit', longSyncs],
];

/** Under the real minute. These wait most of the time, so other measurements run meanwhile. */
const REAL: typeof SECTIONS = [
	['From a payment to the open feed of one new person, with a real minute', onePayment],
	['300 deletes with a real minute', realMinute],
	['300 deletes with a real minute, alongside requests that get no response', hangingAnswers],
];

/** What the page says now. The next record keeps it beside the new values, so that a slip shows. */
const before = measuredIn(readFileSync(page, 'utf8'));

function machine(): string {
	const { version } = JSON.parse(
		readFileSync(join(pinnedN8nFolder, 'node_modules', 'n8n', 'package.json'), 'utf8'),
	) as { version: string };
	const memory = Math.round(totalmem() / 2 ** 30);
	return `Measured with n8n ${version} on ${cpus().length} cores and ${memory} GB of memory (${process.platform}).`;
}

async function measure(title: string, work: () => Promise<Row[]>): Promise<string> {
	const text = section(title, await work(), before);
	process.stdout.write(`\n${text}`);
	return text;
}

async function write(sections: string[]): Promise<void> {
	const [before = '', rest = ''] = readFileSync(page, 'utf8').split(MARKS[0]);
	const after = rest.split(MARKS[1])[1] ?? '';
	const measured = [MARKS[0], '', machine(), '', ...sections, MARKS[1]].join('\n');
	const config = await resolveConfig(page);
	const text = await format(`${before}${measured}${after}`, { ...config, parser: 'markdown' });
	writeFileSync(page, text);
}

async function main(): Promise<void> {
	const given = process.argv.slice(2);
	const wanted = given.filter((one) => one !== RECORD);
	if (given.includes(RECORD) && wanted.length > 0) {
		throw new Error(
			`${RECORD} records all sections, so it can't be combined with ${wanted.join(', ')}`,
		);
	}
	const chosen = (title: string): boolean =>
		wanted.length === 0 || wanted.some((part) => title.includes(part));
	prepare();
	const real = REAL.filter(([title]) => chosen(title)).map(
		([title, work]) => [title, work()] as const,
	);
	for (const [, rows] of real) rows.catch(() => undefined);
	const sections: string[] = [];
	for (const [title, work] of SECTIONS) {
		if (chosen(title)) sections.push(await measure(title, work));
	}
	for (const [title, rows] of real) sections.push(await measure(title, async () => await rows));
	if (given.includes(RECORD)) await write(sections);
	const all = sections.join('\n');
	if (all.includes('**no**')) process.exitCode = 1;
}

void main();
