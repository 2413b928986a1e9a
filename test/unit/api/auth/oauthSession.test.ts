import {
	OAuthSession,
	type Connection,
	type OAuthAttempt,
} from '../../../../nodes/Supercast/api/auth/oauthSession';
import type { Attempt } from '../../../../nodes/Supercast/api/types';
import { VirtualClock } from '../../../support/virtualClock';

const DONE: Attempt = { response: { status: 200, headers: {}, body: {} } };
const UNAUTHORIZED: Attempt = { failure: { kind: 'status', status: 401, body: {} } };
const REVOKED: Attempt = { failure: { kind: 'token', problem: 'revoked' } };
const UNAVAILABLE: Attempt = { failure: { kind: 'token', problem: 'unavailable' } };

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
	stop = new AbortController();
	stored = 1;
	valid = 1;
	renewals: number[] = [];
	sent = 0;
	/** How many of these may renew the token. */
	mayRenew = 0;
	answerToRenewal: Attempt | undefined;
	refusedRenewals = 0;

	async send(mayRenew: boolean): Promise<Attempt> {
		const token = this.stored;
		await tick();
		this.sent++;
		if (mayRenew) this.mayRenew++;
		if (token === this.valid) return DONE;
		if (!mayRenew) return UNAUTHORIZED;
		this.renewals.push(token);
		await tick();
		if (this.answerToRenewal !== undefined) return this.answerToRenewal;
		this.valid++;
		await tick();
		this.stored = this.valid;
		if (this.refusedRenewals-- <= 0) return DONE;
		this.expire();
		return UNAUTHORIZED;
	}

	open(connection: Connection = { oauthTokenData: { access_token: 'yes' } }): OAuthSession {
		const limit = { clock: this.clock, ms: 60_000, signal: this.stop.signal };
		return new OAuthSession(this.id, connection, limit);
	}

	attempt(send = async (mayRenew: boolean) => await this.send(mayRenew)): OAuthAttempt {
		return { send, unanswered: (why) => ({ failure: { kind: 'network', code: why } }) };
	}

	async run(session: OAuthSession, count: number): Promise<Attempt[]> {
		const send = async () => await session.send(this.attempt());
		return await Promise.all(Array.from({ length: count }, send));
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
	n8n.answerToRenewal = UNAVAILABLE;
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
	n8n.answerToRenewal = REVOKED;
	const session = n8n.open();
	expect(await n8n.run(session, 20)).toEqual(Array(20).fill(REVOKED));
	expect(n8n.sent).toBe(21);
	expect(await n8n.run(session, 20)).toEqual(Array(20).fill(REVOKED));
	expect(n8n.sent).toBe(21);
	expect(n8n.renewals).toHaveLength(1);
	n8n.answerToRenewal = undefined;
	expect(await n8n.run(n8n.open(), 1)).toEqual([DONE]);
});

it('does not send it again for a request that finds out late that the token has expired', async () => {
	const n8n = new UncoordinatedN8n();
	n8n.expire();
	n8n.answerToRenewal = REVOKED;
	const session = n8n.open();
	let hasFailed: (() => void) | undefined;
	const failed = new Promise<void>((resolve) => (hasFailed = resolve));
	const late = session.send(
		n8n.attempt(async (mayRenew) => {
			const answer = await n8n.send(mayRenew);
			await failed;
			return answer;
		}),
	);
	expect(await n8n.run(session, 1)).toEqual([REVOKED]);
	hasFailed?.();
	expect(await late).toEqual(REVOKED);
	expect(n8n.renewals).toHaveLength(1);
});

it('uses one refresh token, and no more, if the API accepts no token', async () => {
	const n8n = new UncoordinatedN8n();
	n8n.expire();
	n8n.refusedRenewals = Infinity;
	const session = n8n.open();
	const failure = { kind: 'token', problem: 'rejected' };
	expect(await n8n.run(session, 1)).toEqual([{ failure }]);
	expect(await n8n.run(session, 10)).toEqual(Array(10).fill({ failure }));
	expect(n8n.renewals).toHaveLength(1);
});

describe('a token endpoint that hangs', () => {
	/** An n8n whose renewal ends on command. */
	function hanging() {
		const n8n = new UncoordinatedN8n();
		n8n.expire();
		let answer: ((attempt: Attempt) => void) | undefined;
		const hung = new Promise<Attempt>((resolve) => (answer = resolve));
		const send = jest.fn(async (mayRenew: boolean) => (mayRenew ? await hung : UNAUTHORIZED));
		return { n8n, send, answer: (attempt: Attempt) => answer?.(attempt) };
	}

	it('holds up no request for longer than a minute', async () => {
		const { n8n, send } = hanging();
		const sessions = [n8n.open(), n8n.open()];
		const all = sessions.map(async (session) => await session.send(n8n.attempt(send)));
		const late = { failure: { kind: 'network', code: 'late' } };
		expect(await n8n.clock.run(Promise.all(all))).toEqual([late, late]);
		expect(n8n.clock.now()).toBe(60_000);
	});

	it('holds up no request that was stopped', async () => {
		const { n8n, send } = hanging();
		const waiting = n8n.open().send(n8n.attempt(send));
		void n8n.clock.sleep(5).then(() => n8n.stop.abort());
		expect(await n8n.clock.run(waiting)).toEqual({ failure: { kind: 'network', code: 'stopped' } });
		expect(n8n.clock.now()).toBe(5);
	});

	it('gets no second request while the first response may still come', async () => {
		const { n8n, send, answer } = hanging();
		const first = n8n.open();
		await n8n.clock.run(first.send(n8n.attempt(send)));
		const again = first.send(n8n.attempt(send));
		await tick();
		expect(send.mock.calls.filter(([mayRenew]) => mayRenew)).toHaveLength(1);
		send.mockImplementation(async () => DONE);
		answer(DONE);
		expect(await n8n.clock.run(again)).toEqual(DONE);
		expect(send.mock.calls.filter(([mayRenew]) => mayRenew)).toHaveLength(1);
	});
});

it('gets another request when Supercast could not be reached', async () => {
	const n8n = new UncoordinatedN8n();
	n8n.expire();
	n8n.answerToRenewal = UNAVAILABLE;
	const session = n8n.open();
	expect(await n8n.run(session, 20)).toEqual(Array(20).fill(UNAVAILABLE));
	expect(n8n.renewals).toHaveLength(1);
	n8n.answerToRenewal = undefined;
	expect(await n8n.run(session, 20)).toEqual(Array(20).fill(DONE));
});
