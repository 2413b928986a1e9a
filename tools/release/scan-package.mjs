/**
 * Runs both halves of n8n's own scanner of community packages. One lints the source, which n8n
 * fetches at the commit that the package's provenance names. The other lints the packed files. Both
 * ignore comments that turn rules off. The scanner's own command works only on published packages.
 *
 * Usage: node tools/release/scan-package.mjs [folder of a package]
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'supercast-scan-'));

/** Packs the package and unpacks it, as n8n downloads it. */
function packed() {
	const options = ['--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
	const shell = process.platform === 'win32';
	const answer = execFileSync('npm', ['pack', ...options], { cwd: root, encoding: 'utf8', shell });
	execFileSync('tar', ['-xzf', JSON.parse(answer)[0].filename], { cwd: folder });
	return join(folder, 'package');
}

try {
	const halves = {
		source: await analyzePackage(root, SOURCE_FILE_PATTERNS),
		// The patterns that the scanner itself passes for a tarball. It does not export them.
		package: await analyzePackage(packed(), ['**/*.js', 'package.json']),
	};
	for (const [half, { passed, message, details }] of Object.entries(halves)) {
		// The scanner also passes a package without files, but then it returns a message.
		const isClean = passed && message === undefined;
		console.log(isClean ? `${half}: clean` : `${half}: ${message}\n${details ?? ''}`);
		if (!isClean) process.exitCode = 1;
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
