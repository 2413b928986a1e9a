import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { root } from '../harness/system/paths';
import { Problem } from '../harness/system/problem';
import { run } from '../harness/system/processes';
import { folderVariable } from '../harness/n8n/install';
import { versionsFolder } from './versions';

/** How many tests there were, by result. */
export interface Count {
	passed: number;
	failed: number;
}

/** Which tests to run, and on what. */
export interface Suite {
	/** The name of the log and the result. */
	name: string;
	/** The folder of the tests, inside the checkout. */
	path: 'test/acceptance' | 'test/versions';
	/** The Node binary. */
	node: string;
	/** The folder with n8n's packages. */
	folder: string;
}

/**
 * Runs tests to their end.
 *
 * @throws Problem when there is no result, or no test ran.
 */
export async function runSuite({ name, path, node, folder }: Suite): Promise<Count> {
	const logFile = join(versionsFolder, `${name}.log`);
	const resultFile = join(versionsFolder, `${name}.json`);
	mkdirSync(versionsFolder, { recursive: true });
	rmSync(logFile, { force: true });
	rmSync(resultFile, { force: true });
	const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const config = join(root, 'test', 'versions', 'jest.config.js');
	const args = [jest, '--config', config, '--json', `--outputFile=${resultFile}`, `${path}/`];
	// npm starts the build of the package, and uses the first Node on the PATH.
	const PATH = [dirname(node), process.env.PATH].join(delimiter);
	const env = { ...process.env, PATH, [folderVariable]: folder };
	const ended = await run(node, args, { cwd: root, env, logFile }).catch((error: unknown) => error);
	const count = readCount(resultFile);
	if (count.passed + count.failed > 0) return count;
	throw ended instanceof Error ? ended : new Problem(`No test was run. See ${logFile}`);
}

/** A file whose tests could not begin counts as one failed test. */
function readCount(resultFile: string): Count {
	try {
		const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = JSON.parse(
			readFileSync(resultFile, 'utf8'),
		) as Record<string, number>;
		const failed = (numFailedTests ?? 0) + (numRuntimeErrorTestSuites ?? 0);
		return { passed: numPassedTests ?? 0, failed };
	} catch {
		// Jest ended before it wrote the file.
		return { passed: 0, failed: 0 };
	}
}
