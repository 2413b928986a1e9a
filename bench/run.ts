/**
 * Measures what docs/benchmarks.md shows, and writes it there. Takes about four minutes.
 *
 * Usage: npm run bench [-- <part of a section's title> ...]
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { fourProcesses, manyDeletes, realMinute, urgentDelete } from './deletes';
import { prepare } from './processes';
import { longList, singleReads } from './reads';
import { SCALE } from './runs';
import { section, type Row } from './table';

const page = join(__dirname, '..', 'docs', 'benchmarks.md');
const MARKS = ['<!-- measured: begin -->', '<!-- measured: end -->'] as const;

const SECTIONS: Array<[string, () => Promise<Row[]>]> = [
	[
		'1,000 deletes, answers take as long as 5 ms',
		async () => await manyDeletes(Math.round(5 / SCALE)),
	],
	[
		'1,000 deletes, answers take as long as 2,000 ms',
		async () => await manyDeletes(Math.round(2000 / SCALE)),
	],
	['Four processes, one limit, 4 × 500 deletes', fourProcesses],
	['One urgent delete while 1,000 wait', urgentDelete],
	['5,000 single reads, no limit', singleReads],
	['Get Many of 100,000 records, 100 a page', longList],
];
const REAL = '300 deletes under the real minute';

function machine(): string {
	const { version } = JSON.parse(
		readFileSync(
			join(__dirname, '..', 'harness', 'pinned-n8n', 'node_modules', 'n8n', 'package.json'),
			'utf8',
		),
	) as { version: string };
	const memory = Math.round(totalmem() / 2 ** 30);
	return `Measured with n8n ${version} on ${cpus().length} cores and ${memory} GB of memory (${process.platform}).`;
}

async function measure(title: string, work: () => Promise<Row[]>): Promise<string> {
	const text = section(title, await work());
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
	const wanted = process.argv.slice(2);
	const chosen = (title: string): boolean =>
		wanted.length === 0 || wanted.some((part) => title.includes(part));
	prepare();
	// It does nothing for all but a fifth of a second in each minute, so others are measured meanwhile.
	const real = chosen(REAL) ? realMinute() : undefined;
	real?.catch(() => undefined);
	const sections: string[] = [];
	for (const [title, work] of SECTIONS) {
		if (chosen(title)) sections.push(await measure(title, work));
	}
	if (real !== undefined) sections.push(await measure(REAL, async () => await real));
	if (wanted.length === 0) await write(sections);
	const all = sections.join('\n');
	if (all.includes('**no**')) process.exitCode = 1;
}

void main();
