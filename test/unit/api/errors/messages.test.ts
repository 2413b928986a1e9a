import type { ApiRequest, Failure } from '../../../../nodes/Supercast/api/types';
import {
	changing,
	CHECK_BASE_URL,
	creating,
	deleting,
	listing,
	LOOK_FIRST,
	reading,
	shown,
} from './texts';

describe('refusals', () => {
	const status = (code: number, body?: unknown, location?: string): Failure => ({
		kind: 'status',
		status: code,
		body,
		...(location === undefined ? {} : { location }),
	});

	const NO_WRITE_SCOPE =
		"The token does not have the scope 'write'. Use an access token with that scope. With OAuth2, enter \"public write\" in 'Scope' in the credential, save the credential and reconnect it. If the grant type is Client Credentials, create a new credential instead.";
	const NOT_FOUND =
		"Check the spelling, and that the credential and its 'Base URL' belong to the right channel.";
	const WAIT_FOR_OTHERS =
		'Supercast allows 100 requests per minute across all apps. Run the remaining items again when other apps are less busy.';
	const NOT_FOLLOWED = `The node does not follow redirects, because a redirected request loses its data. ${CHECK_BASE_URL}`;

	const ANN = 'the subscriber "ann@example.com"';

	describe('a refusal says what happened and what to do', () => {
		it.each<[code: number, request: ApiRequest, message: string, description: string]>([
			[
				400,
				changing,
				`Supercast could not read the request while changing ${ANN}`,
				'Check the values of this item for invalid characters or malformed JSON.',
			],
			[
				401,
				reading,
				'Supercast did not accept the access token',
				'The token is mistyped or was revoked. In Supercast, open Settings, then API, and generate a new token. Then paste it into the credential.',
			],
			[
				402,
				creating,
				`Supercast requires a payment while creating ${ANN}`,
				'In Supercast, check that the channel has a paid-up plan that includes the feature you used.',
			],
			[
				403,
				reading,
				`This access token is not allowed to read this: stopped while reading ${ANN}`,
				'Use a token from the channel that owns the record.',
			],
			...[creating, changing, deleting].map(
				(request, index): [number, ApiRequest, string, string] => [
					403,
					request,
					`This access token is not allowed to make changes: stopped while ${['creating', 'changing', 'deleting'][index]} ${ANN}`,
					NO_WRITE_SCOPE,
				],
			),
			[404, deleting, 'Supercast has no subscriber "ann@example.com"', NOT_FOUND],
			[
				404,
				{ ...deleting, subject: { ...deleting.subject, remedyIfMissing: 'It may be gone.' } },
				'Supercast has no subscriber "ann@example.com"',
				`${NOT_FOUND} It may be gone.`,
			],
			[
				404,
				listing,
				'Supercast has no such address: stopped while reading the list of subscribers',
				CHECK_BASE_URL,
			],
			[
				409,
				changing,
				`Supercast refused a conflicting change while changing ${ANN}`,
				'The record may already exist, or another change to it may be in progress. Check the record in Supercast, then run this item again.',
			],
			[
				413,
				changing,
				`Supercast refused the values of this item as too long while changing ${ANN}`,
				'Shorten the values and run the item again.',
			],
			[
				299,
				reading,
				`Supercast refused the request while reading ${ANN} (status 299)`,
				CHECK_BASE_URL,
			],
			[
				422,
				changing,
				`Supercast did not accept the values while changing ${ANN}`,
				'Correct the fields that the message names, then run the item again.',
			],
			[
				429,
				deleting,
				`Supercast's request limit was reached while deleting ${ANN}, so nothing was done`,
				WAIT_FOR_OTHERS,
			],
			[
				500,
				reading,
				`Supercast could not process the request while reading ${ANN} (status 500)`,
				"The cause is on Supercast's side. Try again later.",
			],
			[
				503,
				deleting,
				`Supercast could not process the request while deleting ${ANN} (status 503)`,
				`The cause is on Supercast's side. Try again later. ${LOOK_FIRST}`,
			],
		])('%d', (code, request, message, description) => {
			expect(shown(status(code), request)).toEqual([message, description]);
			expect(shown(status(code, { message: 'No' }), request)).toEqual([
				message,
				`Supercast says: "No".\n${description}`,
			]);
		});

		it('429 does not claim that nothing was done if an earlier try may have been processed', () => {
			const effort = { attempts: 2, ms: 90_000, maybeProcessed: true };
			expect(shown(status(429), deleting, effort)).toEqual([
				`Supercast's request limit was reached while deleting ${ANN}`,
				`${WAIT_FOR_OTHERS} ${LOOK_FIRST} The node tried 2 times in 90 seconds.`,
			]);
		});
	});

	it.each([300, 399])('%d is not explained as a redirect', (code) => {
		expect(shown(status(code), reading)).toEqual([
			`Supercast sent an unexpected response while reading ${ANN} (status ${code})`,
			CHECK_BASE_URL,
		]);
		expect(shown(status(code), deleting)[1]).toBe(`${LOOK_FIRST} ${CHECK_BASE_URL}`);
	});

	it.each([
		[1_499, '1 second'],
		[1_500, '2 seconds'],
		[119_499, '119 seconds'],
		[119_500, '2 minutes'],
		[210_000, '4 minutes'],
	])('%d ms of tries are %s', (ms, time) => {
		const effort = { attempts: 2, ms, maybeProcessed: false };
		expect(shown(status(429), reading, effort)[1]).toContain(`tried 2 times in ${time}.`);
	});

	describe('a redirect names the origin of the other address, and leaves out the rest', () => {
		it.each([
			[301, 'https://elsewhere.example/path?token=1', 'https://elsewhere.example'],
			[302, '/login', 'another address'],
			[307, undefined, 'another address'],
		])('%d to %j', (code, location, target) => {
			expect(shown(status(code, undefined, location), deleting)).toEqual([
				`'Base URL' redirects to ${target} (while deleting ${ANN})`,
				NOT_FOLLOWED,
			]);
		});
	});
});

