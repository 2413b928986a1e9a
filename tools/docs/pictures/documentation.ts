import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEditor } from '../../../test/harness/browser/editor';
import { pictureCredential, pictureErrorOutput } from './panels';
import { animateFirstRun } from './firstRun';
import { pictureSync } from './sync';
import { endOnSignals } from '../../../test/harness/system/ending';
import { root } from '../../../test/harness/system/paths';
import { step } from '../../../test/harness/system/progress';
import { startEnvironment } from '../../../test/harness/environment';

/**
 * Takes the pictures of the documentation in a real n8n, with a real browser.
 *
 * Usage: npm run pictures [-- --folder docs/images]
 */
const options = {
	folder: { type: 'string', default: join(root, 'docs', 'images') },
} as const;

const ending = endOnSignals();

async function main(): Promise<void> {
	const { folder } = parseArgs({ options }).values;
	mkdirSync(join(folder, 'sync'), { recursive: true });
	const environment = await startEnvironment();
	const editor = await step('Opening the editor', async () => await openEditor(environment));
	await step('Taking pictures', async () => {
		await animateFirstRun(editor, environment, join(folder, 'first-run.gif'));
		await pictureErrorOutput(editor, environment, join(folder, 'error-output.png'));
		await pictureSync(editor, environment, join(folder, 'sync'));
		await pictureCredential(editor, environment, join(folder, 'credential.png'));
	});
	await editor.close();
	await environment.stop();
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
