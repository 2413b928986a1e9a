import type { IHttpRequestOptions } from 'n8n-workflow';
import { setMaxListeners } from 'node:events';

import { oAuth2Sender } from '../../../../nodes/Supercast/api/auth/oauthSession';
import { Secrets } from '../../../../nodes/Supercast/api/http/redact';
import type { SendContext } from '../../../../nodes/Supercast/api/http/send';
import type { Attempt } from '../../../../nodes/Supercast/api/types';
import { VirtualClock } from '../../../support/virtualClock';

describe('a session of OAuth2', () => {
	const DONE: Attempt = { response: { status: 200, headers: {}, body: { id: 1 } } };
	const REVOKED: Attempt = { failure: { kind: 'token', problem: 'revoked' } };
	const UNAVAILABLE: Attempt = {
		failure: { kind: 'token', problem: 'unavailable', detail: 'slow_down' },
	};
	const AUTHORIZED = { oauthTokenData: { access_token: 'a token' } };

	type Sender = ReturnType<typeof oAuth2Sender>;

	async function tick(): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
	}

	let ids = 0;

	/**
	 * A simulated Supercast, and an n8n that renews at each request, with the token that it read first.
	 */
	class UncoordinatedN8n {
		readonly id = `credential-${++ids}`;
		readonly clock = new VirtualClock();
		readonly stop = new AbortController();
		stored = 1;
		valid = 1;
		renewals: number[] = [];
		sent = 0;
		/** How many of the sent requests may renew the token. */
		mayRenew = 0;
		/** Settles when the token endpoint responds. */
		endpoint: Promise<unknown> = tick();
		/** Settles when Supercast's next response arrives. */
		nextResponse: Promise<unknown> | undefined;
		refusedRenewals = 0;

		readonly helpers = {
			httpRequest: async () => await Promise.resolve({ statusCode: 400 }),
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
				await this.answer(options, options.ignoreHttpStatusErrors !== true),
		};

		private async answer({ headers = {} }: IHttpRequestOptions, mayRenew: boolean) {
			const token = this.stored;
			if (token > 0) headers.Authorization = `Bearer ${token}`;
			const { nextResponse } = this;
			this.nextResponse = undefined;
			await tick();
			this.sent++;
			if (mayRenew) this.mayRenew++;
			await nextResponse;
			const unauthorized = { statusCode: 401, headers: {}, body: {} };
			const done = { statusCode: 200, headers: {}, body: { id: 1 } };
			if (token === this.valid) return done;
			if (!mayRenew) return unauthorized;
			this.renewals.push(token);
			await this.endpoint;
			this.valid++;
			await tick();
			this.stored = this.valid;
			headers.Authorization = `Bearer ${this.stored}`;
			if (this.refusedRenewals-- <= 0) return done;
			this.expire();
			throw Object.assign(new Error(), { cause: { response: { status: 401, data: {} } } });
		}

		open(connection: object = AUTHORIZED): Sender {
			setMaxListeners(Infinity, this.stop.signal);
			const context = {
				n8n: this,
				credentialType: 'supercastOAuth2Api',
				secrets: new Secrets(),
				clock: this.clock,
				ms: 60_000,
				signal: this.stop.signal,
			} as unknown as SendContext;
			const accessTokenUrl = `https://supercast.tech/oauth/token?session=${this.id}`;
			return oAuth2Sender(context, { accessTokenUrl, ...connection }, this.id);
		}

		async run(send: Sender, count: number): Promise<Attempt[]> {
			const requests = Array.from({ length: count }, async () => await send({ url: '/channel' }));
			return await Promise.all(requests);
		}

		/** From now on, the token endpoint refuses. */
		refuse(error: string): void {
			this.endpoint = tick().then(() => {
				throw Object.assign(new Error(), { cause: { code: 'EAUTH', body: { error } } });
			});
			this.endpoint.catch(() => undefined);
		}

		expire(): void {
			this.valid++;
			this.stored = this.valid - 1;
		}
	}

	it('renews once for all requests of all clients', async () => {
		const n8n = new UncoordinatedN8n();
		n8n.expire();
		const runs = [1, 2, 3].map(async () => await n8n.run(n8n.open(), 20));
		expect((await Promise.all(runs)).flat()).toEqual(Array(60).fill(DONE));
		expect(n8n.renewals).toHaveLength(1);
	});

	it('renews again when the new token has expired as well', async () => {
		const n8n = new UncoordinatedN8n();
		const session = n8n.open();
		for (let expiry = 1; expiry <= 5; expiry++) {
			n8n.expire();
			expect(await n8n.run(session, 20)).toEqual(Array(20).fill(DONE));
			expect(n8n.renewals).toHaveLength(expiry);
		}
		expect(new Set(n8n.renewals).size).toBe(5);
	});

	it('lets one request get the first token, while the others wait for it', async () => {
		const n8n = new UncoordinatedN8n();
		n8n.stored = 0;
		const connection = { grantType: 'clientCredentials' };
		const sessions = [n8n.open(connection), n8n.open(connection)];
		const runs = sessions.map(async (session) => await n8n.run(session, 10));
		expect((await Promise.all(runs)).flat()).toEqual(Array(20).fill(DONE));
		expect(n8n.renewals).toEqual([0]);
		expect(n8n.sent).toBe(20);
		await n8n.run(sessions[0]!, 10);
		await n8n.run(sessions[1]!, 10);
		expect(n8n.mayRenew).toBe(1);
	});

	it('sends no request without a token after it could not get one', async () => {
		const n8n = new UncoordinatedN8n();
		n8n.stored = 0;
		n8n.refuse('slow_down');
		const session = n8n.open({ grantType: 'clientCredentials', oauthTokenData: {} });
		expect(await n8n.run(session, 1)).toEqual([UNAVAILABLE]);
		expect(await n8n.run(session, 1)).toEqual([UNAVAILABLE]);
		expect([n8n.sent, n8n.mayRenew]).toEqual([2, 2]);
	});

	it('sends nothing without a connection', async () => {
		const n8n = new UncoordinatedN8n();
		const session = n8n.open({ grantType: 'authorizationCode', oauthTokenData: {} });
		const failure = { kind: 'token', problem: 'notConnected' };
		expect(await n8n.run(session, 2)).toEqual([{ failure }, { failure }]);
		expect(n8n.sent).toBe(0);
	});

	it('sends a dead refresh token once, whatever requests wait or follow', async () => {
		const n8n = new UncoordinatedN8n();
		n8n.expire();
		n8n.refuse('invalid_grant');
		const session = n8n.open();
		expect(await n8n.run(session, 20)).toEqual(Array(20).fill(REVOKED));
		expect(n8n.sent).toBe(21);
		expect(await n8n.run(session, 20)).toEqual(Array(20).fill(REVOKED));
		expect(n8n.sent).toBe(21);
		expect(n8n.renewals).toHaveLength(1);
		n8n.endpoint = tick();
		expect(await n8n.run(n8n.open(), 1)).toEqual([DONE]);
	});

	it('does not send it again for a request that finds out late that the token has expired', async () => {
		const n8n = new UncoordinatedN8n();
		n8n.expire();
		n8n.refuse('invalid_grant');
		const session = n8n.open();
		let hasFailed: (() => void) | undefined;
		n8n.nextResponse = new Promise<void>((resolve) => (hasFailed = resolve));
		const late = session({ url: '/channel' });
		expect(await n8n.run(session, 1)).toEqual([REVOKED]);
		hasFailed?.();
		expect(await late).toEqual(REVOKED);
		expect(n8n.renewals).toHaveLength(1);
	});

	it('uses one refresh token, and no more, if the API accepts no token', async () => {
		const n8n = new UncoordinatedN8n();
		n8n.expire();
		n8n.refusedRenewals = Infinity;
		const sessions = [n8n.open(), n8n.open()];
		const failure = { kind: 'token', problem: 'rejected' };
		const runs = sessions.map(async (session) => await n8n.run(session, 5));
		expect((await Promise.all(runs)).flat()).toEqual(Array(10).fill({ failure }));
		expect(await n8n.run(sessions[1]!, 10)).toEqual(Array(10).fill({ failure }));
		expect(n8n.renewals).toHaveLength(1);
	});

	describe('a token endpoint that hangs', () => {
		/** An n8n whose renewal ends on command. */
		function hanging() {
			const n8n = new UncoordinatedN8n();
			n8n.expire();
			let answer: ((value?: unknown) => void) | undefined;
			n8n.endpoint = new Promise((resolve) => (answer = resolve));
			return { n8n, answer: () => answer?.() };
		}

		it('holds up no request for longer than a minute', async () => {
			const { n8n } = hanging();
			const all = [n8n.open(), n8n.open()].map(async (session) => await n8n.run(session, 1));
			const late = { failure: { kind: 'token', problem: 'unavailable', detail: 'ETIMEDOUT' } };
			expect(await n8n.clock.run(Promise.all(all))).toEqual([[late], [late]]);
			expect(n8n.clock.now()).toBe(60_000);
		});

		it('holds up no request that was stopped', async () => {
			const { n8n } = hanging();
			const waiting = n8n.run(n8n.open(), 1);
			void n8n.clock.sleep(5).then(() => n8n.stop.abort());
			const stopped = { failure: { kind: 'network', code: 'ERR_CANCELED' } };
			expect(await n8n.clock.run(waiting)).toEqual([stopped]);
			expect(n8n.clock.now()).toBe(5);
		});

		it('lets one of the others get the first token if its own execution is stopped', async () => {
			const n8n = new UncoordinatedN8n();
			n8n.stored = 0;
			const open = () => n8n.open({ grantType: 'clientCredentials' });
			const canceled = Object.assign(new Error(), { cause: { code: 'ERR_CANCELED' } });
			n8n.endpoint = tick().then(async () => await Promise.reject(canceled));
			const stopped = n8n.run(open(), 1);
			const others = n8n.run(open(), 10);
			await stopped;
			n8n.endpoint = tick();
			expect(await others).toEqual(Array(10).fill(DONE));
			// n8n would get a token for each request without one.
			expect(n8n.sent).toBe(11);
		});

		it('gets no second request while the first response may still come', async () => {
			const { n8n, answer } = hanging();
			const session = n8n.open();
			await n8n.clock.run(n8n.run(session, 1));
			const again = n8n.run(session, 1);
			await tick();
			await tick();
			expect(n8n.mayRenew).toBe(1);
			answer();
			expect(await again).toEqual([DONE]);
			expect(n8n.mayRenew).toBe(1);
		});
	});

	it('gets another request when Supercast could not be reached', async () => {
		const n8n = new UncoordinatedN8n();
		n8n.expire();
		n8n.refuse('slow_down');
		const session = n8n.open();
		expect(await n8n.run(session, 20)).toEqual(Array(20).fill(UNAVAILABLE));
		expect(n8n.renewals).toHaveLength(1);
		n8n.endpoint = tick();
		expect(await n8n.run(session, 20)).toEqual(Array(20).fill(DONE));
	});
});

