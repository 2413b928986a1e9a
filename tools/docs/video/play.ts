/**
 * Plays the video for n8n's reviewers in a real browser, against the sandbox, and records it. Writes
 * `.cache/harness/video/verification.webm`, and a picture of the end of each scene.
 *
 * Usage: npm run video
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { openEditor } from '../../../test/harness/browser/editor';
import { record } from '../../../test/harness/browser/recorder';
import { ensureN8n } from '../../../test/harness/n8n/install';
import { packPackage } from '../../../test/harness/n8n/package';
import { startRegistry } from '../../../test/harness/n8n/registry';
import { createInstance, startN8n } from '../../../test/harness/n8n/server';
import { setUpOwner } from '../../../test/harness/n8n/setup';
import { startSandbox } from '../../../test/harness/sandbox';
import { endOnSignals } from '../../../test/harness/system/ending';
import { cacheFolder } from '../../../test/harness/system/paths';
import { stopAll } from '../../../test/harness/system/processes';
import { step } from '../../../test/harness/system/progress';
import { runFolder } from '../../../test/harness/system/runFolder';
import { Player } from './player';
import { storyboard } from '../../../test/harness/storyboard';

const folder = join(cacheFolder, 'video');
/** For a busy machine. On an idle one, nothing takes this long. */
const PATIENCE_MS = 180_000;
const ending = endOnSignals();

async function main(): Promise<void> {
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const install = await ensureN8n();
	const registry = await startRegistry(await packPackage());
	const userFolder = runFolder('video');
	process.once('exit', () => rmSync(userFolder, { recursive: true, force: true }));
	const sandbox = await startSandbox(join(folder, 'sandbox.log'), ['--usage-alerts', '0']);
	const instance = {
		...(await createInstance(install, userFolder, registry.env)),
		logFile: join(folder, 'n8n.log'),
	};
	const server = await step('Starting n8n', async () => await startN8n(instance));
	const client = await setUpOwner(server);
	const editor = await openEditor({ server, client });
	editor.page.setDefaultTimeout(PATIENCE_MS);
	await editor.page.setViewportSize({ width: 1280, height: 800 });
	await editor.page.goto(`${server.url}/home/workflows`);
	const film = await record(editor.page);
	const player = new Player({ page: editor.page, url: server.url, sandbox, folder });
	const started = Date.now();
	try {
		for (const [name, scene] of Object.entries(storyboard)) {
			await step(scene.name, async () => await player.play(name as keyof typeof storyboard));
		}
	} finally {
		await film.finish(join(folder, 'verification.webm'));
		process.stderr.write(`  ${Math.round((Date.now() - started) / 1000)} s of film in ${folder}\n`);
	}
	await editor.close();
	await registry.stop();
	await stopAll();
}

main().catch(async (error: unknown) => await ending.failed(error, 1));
