/** What a request tells the user that failed for lack of a usable token. */

import type { TokenProblem } from '../types';

export type Sentences = readonly [message: string, remedy: string];

const TOKEN_URL =
	"Check 'Access Token URL' in the credential. It should look like https://supercast.tech/oauth/token.";
const CONNECT =
	"Open the credential in n8n. As the owner of the channel, reconnect the credential with 'Connect' or 'Switch account'.";

export const TOKEN_SENTENCES: Record<TokenProblem, Sentences> = {
	notConnected: [
		'The Supercast credential is not connected yet',
		"Open the credential in n8n and select 'Connect'. Sign in as the owner of the channel and authorize the application.",
	],
	missing: [
		'n8n has no token for the Supercast credential, and could not get one',
		`${CONNECT} If the grant type is Client Credentials, check 'Client ID' and 'Client Secret' instead, and save the credential.`,
	],
	revoked: [
		'The Supercast connection is no longer valid: it was revoked, or its refresh token was already used',
		`${CONNECT} Until then, all requests fail.`,
	],
	wrongApplication: [
		'Supercast rejected the Client ID and Client Secret of the credential',
		"Copy both again from the application's page in the Supercast dashboard, and save the credential. Also check that the application still exists and may use this grant type.",
	],
	wrongScope: [
		"Supercast does not recognize the 'Scope' of the credential, or does not grant it",
		'Separate the scopes with a space, for example "public write". The application\'s page in the Supercast dashboard lists the allowed scopes. Save the credential. If the grant type is Authorization Code, reconnect the credential.',
	],
	wrongAddress: ["'Access Token URL' does not point to Supercast's token endpoint", TOKEN_URL],
	redirected: [
		"'Access Token URL' redirects to another address",
		`The node does not follow redirects, because the other address would receive the client secret. ${TOKEN_URL}`,
	],
	notSent: ['n8n did not send the request for a new token', '{reason}'],
	refused: ['Supercast refused to issue a token', `Check the fields of the credential. ${CONNECT}`],
	unavailable: [
		'Supercast did not issue a new token',
		`Supercast may be busy or down. Try again later. ${TOKEN_URL}`,
	],
	notIssued: [
		"Supercast's token endpoint sent no new token",
		`The old token is no longer valid. ${CONNECT} If the grant type is Client Credentials, check 'Client ID', 'Client Secret' and 'Scope' instead. ${TOKEN_URL}`,
	],
	rejected: [
		'Supercast rejected the new token of this connection',
		`In the credential, check that 'Base URL' and 'Access Token URL' use the same host. ${CONNECT}`,
	],
};
