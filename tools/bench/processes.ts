/** The processes of the benchmark: the sandbox, and workers that run nodes. */

import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import type { Job, JobResult } from './jobs';

const root = resolve(__dirname, '..', '..');
const pinned = join(root, 'test', 'harness', 'pinned-n8n');
const cache = join(root, '.cache', 'bench');

interface Person {
	email: string;
	customer_id: string | null;
}

/** The sandbox's own data, and what the benchmark asks it. */
export interface BenchService {
	baseUrl: string;
	accessToken: string;
	/** The current subscribers. */
	people(): Promise<Person[]>;
	/** Emails of the current subscribers. */
	emails(): Promise<string[]>;
	/** How many requests were answered with each status. */
	byStatus(): Promise<Record<string, number>>;
	/** All counted requests, even those to the token endpoint. */
	stats(): Promise<{ requests: number; byStatus: Record<string, number> }>;
	/** Reads a path of the API. Returns the status. */
	read(path: string): Promise<number>;
	/** Sets faults of the sandbox. */
	arm(faults: object[]): Promise<void>;
	reset(): Promise<void>;
	stop(): void;
}

/**
 * Prepares what the workers need: the pinned n8n and Node of the demo. Compiles the package into
 * a folder from which it finds that n8n.
 */
export function prepare(): void {
	must(process.execPath, [join(root, 'tools', 'install-missing.js'), pinned]);
	must(process.execPath, [
		join(root, 'node_modules', 'typescript', 'bin', 'tsc'),
		'-p',
		join(__dirname, 'tsconfig.json'),
	]);
	mkdirSync(cache, { recursive: true });
	const modules = join(cache, 'node_modules');
	// It may lead to a folder that has moved.
	rmSync(modules, { force: true });
	symlinkSync(join(pinned, 'node_modules'), modules, 'junction');
}

function must(command: string, args: string[]): void {
	const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
	if (status !== 0) throw new Error(`${args.join(' ')} failed: see its message above`);
}

/** Starts the sandbox in a separate process. */
export async function startService(flags: Record<string, number | string>): Promise<BenchService> {
	const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const cli = join(root, 'simulators', 'supercast', 'cli.ts');
	const child = spawn(process.execPath, ['--import', 'tsx', cli, ...args], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await Promise.race([
		firstLine(child),
		new Promise<never>((_, reject) => {
			child.once('exit', () => reject(new Error('the sandbox did not start')));
		}),
	]);
	const { baseUrl, accessToken } = JSON.parse(line) as { baseUrl: string; accessToken: string };
	const control = `${new URL(baseUrl).origin}/_sandbox`;
	const stats: BenchService['stats'] = async () =>
		(await get(`${control}/stats`)) as Awaited<ReturnType<BenchService['stats']>>;
	const people = async (): Promise<Person[]> =>
		((await get(`${control}/state`)) as { subscribers: Person[] }).subscribers;
	return {
		baseUrl,
		accessToken,
		people,
		emails: async () => (await people()).map(({ email }) => email),
		byStatus: async () => (await stats()).byStatus,
		stats,
		read: async (path) => {
			const headers = { authorization: `Bearer ${accessToken}` };
			const response = await fetch(`${baseUrl}${path}`, { headers });
			await response.arrayBuffer();
			return response.status;
		},
		arm: async (faults) => {
			const headers = { 'content-type': 'application/json' };
			const body = JSON.stringify(faults);
			const { ok } = await fetch(`${control}/faults`, { method: 'POST', headers, body });
			if (!ok) throw new Error(`the sandbox does not accept these faults: ${body}`);
		},
		reset: async () => {
			await fetch(`${control}/reset`, { method: 'POST' });
		},
		stop: () => child.kill(),
	};
}

async function firstLine(child: ChildProcess): Promise<[string]> {
	const lines = createInterface({ input: child.stdout! });
	return await new Promise((done) => lines.once('line', (line) => done([line])));
}

async function get(url: string): Promise<unknown> {
	return await (await fetch(url)).json();
}

/** A process that runs one job after another. */
export class Worker {
	private readonly child: ChildProcess;
	/** Settles when it is ready to work. */
	readonly started: Promise<unknown>;

	/** @param heapMb How much memory it may use for objects. */
	constructor(heapMb = 4096) {
		this.child = fork(join(cache, 'out', 'tools', 'bench', 'worker.js'), {
			execPath: join(pinned, 'node_modules', '.bin', 'node'),
			execArgv: ['--expose-gc', `--max-old-space-size=${heapMb}`],
			// n8n's engine writes failures to stdout. Only the table is needed here.
			stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
		});
		this.started = this.nextMessage();
	}

	/** Runs a job. Rejects if the process breaks. */
	async run(job: Job): Promise<JobResult> {
		await this.started;
		this.child.send(job);
		const { result, failed } = (await this.nextMessage()) as {
			result?: JobResult;
			failed?: string;
		};
		if (result === undefined) throw new Error(failed);
		return result;
	}

	stop(): void {
		this.child.kill();
	}

	private async nextMessage(): Promise<unknown> {
		return await new Promise((done, reject) => {
			const onExit = (): void => reject(new Error('a worker of the benchmark crashed'));
			this.child.once('exit', onExit);
			this.child.once('message', (message) => {
				this.child.off('exit', onExit);
				done(message);
			});
		});
	}
}

/** Runs one job in a separate process that has run other jobs before, like a server's process. */
export async function runAlone(job: Job, warmUp: Job[] = [], heapMb?: number): Promise<JobResult> {
	const worker = new Worker(heapMb);
	try {
		for (const before of warmUp) await worker.run(before);
		return await worker.run(job);
	} finally {
		worker.stop();
	}
}
