import { validateBody } from '../../../../nodes/Supercast/api/http/validateBody';
import type { ApiRequest, Failure, Path } from '../../../../nodes/Supercast/api/types';

const subject = { text: 'any', isRecord: true };
const EMAIL = 'ann@example.com';
const ann = { uuid: 'u-1', email: EMAIL, state: 'available' };

function request(more: Partial<ApiRequest> = {}): ApiRequest {
	return { method: 'GET', path: ['subscribers', EMAIL], subject, ...more };
}

const record = (...path: Path) => request({ path, expects: 'record' });
const list = (path: string) => request({ path: [path], expects: 'list' });
const change = (path: Path, body?: ApiRequest['body']) =>
	request({ method: 'PATCH', path, ...(body === undefined ? {} : { body }) });

/** The body of a response after validation, or why it cannot be used. */
function read(body: unknown, asked: ApiRequest): unknown {
	const attempt = validateBody({ status: 200, headers: { a: 1 }, body }, asked);
	if ('failure' in attempt) return attempt.failure;
	expect(attempt.response).toMatchObject({ status: 200, headers: { a: 1 } });
	return attempt.response.body;
}

const unexpected = (came: string): Failure => ({ kind: 'unexpected', status: 200, came });

describe('a record', () => {
	it.each([
		['by its email', record('subscribers', EMAIL)],
		['by its email in capitals', record('subscribers', 'Ann@Example.COM')],
		['by its uuid', record('subscribers', 'u-1')],
	])('is found %s', (_, asked) => {
		expect(read(ann, asked)).toEqual(ann);
		expect(read({ subscriber: ann }, asked)).toEqual(ann);
		expect(read({ data: ann, meta: {} }, asked)).toEqual(ann);
		expect(read({ id: ' ', uuid: '', subscriber: ann }, asked)).toEqual(ann);
	});

	it('is found by a numeric id', () => {
		const episode = { id: 12, title: 'x', data: { id: 13 } };
		expect(read(episode, record('episodes', '12'))).toEqual(episode);
		expect(read({ episode }, record('episodes', '12'))).toEqual(episode);
		expect(read({ usage_alert: { id: 12 } }, record('usage_alerts', '12'))).toEqual({ id: 12 });
	});

	it('need not show its name if its fields are not documented', () => {
		expect(read({ state: 'available' }, record('feeds', EMAIL))).toEqual({ state: 'available' });
		expect(read({ id: 7, state: 'x' }, record('feeds', EMAIL))).toEqual({ id: 7, state: 'x' });
		expect(read({ title: 'Mine' }, record('channel'))).toEqual({ title: 'Mine' });
		expect(read({ channel: { title: 'Mine' } }, record('channel'))).toEqual({ title: 'Mine' });
		const greeting = { title: 'Mine', message: 'Welcome' };
		expect(read(greeting, record('channel'))).toEqual(greeting);
		const welcome = { message: 'Welcome', title: 'Mine' };
		expect(read(welcome, record('channel'))).toEqual(welcome);
		for (const status of ['no error', 'errors seen', 399]) {
			expect(read({ status }, record('channel'))).toEqual({ status });
		}
	});

	it.each([
		[undefined, 'nothing'],
		[null, 'nothing'],
		[[], 'a list'],
		[[ann], 'a list'],
		[{}, 'an empty object'],
		[{ error: 'not found' }, "an object with 'error'"],
		[{ message: 'no' }, "an object with 'message'"],
		[{ errors: ['no'], status: 'x' }, "an object with 'errors', 'status'"],
		[{ success: false }, "an object with 'success'"],
		[{ ok: false }, "an object with 'ok'"],
		[{ deleted: false }, "an object with 'deleted'"],
		[{ status: 'error' }, "an object with 'status'"],
		[{ status: 'fail' }, "an object with 'status'"],
		[{ status: 'failure' }, "an object with 'status'"],
		[{ status: 400 }, "an object with 'status'"],
		[{ status: '422' }, "an object with 'status'"],
		[{ subscriber: {} }, "an object with 'subscriber'"],
		[{ subscriber: null }, "an object with 'subscriber'"],
	])('is not %j, for any record', (body, came) => {
		for (const asked of [record('subscribers', EMAIL), record('feeds', EMAIL), record('channel')]) {
			if (asked.path[0] !== 'subscribers' && 'subscriber' in Object(body)) continue;
			expect(read(body, asked)).toEqual(unexpected(came));
		}
	});

	it.each([
		[{ name: 'Ann' }, "an object with 'name'"],
		[{ ...ann, email: 'bob@example.com' }, "an object with 'uuid', 'email', 'state'"],
		[{ uuid: '', email: ' ', id: null }, "an object with 'uuid', 'email', 'id'"],
	])('is not %j, when another was requested', (body, came) => {
		expect(read(body, record('subscribers', EMAIL))).toEqual(unexpected(came));
	});

	it('is no feed of another person, although the response to a change of a feed may be', () => {
		const another = { email: 'bob@example.com', state: 'available' };
		expect(read(another, record('feeds', EMAIL))).toMatchObject({ kind: 'unexpected' });
		expect(read(another, change(['feeds', EMAIL]))).toEqual(another);
	});

	it('is described by a few short field names, and none of its values', () => {
		const body = { a: 's3cret', b: 1, c: 1, d: 1, ['e'.repeat(99)]: 1, f: 1 };
		expect(read(body, record('subscribers', EMAIL))).toEqual(
			unexpected(`an object with 'a', 'b', 'c', 'd', '${'e'.repeat(40)}'`),
		);
	});
});

