import { describeFailure } from '../../../../nodes/Supercast/api/errors/errors';
import type { ApiRequest, Failure } from '../../../../nodes/Supercast/api/types';

const subject = { text: 'subscriber "ann@example.com"', isRecord: true };

export const reading: ApiRequest = {
	method: 'GET',
	path: ['subscribers', 'ann@example.com'],
	subject,
};
export const creating: ApiRequest = { ...reading, method: 'POST', path: ['subscribers'] };
export const changing: ApiRequest = { ...reading, method: 'PATCH' };
export const deleting: ApiRequest = { ...reading, method: 'DELETE' };

export const listing: ApiRequest = {
	method: 'GET',
	path: ['subscribers'],
	subject: { text: 'list of subscribers', isRecord: false },
};

export const LOOK_FIRST =
	'The change may already have been made. Check in Supercast before you retry.';

/** What a failed item shows: the message, and the description below it. */
export function shown(
	failure: Failure,
	request: ApiRequest,
	effort?: Parameters<typeof describeFailure>[2],
): [message: string, description: string] {
	const { message, description } = describeFailure(failure, request, effort);
	return [message, description];
}
