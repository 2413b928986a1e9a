import type { Credential, Workflow } from '../harness/n8n/setup';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../simulators/supercast';
import { built } from '../e2e/support/cleanup';
import { startQueueEnvironment } from '../e2e/support/queueEnvironment';
import { startE2eEnvironment } from '../e2e/support/testEnvironment';
import { watchMemory } from './memory';

/** A real n8n with a sandbox, to be measured. */
export interface N8nUnderLoad {
	sandbox: Sandbox;
	url: string;
	/** The most memory of all its processes, in MB. */
	memoryMb: () => number;
	stop: () => Promise<void>;
}

/** What it contains. */
export interface LoadOptions {
	sandbox: SandboxOptions;
	/** Settings of n8n. */
	env: NodeJS.ProcessEnv;
	credential: (sandbox: Sandbox) => Credential;
	workflows: Workflow[];
	/** How many workers it has, in queue mode. Without it, n8n is one process. */
	workers?: number;
}

/** n8n's own default for a worker. */
const CONCURRENCY = 10;

/** Starts an n8n of one process, or in queue mode. */
export async function startN8nUnderLoad(
	name: string,
	{ workers, ...options }: LoadOptions,
): Promise<N8nUnderLoad> {
	return workers === undefined
		? await startOne(name, options)
		: await startQueue({ ...options, workers });
}

async function startOne(name: string, options: LoadOptions): Promise<N8nUnderLoad> {
	const { credential, ...contents } = options;
	const environment = await startE2eEnvironment(name, {
		...contents,
		credentials: (sandbox) => [credential(sandbox)],
	});
	const { sandbox, server, stop } = environment;
	return { sandbox, url: server.url, memoryMb: watchMemory(() => [server.pid]), stop };
}

async function startQueue(options: Required<LoadOptions>): Promise<N8nUnderLoad> {
	const { credential, env, workers: count, workflows } = options;
	return await built(async (cleanup) => {
		const sandbox = await createSandbox(options.sandbox);
		cleanup.add(async () => await sandbox.close());
		const environment = await startQueueEnvironment({
			...{ workers: count, concurrency: CONCURRENCY, env },
			credentials: [credential(sandbox)],
		});
		cleanup.add(async () => await environment.stop());
		const { main, url, use, workers } = environment;
		for (const workflow of workflows) await use(workflow);
		const memoryMb = watchMemory(() => [main, ...workers].map(({ pid }) => pid));
		return { sandbox, url, memoryMb, stop: async () => await cleanup.run() };
	});
}
