import { firstListener } from '../../../test/harness/sandbox';
import type { Editor } from '../../../test/harness/browser/editor';
import type { Environment } from '../../../test/harness/environment';
import { writeAnimation, type Frame } from './animation';
import { closeNotifications, settle } from './clip';
import { createWorkflow, executeStep, workflowFor } from './panels';

type Example = ReturnType<typeof workflowFor>;

/**
 * The first run of the Supercast node, from the canvas to its output, as an animation: a membership
 * ends, and Set Access closes the feed.
 */
export async function animateFirstRun(
	editor: Editor,
	environment: Environment,
	file: string,
): Promise<void> {
	const { page } = editor;
	const { email } = await firstListener(environment.sandbox);
	const parameters = {
		operation: 'setAccess',
		access: 'close',
		email: '={{ $json.email }}',
		options: { closeWithPlan: true },
	};
	const workflow = workflowFor(environment, { start: 'Start', items: [], parameters });
	const id = await createWorkflow(environment, endedNow(email, workflow));
	const frames: Frame[] = [];
	const show = async (ms: number): Promise<void> => {
		await settle(page);
		// A picture of 1,600 points is too large for a README.
		frames.push({ png: await page.screenshot({ scale: 'css' }), ms });
	};
	await page.setViewportSize({ width: 960, height: 600 });
	await editor.openWorkflow(id);
	await show(2_000);
	await editor.openNode(id, 'node');
	await show(3_000);
	await executeStep(page);
	await closeNotifications(page);
	await show(4_000);
	await page.getByTestId('ndv-close-button').click();
	await show(2_000);
	writeAnimation(frames, file);
}

/** Set Access closes no feed for a pinned item, which may be old. So a node says who has left. */
function endedNow(email: string, { nodes: [start, node], ...workflow }: Example): Example {
	if (start === undefined || node === undefined) throw new Error('The example has two nodes');
	const ended = {
		...{ id: 'ended', name: 'Membership Ended', type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		position: [150, 0],
		parameters: { mode: 'raw', jsonOutput: JSON.stringify({ email }), options: {} },
	};
	const to = ({ name }: { name: string }) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	return {
		...workflow,
		nodes: [start, ended, node],
		connections: { [start.name]: to(ended), [ended.name]: to(node) },
		pinData: {},
	};
}