describe('a list', () => {
	it.each([
		['bare', [ann, null]],
		['in its own name', { subscribers: [ann, null], meta: {} }],
		['in data', { data: [ann, null] }],
		['each in its own name', [{ subscriber: ann }, null]],
	])('is read %s', (_, body) => {
		expect(read(body, list('subscribers'))).toEqual([ann, null]);
	});

	it.each([
		[undefined, 'nothing'],
		[ann, "an object with 'uuid', 'email', 'state'"],
		[{ error: 'no' }, "an object with 'error'"],
		[{ subscribers: {} }, "an object with 'subscribers'"],
	])('is not %j', (body, came) => {
		expect(read(body, list('subscribers'))).toEqual(unexpected(came));
	});
});

describe('the response to a change', () => {
	it.each([undefined, {}, { data: {} }])('can be empty: %j', (body) => {
		expect(read(body, change(['subscribers', EMAIL]))).toBeUndefined();
	});

	it.each([
		null,
		{ subscriber: null },
		{ data: null },
		{ status: 'error' },
		{ status: 'Failed' },
		{ status: 404 },
		{ status: '500' },
		{ ok: false },
		{ deleted: false },
		{ success: false, email: EMAIL },
		{ ok: false, uuid: 'u-1' },
		{ data: { ok: false } },
	])('is none, as for a read, if it is %j', (body) => {
		for (const method of ['POST', 'PATCH', 'DELETE'] as const) {
			const asked = request({ method, path: ['subscribers', EMAIL] });
			expect(read(body, asked)).toMatchObject({ kind: 'unexpected' });
			expect(read(body, { ...asked, path: ['feeds', EMAIL] })).toMatchObject({
				kind: 'unexpected',
			});
		}
		expect(read(body, record('subscribers', EMAIL))).toMatchObject({ kind: 'unexpected' });
	});

	it('to a delete must not say that the record was kept', () => {
		const remove = request({ method: 'DELETE' });
		expect(read({ ...ann, deleted: false }, remove)).toMatchObject({ kind: 'unexpected' });
		expect(read({ ...ann, deleted: true }, remove)).toEqual({ ...ann, deleted: true });
		expect(read({ deleted: true, status: 'ok' }, remove)).toEqual({ deleted: true, status: 'ok' });
		const kept = { ...ann, deleted: false };
		expect(read(kept, change(['subscribers', EMAIL]))).toEqual(kept);
	});

	it('can be the record, the changed record, a part of it, or a message', () => {
		const rename = change(['subscribers', EMAIL], { subscriber: { email: 'New@example.com' } });
		const renamed = { ...ann, email: 'new@example.com' };
		expect(read(renamed, rename)).toEqual(renamed);
		expect(read(ann, change(['subscribers', EMAIL]))).toEqual(ann);
		expect(read({ subscriber: ann }, change(['subscribers', EMAIL]))).toEqual(ann);
		const state = { state: 'suspended', errors: [], error: null };
		expect(read(state, change(['feeds', EMAIL], { feed_token: { state: 'x' } }))).toEqual(state);
		const updated = { message: 'Feed updated' };
		expect(read(updated, change(['feeds', EMAIL]))).toEqual(updated);
		for (const part of [{ uuid: 'u-1' }, { uuid: 'u-1', email: ' ' }]) {
			expect(read(part, change(['subscribers', EMAIL]))).toEqual(part);
		}
		expect(read({ id: 1, errors: ['x'] }, change(['roles', '1']))).toEqual({
			id: 1,
			errors: ['x'],
		});
		expect(read({ id: 9 }, change(['usage_alerts', '5', 'dismiss']))).toEqual({ id: 9 });
	});

	it.each([
		[change(['subscribers', EMAIL]), { email: 'bob@example.com' }],
		[change(['episodes', '12']), { id: 13 }],
		[change(['subscribers', 'u-1']), { uuid: 'u-2' }],
		[change(['subscribers', '1f-0']), { uuid: 'u-2' }],
		[change(['subscribers', EMAIL]), { error: 'not found' }],
		[change(['subscribers', EMAIL]), { errors: { email: 'x' } }],
		[request({ method: 'POST', path: ['subscribers'] }), { message: 'Not found' }],
		[change(['subscribers', EMAIL]), [ann]],
	])('of %j is not %j', (asked, body) => {
		expect(read(body, asked)).toMatchObject({ kind: 'unexpected' });
	});

	it('to a create is the new record', () => {
		const create = request({
			method: 'POST',
			path: ['subscribers'],
			body: { subscriber: { email: EMAIL } },
		});
		expect(read(ann, create)).toEqual(ann);
		expect(read({ data: ann }, create)).toEqual(ann);
		expect(read({ ...ann, email: 'bob@example.com' }, create)).toMatchObject({
			kind: 'unexpected',
		});
		expect(read({ name: 'x' }, request({ method: 'POST', path: ['roles'] }))).toEqual({
			name: 'x',
		});
	});
});

describe('a response without JSON', () => {
	it.each([
		['<html></html>', false],
		['OK', false],
		[7, false],
		[true, false],
		['x{', false],
		['{"uuid": "67', true],
		[' [{"uuid"', true],
		['[{"uuid": 1}, {"uuid"', true],
	])('is %j', (body, truncated) => {
		for (const asked of [request(), record('subscribers', EMAIL), list('subscribers')]) {
			expect(read(body, asked)).toEqual({ kind: 'notJson', status: 200, truncated });
		}
	});

	it.each(['{"uuid": NaN}', ' [{"uuid": Infinity},\n {}]\n', '{"uuid": 1,}'])(
		'but with whole brackets was not cut off: %j',
		(body) => {
			for (const asked of [request(), record('subscribers', EMAIL), list('subscribers')]) {
				expect(read(body, asked)).toEqual({ kind: 'malformed', status: 200 });
			}
		},
	);
});
