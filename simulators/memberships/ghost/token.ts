import { createHmac } from 'node:crypto';

import { Refusal } from '../server';

/** A key of the Admin API, as Ghost shows it: `ID:SECRET`, both in hexadecimal digits. */
export interface GhostKey {
	id: string;
	secret: string;
}

/** How long a token is valid after it was made, in seconds. */
const MAX_AGE = 300;

/** An error as Ghost sends it. */
export function ghostRefusal(
	status: number,
	type: string,
	message: string,
	{ code = null, context = null }: { code?: string | null; context?: string | null } = {},
): Refusal {
	const error = {
		message,
		context,
		type,
		details: null,
		property: null,
		help: null,
		code,
		id: '5d1c0000-0000-4000-8000-000000000000',
		ghostErrorCode: null,
	};
	return new Refusal(status, { errors: [error] });
}

/**
 * Refuses a request without a valid token (https://github.com/TryGhost/Ghost:
 * services/auth/api-key/admin.js).
 */
export function checkToken(authorization: string | undefined, key: GhostKey): void {
	if (authorization === undefined)
		throw ghostRefusal(403, 'NoPermissionError', 'Authorization failed', {
			context:
				'Unable to determine the authenticated user or integration. Check that cookies are being passed through if using session authentication.',
		});
	const [, token = ''] = /^Ghost (\S+)$/i.exec(authorization) ?? [];
	if (token === '')
		throw ghostRefusal(
			401,
			'UnauthorizedError',
			'Authorization header format is "Authorization: Ghost [token]"',
			{ code: 'INVALID_AUTH_HEADER' },
		);
	const [header = '', payload = '', signature = ''] = token.split('.');
	const { kid } = decoded(header);
	if (kid === undefined)
		throw ghostRefusal(400, 'BadRequestError', 'Admin API kid missing.', {
			code: 'MISSING_ADMIN_API_KID',
		});
	if (kid !== key.id)
		throw ghostRefusal(401, 'UnauthorizedError', 'Unknown Admin API Key', {
			code: 'UNKNOWN_ADMIN_API_KEY',
		});
	const hmac = createHmac('sha256', Buffer.from(key.secret, 'hex'));
	const isSigned = hmac.update(`${header}.${payload}`).digest('base64url') === signature;
	const wrong = isSigned ? faultOf(decoded(payload), Date.now() / 1000) : 'invalid signature';
	if (wrong === undefined) return;
	throw ghostRefusal(401, 'UnauthorizedError', `Invalid token: ${wrong}`, { code: 'INVALID_JWT' });
}

interface Claims {
	kid?: string;
	aud?: string;
	iat?: number;
	exp?: number;
}

/** What is wrong with a token that has the right signature. `now` is in seconds. */
function faultOf({ aud = '', iat, exp = Infinity }: Claims, now: number): string | undefined {
	if (now >= exp) return 'jwt expired';
	if (!/\/?admin\/?$/.test(aud)) return 'jwt audience invalid. expected: /\\/?admin\\/?$/';
	if (iat === undefined) return 'iat required when maxAge is specified';
	return now >= iat + MAX_AGE ? 'maxAge exceeded' : undefined;
}

function decoded(part: string): Claims {
	try {
		return JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;
	} catch {
		throw ghostRefusal(400, 'BadRequestError', 'Invalid token', { code: 'INVALID_JWT' });
	}
}

/** A token, made `age` seconds ago, and valid for as many as `lasts` says. */
export function ghostToken(
	{ id, secret }: GhostKey,
	{ age = 0, lasts = 300, aud = '/v2/admin/' } = {},
): string {
	const iat = Math.floor(Date.now() / 1000) - age;
	const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const signed = `${part({ alg: 'HS256', typ: 'JWT', kid: id })}.${part({ iat, exp: iat + lasts, aud })}`;
	const hmac = createHmac('sha256', Buffer.from(secret, 'hex'));
	return `Ghost ${signed}.${hmac.update(signed).digest('base64url')}`;
}
