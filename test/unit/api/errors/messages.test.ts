import { isDeepStrictEqual } from 'node:util';

import { scripts } from '../../../../package.json';
import {
	hasUnknownOutcome,
	InputError,
	PROBE,
	ServiceError,
	withUnknownOutcome,
} from '../../../../nodes/Supercast/api/errors/errors';
import { sentencesFor } from '../../../../nodes/Supercast/api/errors/messages';
import type { ApiRequest, Failure, TokenProblem } from '../../../../nodes/Supercast/api/types';
import { changing, creating, deleting, listing, LOOK_FIRST, reading, shown } from './texts';

const status = (code: number, body?: unknown, location?: string): Failure => ({
	kind: 'status',
	status: code,
	body,
	...(location === undefined ? {} : { location }),
});
const network = (code: string): Failure => ({ kind: 'network', code });
const notJson = (truncated: boolean): Failure => ({ kind: 'notJson', status: 200, truncated });
const token = (problem: TokenProblem, detail?: string): Failure => ({
	kind: 'token',
	problem,
	detail,
});

const DURING = 'while deleting the subscriber "ann@example.com"';

/** A failure, the words that tell it from the others, and those that say what to do. */
type Row = readonly [failure: Failure, happened: string, remedy: string, request: ApiRequest];

const row = (
	failure: Failure,
	happened: string,
	remedy: string,
	request: ApiRequest = deleting,
): Row => [failure, happened, remedy, request];

const refusals: Row[] = [
	row(status(299), 'refused the request', 'Base URL'),
	row(status(400), 'could not read the request', 'invalid characters'),
	row(status(401), 'did not accept the access token', 'generate a new token'),
	row(status(402), 'requires a payment', 'paid-up plan'),
	row(status(403), 'not allowed to read', 'from the channel', reading),
	row(status(403), 'not allowed to make changes', "scope 'write'", creating),
	row(status(403), 'not allowed to make changes', "scope 'write'", changing),
	row(status(403), 'not allowed to make changes', "scope 'write'"),
	row(status(404), 'has no subscriber "ann@example.com"', 'Check the spelling'),
	row(status(404), 'no such address', 'Base URL', listing),
	row(status(409), 'conflicting change', 'already exist'),
	row(status(413), 'too long', 'Shorten'),
	row(status(422), 'did not accept the values', 'Correct the values'),
	row(status(429), 'request limit', '100 requests per minute'),
	row(status(500), 'could not process', "Supercast's side"),
	row(status(503), 'could not process', "Supercast's side"),
];

const redirects: Row[] = [
	row(status(300), 'unexpected response', 'Base URL'),
	row(status(399), 'unexpected response', 'Base URL'),
	...[301, 302, 303, 307, 308].map((code) => row(status(code), 'redirects', 'Base URL')),
];

const BLOCKED = { reason: 'The request was blocked. The target 10.1.2.3 is not allowed.' };

const lostResponses: Row[] = [
	row(network('ECONNREFUSED'), 'connection was refused', 'server may be down'),
	row(network('ENOTFOUND'), 'no server with that name', 'Base URL'),
	row(network('EAI_AGAIN'), 'could not be looked up', 'internet connection'),
	row(network('ERR_CANCELED'), 'was canceled', 'execution was stopped'),
	row(network('ETIMEDOUT'), 'did not respond in time', 'overloaded'),
	row(network('ECONNABORTED'), 'did not respond in time', 'overloaded'),
	row(network('CERT_HAS_EXPIRED'), '(CERT_HAS_EXPIRED)', 'certificate'),
	row(network('ERR_SSL_WRONG_VERSION_NUMBER'), 'secure connection', 'certificate'),
	row(network('DEPTH_ZERO_SELF_SIGNED_CERT'), 'secure connection', 'certificate'),
	row(network('ECONNRESET'), 'was interrupted', 'Check the network'),
	row(network('SOMETHING_NEW'), 'was interrupted', 'Check the network'),
	row({ ...network('NOT_SENT_BY_N8N'), ...BLOCKED }, 'n8n did not send', 'The target 10.1.2.3'),
	row(notJson(true), 'cut off', 'Try again'),
	row(notJson(false), 'web page', 'Base URL'),
	row({ kind: 'unexpected', status: 201, came: 'a list' }, '(status 201)', 'sent a list.'),
	row({ kind: 'existedBefore' }, 'outcome is unknown', 'its values differ'),
];

const tokenProblems: Row[] = [
	row(token('notConnected'), 'not connected yet', "select 'Connect'"),
	row(token('missing'), 'n8n has no token', "check 'Client ID' and 'Client Secret'"),
	row(token('revoked'), 'no longer valid', 'Until then, all requests fail'),
	row(token('wrongApplication'), 'Client ID and Client Secret', 'Copy both again'),
	row(token('wrongScope'), "'Scope'", '"public write"'),
	row(token('wrongAddress'), 'does not point', 'https://supercast.tech/oauth/token'),
	row(token('redirected'), 'redirects to another address', "Check 'Access Token URL'"),
	row({ ...token('notSent'), ...BLOCKED }, 'n8n did not send', 'The target 10.1.2.3'),
	row(token('refused'), 'refused to issue a token', 'reconnect the credential'),
	row(token('unavailable'), 'did not issue a new token', 'Try again later'),
	row(token('rejected'), 'rejected the new token', "'Base URL' and 'Access Token URL'"),
];

