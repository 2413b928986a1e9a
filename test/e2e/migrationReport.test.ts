import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow } from '../../harness/n8n/setup';
import { root } from '../../harness/system/paths';
import { brokenBy, rules } from '../workflows/n8n3Rules';
import { samples } from '../workflows/n8n3Samples';
import { startE2eEnvironment, type E2eEnvironment } from './support/testEnvironment';

/**
 * n8n's own migration report to version 3 (**Settings** > **Migration report**), on the workflows
 * to import, and on broken ones. It shows that our rules find what n8n's find.
 */
const folder = join(root, 'workflows');
const kit = readdirSync(folder)
	.filter((name) => name.endsWith('.json'))
	.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Workflow);
const broken: Workflow[] = Object.entries(samples).flatMap(([rule, sample]) =>
	sample.broken.map((workflow, index) => ({ ...workflow, name: `${rule} ${index}` })),
);

/** n8n's report has a file for it. The rest is only in n8n's documentation. */
function isKnownToReport({ name, nodes }: Workflow): boolean {
	const { source } = rules[name.replace(/ \d+$/, '')]!;
	if (nodes[0]!.type === '@n8n/n8n-nodes-langchain.code') return false;
	return source.includes('.rule.ts') && !source.includes('import-url');
}

let environment: E2eEnvironment;
let found: Set<string>;

interface Report {
	report: { workflowResults: Array<{ ruleId: string }> };
}

beforeAll(async () => {
	environment = await startE2eEnvironment('migration-report');
	const { request } = environment.client;
	for (const { name, nodes, connections, settings = {} } of [...kit, ...broken]) {
		await request('POST', '/workflows', { name, nodes, connections, settings });
	}
	const path = '/breaking-changes/report';
	const { report } = (await request('POST', `${path}/refresh?version=v3`)) as Report;
	const affected = await Promise.all(
		report.workflowResults.map(
			async ({ ruleId }) =>
				(await request('GET', `${path}/${ruleId}`)) as {
					affectedWorkflows: Array<{ name: string }>;
				},
		),
	);
	found = new Set(
		affected.flatMap(({ affectedWorkflows }) => affectedWorkflows.map(({ name }) => name)),
	);
});
afterAll(async () => await environment?.stop());

it('finds each sample that our rules call broken', () => {
	const known = broken.filter(isKnownToReport).map(({ name }) => name);
	expect(known.length).toBeGreaterThan(40);
	expect(known.filter((name) => !found.has(name))).toEqual([]);
});

it('finds in the workflows to import exactly what our rules find', () => {
	for (const workflow of kit) {
		expect([workflow.name, found.has(workflow.name)]).toEqual([
			workflow.name,
			brokenBy(workflow).length > 0,
		]);
	}
});
