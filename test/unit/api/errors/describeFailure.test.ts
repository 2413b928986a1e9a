import { describeFailure } from '../../../../nodes/Supercast/api/errors/describeFailure';
import { parseThrownError } from '../../../../nodes/Supercast/api/http/parseErrorResponse';
import type { ApiRequest, Failure } from '../../../../nodes/Supercast/api/types';

const subject = { text: 'subscriber "ann@example.com"', isRecord: true };
const reading: ApiRequest = { method: 'GET', path: ['subscribers', 'ann@example.com'], subject };
const deleting: ApiRequest = { ...reading, method: 'DELETE' };
const listing: ApiRequest = {
	method: 'GET',
	path: ['subscribers'],
	subject: { text: 'list of subscribers', isRecord: false },
};

function sentences(failure: Failure, request: ApiRequest): string {
	const { message, description } = describeFailure(failure, request);
	expect(description).not.toBe('');
	return `${message}\n${description}`;
}

function status(code: number, body: unknown = { message: 'The words of the service' }): Failure {
	return { kind: 'status', status: code, body };
}

describe('a failed request in words', () => {
	it.each([
		[400, reading, ['could not read the request', 'broken characters']],
		[401, reading, ['did not accept the access token', 'generate a new token']],
		[403, reading, ['not allowed to read this', 'owns the record']],
		[403, deleting, ['not allowed to make changes', "lacks the scope 'write'"]],
		[404, reading, ['has no subscriber "ann@example.com"', 'Check the spelling']],
		[404, listing, ['has no such address', "Check 'Base URL'"]],
		[402, deleting, ['asks for a payment', 'is paid']],
		[409, deleting, ['conflicting change', 'Check it in Supercast']],
		[413, deleting, ['too long', 'Shorten them']],
		[418, reading, ['status 418']],
		[422, deleting, ['did not accept the values', 'Correct the named fields']],
		[429, deleting, ['request limit', 'this was not done']],
		[500, reading, ['status 500', 'Run it again later']],
		[503, deleting, ['status 503']],
	])("for status %d keeps Supercast's words and says what to do", (code, request, words) => {
		const text = sentences(status(code), request);
		for (const part of [...words, 'Supercast says: "The words of the service"']) {
			expect(text).toContain(part);
		}
	});

	it.each([
		[{ errors: { email: ['is invalid', 'is taken'] } }, 'email is invalid, is taken'],
		[{ email: ['is invalid'], other: 'x' }, 'ann@example.com": email is invalid'],
		[{ errors: ['Email is invalid', 'Name is missing'] }, 'Email is invalid; Name is missing'],
		[{ errors: [{ field: 'email', message: 'is invalid' }] }, 'email is invalid'],
		[{ errors: [{ code: 7 }] }, '{"code":7}'],
		[{ errors: { base: { deep: true } } }, 'base {"deep":true}'],
	])('lists what a 422 says about the fields, in any form: %j', (body, words) => {
		expect(describeFailure(status(422, body), deleting).message).toContain(words);
	});

	it.each([
		null,
		undefined,
		'',
		'text',
		42,
		[],
		{ message: 42 },
		{ message: '' },
		{ errors: null },
	])('is complete with a body of %j', (body) => {
		expect(sentences(status(422, body), deleting)).not.toMatch(/undefined|null|\[object/);
	});

	it('shortens a long message', () => {
		const { message, description } = describeFailure(
			status(422, { message: 'x'.repeat(10_000), errors: { email: 'y'.repeat(10_000) } }),
			deleting,
		);
		expect(message.length + description.length).toBeLessThan(2_000);
	});

	it.each([
		['ECONNREFUSED', 'connection was refused'],
		['ENOTFOUND', 'no server with that name'],
		['EAI_AGAIN', 'internet connection'],
		['ETIMEDOUT', 'did not answer in time'],
		['ECONNABORTED', 'did not answer in time'],
		['ECONNRESET', 'connection to Supercast broke'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'No secure connection'],
		['ERR_CANCELED', 'was stopped'],
		['SOMETHING_NEW', 'connection to Supercast broke'],
	])('for %s says what happened', (code, words) => {
		expect(sentences({ kind: 'network', code }, deleting)).toContain(words);
	});

	it('says that the outcome is unknown after a change whose response was lost', () => {
		const lost: Failure = { kind: 'network', code: 'ECONNRESET' };
		expect(sentences(lost, deleting)).toContain('may already have been made');
		expect(sentences(lost, reading)).not.toContain('may already have been made');
	});
});

describe('what is read from an error of the request helper', () => {
	const SECRET = 'token_that_nobody_may_see';
	const response = {
		status: 422,
		data: { message: 'No' },
		headers: { location: 'https://elsewhere.example/path?token=1' },
		config: { headers: { Authorization: `Bearer ${SECRET}` } },
	};

	it.each([
		['the client error itself', { response }],
		['an error around it', { message: 'x', cause: { response } }],
		['two errors around it', { cause: { cause: { response } } }],
	])('finds the response in %s, and takes nothing of the request', (_, error) => {
		const failure = parseThrownError({ ...error, config: response.config }, 0);
		expect(failure).toMatchObject({ kind: 'status', status: 422, body: { message: 'No' } });
		expect(JSON.stringify(failure)).not.toContain(SECRET);
	});

	it('names only the origin of a redirect', () => {
		const failure = parseThrownError({ response: { ...response, status: 302 } }, 0);
		expect(sentences(failure, deleting)).toContain('to https://elsewhere.example (while');
	});

	it.each([[undefined], [null], ['text'], [new Error('x')], [{ cause: null }]])(
		'survives %p',
		(error) => {
			expect(parseThrownError(error, 0)).toMatchObject({ kind: 'network' });
		},
	);

	it('does not loop for ever', () => {
		const error: { cause?: unknown } = {};
		error.cause = error;
		expect(parseThrownError(error, 0)).toMatchObject({ kind: 'network' });
	});
});
