import { spawnSync } from 'node:child_process';
import { Problem } from '../system/problem';

/** Where Debian, GitHub's images of Ubuntu, other distributions and macOS keep a browser. */
const PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/google-chrome',
	'/usr/bin/google-chrome-stable',
	'/usr/bin/chromium-browser',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Finds a Chromium or Chrome that runs. The variable CHROMIUM names another one.
 * @throws Problem in one sentence if there is none.
 */
export function findBrowser(): string {
	const { CHROMIUM: chosen } = process.env;
	const candidates = chosen === undefined ? PLACES : [chosen];
	const found = candidates.find(isBrowser);
	if (found !== undefined) return found;
	throw new Problem(
		`The browser tests need Chromium or Chrome, and none runs at ${candidates.join(', ')} (Debian: apt install chromium). The variable CHROMIUM names another place.`,
	);
}

/**
 * Asks for the version, because a file can exist without its browser. On Ubuntu, it is a script that
 * asks for a snap. A snap does not count, because it can't read the profile in the temporary folder.
 */
function isBrowser(path: string): boolean {
	const { stdout, status } = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 });
	return status === 0 && /\b(?:Chrome|Chromium) [\d.]+/.test(stdout) && !/\bsnap\b/.test(stdout);
}
