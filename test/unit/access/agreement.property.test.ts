import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { setAccess as setAccessWith } from '../../../nodes/Supercast/access/setAccess';
import { accessOutput, leftOutput } from '../../../nodes/Supercast/report/setAccess';
import { identifierKey } from '../../../nodes/Supercast/api/identity';
import { SUBSCRIBER_STATES } from '../../../nodes/Supercast/subscriber/states';
import { runs } from '../../support/deep';
import { DirectSupercast, type Held, held, type Trouble } from '../../doubles/directSupercast';
import { NOW, parametersOf, type Row, runAccess, runRows, SlowService } from './running';

const setAccess = setAccessWith(accessOutput, leftOutput);

describe('agreement', () => {
	const EMAILS = [
		'ann@a.com',
		'bob@b.com',
		'ÄNNE@c.com',
		'a\u0308nne@c.com',
		'dee@münchen.de',
		'eve@e.com',
	];
	const IDS = ['p_1', 'p_2', 'q_1', '7'];
	const OLD = '2025-06-01T00:00:00.000Z';

	const held = (emails: readonly string[]): fc.Arbitrary<Held[]> =>
		fc
			.array(
				fc.record({
					email: fc.constantFrom(...emails),
					customer_id: fc.option(fc.constantFrom(...IDS)),
					state: fc.constantFrom('available', ...SUBSCRIBER_STATES),
					plan_id: fc.option(fc.constant(3), { freq: 4 }),
				}),
				{ maxLength: 9, size: 'max' },
			)
			.map((rows) =>
				rows
					.filter((one, index) => {
						const same = rows.findIndex(
							(other) => identifierKey(other.email) === identifierKey(one.email),
						);
						return same === index;
					})
					.map((one, index) => ({
						...one,
						uuid: `u-${index}`,
						first_name: 'Ann',
						created_at: OLD,
						updated_at: OLD,
					})),
			);

	const row: fc.Arbitrary<Row> = fc
		.record({ email: fc.constantFrom('', ...EMAILS), id: fc.constantFrom(undefined, ...IDS) })
		.filter(({ email, id }) => email !== '' || id !== undefined)
		.map(({ email, id }) => (id === undefined ? { email } : { email, id }));

	function states(service: DirectSupercast): string[] {
		return service.subscribers.map(({ email, state }) => `${identifierKey(email)} ${state}`).sort();
	}

	async function access(
		service: DirectSupercast,
		what: 'close' | 'open',
		person: Row,
		closeWithPlan: boolean,
	): Promise<IDataObject> {
		const item = parametersOf({ ...person }, { options: { closeWithPlan } });
		const parameter = (name: string) => (name === 'access' ? what : item.parameter(name));
		const [output] = await setAccess.prepare({ ...item, parameter }).run(service);
		return output!;
	}

	const scenario = fc.record({
		subscribers: held(EMAILS),
		person: row,
		closeWithPlan: fc.boolean(),
	});

	describe('Sync and Set Access', () => {
		it('open for the same people, whatever is known of them', async () => {
			await fc.assert(
				fc.asyncProperty(scenario, async ({ subscribers, person, closeWithPlan }) => {
					const [one, other] = [
						new DirectSupercast(subscribers, NOW),
						new DirectSupercast(subscribers, NOW),
					];
					await runRows(one, [person], { close: 'none', options: { closeWithPlan } });
					await access(other, 'open', person, closeWithPlan);
					expect(states(other)).toEqual(states(one));
				}),
				runs(80),
			);
		});

		it('close for the same people, wherever Set Access leaves nothing to a person', async () => {
			await fc.assert(
				fc.asyncProperty(scenario, async ({ subscribers, person, closeWithPlan }) => {
					const [one, other] = [
						new DirectSupercast(subscribers, NOW),
						new DirectSupercast(subscribers, NOW),
					];
					const isTheirs = ({ email, customer_id: id }: Held): boolean =>
						identifierKey(email) === identifierKey(person.email) ||
						(id !== null && id === person.id);
					const rest = subscribers
						.filter((held) => !isTheirs(held))
						.map(({ email }) => ({ email }));
					// If the email suffices, Set Access reads no list, so it cannot see a shared ID.
					const ids = subscribers.map(({ customer_id: id }) => id).filter((id) => id !== null);
					fc.pre(new Set(ids).size === ids.length);
					const { attention, action } = await access(other, 'close', person, closeWithPlan);
					const isLeft = /another customer ID|has the customer ID|two subscribers|several|no such/;
					if (isLeft.test(String(attention))) return;
					const options = { closeWithPlan, graceHours: 0, reactivate: false };
					await runRows(one, [...rest, { email: 'last@list.com' }], { close: 'all', options });
					const theirs = (service: DirectSupercast): string[] =>
						subscribers.filter(isTheirs).map(({ uuid }) => `${uuid} ${service.find(uuid)?.state}`);
					expect([action, ...theirs(other)]).toEqual([action, ...theirs(one)]);
				}),
				runs(80),
			);
		});
	});

	/** What happens to a person while Sync runs. */
	const CHANGES: Array<(one: Held) => void> = [
		(one) => (one.state = 'suspended'),
		(one) => (one.state = 'available'),
		(one) => (one.plan_id = 7),
		(one) => (one.customer_id = 'p_9'),
		(one) => (one.email = 'moved@elsewhere.com'),
		(one) => (one.email = EMAILS[0]!),
	];

	const troubled = fc.record({
		subscribers: held([...EMAILS, 'flo@f.com', 'gus@g.com', 'hal@h.com', 'ida@i.com']),
		branches: fc.array(fc.array(row, { minLength: 1, maxLength: 4 }), {
			minLength: 1,
			maxLength: 2,
			size: 'xsmall',
		}),
		prefix: fc.constantFrom('', '', '', 'p_'),
		troubles: fc.array(
			fc.constantFrom<Trouble>(...Array<undefined>(12).fill(undefined), 'before', 'after'),
			{
				minLength: 30,
				maxLength: 30,
			},
		),
		failsCreations: fc.constantFrom(false, false, true),
		/** Whether everyone on the list is a subscriber already, so that no creation can fail. */
		isKnown: fc.boolean(),
		changes: fc.array(
			fc.record({
				at: fc.integer({ min: 2, max: 15 }),
				who: fc.nat({ max: 4 }),
				what: fc.constantFrom(...CHANGES),
			}),
			{ maxLength: 4 },
		),
	});

	let [sequences, closed] = [0, 0];

	it('nobody whose email was on the list, in any branch, loses the feed', async () => {
		await fc.assert(
			fc.asyncProperty(troubled, async (given) => {
				const service = new DirectSupercast(given.subscribers, NOW);
				const wronged: unknown[] = [];
				const branches = given.branches.map((rows) =>
					rows.map((one, index): Row => {
						const known = given.subscribers[index];
						return given.isKnown && known ? { ...one, email: known.email } : one;
					}),
				);
				const listed = new Set(branches.flat().map(({ email }) => identifierKey(email)));
				const atStart = new Map(
					given.subscribers.map(({ uuid, email }) => [uuid, identifierKey(email)]),
				);
				const change = (number: number): void => {
					for (const { at, who, what } of given.changes) {
						const one = service.subscribers[who];
						if (at !== number || one === undefined) continue;
						what(one);
						one.updated_at = new Date(NOW + number).toISOString();
					}
				};
				service.trouble = (number, { method, path, body }) => {
					const { state } = (body?.feed_token ?? {}) as IDataObject;
					if (path[0] === 'feeds' && state === 'inactive') {
						closed++;
						const names = [atStart.get(path[1]!), identifierKey(service.find(path[1]!)?.email)];
						wronged.push(...names.filter((name) => listed.has(String(name))));
					}
					// Sync cannot know what changes after it has sent the request.
					change(number);
					if (method === 'POST' && given.failsCreations) return 'before';
					return given.troubles[number - 1];
				};
				const options = {
					graceHours: 0,
					...(given.prefix === '' ? {} : { customerIdPrefix: given.prefix }),
				};
				const [first] = branches;
				const mayGetMore = branches.length > 1;
				await runRows(service, first!, { close: 'all', options }, { tools: { mayGetMore } }).catch(
					() => undefined,
				);
				expect(wronged).toEqual([]);
				sequences++;
			}),
			runs(300),
		);
		expect(closed / sequences).toBeGreaterThan(0.01);
	});
});

describe('the last event wins', () => {
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
			runs(80),
		);
	});
});
