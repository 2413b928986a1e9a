import fc from 'fast-check';

import { ownIdsOf } from '../../../nodes/Supercast/access/sync/list/ownIds';
import { SUBSCRIBER_STATES } from '../../../nodes/Supercast/subscriber/states';
import type { SyncReport } from '../../../nodes/Supercast/report/report';
import { runs } from '../../support/deep';
import { DirectSupercast, type Held } from '../../doubles/directSupercast';
import { expected, type ModelSettings } from './model';
import { NOW, type Parameters, type Row, runRows } from './running';

describe('any list', () => {
	const EMAILS = [
		'ann@a.com',
		'bob@a.com',
		'cy@b.com',
		'dee@b.com',
		'eve@c.com',
		'flo@c.com',
		'gus@c.com',
	];
	const IDS = ['p_1', 'p_2', 'p_3', 'q_1', 'q_2', '7'];
	const STATES = [
		...['available', 'available', 'deactivated', ...SUBSCRIBER_STATES],
		...['mystery', ''],
	];

	const written = (email: string): fc.Arbitrary<string> =>
		fc.constantFrom(email, email.toUpperCase(), ` ${email} `);
	const email = fc.constantFrom(...EMAILS);
	const name = fc.constantFrom('Ann', 'Bob', '');

	const row: fc.Arbitrary<Row> = fc
		.record(
			{
				email: fc.oneof({ weight: 8, arbitrary: email.chain(written) }, fc.constant('')),
				id: fc.constantFrom(...IDS),
				firstName: fc.constantFrom('Ann', 'Bob'),
				access: fc.constantFrom(
					...['open', 'open', 'open', 'keep', 'close', 'close'],
					...['', 'active', null, undefined],
				),
			},
			{ requiredKeys: ['email'] },
		)
		.filter(({ email: given, id }) => given !== '' || id !== undefined);

	const held = (index: number): fc.Arbitrary<Held> =>
		fc
			.record({
				customer_id: fc.option(fc.constantFrom(...IDS)),
				first_name: fc.option(name.filter((text) => text !== '')),
				state: fc.constantFrom(...STATES),
				plan_id: fc.option(fc.constant(3), { freq: 4 }),
				hours: fc.constantFrom(1, 23, 25, 9_000),
				upper: fc.boolean(),
			})
			.map(({ hours, upper, ...rest }) => ({
				uuid: `u-${index}`,
				email: upper ? EMAILS[index]!.toUpperCase() : EMAILS[index]!,
				created_at: new Date(NOW - hours * 3_600_000).toISOString(),
				updated_at: '2025-12-01T00:00:00.000Z',
				...rest,
			}));

	// A list of mostly unknown states closes nobody. refusals.test.ts tests that.
	const subscribers = fc
		.tuple(...EMAILS.map((_, index) => fc.option(held(index), { freq: 3 })))
		.map((all) => all.filter((one) => one !== null))
		.filter((all) => all.filter(({ state }) => ['mystery', ''].includes(state)).length < 3);

	const few = fc.constantFrom(0, 1, 2, 99, 99, 99, 99);
	const settings: fc.Arbitrary<ModelSettings> = fc.record({
		addCustomerIds: fc.boolean(),
		close: fc.constantFrom('withCustomerId' as const, 'all' as const, 'none' as const),
		reactivate: fc.boolean(),
		closeWithPlan: fc.boolean(),
		prefix: fc.constantFrom('', 'p_', 'q_'),
		neverClose: fc.constantFrom([], ['@a.com'], ['cy@b.com', '@c.com']),
		graceHours: fc.constantFrom(0, 24),
		maxClosePercent: fc.constantFrom(0, 5, 34, 100, 100, 100),
		maxClose: few,
		maxOpen: few,
	});

	function parametersFor(given: ModelSettings, dryRun: boolean, output = 'changes'): Parameters {
		const { addCustomerIds, close, maxClosePercent, reactivate, closeWithPlan } = given;
		const { graceHours, maxClose, maxOpen } = given;
		return {
			dryRun,
			close,
			maxClosePercent,
			options: {
				...{ addCustomerIds, reactivate, closeWithPlan, graceHours, maxClose, maxOpen, output },
				...(given.prefix === '' ? {} : { customerIdPrefix: given.prefix }),
				...(given.neverClose.length === 0 ? {} : { neverClose: given.neverClose.join(', ') }),
			},
		};
	}

	const situation = fc.record({
		rows: fc.array(row, { minLength: 1, maxLength: 8 }),
		subscribers,
		settings,
	});

	/** The state of a simulated Supercast with the subscribers that the model expects. */
	function reached(after: Held[]): ReturnType<DirectSupercast['state']> {
		return new DirectSupercast(after, NOW).state();
	}

	function changes({ records }: SyncReport): string[] {
		return records
			.map(({ json: { action, email: to, customer_id: id, reason, changes: what }, items }) =>
				JSON.stringify([action, to, id, reason, what, items]),
			)
			.sort();
	}

	/**
	 * Whether Sync assigns the same customer IDs to other systems before and after a part of a run.
	 * If a reopened feed is the third with its prefix, its system counts as another one from then on.
	 * Sync then closes fewer feeds.
	 */
	function haveSameSystems(rows: Row[], before: Held[], after: Held[]): boolean {
		const listed = rows.flatMap(({ id }) => (id === undefined ? [] : [id]));
		const open = (held: Held[]): string[] =>
			held.filter(({ state }) => state !== 'deactivated').map(({ customer_id: id }) => id ?? '');
		const [first, second] = [ownIdsOf(listed, open(before)), ownIdsOf(listed, open(after))];
		return IDS.every((id) => first(id) === second(id));
	}

	const REFUSALS = /^Sync would |do not begin with|^Most items|have no email, and/;

	/** Runs until the end or the refusal, and returns which. */
	async function attempt(run: Promise<SyncReport>): Promise<SyncReport | undefined> {
		return await run.catch((error: Error) => {
			if (REFUSALS.test(error.message)) return undefined;
			throw error;
		});
	}

	it('reaches the state of the table, and a second run writes nothing', async () => {
		await fc.assert(
			fc.asyncProperty(situation, async ({ rows, subscribers: all, settings: given }) => {
				const service = new DirectSupercast(all, NOW);
				const { actions, after } = expected(rows, all, given);
				const result = await attempt(runRows(service, rows, parametersFor(given, false)));
				if (after === undefined) {
					expect(result).toBeUndefined();
					expect(service.writes).toEqual([]);
					return;
				}
				expect(result?.failures).toEqual([]);
				expect(service.state()).toEqual(reached(after));
				for (const [action, emails] of Object.entries(actions)) {
					const items = result!.records.filter(({ json }) => json.action === action);
					const named = items.map(({ json }) => String(json.email).toLowerCase());
					expect([action, named.sort()]).toEqual([action, [...emails].sort()]);
				}
				const writes = service.writes.length;
				const second = await runRows(service, rows, parametersFor(given, false));
				expect(service.writes).toHaveLength(writes);
				expect(
					second.records.filter(({ json }) => json.isConflict !== true && json.action !== 'kept'),
				).toEqual([]);
			}),
			runs(100),
		);
	});

	it('predicts exactly the real run in a dry run, which writes nothing', async () => {
		await fc.assert(
			fc.asyncProperty(situation, async ({ rows, subscribers: all, settings: given }) => {
				const service = new DirectSupercast(all, NOW);
				const predicted = await attempt(runRows(service, rows, parametersFor(given, true, 'all')));
				expect(service.writes).toEqual([]);
				const real = await attempt(runRows(service, rows, parametersFor(given, false, 'all')));
				const isExceeded = predicted?.hints.some(({ message }) => REFUSALS.test(message));
				expect(isExceeded ?? true).toBe(real === undefined);
				if (real !== undefined) expect(changes(real)).toEqual(changes(predicted!));
			}),
			runs(100),
		);
	});

	it('reaches the same state with one more run when a fifth of the requests failed', async () => {
		await fc.assert(
			fc.asyncProperty(
				situation,
				fc.array(
					fc.constantFrom(
						'before' as const,
						'after' as const,
						...Array<undefined>(8).fill(undefined),
					),
					{
						minLength: 60,
						maxLength: 60,
					},
				),
				async ({ rows, subscribers: all, settings: given }, troubles) => {
					const { after } = expected(rows, all, given);
					const service = new DirectSupercast(all, NOW);
					service.trouble = (number) => troubles[number - 1];
					await runRows(service, rows, parametersFor(given, false)).catch(() => undefined);
					service.trouble = () => undefined;
					fc.pre(haveSameSystems(rows, all, service.subscribers));
					const again = await attempt(runRows(service, rows, parametersFor(given, false)));
					if (after === undefined) expect(again).toBeUndefined();
					expect(service.state()).toEqual(reached(after ?? all));
				},
			),
			runs(100),
		);
	});

	it('reaches the same state when it is killed at any request and runs again', async () => {
		await fc.assert(
			fc.asyncProperty(
				situation,
				fc.boolean(),
				async ({ rows, subscribers: all, settings: given }, done) => {
					const { after } = expected(rows, all, given);
					const whole = new DirectSupercast(all, NOW);
					await attempt(runRows(whole, rows, parametersFor(given, false)));
					for (let last = 1; last <= whole.requests.length; last++) {
						const service = new DirectSupercast(all, NOW);
						let isDead = false;
						service.trouble = (number) => {
							isDead = number >= last;
							return isDead ? (number === last && done ? 'after' : 'before') : undefined;
						};
						const killed = runRows(service, rows, parametersFor(given, false), {
							isStopped: () => isDead,
						});
						await expect(killed).rejects.toThrow();
						// After a change of a feed that failed, the node looks once whether it was made.
						expect([last, last + 1]).toContain(service.requests.length);
						service.trouble = () => undefined;
						if (!haveSameSystems(rows, all, service.subscribers)) continue;
						await attempt(runRows(service, rows, parametersFor(given, false)));
						expect(service.state()).toEqual(reached(after ?? all));
					}
				},
			),
			runs(20),
		);
	});
});
