/**
 * Tests the package with each supported version of n8n, and writes the table in the README.
 *
 * Usage: npm run test:versions [-- <beginning of a version> ...]
 *
 * With arguments, only those versions are tested, and the README is left alone.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { endOnSignals } from '../../demo/lib/ending';
import { root } from '../../demo/lib/paths';
import { step } from '../../demo/lib/progress';
import { runSuite } from './suite';
import { insertTable, tableOf, type Row } from './table';
import { pins, prepare } from './versions';

const ending = endOnSignals();

async function main(): Promise<void> {
	const wanted = process.argv.slice(2);
	const isWanted = (version: string): boolean =>
		wanted.length === 0 || wanted.some((beginning) => version.startsWith(beginning));
	const rows: Row[] = [];
	for (const pinned of pins.filter((folder) => isWanted(pinnedVersion(folder)))) {
		rows.push(await wholeVersion(pinned));
	}
	if (isWanted(coreVersion())) rows.push(await coreAlone());
	const table = tableOf(rows);
	process.stdout.write(`${table}\n`);
	if (wanted.length === 0) {
		const readme = join(root, 'README.md');
		writeFileSync(readme, insertTable(readFileSync(readme, 'utf8'), table));
	}
	const failed = rows.some(({ engine, server }) => engine.failed + (server?.failed ?? 0) > 0);
	process.exit(failed ? 1 : 0);
}

async function wholeVersion(pinned: string): Promise<Row> {
	const { folder, install } = await prepare(pinned);
	const { node, version } = install;
	const engine = await tests(version, 'test/engine', node, folder);
	const server = await tests(version, 'test/versions', node, folder);
	return { n8n: version, node: nodeVersion(node), engine, server };
}

/** The packages of the checkout, which are newer than the newest n8n that installs whole. */
async function coreAlone(): Promise<Row> {
	const version = coreVersion();
	const engine = await tests(version, 'test/engine', process.execPath);
	return { n8n: `${version} (n8n-core)`, node: nodeVersion(process.execPath), engine };
}

async function tests(
	version: string,
	path: 'test/engine' | 'test/versions',
	node: string,
	folder?: string,
) {
	const name = `${version}-${basename(path)}`;
	const place = path === 'test/engine' ? "n8n's engine" : "n8n's server";
	return await step(`n8n ${version}: tests on ${place}`, async () => {
		return await runSuite({ name, path, node, folder });
	});
}

function pinnedVersion(folder: string): string {
	const { dependencies } = manifest(folder) as { dependencies: { n8n: string } };
	return dependencies.n8n;
}

function coreVersion(): string {
	return (manifest(join(root, 'node_modules', 'n8n-core')) as { version: string }).version;
}

function manifest(folder: string): unknown {
	return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

function nodeVersion(node: string): string {
	return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
