import fc from 'fast-check';

import { type Reason, REASONS } from '../../../nodes/Supercast/access/reasons';
import {
	type ListMemory,
	NOTHING_REMEMBERED,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import { ownIdsOf } from '../../../nodes/Supercast/access/sync/list/ownIds';
import type { SyncResult } from '../../../nodes/Supercast/access/sync/report';
import { runs } from '../../support/deep';
import { DirectSupercast, type Held } from '../../doubles/directSupercast';
import { expected, type ModelSettings } from './model';
import { NOW, type Parameters, type Row, runAccess, runRows } from './running';
import { type Human, World } from './world';

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
		...['available', 'available', 'available', 'deactivated', 'deactivated'],
		...['suspended', 'charge_failure', 'pending', 'mystery', ''],
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

	function changes({ records }: SyncResult): string[] {
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

	/** Runs until the end or the refusal, and returns which. */
	async function attempt(run: Promise<SyncResult>): Promise<SyncResult | undefined> {
		return await run.catch((error: Error) => {
			if (/^Sync would |do not begin with|^Most items/.test(error.message)) return undefined;
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
				const isExceeded = predicted?.hints.some(({ message }) =>
					message.startsWith('Sync would '),
				);
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
						expect(service.requests).toHaveLength(last);
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

/** Safety and liveness of Sync with Set Access, over many lists of many worlds (decision 0015). */
describe('any world', () => {
	const LISTS = 12;
	const MINUTES_APART = 5;

	type Json = SyncResult['records'][0]['json'];

	/** How often something happened, by what it was. */
	type Tally = Map<string, number>;

	function add(tally: Tally, what: string): void {
		tally.set(what, (tally.get(what) ?? 0) + 1);
	}

	/** What a list said about the members. */
	interface Said {
		members: ReadonlySet<Human>;
		named: ReadonlySet<Human>;
	}

	/** A world over time, and what went wrong in it. */
	class Life {
		/** How many people wrongly lost their access: members, and others who must never lose it. */
		readonly wronged: Tally = new Map();

		/** How many people have the wrong access in the end, by the reason in the output. */
		readonly notAsWanted: Tally = new Map();

		closings = 0;

		private memory: ListMemory = NOTHING_REMEMBERED;
		private minutes = 0;
		private before: Said | undefined;

		constructor(readonly world: World) {}

		/** Events and lists, of which every tenth is misleading. */
		async pass(): Promise<void> {
			for (let number = 0; number < LISTS; number++) {
				const changed = this.world.live();
				for (const human of changed) if (this.world.chance(0.3)) await this.tell(human);
				const { rows, named } = this.world.list(this.world.nextMistake());
				await this.sync(rows, named);
			}
		}

		/** An event reaches Set Access. */
		private async tell(human: Human): Promise<void> {
			const { service } = this.world;
			await runAccess(service, human.isMember ? 'open' : 'close', this.world.eventOf(human));
			this.world.noteOwners();
		}

		/** Runs Sync, and finds out whom it has closed. */
		private async sync(rows: readonly Row[], named: Set<Human>): Promise<SyncResult | undefined> {
			const { world } = this;
			this.minutes += MINUTES_APART;
			const open = world.openSubscribers();
			const result = await this.runSync(rows);
			world.noteOwners();
			const members = new Set(world.humans.filter(({ isMember }) => isMember));
			for (const one of open) {
				if (world.service.find(one.uuid)?.state !== 'deactivated') continue;
				this.closings += 1;
				const wrong = this.whatIsWrong(one, rows, { members, named });
				if (wrong !== undefined) add(this.wronged, wrong);
			}
			// A list that Sync refuses does not count.
			if (result !== undefined) this.before = { members, named };
			return result;
		}

		private async runSync(rows: readonly Row[]): Promise<SyncResult | undefined> {
			const { close, graceHours, service } = this.world;
			const time = NOW + this.minutes * 60_000;
			const options = { closeAfter: 2, output: 'all', graceHours };
			const tools = {
				...{ now: () => time, receivedAt: time, memory: this.memory },
				remember: (memory: ListMemory) => void (this.memory = memory),
			};
			return await runRows(service, rows, { close, options }, { tools }).catch((error: Error) => {
				if (!/^Sync would |no valid members|^Most items/.test(error.message)) throw error;
				return undefined;
			});
		}

		private whatIsWrong(closed: Held, rows: readonly Row[], now: Said): string | undefined {
			const { world, before } = this;
			const human = world.owners.get(closed.uuid);
			if (world.foreign.some(({ uuid }) => uuid === closed.uuid)) return 'another system';
			if (rows.some(({ email }) => email === closed.email)) return 'the email is on the list';
			if (human === undefined || !now.members.has(human)) return undefined;
			if (world.hasAccess(human)) return undefined;
			if (world.hasLostRecord(human, closed)) return NEW_EMAIL;
			if (now.named.has(human)) return 'on the list';
			if (before === undefined || before.named.has(human)) return 'missing from one list only';
			return before.members.has(human) ? TWO_MISLEAD : RETURNED;
		}

		/** Lists without mistakes, while nothing else happens. Then all access should be as wanted. */
		async settle(): Promise<void> {
			this.minutes += 25 * 60;
			const { world } = this;
			const run = async () => {
				const { rows, named } = world.list();
				return await this.sync(rows, named);
			};
			await run();
			const last = await run();
			for (const one of world.openSubscribers()) {
				const isForeign = world.foreign.some(({ uuid }) => uuid === one.uuid);
				if (isForeign || world.owners.get(one.uuid)?.isMember === true) continue;
				const said = reasonFor(last, ({ uuid }) => uuid === one.uuid);
				add(this.notAsWanted, world.isEmailOfMember(one.email) ? EMAIL_OF_MEMBER : `open: ${said}`);
			}
			for (const human of world.humans) {
				if (!human.isMember || world.hasAccess(human)) continue;
				// Someone else may have had the email before.
				const isTheirs = last?.records.some(({ json }) => json.customer_id === human.id)
					? (json: Json) => json.customer_id === human.id
					: (json: Json) => json.email === human.email;
				add(this.notAsWanted, `closed: ${reasonFor(last, isTheirs)}`);
			}
		}
	}

	const NEW_EMAIL = 'the email changed, and nothing else ties the record to the member';
	const TWO_MISLEAD = 'two lists in a row mislead';
	const RETURNED = 'the member returned, and the next list misleads';

	const EXPLAINED = [NEW_EMAIL, TWO_MISLEAD, RETURNED];

	/** Someone left, and a member has their email now. Sync never closes an email on the list. */
	const EMAIL_OF_MEMBER = 'open: the email is of a member';

	/** The kind of reason that the output names. */
	function reasonFor(result: SyncResult | undefined, isTheirs: (json: Json) => boolean): string {
		const items = result?.records.filter(({ json }) => isTheirs(json)) ?? [];
		const text = items.map(({ json }) => json.reason).find((reason) => reason !== null);
		const kinds = Object.entries(REASONS) as Array<[Reason, string]>;
		const fixedPart = (form: string): string => form.split('{')[0] ?? '';
		const begins = ([, form]: [Reason, string]): boolean =>
			String(text).startsWith(fixedPart(form));
		// One reason begins with the text of another one.
		const [kind] = kinds
			.filter(begins)
			.sort(([, one], [, other]) => fixedPart(other).length - fixedPart(one).length);
		return kind?.[0] ?? `nothing says why (${items.map(({ json }) => json.action).join(', ')})`;
	}

	/** Wrong access that the output explains, and that does not go away by itself. */
	const LASTING: readonly string[] = [
		EMAIL_OF_MEMBER,
		...['noCustomerId', 'mayBeListed', 'otherEmail', 'otherForm', 'plan', 'severalSubscribers'].map(
			(reason) => `open: ${reason}`,
		),
		...['noEmail', 'planClosed', 'otherEmail', 'otherId', 'emailTaken', 'severalSubscribers'].map(
			(reason) => `closed: ${reason}`,
		),
	];

	const [wronged, notAsWanted]: [Tally, Tally] = [new Map(), new Map()];
	let closings = 0;
	let worlds = 0;

	describe.each([1, 2, 3, 4])('in part %i of the worlds', (part) => {
		it('nobody loses access wrongly, and in the end everyone has the right access', async () => {
			const { numRuns, seed } = runs(12);
			// 20,000 worlds in all in a deep run with its usual number of tries.
			const count = numRuns >= 300 ? Math.max(numRuns, 5_000) : numRuns;
			for (let number = 0; number < count; number++) {
				const life = new Life(new World((seed * 4 + part) * 100_003 + number));
				await life.pass();
				await life.settle();
				for (const what of life.wronged.keys()) expect(EXPLAINED).toContain(what);
				for (const what of life.notAsWanted.keys()) expect(LASTING).toContain(what);
				for (const [what, times] of life.wronged)
					wronged.set(what, (wronged.get(what) ?? 0) + times);
				for (const [what, times] of life.notAsWanted) {
					notAsWanted.set(what, (notAsWanted.get(what) ?? 0) + times);
				}
				closings += life.closings;
				worlds += 1;
			}
			expect(closings).toBeGreaterThan(count);
		});
	});

	afterAll(() => {
		const told = { worlds, closings, wronged: [...wronged], notAsWanted: [...notAsWanted] };
		if (worlds > 1_000) process.stderr.write(`${JSON.stringify(told)}\n`);
	});
});
