import { InputError, ServiceError } from '../../../../nodes/Supercast/api/errors/errors';
import type { TokenProblem } from '../../../../nodes/Supercast/api/types';
import { reading, shown } from './texts';

const CONNECT =
	"Open the credential in n8n. As the owner of the channel, reconnect the credential with 'Connect' or 'Switch account'.";
const CHECK_TOKEN_URL =
	"Check 'Access Token URL' in the credential. It should look like https://supercast.tech/oauth/token.";

const TEXTS: Record<TokenProblem, [message: string, remedy: string]> = {
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
	wrongAddress: [
		"'Access Token URL' does not point to Supercast's token endpoint",
		CHECK_TOKEN_URL,
	],
	redirected: [
		"'Access Token URL' redirects to another address",
		`The node does not follow redirects, because the other address would receive the client secret. ${CHECK_TOKEN_URL}`,
	],
	refused: ['Supercast refused to issue a token', `Check the fields of the credential. ${CONNECT}`],
	unavailable: [
		'Supercast did not issue a new token',
		`Supercast may be busy or down. Try again later. ${CHECK_TOKEN_URL}`,
	],
	rejected: [
		'Supercast rejected the new token of this connection',
		`In the credential, check that 'Base URL' and 'Access Token URL' use the same host. ${CONNECT}`,
	],
};

const rows = Object.entries(TEXTS).map(([problem, [message, remedy]]) => ({
	problem: problem as TokenProblem,
	message,
	remedy,
}));

describe('without a token, a failed item says why and what to do', () => {
	it.each(rows)('$problem', ({ problem, message, remedy }) => {
		expect(shown({ kind: 'token', problem, detail: undefined }, reading)).toEqual([
			message,
			remedy,
		]);
	});

	it.each(rows)('$problem, with a code for people who investigate it', (row) => {
		const { problem, message, remedy } = row;
		expect(shown({ kind: 'token', problem, detail: 'invalid_grant' }, reading)).toEqual([
			`${message} (invalid_grant)`,
			remedy,
		]);
	});
});

describe("the package's errors", () => {
	it('show a status only if the API refused', () => {
		const refused = { kind: 'status', status: 404, body: {} } as const;
		const error = new ServiceError('What happened', 'What to do', refused);
		expect(error).toMatchObject({
			name: 'ServiceError',
			message: 'What happened',
			description: 'What to do',
			failure: refused,
			attempts: 1,
			maybeProcessed: false,
			status: 404,
		});
		const page = { kind: 'notJson', status: 404, truncated: false } as const;
		expect(new ServiceError('x', 'y', page, 3)).toMatchObject({ attempts: 3, status: undefined });
	});

	it('say what is wrong with an input', () => {
		expect(new InputError('What happened', 'What to do')).toMatchObject({
			name: 'InputError',
			message: 'What happened',
			description: 'What to do',
		});
	});
});
