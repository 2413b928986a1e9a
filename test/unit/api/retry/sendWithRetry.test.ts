import fc from 'fast-check';

import {
	backoff,
	lookUpOf,
	type RetryContext,
} from '../../../../nodes/Supercast/api/retry/sendWithRetry';
import type { ApiRequest } from '../../../../nodes/Supercast/api/types';
import { runs } from '../../../support/deep';
import type { VirtualClock } from '../../../support/virtualClock';
import { failure, MAX_WAIT, start, WAITS } from './sending';
import { type Fault, FAULTS, faults, request } from '../../../doubles/retriedSupercast';

const WINDOW = 60_000;

describe('with any faults on the way', () => {
	it('a create makes one record, and returns it', async () => {
		await fc.assert(
			fc.asyncProperty(faults, fc.boolean(), async (given, takesDuplicates) => {
				const { clock, service, send } = start(given, false, takesDuplicates);
				const { body } = await clock.run(send(request('POST')));
				expect(service.subscribers).toEqual([body]);
			}),
		);
	});

	it('a delete succeeds or finds nothing after it may have succeeded, and its record is gone', async () => {
		await fc.assert(
			fc.asyncProperty(faults, async (given) => {
				const { clock, service, send } = start(given);
				await clock.run(send(request('DELETE')).catch(mayBeDone));
				expect(service.subscribers).toEqual([]);
			}),
		);
	});

	it('a change and a read succeed', async () => {
		await fc.assert(
			fc.asyncProperty(faults, fc.constantFrom('PATCH', 'GET'), async (given, method) => {
				const { clock, send } = start(given);
				const { status } = await clock.run(send(request(method)));
				expect(status).toBe(200);
			}),
		);
	});

	it('every retry of a request has the same key, and another request another', async () => {
		await fc.assert(
			fc.asyncProperty(faults, async (given) => {
				const { clock, service, send } = start(given);
				await clock.run(send(request('DELETE')).catch(mayBeDone));
				await clock.run(send(request('POST')));
				const keysOf = (method: string) =>
					new Set(service.tries.filter((one) => one.method === method).map(({ key }) => key));
				expect(keysOf('DELETE')).toEqual(new Set(['key 1']));
				expect(keysOf('POST')).toEqual(new Set(['key 2']));
				expect(keysOf('GET').has('key 1')).toBe(false);
			}),
		);
	});

	it('a read and a change send no key, as in Supercast’s own client', async () => {
		const { clock, service, send } = start();
		await clock.run(send(request('GET')));
		await clock.run(send(request('PATCH')));
		expect(service.tries.map(({ key }) => key)).toEqual([undefined, undefined]);
	});
});

describe('time', () => {
	it('is used up to Max Wait and no further, and then the error says so', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...FAULTS),
				fc.constantFrom('GET', 'PATCH', 'DELETE'),
				fc.integer({ min: 0, max: 2 * MAX_WAIT }),
				async (fault, method, maxWaitMs) => {
					const { clock, service, withChanges } = start(Array<Fault>(100_000).fill(fault));
					const send = withChanges({ maxWaitMs, acquire: slowly(clock) });
					const gaveUp = await clock.run(failure(send(request(method))));
					expect(clock.now()).toBeLessThanOrEqual(maxWaitMs + 1000);
					const tries = service.tries.length;
					if (tries > 1) expect(gaveUp.description).toContain(`tried ${tries} times in`);
					if (maxWaitMs > 2 * WINDOW) expect(tries).toBeGreaterThan(2);
				},
			),
			runs(12),
		);
	});

	it('between retries doubles up to half a minute, and is random within its second half', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 2000 }),
				fc.double({ min: 0, max: 1, noNaN: true }),
				(repeat, chance) => {
					const full = Math.min(500 * 2 ** (repeat - 1), 30_000);
					const ms = backoff(repeat, 500, () => chance);
					expect(ms).toBeCloseTo(full / 2 + (chance * full) / 2);
				},
			),
		);
	});

	it("is the value of a 503's Retry-After, if that is longer", async () => {
		const { clock, send } = start([{ status: 503, done: false, retryAfterMs: 20_000 }]);
		await clock.run(send(request('GET')));
		expect(clock.now()).toBeGreaterThanOrEqual(20_000);
	});

	it('in the error counts from the first try, not from the start of the process', async () => {
		const { clock, send } = start([{ code: 'ECONNREFUSED' }, { status: 400, done: false }]);
		await clock.run(clock.sleep(100_000));
		const error = await clock.run(failure(send(request('GET'))));
		expect(error.description).toContain('tried 2 times in 0 seconds');
	});

	it('ends immediately when the execution is stopped', async () => {
		const { clock, withChanges } = start([{ code: 'ECONNREFUSED' }]);
		const stop = new AbortController();
		const changes = { backoffMs: 20_000, signal: stop.signal };
		const stopped = failure(withChanges(changes)(request('GET')));
		void clock.sleep(100).then(() => stop.abort());
		expect((await clock.run(stopped)).message).toContain('was canceled');
		expect(clock.now()).toBe(100);
	});
});