const rows = [...refusals, ...redirects, ...lostResponses, ...tokenProblems];

describe('a failed item', () => {
	it.each(rows)(
		'says what happened and what to do: %j, "%s"',
		(failure, happened, remedy, request) => {
			const [message, description] = shown(failure, request);
			expect(message).toContain(happened);
			expect(description).toContain(remedy);
		},
	);

	it.each(rows)('has whole sentences: %j, "%s"', (failure, _happened, _remedy, request) => {
		const [message, description] = shown(failure, request);
		expect(message).not.toMatch(/[{}]|undefined|^\s|\s$/);
		expect(description).toMatch(/^[^{}]+\.$/);
		expect(description).not.toMatch(/undefined|\s{2}|^\s/);
	});

	it.each([
		[reading, 'while reading'],
		[creating, 'while creating'],
		[changing, 'while changing'],
		[deleting, 'while deleting'],
		[{ ...changing, subject: { ...changing.subject, verb: 'suspending' } }, 'while suspending'],
	])('says what the request was doing: %#', (request, words) => {
		const [message] = shown(network('ECONNRESET'), request);
		expect(message).toContain(`${words} the subscriber "ann@example.com"`);
	});

	it.each([
		...refusals.filter(
			([failure]) => ![401, 404].includes('status' in failure ? failure.status : 0),
		),
		...redirects,
		...lostResponses,
	])('names the record: %j, "%s"', (failure, _happened, _remedy, request) => {
		const [message] = shown(failure, request);
		expect(message).toContain('the subscriber "ann@example.com"');
		if (request === deleting) expect(message).toContain(DURING);
	});

	it('shows the status of an unusual response', () => {
		for (const code of [299, 300, 500, 503]) {
			expect(shown(status(code), reading)[0]).toContain(`(status ${code})`);
		}
		expect(shown(notJson(false), reading)[0]).toContain('(status 200)');
	});

	it('adds what its caller knows about a missing record', () => {
		const subject = { ...deleting.subject, remedyIfMissing: 'It may be gone.' };
		expect(shown(status(404), { ...deleting, subject })[1]).toMatch(/channel\. It may be gone\.$/);
	});

	it('shows the code of a token problem to people who investigate it', () => {
		for (const [failure] of tokenProblems) {
			const [message, remedy] = shown(failure, reading);
			const investigated = shown({ ...failure, detail: 'invalid_grant' } as Failure, reading);
			expect(investigated).toEqual([`${message} (invalid_grant)`, remedy]);
		}
	});
});

describe('a redirect names the origin of the other address, and leaves out the rest', () => {
	it.each([
		[301, 'https://elsewhere.example/path?token=1', 'https://elsewhere.example'],
		[302, '/login', 'another address'],
		[307, undefined, 'another address'],
	])('%d to %j', (code, location, target) => {
		const [message] = shown(status(code, undefined, location), deleting);
		expect(message).toBe(`'Base URL' redirects to ${target} (${DURING})`);
	});
});

describe('a failed change warns that it may have been made', () => {
	const mayBeMade: Failure[] = [
		...[300, 399, 500, 503].map((code) => status(code)),
		...['ERR_CANCELED', 'ETIMEDOUT', 'ECONNABORTED', 'ECONNRESET', 'SOMETHING_NEW'].map(network),
		notJson(true),
		{ kind: 'unexpected', status: 201, came: 'a list' },
	];

	it.each(mayBeMade)('after %j', (failure) => {
		expect(shown(failure, deleting)[1]).toContain(LOOK_FIRST);
	});

	it.each(rows.filter(([failure]) => !mayBeMade.some((one) => isDeepStrictEqual(one, failure))))(
		'but not after %j',
		(failure) => {
			expect(shown(failure, deleting)[1]).not.toContain(LOOK_FIRST);
		},
	);

	it.each(rows)('and a read never does: %j', (failure) => {
		expect(shown(failure, reading)[1]).not.toContain(LOOK_FIRST);
	});
});

