/** The only step that finds out whether a change was made (decision 0013). */

import type { IDataObject } from 'n8n-workflow';

import { describeFailure, ServiceError } from './errors/errors';
import { doing } from './errors/messages';
import type { ApiRequest, ApiResponse } from './types';

/** How often to send a change again. Responses that are not from the API have the same limit. */
export const MOST_REPEATS = 3;

/** How to see whether a change was made. */
export interface Sign {
	/** Whether a record that Supercast shows proves the change. */
	isShownBy: (record: IDataObject) => boolean;
	/** Reads the record until it shows the change, or until a few seconds have passed. */
	readBack: (outdatedIf: Required<ApiRequest>['outdatedIf']) => Promise<IDataObject | undefined>;
	/** Sends the change again if the response was only a message, such as "Service unavailable". */
	sendAgain?: () => Promise<unknown>;
	/** What was asked for, such as `the state "available"`. */
	wanted: string;
	/** What a record shows instead, in the same form. */
	inWords: (record: IDataObject | undefined) => string;
}

/**
 * Returns the record that shows a change: the response itself, or what Supercast shows afterwards.
 * Sends a further request only if the response does not show the change.
 * @param answer The response to the change. Undefined if it was empty.
 * @throws ServiceError if neither shows the change, or if the record cannot be read.
 */
export async function confirmed(
	request: ApiRequest,
	answer: ApiResponse['body'],
	{ isShownBy, readBack, sendAgain, wanted, inWords }: Sign,
): Promise<IDataObject> {
	const isShown = (body: unknown): boolean => body !== undefined && isShownBy(body as IDataObject);
	if (isShown(answer)) return answer as IDataObject;
	const read = async (): Promise<IDataObject | undefined> =>
		await checked(
			request,
			wanted,
			readBack((body) => !isShown(body)),
		);
	let record = await read();
	for (
		let left = sendAgain === undefined ? 0 : MOST_REPEATS;
		left > 0 && !isShown(record);
		left--
	) {
		await sendAgain?.();
		record = await read();
	}
	if (record !== undefined && isShown(record)) return record;
	throw contradiction(request, inWords(record), wanted);
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

/**
 * Waits for the record that should show a change. If it can't be read, the error says that the
 * outcome is unknown.
 */
export async function checked<T>(
	request: ApiRequest,
	wanted: string,
	reading: Promise<T>,
): Promise<T> {
	return await reading.catch((error: unknown) => {
		throw unchecked(request, error, wanted);
	});
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
