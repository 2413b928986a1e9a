/**
 * Tests the package with each supported version of n8n, and writes the table in docs/versions.md.
 *
 * Usage: npm run test:versions [-- <beginning of a version> ...]
 *
 * With arguments, it tests only those versions and does not change the page.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { endOnSignals } from '../harness/system/ending';
import { root } from '../harness/system/paths';
import { step } from '../harness/system/progress';
import { runSuite, type Count, type Suite } from './suite';
import { insertTable, tableOf, type Row } from './table';
import { allVersions, prepare, type Prepared, type Version } from './versions';

const ending = endOnSignals();

async function main(): Promise<void> {
	const wanted = process.argv.slice(2);
	const versions = allVersions().filter(
		({ name }) => wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning)),
	);
	const rows: Row[] = [];
	for (const version of versions) rows.push(await test(version));
	const table = tableOf(rows);
	process.stdout.write(`${table}\n`);
	if (wanted.length === 0) {
		const page = join(root, 'docs', 'versions.md');
		writeFileSync(page, insertTable(readFileSync(page, 'utf8'), table));
	}
	const failed = rows.some(({ engine, server }) => engine.failed + (server?.failed ?? 0) > 0);
	process.exit(failed ? 1 : 0);
}

async function test(version: Version): Promise<Row> {
	const { name, isWhole } = version;
	const prepared = await prepare(version);
	const row = { n8n: name, node: nodeVersion(prepared.node) };
	const engine = await suite(name, 'test/acceptance', prepared);
	return isWhole
		? { ...row, engine, server: await suite(name, 'test/versions', prepared) }
		: { ...row, engine };
}

async function suite(version: string, path: Suite['path'], prepared: Prepared): Promise<Count> {
	const name = `${version.split(' ')[0]}-${basename(path)}`;
	const place = path === 'test/acceptance' ? "n8n's engine" : "n8n's server";
	return await step(`n8n ${version}: tests on ${place}`, async () => {
		return await runSuite({ name, path, ...prepared });
	});
}

function nodeVersion(node: string): string {
	return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
