import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startDemo } from '../../../simulators/demo/startDemo';
import { openEditor } from '../../../test/harness/browser/editor';
import { endOnSignals } from '../../../test/harness/system/ending';
import { root } from '../../../test/harness/system/paths';

/**
 * Takes the picture of the demo's dashboard, after members have paid, canceled and paid late.
 *
 * Usage: npm run pictures:dashboard [-- --file docs/images/dashboard.png]
 */
const options = {
	file: { type: 'string', default: join(root, 'docs', 'images', 'dashboard.png') },
} as const;

const ending = endOnSignals();

async function main(): Promise<void> {
	const { file } = parseArgs({ options }).values;
	const demo = await startDemo();
	const { page, close } = await openEditor(demo.environment);
	page.setDefaultTimeout(90_000);
	const press = async (label: string) =>
		await page.getByRole('button', { name: label, exact: true }).click();
	const told = async (words: RegExp) =>
		await page.locator('.story').getByText(words).first().waitFor();
	await page.setViewportSize({ width: 1200, height: 680 });
	await page.goto(demo.dashboard.url);
	await told(/8 feeds opened/);
	await press('A Member Pays');
	await told(/new\.member\.1@example\.com opened/);
	await press('A Member Cancels');
	await press('A Payment Is Late');
	await press('A Member Pays');
	await told(/new\.member\.1@example\.com closed/);
	await page.screenshot({ path: file, scale: 'css' });
	await close();
	await demo.stop();
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
