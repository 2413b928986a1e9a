import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEditor } from '../../harness/browser/editor';
import {
	allChoices,
	pictureChoices,
	pictureCredential,
	pictureNode,
	pictureWorkflow,
} from './panels';
import { endOnSignals } from '../../harness/system/ending';
import { root } from '../../harness/system/paths';
import { step } from '../../harness/system/progress';
import { startEnvironment } from '../../harness/environment';

/**
 * Takes the documentation's pictures in a real n8n, with a real browser.
 *
 * Usage: tsx scripts/pictures/documentation.ts [--gallery] [--folder docs/images]
 * With `--gallery`, also one picture per operation, in `<folder>/operations`.
 */
const options = {
	gallery: { type: 'boolean', default: false },
	folder: { type: 'string', default: join(root, 'docs', 'images') },
} as const;

const ending = endOnSignals();

async function main(): Promise<void> {
	const { gallery, folder } = parseArgs({ options }).values;
	mkdirSync(folder, { recursive: true });
	const environment = await startEnvironment();
	const editor = await step('Opening the editor', async () => await openEditor(environment));
	await step('Taking pictures', async () => {
		await pictureWorkflow(editor, join(folder, 'workflow.png'));
		await pictureNode(editor, environment, join(folder, 'node.png'));
		await pictureCredential(editor, environment, join(folder, 'credential.png'));
	});
	if (gallery) {
		await step('Taking a picture of each operation', async () => {
			await pictureChoices(
				editor,
				environment,
				await allChoices(environment),
				join(folder, 'operations'),
			);
		});
	}
	await editor.close();
	await environment.stop();
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
