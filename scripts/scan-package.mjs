/**
 * Lints the packed and unpacked package as n8n's scanner of community packages does. It checks
 * compiled code and package.json, without comments that turn rules off. The scanner itself works
 * only on published packages.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import communityNodes from '@n8n/eslint-plugin-community-nodes';
import { ESLint } from 'eslint';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import tseslint from 'typescript-eslint';

const folder = mkdtempSync(join(tmpdir(), 'supercast-scan-'));
const root = join(import.meta.dirname, '..');

try {
	const packed = execFileSync(
		'npm',
		['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder],
		{ cwd: root, encoding: 'utf8', shell: process.platform === 'win32' },
	);
	const [{ filename }] = JSON.parse(packed);
	execFileSync('tar', ['-xzf', filename], { cwd: folder });

	const eslint = new ESLint({
		cwd: join(folder, 'package'),
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: [
			communityNodes.configs.recommended,
			{ rules: { 'no-console': 'error' } },
			{ plugins: { 'n8n-nodes-base': nodesBase } },
			{ files: ['package.json'], rules: nodesBase.configs.community.rules },
			{ files: ['**/*.json'], languageOptions: { parser: tseslint.parser } },
		],
	});
	const results = await eslint.lintFiles(['**/*.js', '**/*.json']);
	const formatter = await eslint.loadFormatter('stylish');
	console.log(
		(await formatter.format(results)) || `${results.length} files scanned, nothing found`,
	);
	process.exitCode = results.some(({ errorCount }) => errorCount > 0) ? 1 : 0;
} finally {
	rmSync(folder, { recursive: true, force: true });
}
