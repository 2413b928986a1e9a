import { describeFailure } from '../../../../nodes/Supercast/api/errors/errors';
import { parseThrownError } from '../../../../nodes/Supercast/api/http/parseErrorResponse';
import type { ApiRequest, Failure } from '../../../../nodes/Supercast/api/types';
import { deleting } from './texts';

function sentences(failure: Failure, request: ApiRequest): string {
	const { message, description } = describeFailure(failure, request);
	expect(description).not.toBe('');
	return `${message}\n${description}`;
}

function status(code: number, body: unknown = { message: 'The words of the service' }): Failure {
	return { kind: 'status', status: code, body };
}

describe('the text about a failed request', () => {
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
