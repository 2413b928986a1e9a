import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { stopAll } from '../harness/system/processes';
import { runFolder } from '../harness/system/runFolder';
import { ensureN8n } from '../harness/n8n/install';
import { untilSettled } from '../harness/n8n/publish';
import { createInstance, startN8n } from '../harness/n8n/server';
import {
	importCredentials,
	importWorkflows,
	setUpOwner,
	type Credential,
	type Workflow,
} from '../harness/n8n/setup';
import { installPackage, packPackage } from '../harness/n8n/package';
import { createSandbox, type Sandbox } from '../../simulators/supercast';

/** The n8n under test with the packed package, and a sandbox. */
export interface VersionEnvironment {
	sandbox: Sandbox;
	/** Address of the server. */
	url: string;
	stop: () => Promise<void>;
}

/** Starts the n8n under test, and waits until its workflows are active. */
export async function startVersion(
	workflows: Workflow[],
	credentials: (sandbox: Sandbox) => Promise<Credential[]>,
): Promise<VersionEnvironment> {
	const folder = runFolder('versions');
	const sandbox = await createSandbox({ rateLimit: 0 });
	const stop = async (): Promise<void> => {
		await stopAll();
		await sandbox.close();
		rmSync(folder, { recursive: true, force: true });
	};
	try {
		const instance = await createInstance(await ensureN8n(), folder);
		await installPackage(await packPackage(), folder);
		await importCredentials(instance, await credentials(sandbox));
		await importWorkflows(instance, workflows);
		const server = await startN8n(instance);
		await untilActive(instance.logFile);
		const client = await setUpOwner(server);
		for (const { id } of workflows) await untilSettled(client, id);
		return { sandbox, url: server.url, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/**
 * n8n 1 accepts requests before its workflows are active. This is the last line that every n8n
 * prints.
 */
async function untilActive(logFile: string): Promise<void> {
	while (!readFileSync(logFile, 'utf8').includes('Editor is now accessible')) await sleep(200);
}
