import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv } from 'ajv';
import { resolveOutputSchemaPath } from 'n8n-core';

import { resources } from '../../nodes/Supercast/resources';
import { outputSchemas, outputsOf, type JsonSchema } from '../../harness/engine/outputSchemas';
import { useSandbox } from '../support/sandbox';

const nodeDir = join(__dirname, '..', '..', 'nodes', 'Supercast');
const folder = join(nodeDir, '__schema__', 'v1.0.0');

const operations = Object.entries(resources).flatMap(([resource, { operations: all }]) =>
	Object.keys(all).map((key) => [resource, key] as const),
);

function read(path: string): JsonSchema {
	return JSON.parse(readFileSync(path, 'utf8')) as JsonSchema;
}

it('the schemas are those that `npm run schemas` writes, one for each operation', async () => {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const written = files.filter((file) => file.endsWith('.json')).sort();
	const made = await outputSchemas();
	expect(written).toEqual([...made.keys()].map((key) => `${key}.json`).sort());
	for (const [key, schema] of made) {
		expect(read(join(folder, `${key}.json`))).toEqual({ ...schema, version: 1 });
	}
});

describe('the schema', () => {
	const sandbox = useSandbox();
	const ajv = new Ajv({ allowUnionTypes: true });
	ajv.addKeyword('version');

	it.each(operations)(
		'of %s: %s: each field can be dragged, and comes in the run',
		async (...tried) => {
			const [resource, key] = tried;
			const path = resolveOutputSchemaPath({ nodeDir, version: 1, resource, operation: key });
			const schema = read(path!);
			const validate = ajv.compile(schema);
			const outputs = await outputsOf(resource, key, sandbox.current);
			expect(outputs.length).toBeGreaterThan(0);
			for (const output of outputs) {
				validate(output);
				expect(validate.errors ?? []).toEqual([]);
				for (const names of fieldsOf(schema)) expect(output).toHaveProperty(names);
			}
		},
	);
});

/** The paths of the fields that the editor offers, also inside other fields. */
function fieldsOf({ properties = {} }: JsonSchema): string[][] {
	return Object.entries(properties).flatMap(([name, inner]) => [
		[name],
		...fieldsOf(inner).map((path) => [name, ...path]),
	]);
}
