/**
 * Writes docs/operations.md.
 *
 * Usage: npm run docs
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { operationsPage } from '../../test/harness/docs/operationsPage';

const page = join(__dirname, '..', '..', 'docs', 'operations.md');

async function main(): Promise<void> {
	const config = await resolveConfig(page);
	writeFileSync(page, await format(await operationsPage(), { ...config, parser: 'markdown' }));
}

void main();
