import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, root } from './system/paths';
import { stopAll } from './system/processes';
import { step } from './system/progress';
import { runFolder } from './system/runFolder';
import { ensureN8n } from './n8n/install';
import { createInstance, startN8n, type Instance, type N8nServer } from './n8n/server';
import {
	importCredentials,
	importWorkflows,
	readWorkflow,
	setUpOwner,
	type Credential,
	type N8nClient,
} from './n8n/setup';
import { installPackage, packPackage } from './n8n/package';
import { startSandbox, type Sandbox, type SandboxAddress } from './sandbox';

/** The workflow that a cancelled membership sets off. */
export const cancellationWorkflow = {
	file: join(root, 'workflows', 'membership-cancelled.json'),
	id: 'membershipCancelled',
	webhookPath: 'membership-cancelled',
};

/** A sandbox and a real n8n beside it, with the built package, a credential and workflows. */
export interface Environment {
	sandbox: Sandbox;
	server: N8nServer;
	/** Logged in as the first account. */
	client: N8nClient;
	credential: Credential;
	/** Ends everything and removes what it left on the disk. */
	stop: () => Promise<void>;
}

/** Starts everything in a fresh user folder, so that no earlier run can get in the way. */
export async function startEnvironment(
	workflowFiles = [cancellationWorkflow.file],
): Promise<Environment> {
	const install = await ensureN8n();
	const tarball = await packPackage();
	const userFolder = runFolder('demo');
	// However this process ends: the programs are gone by then, and the logs are kept elsewhere.
	process.once('exit', () => rmSync(userFolder, { recursive: true, force: true }));
	const sandbox = await step('Starting the sandbox', async () => {
		return await startSandbox(freshLog('sandbox.log'));
	});
	const credential = credentialFor(sandbox);
	const logFile = freshLog('n8n.log');
	const instance = { ...(await createInstance(install, userFolder)), logFile };
	await step('Preparing an n8n of its own', async () => {
		await prepare(instance, tarball, credential, workflowFiles);
	});
	const { server, client } = await step(`Starting n8n ${install.version}`, async () => {
		const started = await startN8n(instance);
		return { server: started, client: await setUpOwner(started) };
	});
	const stop = async () => {
		await stopAll();
		rmSync(userFolder, { recursive: true, force: true });
	};
	return { sandbox, server, client, credential, stop };
}

/** A log that outlives the run, since the message about a failure names it. */
function freshLog(name: string): string {
	const file = join(cacheFolder, name);
	rmSync(file, { force: true });
	return file;
}

/** A manual-token credential that opens the sandbox. */
export function credentialFor({
	accessToken,
	baseUrl,
}: Pick<SandboxAddress, 'accessToken' | 'baseUrl'>): Credential {
	const data = { accessToken, baseUrl, requestsPerMinute: 100 };
	return { id: 'supercastSandbox', name: 'Supercast (sandbox)', type: 'supercastApi', data };
}

async function prepare(
	instance: Instance,
	tarball: string,
	credential: Credential,
	workflowFiles: string[],
): Promise<void> {
	await installPackage(tarball, instance.userFolder);
	await importCredentials(instance, [credential]);
	await importWorkflows(
		instance,
		workflowFiles.map((file) => readWorkflow(file, credential)),
	);
}