describe('lost responses', () => {
	const network = (code: string): Failure => ({ kind: 'network', code });
	const notJson = (truncated: boolean): Failure => ({ kind: 'notJson', status: 200, truncated });

	type Row = [failure: Failure, message: string, description: string];

	describe('without a usable response, a failed delete says what happened and what to do', () => {
		it.each<Row>([
			[
				network('ECONNREFUSED'),
				'Supercast could not be reached while deleting the subscriber "ann@example.com": the connection was refused',
				`The server is down, or the address is wrong. ${CHECK_BASE_URL}`,
			],
			[
				network('ENOTFOUND'),
				'Supercast could not be reached while deleting the subscriber "ann@example.com": there is no server with that name',
				CHECK_BASE_URL,
			],
			[
				network('EAI_AGAIN'),
				'Supercast could not be reached while deleting the subscriber "ann@example.com": the server name could not be looked up',
				`Check that your n8n has a working internet connection. ${CHECK_BASE_URL}`,
			],
			[
				network('ERR_CANCELED'),
				'The request to Supercast was canceled while deleting the subscriber "ann@example.com"',
				`The execution was stopped. ${LOOK_FIRST}`,
			],
			...['ETIMEDOUT', 'ECONNABORTED'].map((code): Row => [
				network(code),
				'Supercast did not respond in time while deleting the subscriber "ann@example.com"',
				`Supercast may be overloaded. Try again later. ${LOOK_FIRST}`,
			]),
			...['CERT_HAS_EXPIRED', 'ERR_SSL_WRONG_VERSION_NUMBER', 'DEPTH_ZERO_SELF_SIGNED_CERT'].map(
				(code): Row => [
					network(code),
					`n8n could not make a secure connection to Supercast while deleting the subscriber "ann@example.com" (${code})`,
					`n8n could not verify the server's certificate. ${CHECK_BASE_URL}`,
				],
			),
			...['ECONNRESET', 'SOMETHING_NEW'].map((code): Row => [
				network(code),
				'The connection to Supercast was interrupted while deleting the subscriber "ann@example.com"',
				`Check the network between your n8n and Supercast, then try again. ${LOOK_FIRST}`,
			]),
			[
				notJson(true),
				'Supercast\'s response was cut off while deleting the subscriber "ann@example.com"',
				`Try again. ${LOOK_FIRST}`,
			],
			[
				notJson(false),
				'The server sent a web page instead of an API response while deleting the subscriber "ann@example.com" (status 200)',
				CHECK_BASE_URL,
			],
			[
				{ kind: 'unexpected', status: 201, came: "an object with 'error'" },
				'Supercast sent an unexpected response while deleting the subscriber "ann@example.com" (status 201)',
				`Supercast sent an object with 'error'. ${LOOK_FIRST} ${CHECK_BASE_URL}`,
			],
			[
				{ kind: 'existedBefore' },
				'The response was lost while deleting the subscriber "ann@example.com", so the outcome is unknown',
				'Supercast has a record with this email, but its values differ from those in this request. Check the record in Supercast before you run this item again.',
			],
		])('%j', (failure, message, description) => {
			expect(shown(failure, deleting)).toEqual([message, description]);
		});
	});

	describe('without a usable response, a failed read does not warn of a change', () => {
		it.each<Row>([
			[
				network('ERR_CANCELED'),
				'The request to Supercast was canceled while reading the subscriber "ann@example.com"',
				'The execution was stopped.',
			],
			[
				network('ETIMEDOUT'),
				'Supercast did not respond in time while reading the subscriber "ann@example.com"',
				'Supercast may be overloaded. Try again later.',
			],
			[
				network('ECONNRESET'),
				'The connection to Supercast was interrupted while reading the subscriber "ann@example.com"',
				'Check the network between your n8n and Supercast, then try again.',
			],
			[
				notJson(true),
				'Supercast\'s response was cut off while reading the subscriber "ann@example.com"',
				'Try again.',
			],
			[
				{ kind: 'unexpected', status: 200, came: 'a list' },
				'Supercast sent an unexpected response while reading the subscriber "ann@example.com" (status 200)',
				`Supercast sent a list. ${CHECK_BASE_URL}`,
			],
		])('%j', (failure, message, description) => {
			expect(shown(failure, reading)).toEqual([message, description]);
		});
	});

	it('names what the request was doing, if its method does not say it', () => {
		const subject = { ...changing.subject, verb: 'suspending' };
		const [message] = shown(network('ECONNRESET'), { ...changing, subject });
		expect(message).toContain('while suspending the subscriber "ann@example.com"');
	});

	describe('after several tries, the description', () => {
		const done = { attempts: 3, ms: 4_000, maybeProcessed: false };
		const lost = { ...done, maybeProcessed: true };
		const refused: Failure = { kind: 'status', status: 403, body: {} };
		const tried = 'The node tried 3 times in 4 seconds.';

		it('warns once if Supercast may have processed one of them', () => {
			expect(shown(network('ENOTFOUND'), deleting, lost)[1]).toBe(
				`${CHECK_BASE_URL} ${LOOK_FIRST} ${tried}`,
			);
			expect(shown(notJson(true), deleting, lost)[1]).toBe(`Try again. ${LOOK_FIRST} ${tried}`);
		});

		it('does not warn of a change if there was none', () => {
			expect(shown(network('ENOTFOUND'), deleting, done)[1]).toBe(`${CHECK_BASE_URL} ${tried}`);
			expect(shown(network('ENOTFOUND'), reading, lost)[1]).toBe(`${CHECK_BASE_URL} ${tried}`);
			expect(shown(refused, reading, lost)[1]).toBe(
				`Use a token from the channel that owns the record. ${tried}`,
			);
		});

		it('does not mention the tries if there was only one', () => {
			const once = { attempts: 1, ms: 4_000, maybeProcessed: true };
			expect(shown(network('ENOTFOUND'), deleting, once)[1]).toBe(
				`${CHECK_BASE_URL} ${LOOK_FIRST}`,
			);
		});
	});
});

