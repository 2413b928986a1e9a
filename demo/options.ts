import { parseArgs } from 'node:util';
import { Problem, messageOf } from '../harness/system/problem';

/** What was asked for on the command line. */
export interface DemoOptions {
	once: boolean;
	refuseDelete: boolean;
	help: boolean;
}

/** A command line that cannot be understood. */
export class UsageProblem extends Problem {}

/** The text of `--help`. */
export const help = `npm run demo [-- options]

Starts a sandbox that stands in for Supercast and a real n8n with this package and all its workflows,
cancels a membership, shows that the private feed closes, and stays up so that you can look around
and let more happen. The first run installs n8n and takes some minutes.

  --once            stop after the run: exit code 0 only if access was really revoked
  --refuse-delete   let the sandbox refuse to close feeds, to see how a failure looks
  --help            show this text
`;

/**
 * Reads the command line.
 *
 * @throws UsageProblem naming what was not understood.
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
