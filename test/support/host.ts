/** Differences between versions of n8n, as far as a test depends on them. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type * as BackendCommon from '@n8n/backend-common';
import type * as Config from '@n8n/config';
import type * as Di from '@n8n/di';
import { NodeApiError, type INode } from 'n8n-workflow';

/** Whether an error can tell n8n its cause, as it can since n8n 2.37. */
export function hasFailureCauses(): boolean {
	const failure = { cause: 'rate-limited' } as const;
	return 'failure' in new NodeApiError({} as INode, {}, { message: 'any', failure });
}

/** Turns off the coordination of OAuth2 renewals, which n8n has had since 2.30. */
export function forgetCoordination(): void {
	const { SingleFlightLease } = backendCommon();
	if (SingleFlightLease === undefined) return;
	jest
		.spyOn(SingleFlightLease.prototype, 'run')
		.mockImplementation(async (_, work) => (await work(new AbortController().signal)) as never);
}

/** Whether this is n8n 1.85, of which some tests cannot expect what they test. */
export function isOldest(): boolean {
	return !hasPackage('@n8n/backend-common');
}

/**
 * Whether the engine under test (n8n-core) is older than a version, such as 2.39. n8n 1.123 has
 * n8n-core 1.122. Only some versions are tested, so a difference may have come a little earlier.
 */
export function isOlderThan(major: number, minor: number): boolean {
	const { SUPERCAST_N8N_FOLDER: folder } = process.env;
	if (folder === undefined || !hasPackage('n8n-core')) return false;
	const file = join(folder, 'node_modules', 'n8n-core', 'package.json');
	const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string };
	const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
	return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

/** Whether the version under test has a package. The newest version may be in a folder above it. */
function hasPackage(name: string): boolean {
	const { SUPERCAST_N8N_FOLDER: folder } = process.env;
	return folder === undefined || existsSync(join(folder, 'node_modules', name));
}

function backendCommon(): Partial<typeof BackendCommon> {
	if (isOldest()) return {};
	return jest.requireActual<typeof BackendCommon>('@n8n/backend-common');
}

/**
 * Turns on n8n's protection against requests to internal addresses, which the newest versions have.
 * @returns A function that turns it off again. Undefined if this version has none.
 */
export function forbidInternalAddresses(): (() => void) | undefined {
	if (isOlderThan(2, 39)) return undefined;
	const { Container } = jest.requireActual<typeof Di>('@n8n/di');
	const { SsrfProtectionConfig } = jest.requireActual<typeof Config>('@n8n/config');
	const settings = Container.get(SsrfProtectionConfig);
	settings.enabled = true;
	return () => void (settings.enabled = false);
}
