import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Problem } from './problem';

/** How to start a program. */
export interface ProgramOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/**
	 * The file for its output. stdout and stderr are appended in the order in which they arrive.
	 */
	logFile: string;
	/** Called with each line of stdout, which then does not go to the log. */
	onLine?: (line: string) => void;
}

/** A program that keeps running. */
export interface RunningProgram {
	pid: number;
	/** Settles when the program has ended, with a description of how it ended. */
	ended: Promise<string>;
	/** Whether this process ended it. */
	stopped: boolean;
	/** Ends it and everything that it started, and waits until all of them are gone. */
	stop: () => Promise<void>;
}

const patience = 6_000;
const preload = join(__dirname, 'die-with-parent.cjs');
const running = new Set<RunningProgram>();

/** Runs a program to its end. */
export async function run(command: string, args: string[], options: ProgramOptions): Promise<void> {
	const child = launch(command, args, options, false);
	const program = watch(child, command);
	await program.ended;
	// Some programs exit normally on SIGTERM. Even then, the next step must not start.
	if (program.stopped) throw new Problem(`${command} was stopped.`);
	if (child.exitCode === 0) return;
	const name = [command, ...args].map((part) => part.split('/').pop()).join(' ');
	const tail = lastLines(options.logFile, 12);
	throw new Problem(`"${name}" failed (${await program.ended}):\n${tail}\nSee ${options.logFile}`);
}

/** Starts a Node program that keeps running, and ends with this process. */
export function startNode(node: string, args: string[], options: ProgramOptions): RunningProgram {
	return watch(launch(node, ['--require', preload, ...args], options, true), args[0] ?? node);
}

/** Ends every program that is still running. */
export async function stopAll(): Promise<void> {
	while (running.size > 0) {
		await Promise.all([...running].map(async (program) => await program.stop()));
	}
}

/** The last lines of a log, to include in a message. */
export function lastLines(file: string, count: number): string {
	return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}

function launch(
	command: string,
	args: string[],
	options: ProgramOptions,
	withChannel: boolean,
): ChildProcess {
	mkdirSync(dirname(options.logFile), { recursive: true });
	const log = openSync(options.logFile, 'a');
	const child = spawn(command, args, {
		cwd: options.cwd,
		env: options.env,
		// A separate group. Ctrl-C in the terminal reaches only this process, which ends the group
		// in the right order.
		detached: true,
		stdio: ['ignore', options.onLine ? 'pipe' : log, log, ...(withChannel ? ['ipc' as const] : [])],
	});
	closeSync(log);
	if (options.onLine && child.stdout) forwardLines(child.stdout, options.onLine);
	return child;
}

function watch(child: ChildProcess, name: string): RunningProgram {
	const ended = new Promise<string>((resolve) => {
		child.once('error', (error) => resolve(`${name} did not start: ${error.message}`));
		child.once('exit', (code, signal) =>
			resolve(signal === null ? `exit code ${code}` : `ended by ${signal}`),
		);
	});
	const program: RunningProgram = {
		pid: child.pid ?? 0,
		ended,
		stopped: false,
		stop: async () => {
			program.stopped = true;
			await stopGroup(child, ended);
		},
	};
	running.add(program);
	void ended.then(() => running.delete(program));
	return program;
}

async function stopGroup(child: ChildProcess, ended: Promise<string>): Promise<void> {
	if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
	signalGroup(child.pid, 'SIGTERM');
	const { pid } = child;
	const timer = setTimeout(() => signalGroup(pid, 'SIGKILL'), patience);
	await ended;
	clearTimeout(timer);
	// The leader may end before its helpers.
	signalGroup(pid, 'SIGKILL');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
	try {
		process.kill(-pid, signal);
	} catch {
		// The group no longer exists.
	}
}

function forwardLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
	let rest = '';
	stream.setEncoding('utf8');
	stream.on('data', (chunk: string) => {
		const lines = (rest + chunk).split('\n');
		rest = lines.pop() ?? '';
		lines.forEach(onLine);
	});
}
