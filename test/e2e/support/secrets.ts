import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { E2eEnvironment } from './testEnvironment';

/**
 * Looks for client secrets, tokens and codes in all files of an n8n. These are its log, its
 * settings, and its database with all executions. Encrypted values do not count.
 *
 * @returns The files that hold a secret.
 */
export function filesWithSecrets(
	{ folder, sandbox }: E2eEnvironment,
	more: string[] = [],
): string[] {
	const secrets = [...sandbox.state.secrets, ...more];
	return filesUnder(folder).filter((file) => {
		const content = readFileSync(file, 'latin1');
		return secrets.some((secret) => content.includes(secret));
	});
}

function filesUnder(folder: string): string[] {
	return readdirSync(folder)
		.filter((name) => name !== 'node_modules')
		.map((name) => join(folder, name))
		.flatMap((path) => (statSync(path).isDirectory() ? filesUnder(path) : [path]));
}