describe('requests with OAuth2', () => {
	const STALE = 'Bearer a-stale-token-of-supercast';
	const NEW = 'Bearer a-new-token-of-supercast';
	const SIGNED = { oauthTokenData: { access_token: 'a-stale-token-of-supercast' } };
	const UNSIGNED = { grantType: 'clientCredentials' };
	const UNREACHED = { httpCode: 'ECONNRESET', messages: ['read ECONNRESET'], context: {} };

	type Sign = (options: IHttpRequestOptions, mayRenew: boolean) => Promise<unknown>;

	let count = 0;

	/** Prepares a request. `sign` replaces n8n's request, and `check` replaces the one to the token endpoint. */
	function setUp(
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
			const { run, secrets, sent, checks, options } = setUp(async (signed) => {
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
			const { run, sent } = setUp(async () => await Promise.resolve(answer(status)));
			expect(await run()).toMatchObject({ failure: { kind: 'status', status } });
			expect(sent).toHaveLength(1);
		});
	});

	describe('a request whose token has expired', () => {
		it('is sent again, and n8n may renew the token once the endpoint was checked', async () => {
			const { run, sent, checks, accessTokenUrl } = setUp(renewing);
			expect(await run()).toMatchObject({ response: { status: 200 } });
			expect(sent.map(({ mayRenew }) => mayRenew)).toEqual([false, true]);
			expect(sent[1]!.options).toMatchObject({ url: '/channel' });
			expect(checks).toEqual([
				{
					method: 'POST',
					url: accessTokenUrl,
					headers: {
						Accept: 'application/json, application/x-www-form-urlencoded',
						'Content-Type': 'application/x-www-form-urlencoded',
					},
					body: 'grant_type=refresh_token',
					returnFullResponse: true,
					ignoreHttpStatusErrors: true,
					disableFollowRedirect: true,
					timeout: 60_000,
					abortSignal: expect.any(AbortSignal),
				},
			]);
			expect(await run()).toMatchObject({ response: { status: 200 } });
			expect(checks).toHaveLength(2);
		});

		it.each([
			['before n8n has a new token', STALE, { kind: 'token', problem: 'unavailable' }],
			['with a new token', NEW, { kind: 'network', code: 'ECONNRESET' }],
		])('fails %s', async (_, token, failure) => {
			const { run } = setUp(failing(token, UNREACHED));
			expect(await run()).toMatchObject({ failure });
		});

		it('keeps the connection if only the request itself fails', async () => {
			const { clock, open, options, sent } = setUp(async (_, mayRenew) => {
				return await Promise.resolve(answer(mayRenew ? 422 : 401));
			});
			const send = open(SIGNED);
			const failure = { kind: 'status', status: 422 };
			expect(await clock.run(send(options))).toMatchObject({ failure });
			expect(await clock.run(send(options))).toMatchObject({ failure });
			expect(sent.map(({ mayRenew }) => mayRenew)).toEqual([false, true, false, true]);
		});

		it('makes the new token a secret, even if it fails', async () => {
			const data = { message: 'bad a-new-token-of-supercast' };
			const { run, secrets } = setUp(failing(NEW, { httpCode: '422', context: { data } }));
			const attempt = await run();
			expect(attempt).toMatchObject({ failure: { kind: 'status', status: 422 } });
			expect(JSON.stringify(secrets.redact(attempt))).not.toContain('a-new-token');
		});

		it('is sent again whatever the endpoint answers, as long as it does not redirect', async () => {
			for (let statusCode = 200; statusCode < 600; statusCode++) {
				const check = async () => await Promise.resolve({ statusCode, headers: {} });
				expect(await setUp(renewing, check).run()).toMatchObject({ response: { status: 200 } });
			}
		});

		it.each([200, 299, 400, 500])(
			'is sent again if an endpoint that answers %d only names an address',
			async (statusCode) => {
				const headers = { location: '/token' };
				const check = async () => await Promise.resolve({ statusCode, headers });
				expect(await setUp(renewing, check).run()).toMatchObject({ response: { status: 200 } });
			},
		);

		it('is not sent again if the endpoint redirects, which is checked again later', async () => {
			const redirect = { headers: { location: '/token' } };
			for (let statusCode = 300; statusCode < 400; statusCode++) {
				const check = async () => await Promise.resolve({ statusCode, ...redirect });
				const { run, sent, checks } = setUp(renewing, check);
				const failure = { kind: 'token', problem: 'redirected' };
				expect(await run()).toEqual({ failure });
				expect(await run()).toEqual({ failure });
				expect(sent.map(({ mayRenew }) => mayRenew)).toEqual([false, false]);
				expect(checks).toHaveLength(2);
			}
		});

		it.each([199, 201, 403, 404, 408, 429, 500, 503])(
			'is not sent again if the endpoint answers %d, and a moment later redirects',
			async (statusCode) => {
				const answers = [{ statusCode }, { statusCode: 307, headers: { location: '/' } }];
				const { run, sent } = setUp(renewing, async () => await Promise.resolve(answers.shift()));
				expect(await run()).toEqual({ failure: { kind: 'token', problem: 'redirected' } });
				expect(sent).toHaveLength(1);
			},
		);

		it.each([
			[{ code: 'ECONNRESET' }, { problem: 'unavailable', detail: 'ECONNRESET' }],
			[{ code: 'ENOTFOUND' }, { problem: 'wrongAddress', detail: 'ENOTFOUND' }],
			[{ code: 7 }, { problem: 'unavailable', detail: 'UNKNOWN' }],
			[
				{ level: 'info', description: 'It is internal.' },
				{ problem: 'notSent', reason: 'x. It is internal.' },
			],
		])('is not sent again if the endpoint fails with %j', async (error, failure) => {
			const check = async () => await Promise.reject(Object.assign(new Error('x'), error));
			expect(await setUp(renewing, check).run()).toEqual({
				failure: { kind: 'token', ...failure },
			});
		});
	});

	describe('a request without a response', () => {
		const hanging: Sign = async (options) => {
			options.headers!.Authorization = STALE;
			return await new Promise(() => undefined);
		};

		it('is one to the API if it had a token', async () => {
			const failure = { kind: 'network', code: 'ETIMEDOUT' };
			expect(await setUp(hanging).run()).toEqual({ failure });
		});

		it('is one to the token endpoint if it had none, or a refused one', async () => {
			const failure = { kind: 'token', problem: 'unavailable', detail: 'ETIMEDOUT' };
			const forever = async () => await new Promise(() => undefined);
			expect(await setUp(forever).run(UNSIGNED)).toEqual({ failure });
			expect(await setUp(renewing, forever).run()).toEqual({ failure });
		});

		it('was stopped, whatever it had', async () => {
			const { clock, stop, open, options } = setUp(async () => await new Promise(() => undefined));
			const waiting = open(UNSIGNED)(options);
			void clock.sleep(5).then(() => stop.abort());
			const failure = { kind: 'network', code: 'ERR_CANCELED' };
			expect(await clock.run(waiting)).toEqual({ failure });
		});
	});

	it.each([undefined, '', 'supercast', 'http://supercast.tech/oauth/token'])(
		'the Access Token URL %j is refused before any request',
		(accessTokenUrl) => {
			expect(() => setUp(renewing).open({ accessTokenUrl })).toThrow(/'Access Token URL'/);
		},
	);
});
