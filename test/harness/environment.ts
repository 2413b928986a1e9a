import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, root } from './system/paths';
import { step } from './system/progress';
import { runFolder } from './system/runFolder';
import { ensureN8n, installSteps } from './n8n/install';
import { publishWorkflows } from './n8n/publish';
import { createInstance, startN8n, type N8nServer } from './n8n/server';
import {
	createCredentials,
	createDrafts,
	readWorkflow,
	setUpOwner,
	withCredentialIds,
	type Credential,
	type N8nClient,
	type Workflow,
} from './n8n/setup';
import { installPackage, packageSteps, packPackage } from './n8n/package';
import { startSandbox, type SandboxProcess, type SandboxAddress } from './sandbox';

/** The smallest workflow, only for tests. It deletes a subscriber if anyone calls its webhook. */
export const cancellationWorkflow = {
	file: join(root, 'test', 'harness', 'cancellation.json'),
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

const SERVICES = 'Starting the sandbox';
const STARTING = 'Starting n8n';
const WORKFLOWS = 'Publishing the workflows';

/** The steps of `startEnvironment`, in their order. Those that are done already are missing. */
export function environmentSteps(): string[] {
	return [...installSteps(), ...packageSteps(), SERVICES, STARTING, WORKFLOWS];
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
	const sandbox = await step(SERVICES, async () => {
		const starting = startSandbox(freshLog('sandbox.log'));
		await installPackage(tarball, userFolder);
		return await starting;
	});
	const contents = await contentsFor(sandbox);
	const logFile = freshLog('n8n.log');
	// Node keeps n8n's compiled code there, which makes the next start a second faster.
	const env = { NODE_COMPILE_CACHE: join(cacheFolder, 'compiled'), ...contents.env };
	const instance = { ...(await createInstance(install, userFolder, env)), logFile };
	const { server, client } = await step(STARTING, async () => {
		const started = await startN8n(instance);
		return { server: started, client: await setUpOwner(started) };
	});
	const credential = await step(WORKFLOWS, async () => {
		return await fill(client, credentialFor(sandbox), contents);
	});
	const stop = async () => {
		await Promise.all([server.stop(), sandbox.stop()]);
		rmSync(userFolder, { recursive: true, force: true });
	};
	return { sandbox, server, client, credential, stop };
}

/**
 * Fills a running n8n. Its commands for an import would each start another n8n first.
 * @returns The credential, with the ID that n8n gave it.
 */
async function fill(
	client: N8nClient,
	credential: Credential,
	contents: Contents,
): Promise<Credential> {
	const wanted = [credential, ...contents.credentials];
	const created = await createCredentials(client, wanted);
	const ids = new Map(wanted.map(({ id }, at) => [id, created[at]!.id]));
	await createDrafts(client, withCredentialIds(contents.workflows, ids));
	await publishWorkflows(client, contents.publish);
	return created[0]!;
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
