/** Hands requests to n8n's request helper, which adds the token, and reads what comes back. */

import type {
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { checkTokenUrl } from './address';
import { readFailure, refusal, unusableAnswer } from './parseErrorResponse';
import { OAuthSession, type Connection } from '../auth/oauthSession';
import { runtime } from '../runtime';
import { readTokenFailure } from '../auth/parseTokenError';
import type { TokenGate } from '../auth/refreshMutex';
import type { Attempt } from '../types';

/** Whatever part of n8n a request can start from. */
export type RequestContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Sends a request once. Does not throw. */
export type Sender = (options: IHttpRequestOptions) => Promise<Attempt>;

/** A sender for a credential that n8n applies by itself. */
export function plainSender(context: RequestContext, credentialType: string): Sender {
	return async (options) => {
		try {
			// Returned, a refusal keeps all that it says; thrown, some versions of n8n lose it, and on a 401
			// n8n sends the same request once more.
			const returned = { ...options, ignoreHttpStatusErrors: true };
			return readAnswer(await ask(context, credentialType, returned));
		} catch (error) {
			return { failure: readFailure(error, runtime.clock.date()) };
		}
	};
}

/**
 * A sender for an OAuth2 credential.
 *
 * @param gate The credential's, and `openedAt` its `renewals` from before the credential was read.
 * @throws InputError when the credential's Access Token URL cannot be used.
 */
export function oAuth2Sender(
	context: RequestContext,
	credentialType: string,
	credential: Connection & { accessTokenUrl?: string },
	{ gate, openedAt }: { gate: TokenGate<Attempt>; openedAt: number },
): Sender {
	const session = new OAuthSession(gate, openedAt, credential);
	const accessTokenUrl = credential.accessTokenUrl ?? '';
	checkTokenUrl(accessTokenUrl);
	return async (options) => {
		let refused: unknown;
		return await session.send(async (mayRenew) => {
			// n8n gets a new token when a 401 is thrown, and leaves alone what it is told to return.
			// It also writes the token into the headers: each attempt has its own.
			const headers = { ...options.headers };
			const own = { ...options, headers, ignoreHttpStatusErrors: !mayRenew };
			try {
				const answer = await ask(context, credentialType, own);
				if (answer.statusCode === 401) refused = headers.Authorization;
				return readAnswer(answer);
			} catch (error) {
				const { Authorization: sent } = headers;
				const wasSigned = sent !== undefined && sent !== refused;
				const failure = readTokenFailure(error, accessTokenUrl, wasSigned);
				return { failure: failure ?? readFailure(error, runtime.clock.date()) };
			}
		});
	};
}

async function ask(
	context: RequestContext,
	credentialType: string,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	return (await context.helpers.httpRequestWithAuthentication.call(
		context,
		credentialType,
		options,
	)) as IN8nHttpFullResponse;
}

function readAnswer({ statusCode: status, headers, body }: IN8nHttpFullResponse): Attempt {
	if (status >= 300) return { failure: refusal(status, headers, body, runtime.clock.date()) };
	const response = { status, headers, body: body === '' ? undefined : body };
	const failure = unusableAnswer(response);
	return failure === undefined ? { response } : { failure };
}