describe('after several tries, the description', () => {
	const done = { attempts: 3, ms: 4_000, maybeProcessed: false };
	const lost = { ...done, maybeProcessed: true };
	const refused = status(403, {});
	const tried = 'The node tried 3 times in 4 seconds.';
	const remedyOf = (failure: Failure, request: ApiRequest): string => shown(failure, request)[1];

	it('warns once if Supercast may have processed one of them', () => {
		const unknown = network('ENOTFOUND');
		expect(shown(unknown, deleting, lost)[1]).toBe(
			`${remedyOf(unknown, deleting)} ${LOOK_FIRST} ${tried}`,
		);
		expect(shown(notJson(true), deleting, lost)[1]).toBe(
			`${remedyOf(notJson(true), deleting)} ${tried}`,
		);
	});

	it('does not warn of a change if there was none', () => {
		for (const [failure, request, effort] of [
			[network('ENOTFOUND'), deleting, done],
			[network('ENOTFOUND'), reading, lost],
			[refused, reading, lost],
		] as const) {
			expect(shown(failure, request, effort)[1]).toBe(`${remedyOf(failure, request)} ${tried}`);
		}
	});

	it('does not mention the tries if there was only one', () => {
		const once = { attempts: 1, ms: 4_000, maybeProcessed: true };
		expect(shown(network('ENOTFOUND'), deleting, once)[1]).not.toContain('tried');
	});

	it('says that nothing was done after a refusal, except if an earlier try may have been processed', () => {
		const refusal = shown(status(429), deleting)[0];
		expect(refusal).toMatch(/, so nothing was done$/);
		const [message, description] = shown(status(429), deleting, lost);
		expect(message).toBe(refusal.replace(', so nothing was done', ''));
		expect(description).toMatch(new RegExp(`\\. ${LOOK_FIRST} ${tried}$`));
	});

	it.each([
		[1_499, '1 second'],
		[1_500, '2 seconds'],
		[119_499, '119 seconds'],
		[119_500, '2 minutes'],
		[210_000, '4 minutes'],
	])('shows %d ms as %s', (ms, time) => {
		const effort = { attempts: 2, ms, maybeProcessed: false };
		expect(shown(status(429), reading, effort)[1]).toContain(`tried 2 times in ${time}.`);
	});
});

describe('the words of Supercast', () => {
	describe("Supercast's own words come first in the description", () => {
		const quoted = (body: unknown): string => shown(status(409, body), changing)[1];
		const remedy = quoted(undefined);

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
			const failure = { ...token('redirected'), ...{ body: { message: 'No' } } };
			const [, remedyAlone] = sentencesFor(failure, changing, false);
			expect(shown(failure, changing)[1]).toBe(remedyAlone);
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
		const UPSERT = "'Create or Update'";
		const remedyOf = (body: unknown, request: ApiRequest): string =>
			shown(status(422, { errors: body }), request)[1];

		it.each([
			[{ email: ['has already been taken'] }],
			['The e-mail exists'],
			['This EMAIL is in use'],
			['exist: email'],
		])('advises Create or Update if the email is taken: %j', (errors) => {
			expect(remedyOf(errors, creating)).toContain(UPSERT);
			expect(shown(status(422, { errors }), creating)[0]).toContain('did not accept the values');
		});

		it.each([
			[{ email: ['is invalid'] }],
			[{ name: ['has already been taken'] }],
			[{ email: ['domain does not exist'] }],
			["The email's mailbox doesn't exist"],
			['There is no email: it did not already exist'],
		])('does not for %j', (errors) => {
			expect(remedyOf(errors, creating)).not.toContain(UPSERT);
		});

		it('does not for another request or another record', () => {
			const taken = { email: ['has already been taken'] };
			expect(remedyOf(taken, changing)).not.toContain(UPSERT);
			expect(remedyOf(taken, { ...creating, path: ['creators'] })).not.toContain(UPSERT);
			expect(shown(status(422), creating)[1]).not.toContain(UPSERT);
			expect(shown(status(409, { errors: taken }), creating)[0]).toContain('conflicting');
		});
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
		const bare = { kind: 'status', status: 404, body: null, isBare: true } as const;
		expect(new ServiceError('x', 'y', bare)).toHaveProperty('status', undefined);
	});

	it('say whether nobody knows if a change was made', () => {
		const gateway = { kind: 'notJson', status: 502, truncated: false } as const;
		const error = new ServiceError('What happened', 'What to do', gateway, 3);
		expect(hasUnknownOutcome(error)).toBe(false);
		const unknown = withUnknownOutcome(error);
		expect(hasUnknownOutcome(unknown)).toBe(true);
		expect(unknown).toMatchObject({ ...error, maybeProcessed: true, isOutcomeUnknown: true });
	});

	it('know only the outcome of requests', () => {
		const other = Object.assign(new Error('x'), { isOutcomeUnknown: true });
		expect(withUnknownOutcome(other)).toBe(other);
		expect(hasUnknownOutcome(other)).toBe(false);
	});

	it('name a command that the package has', () => {
		const [, command = ''] = /npm run (\w+)/.exec(PROBE) ?? [];
		expect(Object.keys(scripts)).toContain(command);
	});

	it('say what is wrong with an input', () => {
		expect(new InputError('What happened', 'What to do')).toMatchObject({
			name: 'InputError',
			message: 'What happened',
			description: 'What to do',
		});
	});
});
