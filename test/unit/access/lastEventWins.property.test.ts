import fc from 'fast-check';

import type { ApiRequest, ApiResponse } from '../../../nodes/Supercast/api/types';
import { runs } from '../../support/deep';
import { FakeService, held } from './fakeService';
import { NOW, runAccess, runRows, type Row } from './running';

/** A service whose responses take different times. */
class SlowService extends FakeService {
	/** How many turns each request takes, in order. */
	delays: number[] = [];

	override async request(request: ApiRequest): Promise<ApiResponse> {
		const turns = this.delays[this.requests.length % this.delays.length] ?? 0;
		for (let turn = 0; turn < turns; turn++) await Promise.resolve();
		const response = await super.request(request);
		this.customerIds.note(request, response.body);
		return response;
	}
}

const ANN = held(1);
const NAMES: Record<string, Row> = {
	email: { email: ANN.email },
	capitals: { email: ANN.email.toUpperCase() },
	id: { email: '', id: 'c-1' },
	both: { email: ANN.email, id: 'c-1' },
};

const event = fc.record({
	access: fc.constantFrom('open' as const, 'close' as const),
	names: fc.constantFrom(...Object.keys(NAMES)),
	/** How many turns later than the event before. */
	later: fc.integer({ min: 0, max: 20 }),
});

it('the last of several events about one person wins, whichever names they carry', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(event, { minLength: 2, maxLength: 8 }),
			fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 30 }),
			fc.boolean(),
			async (events, delays, isOpen) => {
				const state = isOpen ? 'available' : 'deactivated';
				const service = new SlowService([held(0), { ...ANN, state }, held(2)], NOW);
				service.delays = delays;
				const running: Array<Promise<unknown>> = [];
				for (const { access, names, later } of events) {
					for (let turn = 0; turn < later; turn++) await Promise.resolve();
					running.push(runAccess(service, access, NAMES[names]!));
				}
				await Promise.all(running);
				const wanted = events.at(-1)!.access === 'open' ? 'available' : 'deactivated';
				expect(service.find(ANN.uuid)!.state).toBe(wanted);
				expect(service.subscribers).toHaveLength(3);
			},
		),
		runs(200),
	);
});

it('an event that came too late says so, and needs no decision', async () => {
	const service = new SlowService([ANN], NOW);
	// The look-up by customer ID reads the list, which takes longer.
	service.delays = [200, 0, 0, 0];
	const [first] = await Promise.all([
		runAccess(service, 'close', NAMES.id!),
		runAccess(service, 'open', NAMES.email!),
	]);
	expect(first).toMatchObject({ action: 'kept', attention: null });
	expect(first.reason).toContain('a later event about this person was processed first');
});

it('Sync with an older list does not undo what Set Access has decided since', async () => {
	const people = [held(0), held(1), held(2, { state: 'deactivated' })];
	const service = new FakeService(people, NOW);
	await runAccess(service, 'open', NAMES.both!);
	await runAccess(service, 'close', { email: people[2]!.email, id: 'c-2' });
	// On the list: not Ann, who has returned, but still the one who has left.
	const rows = [0, 2].map((number) => ({ email: people[number]!.email, id: `c-${number}` }));
	const result = await runRows(
		service,
		rows,
		{ options: { output: 'all' } },
		{ tools: { cameAt: 0 } },
	);
	expect([1, 2].map((number) => service.find(`u-${number}`)!.state)).toEqual([
		'available',
		'deactivated',
	]);
	const reasons = result.records.map(({ json }) => json.reason);
	expect(reasons.filter((reason) => reason !== null)).toEqual(
		Array(2).fill('decided by another operation since the list came'),
	);
});

it('two events with one customer ID and two emails leave one subscriber', async () => {
	const service = new SlowService([held(0)], NOW);
	service.delays = [3, 1, 7];
	await Promise.all([
		runAccess(service, 'open', { email: 'old@a.com', id: 'c-9' }),
		runAccess(service, 'open', { email: 'new@a.com', id: 'c-9' }),
	]);
	const both = service.subscribers.filter((one) => one.customer_id === 'c-9');
	expect(both.map(({ email, state }) => [email, state])).toEqual([['new@a.com', 'available']]);
});
