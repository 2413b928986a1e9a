import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEditor } from '../../harness/browser/editor';
import {
	allChoices,
	pictureChoices,
	pictureCredential,
	pictureErrorOutput,
	pictureTrigger,
} from './panels';
import { animateFirstRun } from './firstRun';
import { endOnSignals } from '../../harness/system/ending';
import { root } from '../../harness/system/paths';
import { step } from '../../harness/system/progress';
import { startEnvironment } from '../../harness/environment';

/**
 * Takes the pictures of the documentation in a real n8n, with a real browser.
 *
 * Usage: npm run pictures [-- --folder docs/images]
 */
const options = {
	folder: { type: 'string', default: join(root, 'docs', 'images') },
} as const;

/** The operations whose panels the documentation shows, since they are hard to describe in words. */
const shown = ['subscriber-delete', 'subscriber-getAll', 'subscriber-upsert', 'usageAlert-suspend'];

const ending = endOnSignals();

async function main(): Promise<void> {
	const { folder } = parseArgs({ options }).values;
	mkdirSync(folder, { recursive: true });
	const environment = await startEnvironment();
	const editor = await step('Opening the editor', async () => await openEditor(environment));
	await step('Taking pictures', async () => {
		await animateFirstRun(editor, environment, join(folder, 'first-run.gif'));
		await pictureErrorOutput(editor, environment, join(folder, 'error-output.png'));
		await pictureTrigger(editor, environment, join(folder, 'trigger.png'));
		await pictureCredential(editor, environment, join(folder, 'credential.png'));
	});
	await step('Taking pictures of operations', async () => {
		const choices = (await allChoices(environment)).filter(({ resource, operation }) =>
			shown.includes(`${resource}-${operation}`),
		);
		await pictureChoices(editor, environment, choices, join(folder, 'operations'));
	});
	await editor.close();
	await environment.stop();
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