describe('the words of Supercast', () => {
	const status = (code: number, body?: unknown): Failure => ({
		kind: 'status',
		status: code,
		body,
	});

	describe("Supercast's own words come first in the description", () => {
		const quoted = (body: unknown): string => shown(status(409, body), changing)[1];
		const remedy =
			'The record may already exist, or another change to it may be in progress. Check the record in Supercast, then run this item again.';

		it.each([
			[{ message: 'No' }, '"No".'],
			[{ message: '  No!\n' }, '"No!"'],
			[{ message: 'And so on…' }, '"And so on…"'],
			[{ message: 'Version 1.2 is too old' }, '"Version 1.2 is too old".'],
			[{ error_description: 'A', error: 'b' }, '"A".'],
			[{ message: ' ', error: 'b' }, '"b".'],
			[{ message: 'x'.repeat(501) }, `"${'x'.repeat(500)}…"`],
		])('from %j', (body, words) => {
			expect(quoted(body)).toBe(`Supercast says: ${words}\n${remedy}`);
		});

		it.each([undefined, 'text', {}, { error: ' ' }, { message: {} }])(
			'except that %j has none',
			(body) => {
				expect(quoted(body)).toBe(remedy);
			},
		);

		it('but only if Supercast refused', () => {
			const failure: Failure = {
				kind: 'token',
				problem: 'redirected',
				...{ body: { message: 'No' } },
			};
			expect(shown(failure, changing)[1]).not.toContain('Supercast says');
		});
	});

	describe('the message of a 422 lists the fields', () => {
		it.each([
			[{ errors: { email: ['is invalid', 'is taken'] } }, ': email is invalid, is taken'],
			[
				{ errors: { email: 'is invalid', name: 'is missing' } },
				': email is invalid; name is missing',
			],
			[{ email: ['is invalid'], other: 'x' }, ': email is invalid'],
			[{ errors: ['Email is invalid', 'Name is missing'] }, ': Email is invalid; Name is missing'],
			[{ errors: [{ field: 'email', message: 'is invalid' }] }, ': email is invalid'],
			[{ errors: [{ message: 'is invalid' }] }, ': is invalid'],
			[{ errors: [{ field: 7, message: 'is invalid' }] }, ': is invalid'],
			[{ errors: [{ code: 7 }] }, ': {"code":7}'],
			[{ errors: ['x'.repeat(500)] }, `: ${'x'.repeat(500)}`],
			[{ errors: ['x'.repeat(501)] }, `: ${'x'.repeat(500)}…`],
			[{ errors: [] }, ''],
			[{ errors: {} }, ''],
			[{ errors: 'text' }, ''],
			[{ other: 'x' }, ''],
			[undefined, ''],
			[['x'], ''],
		])('of %j', (body, fields) => {
			const [message] = shown(status(422, body), changing);
			expect(message).toBe(
				`Supercast did not accept the values while changing the subscriber "ann@example.com"${fields}`,
			);
		});
	});

	describe('a 422 to the create of a subscriber', () => {
		const UPSERT =
			"A subscriber with this email already exists. To change it, use the operation 'Create or Update' instead.";
		const CORRECT = 'Correct the fields that the message names, then run the item again.';
		const remedyOf = (body: unknown, request: ApiRequest): string =>
			shown(status(422, { errors: body }), request)[1];

		it.each([
			[{ email: ['has already been taken'] }],
			['The e-mail exists'],
			['This EMAIL is in use'],
			['exist: email'],
		])('advises Create or Update if the email is taken: %j', (errors) => {
			expect(remedyOf(errors, creating)).toBe(UPSERT);
			expect(shown(status(422, { errors }), creating)[0]).toContain('did not accept the values');
		});

		it.each([
			[{ email: ['is invalid'] }],
			[{ name: ['has already been taken'] }],
			[{ email: ['domain does not exist'] }],
			["The email's mailbox doesn't exist"],
			['There is no email: it did not already exist'],
		])('does not for %j', (errors) => {
			expect(remedyOf(errors, creating)).toBe(CORRECT);
		});

		it('does not for another request or another record', () => {
			const taken = { email: ['has already been taken'] };
			expect(remedyOf(taken, changing)).toBe(CORRECT);
			expect(remedyOf(taken, { ...creating, path: ['creators'] })).toBe(CORRECT);
			expect(shown(status(422), creating)[1]).toBe(CORRECT);
			expect(shown(status(409, { errors: taken }), creating)[0]).toContain('conflicting');
		});
	});
});
