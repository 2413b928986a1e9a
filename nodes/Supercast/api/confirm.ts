/** The only step that finds out whether a change was made (decision 0012). */

import type { IDataObject } from 'n8n-workflow';

import { describeFailure, ServiceError } from './errors/errors';
import { doing } from './errors/messages';
import type { ApiRequest } from './types';

/** How often to send a change again. Responses that are not from the API have the same limit. */
const MOST_REPEATS = 3;

/** The record that shows a change. Undefined for a removal: the record is gone. */
type Proof = IDataObject | undefined;

/** A change, and how to see whether it was made. */
export interface AskedChange<Shown extends Proof = IDataObject> {
	request: ApiRequest;
	/** Whether what Supercast shows of the record proves the change. */
	isShownBy: (record: Proof) => record is Shown;
	/** Reads the record until it shows the change, or until a few seconds have passed. */
	find: (outdatedIf: Required<ApiRequest>['outdatedIf']) => Promise<Proof>;
	/** Whether to look once after a failure that does not say whether the change was made. */
	looksAfterFailure?: boolean;
	/** What was asked for, such as `the state "available"`. */
	wanted: string;
	/** What a record shows instead, in the same form. */
	inWords: (record: Proof) => string;
}

/**
 * Reads what Supercast shows after a change whose response does not show it.
 * @param sendAgain Sends the change again, as often as it may be. Without it, the node only reads.
 * @throws ServiceError if Supercast does not show the change, or if the record cannot be read.
 */
export async function confirmed<Shown extends Proof>(
	{ request, isShownBy, find, wanted, inWords }: AskedChange<Shown>,
	sendAgain?: () => Promise<unknown>,
): Promise<Shown> {
	for (let left = sendAgain === undefined ? 0 : MOST_REPEATS; ; left--) {
		const snapshot = find((body) => !isShownBy(body as Proof));
		const record = await snapshot.catch((error: unknown) => {
			throw unchecked(request, error, wanted);
		});
		if (isShownBy(record)) return record;
		if (left === 0) throw contradiction(request, inWords(record), wanted);
		await sendAgain?.();
	}
}

/** The error if Supercast does not show what was asked for. */
export function contradiction(
	request: Pick<ApiRequest, 'method' | 'subject'>,
	shown: string,
	wanted?: string,
): ServiceError {
	const asked = wanted === undefined ? '' : `The node expected ${wanted}. `;
	return new ServiceError(
		`Supercast confirmed the change ${doing(request)}, but shows ${shown}`,
		`${asked}Check the record in Supercast, because the change may not have been made. Then run this item again.`,
		{ kind: 'unexpected', status: 200, came: shown },
	);
}

/** The error if a change can't be checked. A missing record or a stop keeps its own error. */
function unchecked(request: ApiRequest, error: unknown, wanted: string): unknown {
	if (!(error instanceof ServiceError) || error.status === 404) return error;
	const { failure } = error;
	if (failure.kind === 'network' && failure.code === 'ERR_CANCELED') {
		return describeFailure(failure, request, { maybeProcessed: true });
	}
	return new ServiceError(
		`The node could not check whether the change was made ${doing(request)}`,
		`The node expected ${wanted}. The check ended with this message: ${error.message}. Check the record in Supercast before you run this item again.`,
		failure,
		error.attempts,
		true,
	);
}
