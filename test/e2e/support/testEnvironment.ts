import { ensureN8n } from '../../harness/n8n/install';
import { untilSettled } from '../../harness/n8n/publish';
import { createInstance, startN8n, type Instance, type N8nServer } from '../../harness/n8n/server';
import {
	importCredentials,
	importWorkflows,
	setUpOwner,
	type Credential,
	type N8nClient,
	type Workflow,
} from '../../harness/n8n/setup';
import { installPackage, packPackage } from '../../harness/n8n/package';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../simulators/supercast';
import { built, type Cleanup } from './cleanup';
import { emptyFolder } from './folders';

/** A real n8n with the packed package, and a sandbox in the test's own process. */
export interface E2eEnvironment {
	sandbox: Sandbox;
	/** To start it again. */
	instance: Instance;
	server: N8nServer;
	client: N8nClient;
	/** Everything that n8n keeps on the disk: database, logs, settings. */
	folder: string;
	stop: () => Promise<void>;
}

/** The options of an environment. */
export interface E2eOptions {
	sandbox?: SandboxOptions;
	/** Settings of n8n. */
	env?: NodeJS.ProcessEnv;
	/** What to import before the server starts. It may refer to the sandbox. */
	credentials?: (sandbox: Sandbox) => Credential[] | Promise<Credential[]>;
	workflows?: Workflow[];
}

/** Starts an environment in a separate folder, named after the part of the tests that uses it. */
export async function startE2eEnvironment(
	name: string,
	options: E2eOptions = {},
): Promise<E2eEnvironment> {
	return await built(async (cleanup) => await build(name, options, cleanup));
}

async function build(name: string, options: E2eOptions, cleanup: Cleanup): Promise<E2eEnvironment> {
	const install = await ensureN8n();
	const tarball = await packPackage();
	const folder = emptyFolder(name, cleanup);
	const sandbox = await createSandbox({ rateLimit: 0, ...options.sandbox });
	cleanup.add(async () => await sandbox.close());
	// The strictest place to look for secrets.
	const instance = await createInstance(install, folder, {
		N8N_LOG_LEVEL: 'debug',
		N8N_LOG_OUTPUT: 'console',
		...options.env,
	});
	await installPackage(tarball, folder);
	if (options.credentials) await importCredentials(instance, await options.credentials(sandbox));
	if (options.workflows) await importWorkflows(instance, options.workflows);
	const server = await startN8n(instance);
	cleanup.add(async () => await server.stop());
	const client = await setUpOwner(server);
	for (const { id } of options.workflows ?? []) await untilSettled(client, id);
	return { sandbox, instance, server, client, folder, stop: async () => await cleanup.run() };
}
