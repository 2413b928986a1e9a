import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import type { Workflow, WorkflowNode } from '../harness/n8n/setup';
import { ask } from '../harness/system/http';
import { root } from '../harness/system/paths';
import { memberFiles } from '../workflows/files';
import { editor, environment, page, useEditor } from './support/editorTest';
import { until } from './workflows/until';

/** What n8n keeps of a workflow that someone pastes onto an empty canvas. */
const FILES = [...memberFiles, 'any-system'];

/** Settings of a workflow that has none, for an n8n with default environment variables. */
const N8N_DEFAULTS: Record<string, unknown> = {
	saveDataErrorExecution: 'all',
	saveDataSuccessExecution: 'all',
	saveManualExecutions: true,
	saveExecutionProgress: false,
};
/** How n8n's editor names them. */
const LABELS: Record<string, string> = {
	saveDataSuccessExecution: 'Save successful production executions',
	saveManualExecutions: 'Save manual executions',
};

type SavedWorkflow = Workflow & { settings: Record<string, unknown>; connections: object };

let descriptions: INodeTypeDescription[];

useEditor('paste', {}, 180_000);

beforeAll(async () => {
	await editor.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	const { server, client } = environment;
	const types = await ask(`${server.url}/types/nodes.json`, { headers: { cookie: client.cookie } });
	descriptions = types.body as INodeTypeDescription[];
});

/** Pastes a workflow onto a new canvas, and reads back what n8n has saved. */
async function paste(text: string): Promise<SavedWorkflow> {
	const { client, server } = environment;
	const list = async () => (await client.request('GET', '/workflows')) as Workflow[];
	const before = (await list()).map(({ id }) => id);
	const { nodes } = JSON.parse(text) as Workflow;
	await page.goto(`${server.url}/workflow/new`);
	await page.getByTestId('canvas-add-button').waitFor();
	await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
	await page.keyboard.press('Control+V');
	await page.getByTestId('canvas-node').first().waitFor();
	let kept: SavedWorkflow | undefined;
	await until(
		'n8n has saved all nodes',
		async () => {
			const id = (await list()).find((one) => !before.includes(one.id))?.id;
			if (id === undefined) return false;
			kept = (await client.request('GET', `/workflows/${id}`)) as SavedWorkflow;
			return kept.nodes.length === nodes.length;
		},
		180_000,
	);
	return kept as SavedWorkflow;
}

/** The parameters with which n8n runs a node. It saves none that has its default value. */
function parametersOf(node: WorkflowNode): unknown {
	const found = descriptions.filter(({ name, version }) => {
		const versions = Array.isArray(version) ? version : [version];
		return name === node.type && versions.includes(node.typeVersion as number);
	});
	const [description] = found;
	if (description === undefined) throw new Error(`n8n has no ${node.type}`);
	const { properties } = description;
	const one = node as unknown as INode;
	return NodeHelpers.getNodeParameters(properties, one.parameters, true, false, one, description);
}

/** What a node does, whatever its place on the canvas. */
function meaningOf(node: WorkflowNode) {
	const { id, position, webhookId, parameters, ...rest } = node;
	void [id, position, webhookId, parameters];
	return { ...rest, parameters: parametersOf(node) };
}

describe.each(FILES)('%s.json, pasted', (file) => {
	const text = readFileSync(join(root, 'workflows', `${file}.json`), 'utf8');
	const written = JSON.parse(text) as SavedWorkflow;
	let kept: SavedWorkflow;

	const keptNode = (name: string) => kept.nodes.find((node) => node.name === name);
	const isWebhook = ({ type }: WorkflowNode) => type === 'n8n-nodes-base.webhook';

	beforeAll(async () => {
		kept = await paste(text);
	});

	it('keeps each node: its name, its parameters, its credential, and what it does after an error', () => {
		expect(kept.nodes.map(({ name }) => name).sort()).toEqual(
			written.nodes.map(({ name }) => name).sort(),
		);
		for (const node of written.nodes.filter((one) => !isWebhook(one))) {
			expect(meaningOf(keptNode(node.name) as WorkflowNode)).toEqual(meaningOf(node));
		}
		expect(kept.connections).toEqual(written.connections);
	});

	/** n8n gives a new address to forms only. So everyone who has read the file knows this one. */
	it('keeps the address of each webhook, which only a secret in the call protects', () => {
		for (const { name, parameters } of written.nodes.filter(isWebhook)) {
			expect(keptNode(name)?.parameters.path).toBe(parameters.path);
			expect(keptNode(name)?.parameters.authentication).toBe('headerAuth');
		}
	});

	it('names on the canvas each setting that n8n drops', () => {
		const dropped = Object.entries(written.settings).filter(
			([name, value]) => kept.settings[name] !== value && value !== N8N_DEFAULTS[name],
		);
		const notes = kept.nodes
			.filter(({ type }) => type === 'n8n-nodes-base.stickyNote')
			.map(({ parameters }) => String(parameters.content))
			.join('\n');
		expect(dropped.filter(([name]) => !notes.includes(LABELS[name] ?? name))).toEqual([]);
	});
});
