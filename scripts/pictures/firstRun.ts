import { Problem } from '../../harness/system/problem';
import type { Editor } from '../../harness/browser/editor';
import { cancellationWorkflow, type Environment } from '../../harness/environment';
import { readWorkflow } from '../../harness/n8n/setup';
import { firstListener } from '../../harness/sandbox';
import { writeAnimation, type Frame } from './animation';
import { settle } from './clip';
import { createWorkflow, nodeType } from './panels';

/**
 * The first run of the Supercast node, from the canvas to its output, as an animation: a member
 * cancels, and the node deletes the subscriber.
 */
export async function animateFirstRun(
	editor: Editor,
	environment: Environment,
	file: string,
): Promise<void> {
	const { page } = editor;
	const listener = await firstListener(environment.sandbox);
	const workflow = readWorkflow(cancellationWorkflow.file, environment.credential);
	const [webhook] = workflow.nodes;
	const node = workflow.nodes.find(({ type }) => type === nodeType);
	if (webhook === undefined || node === undefined) throw new Problem('The workflow has no node.');
	const pinData = { [webhook.name]: [{ json: { body: { email: listener.email } } }] };
	const id = await createWorkflow(environment, { ...workflow, pinData });
	const frames: Frame[] = [];
	const show = async (ms: number): Promise<void> => {
		await settle(page);
		// A picture of 1,600 points is too large for a README.
		frames.push({ png: await page.screenshot({ scale: 'css' }), ms });
	};
	await page.setViewportSize({ width: 1200, height: 700 });
	await editor.openWorkflow(id);
	await show(2_000);
	await editor.openNode(id, String(node.id));
	await show(3_000);
	await page.getByTestId('node-execute-button').click();
	await page.getByTestId('node-run-status-success').waitFor();
	await page.locator('.el-notification__closeBtn').click();
	await show(4_000);
	await page.getByTestId('ndv-close-button').click();
	await show(2_000);
	writeAnimation(frames, file);
}
