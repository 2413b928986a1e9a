import { Problem, messageOf } from './problem';
import { stopAll } from './processes';

/** How to end a script that starts programs. */
export interface Ending {
	/** From now on, a signal ends the script normally, and calls this function. */
	expected: (stop: () => Promise<void>) => void;
	/** Prints what went wrong, ends every program and exits. */
	failed: (error: unknown, exitCode: number) => Promise<void>;
}

const watchInterval = 1_000;

/**
 * Makes sure that every program is stopped before this process exits: after Ctrl-C, after SIGTERM,
 * and when the parent ends.
 */
export function endOnSignals(): Ending {
	let ending: Promise<void> | undefined;
	let stop = stopAll;
	let exitCode = 130;
	const end = async (code: number) => {
		await stop().catch((error: unknown) => process.stderr.write(`${messageOf(error)}\n`));
		await stopAll();
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
			// When the programs stop, other steps fail. Don't report these.
			if (ending !== undefined) return await ending;
			const text = error instanceof Problem ? error.message : ((error as Error).stack ?? error);
			process.stderr.write(`${String(text)}\n`);
			ending = end(code);
			await ending;
		},
	};
}

/** A parent that is killed does not pass on a signal. */
function watchParent(onGone: () => void): void {
	const parent = process.ppid;
	setInterval(() => {
		if (process.ppid !== parent) onGone();
	}, watchInterval).unref();
}
