import { join } from 'node:path';
import type { Editor } from '../../harness/browser/editor';
import type { Environment } from '../../harness/environment';
import { closeNotifications, pictureOf, settle } from './clip';
import { createWorkflow, executeStep, workflowFor } from './panels';

const NAMES = 'Ann Bob Cleo Dan Eve Finn Gus Hal Ivo Jo Kim Leo'.split(' ');

/** A dry run of Sync for twelve new members, and a run that Sync refuses, because four are missing. */
export async function pictureSync(
	editor: Editor,
	environment: Environment,
	folder: string,
): Promise<void> {
	const { page } = editor;
	await page.setViewportSize({ width: 1180, height: 560 });
	const run = async (members: number, dryRun: boolean, file?: string): Promise<void> => {
		const workflow = workflowFor(environment, {
			start: 'Members',
			items: NAMES.slice(0, members).map((name, index) => ({
				email: `${name.toLowerCase()}@example.com`,
				customerId: `m-${index + 1}`,
			})),
			parameters: {
				operation: 'sync',
				dryRun,
				email: '={{ $json.email }}',
				customerId: '={{ $json.customerId }}',
				// The members were created a moment ago.
				options: members < NAMES.length ? { graceHours: 0 } : {},
			},
		});
		await editor.openNode(await createWorkflow(environment, workflow), 'node');
		await executeStep(page);
		if (file === undefined) return;
		await settle(page);
		await closeNotifications(page);
		await settle(page);
		await pictureOf(page, ['node-parameters', 'output-panel'], join(folder, file));
	};
	await run(NAMES.length, true, 'dry-run.png');
	await run(NAMES.length, false);
	await run(NAMES.length - 4, false, 'refused-run.png');
}