describe('a refusal by the rate limit', () => {
	it.each([
		['told 5 seconds', 5000, 5000],
		['told nothing', undefined, undefined],
		['told longer than the item waits', MAX_WAIT + 1, undefined],
		['told as long as the item waits', MAX_WAIT, undefined],
	])('is passed to the limiter if there is time to wait: %s', async (_, retryAfterMs, handedOn) => {
		const { clock, withChanges } = start([{ status: 429, done: false, retryAfterMs }]);
		await clock.pass(1000);
		const release = jest.fn();
		await clock.run(withChanges({ acquire: async () => ({ release }) })(request('DELETE')));
		expect(release.mock.calls).toEqual([['refused', handedOn], ['counted']]);
	});

	it.each([400, 404, 500, 503])('is not reported to the limiter for status %d', async (status) => {
		const { clock, withChanges } = start([{ status, done: false, retryAfterMs: 5000 }]);
		const release = jest.fn();
		const sent = withChanges({ acquire: async () => ({ release }) })(request('GET'));
		await clock.run(sent.catch(() => undefined));
		expect(release.mock.calls[0]).toEqual(['counted']);
	});

	it('leaves a wait that the execution can still stop', async () => {
		const { clock, withChanges } = start([{ status: 429, done: false }]);
		const acquire = jest.fn(async () => ({ release: () => undefined }));
		const { signal } = new AbortController();
		await clock.run(withChanges({ acquire, signal })(request('GET')));
		const given = acquire.mock.calls.map(([options]: unknown[]) => options);
		expect(given).toEqual([
			{ deadline: Infinity, signal },
			{ deadline: MAX_WAIT, signal },
		]);
	});

	it('says that the request was canceled if there was no turn for its first try', async () => {
		const { clock, withChanges } = start();
		const send = withChanges({ acquire: async () => 'late' });
		expect((await clock.run(failure(send(request('GET'))))).message).toContain('was canceled');
	});

	it('is final when there is no turn before the time is over', async () => {
		const { clock, withChanges } = start([{ status: 429, done: false, retryAfterMs: 5000 }]);
		const acquire = jest.fn<ReturnType<RetryContext['acquire']>, []>();
		acquire.mockResolvedValueOnce({ release: () => undefined }).mockResolvedValueOnce('late');
		const error = await clock.run(failure(withChanges({ acquire })(request('DELETE'))));
		expect(error.failure).toMatchObject({ status: 429, retryAfterMs: 5000 });
		expect(error.message).toContain('request limit was reached');
		expect(error.message).toContain('so nothing was done');
	});
});

