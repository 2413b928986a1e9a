import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openEditor, type Editor } from '../../../test/harness/browser/editor';
import { endOnSignals } from '../../../test/harness/system/ending';
import { root } from '../../../test/harness/system/paths';
import { step } from '../../../test/harness/system/progress';
import { runN8n } from '../../../test/harness/n8n/server';
import type { Workflow } from '../../../test/harness/n8n/setup';
import { startEnvironment } from '../../../test/harness/environment';
import { boxAround, type Box } from './clip';

/**
 * Imports every workflow into a real n8n without changes, and takes a picture of each.
 *
 * Usage: tsx tools/docs/pictures/workflows.ts [--folder .cache/pictures]
 */
const options = {
	folder: { type: 'string', default: join(root, '.cache', 'pictures') },
} as const;

const source = join(root, 'workflows');
const ending = endOnSignals();

async function main(): Promise<void> {
	const { folder } = parseArgs({ options }).values;
	mkdirSync(folder, { recursive: true });
	const environment = await startEnvironment();
	const { instance } = environment.server;
	await step('Importing the workflows', async () => {
		await runN8n(instance, ['import:workflow', '--separate', `--input=${source}`]);
	});
	const editor = await step('Opening the editor', async () => await openEditor(environment));
	const names = readdirSync(source).filter((name) => name.endsWith('.json'));
	await step(`Taking pictures of ${names.length} workflows`, async () => {
		for (const name of names) {
			const workflow = JSON.parse(readFileSync(join(source, name), 'utf8')) as Workflow;
			await picture(editor, workflow, join(folder, name.replace('.json', '.png')));
		}
	});
	await editor.close();
	await environment.stop();
}

/** Only the workflow, large enough to read. */
async function picture(editor: Editor, workflow: Workflow, file: string): Promise<void> {
	const { page } = editor;
	const { width, height } = extent(workflow);
	await page.setViewportSize({ width: width + 300, height: height + 260 });
	await editor.openWorkflow(workflow.id);
	const buttons = [
		'[data-test-id="execute-workflow-button"]',
		'[class*="executionButtons"]',
		'[class*="nodeButtonsWrapper"]',
		'.vue-flow__controls',
	];
	await page.addStyleTag({ content: `${buttons.join()} { display: none !important }` });
	await page.getByTestId('canvas-wrapper').click({ position: { x: 4, y: 4 } });
	await page.keyboard.press('1');
	// Waits for animations. The page does not show when the last one is over.
	await page.waitForTimeout(1_500);
	const boxes = async (selector: string): Promise<Box[]> => {
		const parts = await page.locator(selector).all();
		const all = await Promise.all(parts.map(async (part) => await part.boundingBox()));
		return all.flatMap((box) => box ?? []);
	};
	const clip = around(await boxes('.vue-flow__node'), await boxes('.vue-flow__edge-path'));
	await page.screenshot({ path: file, scale: 'device', clip });
}

const MARGIN = 24;
const NAME_BELOW = 32;

/** The box around all nodes, the names below them, and the lines between them. */
function around(nodes: Box[], lines: Box[]): Box {
	const named = nodes.map((box) => ({ ...box, height: box.height + NAME_BELOW }));
	return boxAround([...named, ...lines], MARGIN);
}

/** The largest width of a picture. It has twice as many pixels, so that the names can be read. */
const WIDEST = 1280;

/** The space for a workflow at two thirds of its size, or less if that is too wide. */
function extent({ nodes }: Workflow): { width: number; height: number } {
	const places = nodes.map(({ position, parameters }) => {
		const [x = 0, y = 0] = position as number[];
		const { width = 230, height = 150 } = parameters as { width?: number; height?: number };
		return { left: x, top: y, right: x + width, bottom: y + height };
	});
	const across = Math.max(...places.map(({ right }) => right));
	const down = Math.max(...places.map(({ bottom }) => bottom));
	const left = Math.min(...places.map((place) => place.left));
	const top = Math.min(...places.map((place) => place.top));
	const scale = Math.min(2 / 3, WIDEST / (across - left));
	const size = (length: number) => Math.round(length * scale);
	return { width: size(across - left), height: size(down - top) };
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
