import { accessTokenOf } from '../../../../nodes/Supercast/api/auth/accessToken';

it.each([
	'a-token',
	' a-token\n',
	'Bearer a-token',
	' bearer  a-token ',
	'authorization:Bearer\ta-token',
	'Authorization:  Bearer a-token',
])('an access token is recognized as it was pasted: %j', (typed) => {
	expect(accessTokenOf(typed)).toBe('a-token');
});

it.each(['bearer', 'a-bearer token', 'x-authorization: bearer a'])(
	'a token that only looks like a header stays as it is: %j',
	(typed) => {
		expect(accessTokenOf(typed)).toBe(typed);
	},
);

it('a missing token is empty', () => {
	expect(accessTokenOf(undefined)).toBe('');
});
