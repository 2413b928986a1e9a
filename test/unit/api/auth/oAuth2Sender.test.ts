import type { IHttpRequestOptions } from 'n8n-workflow';

import { oAuth2Sender } from '../../../../nodes/Supercast/api/auth/oauthSession';
import { Secrets } from '../../../../nodes/Supercast/api/http/redact';
import type { SendContext } from '../../../../nodes/Supercast/api/http/send';
import type { Attempt } from '../../../../nodes/Supercast/api/types';
import { VirtualClock } from '../../../support/virtualClock';

const STALE = 'Bearer a-stale-token-of-supercast';
const NEW = 'Bearer a-new-token-of-supercast';
const SIGNED = { oauthTokenData: { access_token: 'a-stale-token-of-supercast' } };
const UNSIGNED = { grantType: 'clientCredentials' };
const UNREACHED = { httpCode: 'ECONNRESET', messages: ['read ECONNRESET'], context: {} };

type Sign = (options: IHttpRequestOptions, mayRenew: boolean) => Promise<unknown>;

let count = 0;

/** Sends a request. `sign` does what n8n does with it, and `check` with that to the token endpoint. */
function world(
	sign: Sign,
	check: () => Promise<unknown> = async () => await Promise.resolve({ statusCode: 400 }),
) {
	const clock = new VirtualClock();
	const stop = new AbortController();
	const secrets = new Secrets('a-client-secret-of-supercast');
	const accessTokenUrl = `https://supercast.tech/oauth/token?test=${++count}`;
	const checks: unknown[] = [];
	const sent: Array<{ options: IHttpRequestOptions; mayRenew: boolean }> = [];
	const helpers = {
		httpRequest: async (options: unknown) => {
			checks.push(options);
			return await check();
		},
		httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) => {
			const mayRenew = options.ignoreHttpStatusErrors !== true;
			sent.push({ options, mayRenew });
			return await sign(options, mayRenew);
		},
	};
	const context = {
		n8n: { helpers },
		credentialType: 'supercastOAuth2Api',
		secrets,
		clock,
		ms: 60_000,
		signal: stop.signal,
	} as unknown as SendContext;
	const options = { url: '/channel', headers: { 'Idempotency-Key': 'k' } } as IHttpRequestOptions;
	const open = (credential: object) =>
		oAuth2Sender(context, { accessTokenUrl, ...credential }, `sender-${count}`);
	const run = async (credential: object = SIGNED): Promise<Attempt> =>
		await clock.run(open(credential)(options));
	return { clock, stop, secrets, accessTokenUrl, checks, sent, open, run, options };
}

function answer(statusCode: number, body: unknown = {}) {
	return { statusCode, headers: {}, body };
}

/** An n8n whose stored token has expired. */
const renewing: Sign = async (options, mayRenew) => {
	options.headers!.Authorization = mayRenew ? NEW : STALE;
	return await Promise.resolve(answer(mayRenew ? 200 : 401));
};

/** An n8n whose renewal ends with this error, without a cause, before or after it has a token. */
function failing(token: string, error: object): Sign {
	return async (options, mayRenew) => {
		options.headers!.Authorization = mayRenew ? token : STALE;
		if (!mayRenew) return await Promise.resolve(answer(401));
		throw Object.assign(new Error('by n8n'), error);
	};
}

describe('a request with a valid token', () => {
	it('is sent as it is, and a token that n8n added to it counts as a secret', async () => {
		const body = { a: 'a-new-token-of-supercast', b: 'a-client-secret-of-supercast', c: 'Ann' };
		const { run, secrets, sent, checks, options } = world(async (signed) => {
			signed.headers!.Authorization = NEW;
			return await Promise.resolve(answer(200, body));
		});
		const attempt = await run();
		expect(attempt).toMatchObject({ response: { status: 200, body: { c: 'Ann' } } });
		expect(JSON.stringify(secrets.redact(attempt))).not.toMatch(/a-new-token|a-client-secret/);
		expect(sent).toHaveLength(1);
		expect(sent[0]!.options).toMatchObject({ url: '/channel', ignoreHttpStatusErrors: true });
		expect(sent[0]!.options.headers).toMatchObject({ 'Idempotency-Key': 'k' });
		expect(options.headers).toEqual({ 'Idempotency-Key': 'k' });
		expect(checks).toEqual([]);
	});

	it.each([403, 422, 500])('fails with the status %d, and renews nothing', async (status) => {
		const { run, sent } = world(async () => await Promise.resolve(answer(status)));
		expect(await run()).toMatchObject({ failure: { kind: 'status', status } });
		expect(sent).toHaveLength(1);
	});
});

