/**
 * Writes nodes/Supercast/__schema__/: the fields of each operation's output. n8n shows these fields
 * before the node has run, and its AI builder reads them.
 *
 * Usage: npm run schemas
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import { outputSchemas } from '../../test/harness/engine/outputSchemas';

/** n8n looks for the schemas of version 1 of a node in this folder next to the node. */
const folder = join(__dirname, '..', '..', 'nodes', 'Supercast', '__schema__', 'v1.0.0');

async function main(): Promise<void> {
	const schemas = await outputSchemas();
	rmSync(folder, { recursive: true, force: true });
	for (const [path, schema] of schemas) {
		const file = join(folder, `${path}.json`);
		mkdirSync(dirname(file), { recursive: true });
		const text = JSON.stringify({ ...schema, version: 1 }, null, '\t');
		const config = await resolveConfig(file);
		writeFileSync(file, await format(text, { ...config, parser: 'json' }));
	}
}

void main();
