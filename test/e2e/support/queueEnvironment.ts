import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureN8n, type N8nInstall } from '../../harness/n8n/install';
import { createInstance, startN8n, type Instance, type N8nServer } from '../../harness/n8n/server';
import {
	importCredentials,
	setUpOwner,
	type Credential,
	type N8nClient,
	type Workflow,
} from '../../harness/n8n/setup';
import { installPackage, packPackage } from '../../harness/n8n/package';
import { publishWorkflow } from '../../harness/n8n/publish';
import { startBackingServices, type BackingServices } from './backingServices';
import { built, type Cleanup } from './cleanup';
import { emptyFolder } from './folders';

/** A process of an n8n in queue mode, with a separate user folder as in a container. */
export class QueueProcess {
	private server: N8nServer | undefined;

	constructor(
		readonly instance: Instance,
		private readonly command: string[],
	) {}

	/** Starts it and waits until it accepts work. */
	async start(): Promise<N8nServer> {
		this.server = await startN8n(this.instance, this.command);
		return this.server;
	}

	/** Its process ID, or 0 if it is not running. */
	get pid(): number {
		return this.server?.pid ?? 0;
	}

	/** Ends it as a process manager does, and waits until it is gone. */
	async stop(): Promise<void> {
		await this.server?.stop();
	}

	/** Ends it and its helpers as a power cut would. */
	async kill(): Promise<void> {
		if (this.server === undefined) return;
		process.kill(-this.server.pid, 'SIGKILL');
		await this.server.ended;
	}

	/** IDs of the executions that it has started, according to a worker's log. */
	executions(): string[] {
		const log = readFileSync(this.instance.logFile, 'utf8');
		return [...log.matchAll(/Worker started execution (\d+)/g)].map(([, id = '']) => id);
	}
}

/** An n8n in queue mode: one main and several workers, with a separate PostgreSQL and Redis. */
export interface QueueEnvironment {
	main: QueueProcess;
	workers: QueueProcess[];
	/** Address of main. */
	url: string;
	/** Logged in at main with the first account. */
	client: N8nClient;
	query: BackingServices['query'];
	/** Saves a workflow and publishes it. Returns its ID. */
	use: (workflow: Workflow) => Promise<string>;
	stop: () => Promise<void>;
}

/** The options of an n8n in queue mode. */
export interface QueueOptions {
	workers: number;
	/** How many executions a worker runs at the same time. */
	concurrency: number;
	/** Settings of every process. */
	env?: NodeJS.ProcessEnv;
	credentials: Credential[];
}

/** Starts everything. If one part fails, stops the others. */
export async function startQueueEnvironment(options: QueueOptions): Promise<QueueEnvironment> {
	return await built(async (cleanup) => await build(options, cleanup));
}

async function build(options: QueueOptions, cleanup: Cleanup): Promise<QueueEnvironment> {
	const install = await ensureN8n();
	const tarball = await packPackage();
	const folder = emptyFolder('queue-mode', cleanup);
	const services = await startBackingServices(cleanup);
	const env = {
		EXECUTIONS_MODE: 'queue',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		// Without it, each process makes its own key, and a worker cannot read the credentials.
		N8N_ENCRYPTION_KEY: randomBytes(24).toString('base64'),
		...services.env,
		...options.env,
	};
	const member = async (name: string, command: string[]): Promise<QueueProcess> =>
		await prepare({ install, tarball, folder: join(folder, name), env }, command, cleanup);
	const main = await member('main', ['start']);
	const names = Array.from({ length: options.workers }, (_, index) => `worker-${index + 1}`);
	const command = ['worker', `--concurrency=${options.concurrency}`];
	const workers = await Promise.all(names.map(async (name) => await member(name, command)));
	await importCredentials(main.instance, options.credentials);
	const client = await setUpOwner(await main.start());
	await Promise.all(workers.map(async (worker) => await worker.start()));
	return {
		main,
		workers,
		url: main.instance.url,
		client,
		query: services.query,
		use: async (workflow) => await publish(client, workflow),
		stop: async () => await cleanup.run(),
	};
}

interface Member {
	install: N8nInstall;
	tarball: string;
	folder: string;
	env: NodeJS.ProcessEnv;
}

async function prepare(
	{ install, tarball, folder, env }: Member,
	command: string[],
	cleanup: Cleanup,
): Promise<QueueProcess> {
	const instance = await createInstance(install, folder, env);
	// A worker has no editor. Its port only reports that it is healthy.
	Object.assign(instance.env, {
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: new URL(instance.url).port,
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	});
	await installPackage(tarball, folder);
	const member = new QueueProcess(instance, command);
	cleanup.add(async () => await member.stop());
	return member;
}

async function publish(client: N8nClient, workflow: Workflow): Promise<string> {
	const { id } = (await client.request('POST', '/workflows', workflow)) as Workflow;
	await publishWorkflow(client, id);
	return id;
}
