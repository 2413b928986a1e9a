import { setTimeout as sleep } from 'node:timers/promises';

import { command } from './command';

const { argv, env, stdin: input, stdout: output, stderr: errors } = process;

/** Stops the probe at a signal, after it has deleted what it created. */
function stopOnSignal(): AbortSignal {
	const controller = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => {
			const again = controller.signal.aborted;
			output.write(
				again ? 'The probe is still cleaning up.\n' : 'The probe stops and cleans up.\n',
			);
			controller.abort();
		});
	}
	return controller.signal;
}

const runtime = { fetch, now: () => Date.now(), sleep: async (ms: number) => await sleep(ms) };
const terminal = { input, output, errors, runtime, signal: stopOnSignal() };

void command(argv.slice(2), env, terminal).then((code) => process.exit(code));
