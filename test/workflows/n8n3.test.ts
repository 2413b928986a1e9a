import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow } from '../../harness/n8n/setup';
import { root } from '../../harness/system/paths';
import { brokenBy, rules } from './n8n3Rules';
import { samples } from './n8n3Samples';

const folder = join(root, 'workflows');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow;

describe.each(Object.entries(rules))('%s', (rule, { source, find }) => {
	it('names its source', () => expect(source).toMatch(/^docs "|\.rule\.ts$/));

	it('finds what n8n 3 removes, and nothing close to it', () => {
		for (const broken of samples[rule]!.broken) expect(find(broken)).toEqual(['It']);
		for (const close of samples[rule]!.close) expect(find(close)).toEqual([]);
	});
});

it.each(files)('%s uses nothing that n8n 3 removes', (file) => {
	expect(brokenBy(read(file))).toEqual([]);
});
