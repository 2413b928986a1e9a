import { Problem, messageOf } from './problem';
import { stopAll } from './processes';

/** How a script that starts programs comes to its end. */
export interface Ending {
	/** From now on a signal is the normal end, and this is what it calls. */
	expected: (stop: () => Promise<void>) => void;
	/** Says what went wrong, ends every program and exits. */
	failed: (error: unknown, exitCode: number) => Promise<void>;
}

const watchInterval = 1_000;

/** Makes Ctrl-C, SIGTERM and the end of the parent stop every program before this process exits. */
export function endOnSignals(): Ending {
	let ending: Promise<void> | undefined;
	let stop = stopAll;
	let exitCode = 130;
	const end = async (code: number) => {
		await stop().catch((error: unknown) => process.stderr.write(`${messageOf(error)}\n`));
		process.exit(code);
	};
	const onSignal = () => {
		if (ending !== undefined) return;
		process.stderr.write('\nStopping ...\n');
		ending = end(exitCode);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
	watchParent(onSignal);
	return {
		expected: (stopWorld) => {
			stop = stopWorld;
			exitCode = 0;
		},
		failed: async (error, code) => {
			// What the stopping of programs makes fail is not worth a word.
			if (ending !== undefined) return await ending;
			const text = error instanceof Problem ? error.message : ((error as Error).stack ?? error);
			process.stderr.write(`${String(text)}\n`);
			ending = end(code);
			await ending;
		},
	};
}

/** A parent that is killed outright passes no signal on. */
function watchParent(onGone: () => void): void {
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) onGone();
	}, watchInterval).unref();
}
