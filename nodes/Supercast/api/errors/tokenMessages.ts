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
		remedy: `${CONNECT} If the grant type is Client Credentials, check 'Client ID' and 'Client Secret' instead, and save the credential.`,
	},
	revoked: {
		message:
			'The Supercast connection is no longer valid: it was revoked, or its refresh token was already used',
		remedy: `${CONNECT} Until then, all requests fail.`,
	},
	wrongApplication: {
		message: 'Supercast does not accept the Client ID and Client Secret of the credential',
		remedy:
			"Copy both again from the application's page in the Supercast dashboard, and save the credential. Check that the application still exists and may use the grant type.",
	},
	wrongScope: {
		message: "Supercast does not know the 'Scope' of the credential, or does not grant it",
		remedy:
			"Type the scopes with a space between them, for example public write. The application's page in the Supercast dashboard lists the scopes that it may have. Save the credential. With Authorization Code, connect it again.",
	},
	wrongAddress: {
		message: "'Access Token URL' does not lead to Supercast's token endpoint",
		remedy: ADDRESS,
	},
	redirected: {
		message: "'Access Token URL' redirects to another address",
		remedy: `The node does not follow redirects, because that address would receive the client secret. ${ADDRESS}`,
	},
	refused: {
		message: 'Supercast refused to issue a token',
		remedy: `Check the fields of the credential. ${CONNECT}`,
	},
	unavailable: {
		message: 'Supercast did not issue a new token',
		remedy: `Supercast may be busy or down. Run it again later. ${ADDRESS}`,
	},
	rejected: {
		message: 'Supercast does not accept the new token of this connection',
		remedy: `Check in the credential that 'Base URL' and 'Access Token URL' belong together. ${CONNECT}`,
	},
};

/** Describes why there was no token for a request. */
export function tokenSentences({ problem, detail }: TokenFailure): Sentences {
	const { message, remedy } = SENTENCES[problem];
	return { message: detail === undefined ? message : `${message} (${detail})`, remedy };
}
