import type { TokenFailure, TokenProblem } from '../types';

/** What happened, and what to do next. */
export interface Sentences {
	message: string;
	remedy: string;
}

const TOKEN_URL =
	"Check 'Access Token URL' in the credential. It should look like https://supercast.tech/oauth/token.";
const CONNECT =
	"Open the credential in n8n. As the owner of the channel, connect it again with 'Connect' or 'Switch account'.";

const TOKEN_SENTENCES: Record<TokenProblem, Sentences> = {
	notConnected: {
		message: 'The Supercast credential is not connected yet',
		remedy:
			"Open the credential in n8n and select 'Connect'. Sign in as the owner of the channel and authorize the application.",
	},
	missing: {
		message: 'n8n has no token for the Supercast credential, and could not get one',
		remedy: `${CONNECT} If the grant type is Client Credentials, check 'Client ID' and 'Client Secret' instead, and save the credential.`,
	},
	revoked: {
		message:
			'The Supercast connection is no longer valid: it was revoked, or its refresh token was already used',
		remedy: `${CONNECT} Until then, all requests fail.`,
	},
	wrongApplication: {
		message: 'Supercast rejected the Client ID and Client Secret of the credential',
		remedy:
			"Copy both again from the application's page in the Supercast dashboard, and save the credential. Also check that the application still exists and may use this grant type.",
	},
	wrongScope: {
		message: "Supercast does not recognize the 'Scope' of the credential, or does not grant it",
		remedy:
			'Separate the scopes with a space, for example "public write". The application\'s page in the Supercast dashboard lists the allowed scopes. Save the credential. If the grant type is Authorization Code, connect it again.',
	},
	wrongAddress: {
		message: "'Access Token URL' does not point to Supercast's token endpoint",
		remedy: TOKEN_URL,
	},
	redirected: {
		message: "'Access Token URL' redirects to another address",
		remedy: `The node does not follow redirects, because the other address would receive the client secret. ${TOKEN_URL}`,
	},
	refused: {
		message: 'Supercast refused to issue a token',
		remedy: `Check the fields of the credential. ${CONNECT}`,
	},
	unavailable: {
		message: 'Supercast did not issue a new token',
		remedy: `Supercast may be busy or down. Try again later. ${TOKEN_URL}`,
	},
	rejected: {
		message: 'Supercast rejected the new token of this connection',
		remedy: `In the credential, check that 'Base URL' and 'Access Token URL' use the same host. ${CONNECT}`,
	},
};

/** Describes why there was no token for a request. */
export function tokenSentences({ problem, detail }: TokenFailure): Sentences {
	const { message, remedy } = TOKEN_SENTENCES[problem];
	return { message: detail === undefined ? message : `${message} (${detail})`, remedy };
}