describe('no retry follows', () => {
	it.each([400, 401, 403, 404, 422, 500, 301])('status %d', async (status) => {
		for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
			const { clock, service, send } = start([{ status, done: false }]);
			expect((await clock.run(failure(send(request(method))))).status).toBe(status);
			expect(service.tries).toHaveLength(1);
		}
	});

	it('the fourth response of another website', async () => {
		const { clock, withChanges } = start();
		const page = { kind: 'notJson', status: 200, truncated: false } as const;
		const send = jest.fn(async () => ({ failure: page }));
		const error = await clock.run(failure(withChanges({ send })(request('GET'))));
		expect([error.failure, send.mock.calls.length]).toEqual([page, 4]);
	});

	it('a server name that does not exist, or an invalid certificate', async () => {
		for (const code of ['ENOTFOUND', 'CERT_HAS_EXPIRED', 'ERR_INVALID_URL']) {
			const { clock, service, send } = start([{ code }]);
			await clock.run(failure(send(request('GET'))));
			expect(service.tries).toHaveLength(1);
		}
	});

	it('a create that may have been done, if nothing can be looked up', async () => {
		for (const fault of FAULTS.filter((one) => !('code' in one && one.code === 'ECONNREFUSED'))) {
			if ('status' in fault && fault.status === 429) continue;
			const { clock, service, send } = start([fault], false);
			const create = { ...request('POST'), newName: undefined };
			const { message, description } = await clock.run(failure(send(create)));
			expect(service.tries).toHaveLength(1);
			expect(`${message} ${description}`).toContain('may already have been made');
		}
	});
});

describe('a record that existed before', () => {
	it('is marked as looked up, since its creator is unknown', async () => {
		const { clock, send } = start([{ code: 'ECONNRESET', done: true }]);
		expect(await clock.run(send(request('POST')))).toMatchObject({ wasLookedUp: true });
		expect(await clock.run(send(request('GET')))).not.toHaveProperty('wasLookedUp');
	});

	it('leads to Supercast’s own refusal if every response arrived', async () => {
		const { clock, send } = start();
		expect((await clock.run(failure(send(request('POST'))))).status).toBe(422);
	});

	it('makes a delete fail that gets a 404 on its first try, or after a request that never arrived', async () => {
		for (const given of [[], [{ code: 'ECONNREFUSED' }], [{ status: 429, done: false }]]) {
			const { clock, send } = start(given, false);
			const { status, maybeProcessed } = await clock.run(failure(send(request('DELETE'))));
			expect({ status, maybeProcessed }).toEqual({ status: 404, maybeProcessed: false });
		}
	});
});

/** The error of a delete whose earlier try may have been processed. */
function mayBeDone(error: unknown): void {
	expect(error).toMatchObject({ status: 404, maybeProcessed: true });
}

/** Turns that take a second, as in a busy limiter, and none after the deadline. */
function slowly(clock: VirtualClock): RetryContext['acquire'] {
	return async ({ deadline = Infinity }) => {
		await clock.sleep(Math.min(1000, Math.max(0, deadline - clock.now())));
		return clock.now() >= deadline ? 'late' : { release: () => undefined };
	};
}

