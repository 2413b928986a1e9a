import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Editor } from '../../../test/harness/browser/editor';
import type { Environment } from '../../../test/harness/environment';
import { closeNotifications, pictureOf, settle } from './clip';
import { createWorkflow, executeStep, workflowFor } from './panels';

type Example = ReturnType<typeof workflowFor>;

const NAMES = 'Ann Bob Cleo Dan Eve Finn Gus Hal Ivo Jo Kim Leo'.split(' ');

/** A dry run of Sync for twelve new members. */
export async function pictureSync(
	editor: Editor,
	environment: Environment,
	folder: string,
): Promise<void> {
	const { page } = editor;
	await page.setViewportSize({ width: 1180, height: 700 });
	const items = NAMES.map((name, index) => ({
		email: `${name.toLowerCase()}@example.com`,
		customerId: `m-${index + 1}`,
	}));
	const workflow = workflowFor(environment, {
		start: 'Members',
		items: [],
		parameters: {
			operation: 'sync',
			dryRun: true,
			email: '={{ $json.email }}',
			customerId: '={{ $json.customerId }}',
			customerIdPrefix: 'm-',
		},
	});
	await editor.openNode(await createWorkflow(environment, readNow(items, workflow)), 'node');
	await executeStep(page);
	await page.getByTestId('ndv-view-binary-data').click();
	await settle(page);
	await closeNotifications(page);
	await settle(page);
	await pictureOf(page, ['node-parameters', 'output-panel'], join(folder, 'dry-run.png'));
}

/** Pinned items count as an old list. So a node reads the members. */
function readNow(members: IDataObject[], { nodes: [start, node], ...workflow }: Example) {
	if (start === undefined || node === undefined) throw new Error('The example has two nodes');
	const read = {
		...{ id: 'read', name: 'Read', type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		position: [100, 0],
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ members }), options: {} },
	};
	const each = {
		...{ id: 'each', name: 'Each', type: 'n8n-nodes-base.splitOut', typeVersion: 1 },
		position: [200, 0],
		parameters: { fieldToSplitOut: 'members', options: {} },
	};
	const to = ({ name }: { name: string }) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		...workflow,
		nodes: [start, read, each, node],
		connections: { [start.name]: to(read), [read.name]: to(each), [each.name]: to(node) },
		pinData: {},
	};
}
