import type { ApiRequest } from '../types';

/** What happened, and what to do next. */
export interface Sentences {
	message: string;
	remedy: string;
}

/** What to do if the Base URL may be wrong. */
export const BASE_URL_REMEDY =
	"Check 'Base URL' in the credential. It must be the full address including the version, such as https://supercast.tech/api/v1 or https://your-channel.supercast.tech/api/v1.";

const GERUNDS: Record<ApiRequest['method'], string> = {
	GET: 'reading',
	POST: 'creating',
	PATCH: 'changing',
	DELETE: 'deleting',
};

/** What the request was doing, such as `while deleting the subscriber "ann@example.com"`. */
export function doing({ subject, method }: ApiRequest): string {
	return `while ${subject.verb ?? GERUNDS[method]} the ${subject.text}`;
}

/**
 * Returns a sentence that warns that the change may already have been made. The sentence begins
 * with a space. For a read request, it is empty.
 */
export function lookBeforeRetry({ method }: ApiRequest): string {
	return method === 'GET'
		? ''
		: ' The change may already have been made. Check in Supercast before you retry.';
}

/**
 * Describes a response that does not answer the request.
 *
 * @param came What Supercast sent instead.
 */
export function unexpectedSentences(status: number, request: ApiRequest, came = ''): Sentences {
	return {
		message: `Supercast sent an unexpected response ${doing(request)} (status ${status})`,
		remedy: `${came}${lookBeforeRetry(request)} ${BASE_URL_REMEDY}`.trim(),
	};
}
