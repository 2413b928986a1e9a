import type { ApiRequest, Failure } from '../../../../nodes/Supercast/api/types';
import { changing, creating, shown } from './texts';

const status = (code: number, body?: unknown): Failure => ({ kind: 'status', status: code, body });

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
