import {
	parseErrorResponse,
	parseThrownError,
} from '../../../../nodes/Supercast/api/http/parseErrorResponse';

const NOW = Date.UTC(2026, 0, 1);
const PAGE = ' <!DOCTYPE html>';

function read(status: number, body: unknown, headers: Record<string, unknown> = {}) {
	return parseErrorResponse({ status, headers, body }, NOW);
}

describe('a response with an error status', () => {
	it.each(['Not found', PAGE])('of 404 with the text %j is from another site', (body) => {
		expect(read(404, body)).toEqual({ kind: 'notJson', status: 404, truncated: false });
	});

	it.each([undefined, null, '', ' ', [], 7])(
		'is a 404 that counts only if it comes again, with a body of %j',
		(body) => {
			expect(read(404, body)).toEqual({ kind: 'status', status: 404, body, isBare: true });
		},
	);

	it('is the API’s 404 with a JSON object', () => {
		const body = { message: 'Not found' };
		expect(read(404, body)).toEqual({ kind: 'status', status: 404, body });
	});

	it.each([400, 402, 403, 422, 499])('of %d on a web page is from another site', (status) => {
		expect(read(status, PAGE)).toEqual({ kind: 'notJson', status, truncated: false });
		expect(read(status, '<html>')).toEqual({ kind: 'notJson', status, truncated: false });
		for (const body of ['No < more', undefined, { message: '<' }, ['<']]) {
			expect(read(status, body)).toEqual({ kind: 'status', status, body });
		}
	});

	it.each([302, 401, 429, 500, 502])('of %d means the same on a web page', (status) => {
		expect(read(status, PAGE)).toEqual({ kind: 'status', status, body: PAGE });
	});

	it("keeps the target of a redirect, and the wait by the sender's clock", () => {
		expect(read(302, '', { location: 'https://x.example/' })).toMatchObject({
			location: 'https://x.example/',
		});
		expect(read(302, '', { location: ['x'] })).toHaveProperty('location', undefined);
		expect(read(429, {}, { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 });
		const date = new Date(NOW + 60_000).toUTCString();
		const later = new Date(NOW + 90_000).toUTCString();
		expect(read(429, {}, { 'retry-after': later, date })).toMatchObject({ retryAfterMs: 30_000 });
		expect(read(429, {}, { 'retry-after': later })).toMatchObject({ retryAfterMs: 90_000 });
		expect(read(429, {})).toHaveProperty('retryAfterMs', undefined);
	});
});

describe('an error of n8n', () => {
	it('is a response that broke off if its status is a success', () => {
		for (const status of [200, 299]) {
			const error = { cause: { response: { status, data: {} } } };
			expect(parseThrownError(error, NOW)).toEqual({ kind: 'notJson', status, truncated: true });
		}
		const answered = { response: { status: 300, data: 'x' } };
		expect(parseThrownError(answered, NOW)).toEqual({ kind: 'status', status: 300, body: 'x' });
	});

	it('is read through five causes', () => {
		const nested = (depth: number): object =>
			depth === 0 ? { response: { status: 422 } } : { cause: nested(depth - 1) };
		expect(parseThrownError(nested(5), NOW)).toMatchObject({ status: 422 });
		expect(parseThrownError(nested(6), NOW)).toMatchObject({ kind: 'network' });
	});

	it('ends also if it is its own cause', () => {
		const error: { cause?: unknown } = {};
		error.cause = error;
		expect(parseThrownError(error, NOW)).toMatchObject({ kind: 'network' });
	});

	it('gives away nothing of the request', () => {
		const config = { headers: { Authorization: 'Bearer token_that_nobody_may_see' } };
		const response = { status: 422, data: { message: 'No' }, config };
		for (const error of [
			{ response },
			{ cause: { response } },
			{ cause: { cause: { response } } },
		]) {
			const body = { message: 'No' };
			const failure = parseThrownError({ ...error, config }, NOW);
			expect(failure).toEqual({ kind: 'status', status: 422, body });
		}
	});

	it.each([undefined, null, 'text', new Error('x')])('can be %p', (error) => {
		expect(parseThrownError(error, NOW)).toMatchObject({ kind: 'network' });
	});

	it('is read from the outermost response, not from what caused it', () => {
		const error = { response: { status: 422 }, cause: { response: { status: 500 } } };
		expect(parseThrownError(error, NOW)).toMatchObject({ status: 422 });
	});

	it('keeps the code of the connection, if it has one', () => {
		const broke = { kind: 'network', code: 'ECONNRESET' };
		expect(parseThrownError({ cause: { code: 'ECONNRESET' } }, NOW)).toEqual(broke);
		expect(parseThrownError({ code: 'ECONNRESET', cause: null }, NOW)).toEqual(broke);
		expect(parseThrownError({ cause: { code: 7 } }, NOW)).toEqual({ ...broke, code: 'UNKNOWN' });
	});

	it('sent nothing if each of several addresses refused to connect', () => {
		const connect = { code: 'ENETUNREACH', syscall: 'connect' };
		const read = { code: 'ENETUNREACH', syscall: 'read' };
		const error = (errors: object[]) => ({ cause: { code: 'ENETUNREACH', errors } });
		expect(parseThrownError(error([connect, connect]), NOW)).toHaveProperty('isUnsent', true);
		expect(parseThrownError(error([connect, read]), NOW)).toHaveProperty('isUnsent', undefined);
		expect(parseThrownError(error([]), NOW)).toHaveProperty('isUnsent', undefined);
	});
});