describe('a create whose response was lost', () => {
	const lost: Fault = { code: 'ECONNRESET', done: false };
	const cutOff: Fault = { truncated: true, done: false };
	const missing: Fault = { status: 404, done: false };
	// After 0, 375, 1,125, 2,625, 5,625, 11,625, 23,625 and 36,000 ms.
	const lookUps = Array<Fault>(8).fill(missing);

	it.each([
		['6 seconds if Supercast has answered', cutOff, 6_000],
		['36 seconds after a reset', lost, 36_000],
		['36 seconds after a 502', { status: 502, done: false }, 36_000],
		['36 seconds after a time-out', { code: 'ETIMEDOUT', done: false }, 36_000],
		['36 seconds after a 504', { status: 504, done: false }, 36_000],
	])('is searched for during %s, and then sent again', async (_, fault, ms) => {
		const { clock, service, send } = start([fault], false);
		await clock.run(send(request('POST')));
		const methods = service.tries.map(({ method }) => method);
		expect(methods[0]).toBe('POST');
		expect(methods.at(-1)).toBe('POST');
		expect(new Set(methods.slice(1, -1))).toEqual(new Set(['GET']));
		// The first wait is three quarters of half a second.
		expect(clock.now()).toBe(375 + ms);
	});

	it('is searched for by its name, as a record', () => {
		const { subject } = request('POST');
		expect(lookUpOf(request('POST'), 'ann')).toEqual({
			method: 'GET',
			path: ['subscribers', 'ann'],
			subject,
			expects: 'record',
		});
	});

	it('is not sent again while a look-up is inconclusive', async () => {
		for (const fault of [{ status: 500, done: false }, { code: 'ENOTFOUND' }] as Fault[]) {
			const { clock, service, send } = start([lost, fault], false);
			const error = await clock.run(failure(send(request('POST'))));
			expect(error.failure).toEqual({ kind: 'network', code: 'ECONNRESET' });
			expect(error.description).toContain('may already have been made');
			expect(service.tries.map(({ method }) => method)).toEqual(['POST', 'GET']);
		}
	});

	it('is not sent again if the last look-up is refused', async () => {
		const refused: Fault = { status: 403, done: false };
		const { clock, service, send } = start([lost, ...lookUps.slice(1), refused], false);
		const error = await clock.run(failure(send(request('POST'))));
		expect(error.failure).toEqual({ kind: 'network', code: 'ECONNRESET' });
		expect(clock.now()).toBe(375 + WAITS.lateMs + WAITS.visibleMs);
		expect(service.tries.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it('is not sent again if Max Wait ends the search', async () => {
		const { clock, service, withChanges } = start([lost], false);
		const error = await clock.run(failure(withChanges({ maxWaitMs: 5_000 })(request('POST'))));
		expect(error.failure).toEqual({ kind: 'network', code: 'ECONNRESET' });
		expect(service.tries.filter(({ method }) => method === 'POST')).toHaveLength(1);
		expect(clock.now()).toBeLessThan(5_000);
	});

	it('is searched for with the deadline of the create, which marks a retry', async () => {
		const { clock, withChanges } = start([lost, missing], false);
		const acquire = jest.fn(async () => ({ release: () => undefined }));
		await clock.run(withChanges({ acquire })(request('POST')));
		const deadlines = acquire.mock.calls.map(([options]: unknown[]) => options);
		expect(deadlines[0]).toEqual({ deadline: Infinity });
		for (const options of deadlines.slice(1)) expect(options).toEqual({ deadline: MAX_WAIT });
	});

	it('reports the loss when there is no slot for the look-up', async () => {
		const { clock, withChanges } = start([lost], false);
		const acquire = jest.fn<ReturnType<RetryContext['acquire']>, []>();
		acquire.mockResolvedValueOnce({ release: () => undefined }).mockResolvedValueOnce('late');
		const error = await clock.run(failure(withChanges({ acquire })(request('POST'))));
		expect(error.failure).toEqual({ kind: 'network', code: 'ECONNRESET' });
	});

	it('counts as refused when Supercast refuses it, and there is still no record', async () => {
		const refused: Fault = { status: 422, done: false };
		const { clock, service, send } = start([lost, ...lookUps, refused, missing], false);
		const error = await clock.run(failure(send(request('POST'))));
		expect(error.status).toBe(422);
		const methods = service.tries.map(({ method }) => method);
		expect(methods.slice(lookUps.length)).toEqual(['GET', 'POST', 'GET']);
	});

	it('counts as done when Supercast refuses a second one, and has the record', async () => {
		const { clock, service, send } = start([lost, ...lookUps, { status: 422, done: false }]);
		const done = await clock.run(send(request('POST')));
		expect(done).toMatchObject({ wasLookedUp: true, body: service.find('ann') });
	});

	it('ends as a stopped execution when it is stopped meanwhile', async () => {
		const { clock, withChanges } = start([lost], false);
		const stop = new AbortController();
		const stopped = failure(withChanges({ signal: stop.signal })(request('POST')));
		void clock.sleep(3_000).then(() => stop.abort());
		const error = await clock.run(stopped);
		expect(error.message).toContain('was canceled');
		expect(clock.now()).toBe(3_000);
	});
});

describe('a change of the name that finds a record', () => {
	const change = (name: string): ApiRequest => ({
		...request('PATCH'),
		path: ['subscribers', name],
	});

	it('is done when its response was lost and the record has its new name', async () => {
		const { clock, service, send } = start([{ code: 'ECONNRESET', done: false }], false);
		service.add({ email: 'anna' });
		const answer = await clock.run(send({ ...change('ann'), newName: 'anna' }));
		expect(answer).toMatchObject({ wasLookedUp: true, status: 200 });
	});

	it("fails with Supercast's error when no record has the new name either", async () => {
		const { clock, send } = start([{ code: 'ECONNRESET', done: false }], false);
		const error = await clock.run(failure(send({ ...change('ann'), newName: 'anna' })));
		expect(error.status).toBe(404);
		expect(error.description).toContain('may already have been made');
	});
});

describe('a record that may not be visible yet', () => {
	it('gets retries until that time is over and no longer', async () => {
		const { clock, service, withChanges } = start([], false);
		const send = withChanges({ hiddenMs: 6_000 });
		expect((await clock.run(failure(send(request('GET'))))).status).toBe(404);
		expect(clock.now()).toBe(6_000);
		void clock.sleep(5_000).then(() => service.add({ email: 'ann' }));
		expect(await clock.run(send(request('GET')))).toMatchObject({ status: 200 });
	});
});

describe('a read that may lag behind a change', () => {
	const isOld = (body: unknown): boolean => (body as { id: string }).id === '1';
	const read: ApiRequest = { ...request('GET'), outdatedIf: isOld };

	it('is sent again until it shows the change', async () => {
		const { clock, service, send } = start();
		void clock.sleep(2_000).then(() => Object.assign(service.find('ann')!, { id: '2' }));
		expect(await clock.run(send(read))).toMatchObject({ body: { id: '2' } });
		expect(clock.now()).toBeLessThan(3_000);
	});

	it('ends after six seconds with what Supercast still shows', async () => {
		const { clock, service, send } = start();
		expect(await clock.run(send(read))).toMatchObject({ body: { id: '1' } });
		expect(clock.now()).toBe(WAITS.visibleMs);
		expect(service.tries).toHaveLength(6);
	});

	it('is not cut short by Max Wait, and is sent once if it shows the change', async () => {
		const { clock, service, send, withChanges } = start();
		await clock.run(withChanges({ maxWaitMs: 0 })(read));
		expect(clock.now()).toBe(WAITS.visibleMs);
		service.tries.length = 0;
		await clock.run(send({ ...read, outdatedIf: () => false }));
		expect(service.tries).toHaveLength(1);
	});

	it('ends when the execution is stopped', async () => {
		const { clock, withChanges } = start();
		const stop = new AbortController();
		const stopped = failure(withChanges({ signal: stop.signal })(read));
		void clock.sleep(1_000).then(() => stop.abort());
		expect((await clock.run(stopped)).message).toContain('was canceled');
	});
});

describe('the error of an abandoned request', () => {
	it('says that its time was over if our own signal ended it', async () => {
		const { clock, withChanges } = start([{ code: 'ECONNREFUSED' }]);
		const stop = new AbortController();
		const ended = failure(withChanges({ signal: stop.signal })(request('GET')));
		void clock.sleep(5).then(() => stop.abort(new DOMException('over', 'TimeoutError')));
		expect((await clock.run(ended)).message).toContain('did not respond in time');
	});

	it('does not say that nothing was done if an earlier try may have been processed', async () => {
		const { clock, withChanges } = start([
			{ code: 'ECONNRESET', done: false },
			{ status: 429, done: false },
		]);
		const acquire = jest.fn<ReturnType<RetryContext['acquire']>, []>();
		const slot = { release: () => undefined };
		acquire.mockResolvedValueOnce(slot).mockResolvedValueOnce(slot).mockResolvedValueOnce('late');
		const error = await clock.run(failure(withChanges({ acquire })(request('PATCH'))));
		expect(error.message).toContain('request limit was reached');
		expect(error.message).not.toContain('not done');
		expect(error.description).toContain('may already have been made');
		expect(error.attempts).toBe(2);
	});

	it('is immediate if the request was stopped before it was sent', async () => {
		const { clock, service, withChanges } = start();
		const send = withChanges({ acquire: async () => 'stopped' });
		expect((await clock.run(failure(send(request('DELETE'))))).message).toContain('was canceled');
		expect(service.tries).toEqual([]);
	});
});
