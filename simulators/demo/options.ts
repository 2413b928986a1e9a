import { parseArgs } from 'node:util';
import { Problem, messageOf } from '../../test/harness/system/problem';

/** The parsed command line. */
export interface DemoOptions {
	once: boolean;
	refuseDelete: boolean;
	help: boolean;
}

/** A command line that cannot be understood. */
export class UsageProblem extends Problem {}

/** The text of `--help`. */
export const help = `npm run demo [-- options]

Starts a sandbox that simulates Supercast, and a real n8n with this package and all its workflows.
Then it cancels a membership, shows that the private feed closes, and stays up. You can look around
and trigger more events. The first run installs n8n, which takes a few minutes.

  --once            stop after the run: exit code 0 only if access really ended
  --refuse-delete   make the sandbox refuse to close feeds, to show what a failure looks like
  --help            show this text
`;

/**
 * Reads the command line.
 *
 * @throws UsageProblem naming the part that was not understood.
 */
export function readOptions(args: string[]): DemoOptions {
	const flag = { type: 'boolean', default: false } as const;
	const options = { once: flag, 'refuse-delete': flag, help: flag };
	try {
		const { values } = parseArgs({ args, options });
		return { once: values.once, refuseDelete: values['refuse-delete'], help: values.help };
	} catch (error) {
		const what = messageOf(error).split('. ')[0];
		throw new UsageProblem(`${what}: see npm run demo -- --help.`);
	}
}
