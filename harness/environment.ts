import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, root } from './system/paths';
import { step } from './system/progress';
import { runFolder } from './system/runFolder';
import { ensureN8n } from './n8n/install';
import { publishWorkflow } from './n8n/publish';
import { createInstance, startN8n, type N8nServer } from './n8n/server';
import {
	importCredentials,
	importDrafts,
	readWorkflow,
	setUpOwner,
	type Credential,
	type N8nClient,
	type Workflow,
} from './n8n/setup';
import { installPackage, packPackage } from './n8n/package';
import { startSandbox, type SandboxProcess, type SandboxAddress } from './sandbox';

/** The smallest workflow, only for tests. It deletes a subscriber if anyone calls its webhook. */
export const cancellationWorkflow = {
	file: join(root, 'harness', 'cancellation.json'),
	id: 'membershipCancelled',
	webhookPath: 'membership-cancelled',
};

/** A sandbox and a real n8n, with the built package, a credential and workflows. */
export interface Environment {
	sandbox: SandboxProcess;
	server: N8nServer;
	/** Logged in with the first account. */
	client: N8nClient;
	credential: Credential;
	/** Ends the sandbox and its n8n, and deletes all files. */
	stop: () => Promise<void>;
}

/** What an n8n contains at its start. */
export interface Contents {
	credentials: Credential[];
	workflows: Workflow[];
	/** IDs of the workflows to publish, in this order. */
	publish: string[];
	/** Settings of n8n. */
	env?: NodeJS.ProcessEnv;
}

/** Starts everything in a new user folder, so that no earlier run can interfere. */
export async function startEnvironment(
	contentsFor: (sandbox: SandboxProcess) => Contents | Promise<Contents> = smallest,
): Promise<Environment> {
	const install = await ensureN8n();
	const tarball = await packPackage();
	const userFolder = runFolder('demo');
	// Deletes the folder when this process exits, even after an error. The programs have ended by
	// then. The logs are in another folder.
	process.once('exit', () => rmSync(userFolder, { recursive: true, force: true }));
	const sandbox = await step('Starting the sandbox', async () => {
		return await startSandbox(freshLog('sandbox.log'));
	});
	const credential = credentialFor(sandbox);
	const contents = await contentsFor(sandbox);
	const logFile = freshLog('n8n.log');
	const instance = { ...(await createInstance(install, userFolder, contents.env)), logFile };
	await step('Preparing a separate n8n', async () => {
		await installPackage(tarball, userFolder);
		await importCredentials(instance, [credential, ...contents.credentials]);
		await importDrafts(instance, contents.workflows);
	});
	const { server, client } = await step(`Starting n8n ${install.version}`, async () => {
		const started = await startN8n(instance);
		const owner = await setUpOwner(started);
		for (const id of contents.publish) await publishWorkflow(owner, id);
		return { server: started, client: owner };
	});
	const stop = async () => {
		await Promise.all([server.stop(), sandbox.stop()]);
		rmSync(userFolder, { recursive: true, force: true });
	};
	return { sandbox, server, client, credential, stop };
}

/** A log that outlives the run, because the message about a failed run names it. */
function freshLog(name: string): string {
	const file = join(cacheFolder, name);
	rmSync(file, { force: true });
	return file;
}

/** A credential with a manual token for the sandbox. */
export function credentialFor({
	accessToken,
	baseUrl,
}: Pick<SandboxAddress, 'accessToken' | 'baseUrl'>): Credential {
	const data = { accessToken, baseUrl, requestsPerMinute: 100 };
	return { id: 'supercastSandbox', name: 'Supercast (sandbox)', type: 'supercastApi', data };
}

function smallest(sandbox: SandboxProcess): Contents {
	const workflow = readWorkflow(cancellationWorkflow.file, credentialFor(sandbox));
	return { credentials: [], workflows: [workflow], publish: [cancellationWorkflow.id] };
}