describe('a request whose token has expired', () => {
	it('is sent again, and n8n may renew the token once the endpoint was checked', async () => {
		const { run, sent, checks, accessTokenUrl } = world(renewing);
		expect(await run()).toMatchObject({ response: { status: 200 } });
		expect(sent.map(({ mayRenew }) => mayRenew)).toEqual([false, true]);
		expect(sent[1]!.options).toMatchObject({ url: '/channel' });
		expect(checks).toEqual([
			{
				method: 'POST',
				url: accessTokenUrl,
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				disableFollowRedirect: true,
				timeout: 60_000,
				abortSignal: expect.any(AbortSignal),
			},
		]);
		expect(await run()).toMatchObject({ response: { status: 200 } });
		expect(checks).toHaveLength(1);
	});

	it.each([
		['before n8n has a new token', STALE, { kind: 'token', problem: 'unavailable' }],
		['with a new token', NEW, { kind: 'network', code: 'ECONNRESET' }],
	])('fails %s', async (_, token, failure) => {
		const { run } = world(failing(token, UNREACHED));
		expect(await run()).toMatchObject({ failure });
	});

	it('keeps the connection if only the request itself fails', async () => {
		const { clock, open, options, sent } = world(async (_, mayRenew) => {
			return await Promise.resolve(answer(mayRenew ? 422 : 401));
		});
		const send = open(SIGNED);
		const failure = { kind: 'status', status: 422 };
		expect(await clock.run(send(options))).toMatchObject({ failure });
		expect(await clock.run(send(options))).toMatchObject({ failure });
		expect(sent.map(({ mayRenew }) => mayRenew)).toEqual([false, true, false, true]);
	});

	it('makes the new token a secret, also if it fails', async () => {
		const data = { message: 'bad a-new-token-of-supercast' };
		const { run, secrets } = world(failing(NEW, { httpCode: '422', context: { data } }));
		const attempt = await run();
		expect(attempt).toMatchObject({ failure: { kind: 'status', status: 422 } });
		expect(JSON.stringify(secrets.redact(attempt))).not.toContain('a-new-token');
	});

	it.each([199, 300, 302, 307, 399, 403, 404, 410, 408, 429, 500, 503])(
		'is not sent again if the endpoint answers %d, which is checked again later',
		async (statusCode) => {
			const { run, sent, checks } = world(
				renewing,
				async () => await Promise.resolve({ statusCode }),
			);
			const isRedirect = statusCode >= 300 && statusCode < 400;
			const isPassing = [408, 429, 500, 503].includes(statusCode);
			const problem = isPassing ? 'unavailable' : 'wrongAddress';
			const failure = isRedirect
				? { kind: 'token', problem: 'redirected' }
				: { kind: 'token', problem, detail: `status ${statusCode}` };
			expect(await run()).toEqual({ failure });
			expect(await run()).toEqual({ failure });
			expect(sent.map(({ mayRenew }) => mayRenew)).toEqual([false, false]);
			expect(checks).toHaveLength(2);
		},
	);

	it.each([200, 299, 400, 401])('is sent again if the endpoint answers %d', async (statusCode) => {
		const { run, sent } = world(renewing, async () => await Promise.resolve({ statusCode }));
		expect(await run()).toMatchObject({ response: { status: 200 } });
		expect(sent).toHaveLength(2);
	});

	it.each([
		[{ code: 'ECONNRESET' }, { problem: 'unavailable', detail: 'ECONNRESET' }],
		[{ code: 'ENOTFOUND' }, { problem: 'wrongAddress', detail: 'ENOTFOUND' }],
		[{ code: 7 }, { problem: 'unavailable', detail: 'UNKNOWN' }],
	])('is not sent again if the endpoint fails with %j', async (error, failure) => {
		const check = async () => await Promise.reject(Object.assign(new Error('x'), error));
		expect(await world(renewing, check).run()).toEqual({ failure: { kind: 'token', ...failure } });
	});
});

describe('a request without a response', () => {
	const hanging: Sign = async (options) => {
		options.headers!.Authorization = STALE;
		return await new Promise(() => undefined);
	};

	it('is one to the API if it had a token', async () => {
		const failure = { kind: 'network', code: 'ETIMEDOUT' };
		expect(await world(hanging).run()).toEqual({ failure });
	});

	it('is one to the token endpoint if it had none, or a refused one', async () => {
		const failure = { kind: 'token', problem: 'unavailable', detail: 'ETIMEDOUT' };
		const forever = async () => await new Promise(() => undefined);
		expect(await world(forever).run(UNSIGNED)).toEqual({ failure });
		expect(await world(renewing, forever).run()).toEqual({ failure });
	});

	it('was stopped, whatever it had', async () => {
		const { clock, stop, open, options } = world(async () => await new Promise(() => undefined));
		const waiting = open(UNSIGNED)(options);
		void clock.sleep(5).then(() => stop.abort());
		const failure = { kind: 'network', code: 'ERR_CANCELED' };
		expect(await clock.run(waiting)).toEqual({ failure });
	});
});

it.each([undefined, '', 'supercast', 'http://supercast.tech/oauth/token'])(
	'the Access Token URL %j is refused before any request',
	(accessTokenUrl) => {
		expect(() => world(renewing).open({ accessTokenUrl })).toThrow(/'Access Token URL'/);
	},
);
