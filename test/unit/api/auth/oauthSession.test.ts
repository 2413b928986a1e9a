import { setMaxListeners } from 'node:events';

import type { IHttpRequestOptions } from 'n8n-workflow';

import { oAuth2Sender } from '../../../../nodes/Supercast/api/auth/oauthSession';
import { Secrets } from '../../../../nodes/Supercast/api/http/redact';
import type { SendContext } from '../../../../nodes/Supercast/api/http/send';
import type { Attempt } from '../../../../nodes/Supercast/api/types';
import { VirtualClock } from '../../../support/virtualClock';

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
	/** How many of these may renew the token. */
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
