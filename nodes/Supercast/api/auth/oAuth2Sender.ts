import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { checkTokenUrl } from '../http/address';
import {
	askN8n,
	readAnswer,
	readThrown,
	unanswered,
	type SendContext,
	type Sender,
} from '../http/send';
import { textOf } from '../json';
import {
	OAuthSession,
	type Connection,
	type OAuthAttempt,
	type RefreshMutex,
} from './oauthSession';
import { checkTokenEndpoint, parseTokenError } from './tokenEndpoint';

/**
 * Creates a sender for an OAuth2 credential.
 *
 * @param openedAt The value of the mutex's `renewals` before the credential was read.
 */
export function oAuth2Sender(
	context: SendContext,
	credential: Connection & { accessTokenUrl?: string },
	{ mutex, openedAt }: { mutex: RefreshMutex; openedAt: number },
): Sender {
	const session = new OAuthSession(mutex, openedAt, credential, context);
	const accessTokenUrl = credential.accessTokenUrl ?? '';
	checkTokenUrl(accessTokenUrl);
	return async (options) => await session.send(oAuthAttempt(context, options, accessTokenUrl));
}

function oAuthAttempt(
	context: SendContext,
	options: IHttpRequestOptions,
	accessTokenUrl: string,
): OAuthAttempt {
	let refused: unknown;
	let headers: IDataObject = {};
	// n8n adds the token to the headers. It never sends the API a request that has no token, or
	// whose token the API has just refused.
	const isSigned = (): boolean =>
		headers.Authorization !== undefined && headers.Authorization !== refused;
	return {
		send: async (mayRenew, signal) => {
			// n8n gets a new token only if it throws the 401 as an error instead of returning it.
			const own: IDataObject = { ...options.headers };
			headers = own;
			const request = { ...options, headers: own, ignoreHttpStatusErrors: !mayRenew };
			// The credential was read earlier, so it does not contain a token that n8n gets now.
			const secret = (): string => textOf(own.Authorization).replace(/^Bearer /, '');
			const withToken = () => ({ ...context, secrets: [...context.secrets, secret()] });
			const problem = mayRenew && (await checkTokenEndpoint(context, accessTokenUrl, signal));
			if (problem) return { failure: problem };
			// n8n would send a token request even if the execution was stopped.
			if (mayRenew && signal.aborted) {
				return { failure: { kind: 'token', problem: 'unavailable', detail: 'ERR_CANCELED' } };
			}
			try {
				const answer = await askN8n(context, request, signal);
				if (answer.statusCode === 401) refused = own.Authorization;
				return readAnswer(answer, withToken());
			} catch (error) {
				const failure = parseTokenError(error, accessTokenUrl, isSigned());
				return { failure: failure ?? readThrown(error, withToken()) };
			}
		},
		unanswered: (why) => {
			if (why === 'stopped' || isSigned()) return unanswered(why);
			return { failure: { kind: 'token', problem: 'unavailable', detail: 'ETIMEDOUT' } };
		},
	};
}
