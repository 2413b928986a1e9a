import type { TokenFailure, TokenProblem } from '../types';

/** What happened, and what to do next. */
export interface Sentences {
	message: string;
	remedy: string;
}

const CONNECT =
	"Open the credential in n8n and connect it again ('Connect' or 'Switch account'), as the owner of the channel.";

const ADDRESS =
	"Check 'Access Token URL' in the credential, such as https://supercast.tech/oauth/token.";

const SENTENCES: Record<TokenProblem, Sentences> = {
	notConnected: {
		message: 'The Supercast credential is not connected yet',
		remedy:
			"Open the credential in n8n, press 'Connect', and authorize the application as the owner of the channel.",
	},
	missing: {
		message: 'n8n has no token for the Supercast credential, and could not get one',
		remedy: `With the grant type Authorization Code: ${CONNECT} With Client Credentials: check 'Client ID' and 'Client Secret', and save the credential.`,
	},
	revoked: {
		message:
			'The Supercast connection is no longer valid: it was revoked, or its refresh token was already used',
		remedy: `Requests are possible again when it is connected again. ${CONNECT}`,
	},
	wrongApplication: {
		message: 'Supercast does not accept the Client ID and Client Secret of the credential',
		remedy:
			"Copy both again from the application's page in the dashboard of Supercast, check that the application still exists and may use the grant type, and save the credential.",
	},
	wrongScope: {
		message: "Supercast does not know the 'Scope' of the credential, or does not grant it",
		remedy:
			"Type the scopes separated by a space: public, or public write. The application's page in the dashboard of Supercast says which ones it may have. Save the credential and, with Authorization Code, connect it again.",
	},
	wrongAddress: {
		message: "The Access Token URL of the credential is not that of Supercast's OAuth2",
		remedy: ADDRESS,
	},
	redirected: {
		message: 'The Access Token URL of the credential redirects to another address',
		remedy: `A redirect is not followed, because it would show the client secret to that address. ${ADDRESS}`,
	},
	refused: {
		message: 'Supercast refused to give a token',
		remedy: `Check the fields of the credential. ${CONNECT}`,
	},
	unavailable: {
		message: 'Supercast did not give a new token',
		remedy: `Supercast may be busy or down: run it again later. ${ADDRESS}`,
	},
	rejected: {
		message: 'Supercast does not accept the token of the connection, although it is new',
		remedy: `Check in the credential that 'Base URL' and 'Access Token URL' belong to the same service. ${CONNECT}`,
	},
};

/** Describes why a request had no token to go with. */
export function tokenSentences({ problem, detail }: TokenFailure): Sentences {
	const { message, remedy } = SENTENCES[problem];
	return { message: detail === undefined ? message : `${message} (${detail})`, remedy };
}
