import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEditor } from './browser/editor';
import {
	allChoices,
	pictureChoices,
	pictureCredential,
	pictureNode,
	pictureWorkflow,
} from './browser/pictures';
import { endOnSignals } from './lib/ending';
import { root } from './lib/paths';
import { step } from './lib/progress';
import { startWorld } from './world';

/**
 * Takes the documentation's pictures in a real n8n, with a real browser.
 *
 * Usage: tsx demo/screenshots.ts [--gallery] [--folder docs/images]
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
	const world = await startWorld();
	const editor = await step('Opening the editor', async () => await openEditor(world));
	await step('Taking pictures', async () => {
		await pictureWorkflow(editor, join(folder, 'workflow.png'));
		await pictureNode(editor, world, join(folder, 'node.png'));
		await pictureCredential(editor, world, join(folder, 'credential.png'));
	});
	if (gallery) {
		await step('Taking a picture of each operation', async () => {
			await pictureChoices(editor, world, await allChoices(world), join(folder, 'operations'));
		});
	}
	await editor.close();
	await world.stop();
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
