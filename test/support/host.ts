/** Differences between versions of n8n, as far as a test depends on them. */

import type * as BackendCommon from '@n8n/backend-common';
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

function backendCommon(): Partial<typeof BackendCommon> {
	try {
		return jest.requireActual<typeof BackendCommon>('@n8n/backend-common');
	} catch {
		// The package does not exist in the oldest versions.
		return {};
	}
}
