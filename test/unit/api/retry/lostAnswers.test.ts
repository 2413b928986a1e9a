import { lookUpOf, type RetryContext } from '../../../../nodes/Supercast/api/retry/sendWithRetry';
import type { ApiRequest } from '../../../../nodes/Supercast/api/types';
import { failure, MAX_WAIT, start, WAITS } from './sending';
import { request, type Fault } from './simulatedService';

describe('a create whose response was lost', () => {
	const lost: Fault = { code: 'ECONNRESET', done: false };
	const cutOff: Fault = { truncated: true, done: false };
	const missing: Fault = { status: 404, done: false };
	// After 0, 375, 1,125, 2,625, 5,625, 11,625, 23,625 and 30,000 ms.
	const lookUps = Array<Fault>(8).fill(missing);

	it.each([
		['6 seconds if Supercast has answered', cutOff, 6_000],
		['half a minute after a reset', lost, 30_000],
		['half a minute after a 502', { status: 502, done: false }, 30_000],
		['half a minute after a time-out', { code: 'ETIMEDOUT', done: false }, 30_000],
		['half a minute after a 504', { status: 504, done: false }, 30_000],
	])('is searched for during %s, and then sent again', async (_, fault, ms) => {
		const { clock, service, send } = start([fault], false);
		await clock.run(send(request('POST')));
		const methods = service.received.map(({ method }) => method);
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
			expect(service.received.map(({ method }) => method)).toEqual(['POST', 'GET']);
		}
	});

	it('is not sent again if the last look-up is refused', async () => {
		const refused: Fault = { status: 403, done: false };
		const { clock, service, send } = start([lost, ...lookUps.slice(1), refused], false);
		const error = await clock.run(failure(send(request('POST'))));
		expect(error.failure).toEqual({ kind: 'network', code: 'ECONNRESET' });
		expect(clock.now()).toBe(375 + WAITS.lateMs);
		expect(service.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
	});

	it('is not sent again if Max Wait ends the search', async () => {
		const { clock, service, withChanges } = start([lost], false);
		const error = await clock.run(failure(withChanges({ maxWaitMs: 5_000 })(request('POST'))));
		expect(error.failure).toEqual({ kind: 'network', code: 'ECONNRESET' });
		expect(service.received.filter(({ method }) => method === 'POST')).toHaveLength(1);
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
		const methods = service.received.map(({ method }) => method);
		expect(methods.slice(lookUps.length)).toEqual(['GET', 'POST', 'GET']);
	});

	it('counts as done when Supercast refuses a second one, and has the record', async () => {
		const { clock, service, send } = start([lost, ...lookUps, { status: 422, done: false }]);
		const done = await clock.run(send(request('POST')));
		expect(done).toMatchObject({ wasLookedUp: true, body: service.records.get('ann')![0] });
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
		service.records.set('anna', [service.newRecord()]);
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
		void clock.sleep(5_000).then(() => service.records.set('ann', [service.newRecord()]));
		expect(await clock.run(send(request('GET')))).toMatchObject({ status: 200 });
	});
});

describe('a read that may lag behind a change', () => {
	const isOld = (body: unknown): boolean => (body as { number: number }).number === 1;
	const read: ApiRequest = { ...request('GET'), outdatedIf: isOld };

	it('is sent again until it shows the change', async () => {
		const { clock, service, send } = start();
		void clock.sleep(2_000).then(() => service.records.set('ann', [service.newRecord()]));
		expect(await clock.run(send(read))).toMatchObject({ body: { number: 2 } });
		expect(clock.now()).toBeLessThan(3_000);
	});

	it('ends after six seconds with what Supercast still shows', async () => {
		const { clock, service, send } = start();
		expect(await clock.run(send(read))).toMatchObject({ body: { number: 1 } });
		expect(clock.now()).toBe(WAITS.visibleMs);
		expect(service.received).toHaveLength(6);
	});

	it('ends before Max Wait, and is sent once if it shows the change', async () => {
		const { clock, service, send, withChanges } = start();
		await clock.run(withChanges({ maxWaitMs: 1_000 })(read));
		expect(clock.now()).toBeLessThan(1_000);
		service.received.length = 0;
		await clock.run(send({ ...read, outdatedIf: () => false }));
		expect(service.received).toHaveLength(1);
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
		expect(service.received).toEqual([]);
	});
});
