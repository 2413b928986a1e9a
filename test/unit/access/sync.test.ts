import { ListOfMembers } from '../../../nodes/Supercast/access/sync/list/members';
import { crowd, DirectSupercast, type Held, held } from '../../doubles/directSupercast';
import {
	NOW,
	type Parameters,
	parametersOf,
	refusal,
	type Row,
	runRows,
	withoutFeeds,
} from './running';

describe('a run of Sync', () => {
	const LONG_AGO = '2025-06-01T00:00:00.000Z';

	function held(number: number, fields: Partial<Held> = {}): Held {
		return {
			uuid: `u-${number}`,
			email: `member.${number}@example.com`,
			customer_id: `c-${number}`,
			first_name: 'Ann',
			state: 'available',
			plan_id: null,
			created_at: LONG_AGO,
			updated_at: LONG_AGO,
			...fields,
		};
	}

	function rowOf({ email, customer_id: id }: Held): Row {
		return { email, id: id ?? '' };
	}

	function actions(result: Awaited<ReturnType<typeof runRows>>): string[] {
		return result.records.map(({ json }) => `${String(json.action)} ${String(json.email)}`);
	}

	function readings({ requests }: DirectSupercast): number {
		return requests.filter(({ query }) => query?.page === 1).length;
	}

	const people = Array.from({ length: 5 }, (_, number) => held(number));
	const [gone, ...others] = people;
	const list = others.map(rowOf);

	it.each([
		['feeds', 'Not on the list, but still open: member.0@example.com.'],
		['subscribers', 'No feed stays open because of this.'],
	])('when a change of %s fails, the error says whose feed stays open', async (what, words) => {
		const service = new DirectSupercast(people, NOW);
		service.trouble = (_, { method, path }) =>
			method === 'PATCH' && path[0] === what ? 'before' : undefined;
		const rows = list.map((row) => ({ ...row, firstName: 'Bea' }));
		const { error } = await runRows(service, rows);
		expect(error).toMatchObject({ description: expect.stringContaining(words) });
	});

	describe('reading the subscribers', () => {
		it('reads them again when their number is not the total, and continues when it is', async () => {
			const service = new DirectSupercast(people, NOW);
			service.total = () => (service.requests.length <= 2 ? 6 : 5);
			expect(actions(await runRows(service, list))).toEqual([`closed ${gone!.email}`]);
			expect(readings(service)).toBe(2);
		});

		it('closes nobody, and says so, when the number is never the total', async () => {
			const service = new DirectSupercast(people, NOW);
			service.total = () => 6;
			const result = await runRows(service, [...list, { email: 'new@example.com' }]);
			expect(actions(result)).toEqual(['created new@example.com']);
			expect(readings(service)).toBe(3);
			const said = result.hints.map(({ message }) => message).join();
			expect(said).toContain('Sync closes no feeds in this run');
		});

		it('relies on the end of the list when there is no total', async () => {
			const service = new DirectSupercast(people, NOW);
			service.total = () => undefined;
			expect(actions(await runRows(service, list))).toEqual([`closed ${gone!.email}`]);
		});

		it('writes nothing when a page fails', async () => {
			const service = new DirectSupercast(people, NOW);
			service.perPage = 2;
			service.trouble = (number) => (number === 3 ? 'before' : undefined);
			await expect(runRows(service, list)).rejects.toThrow('gave 502');
			expect(service.writes).toEqual([]);
		});
	});

	describe('before a closing', () => {
		const changes: Array<[string, (one: Held) => void]> = [
			['was changed', (one) => (one.updated_at = '2026-01-15T00:00:00.000Z')],
			['got a plan', (one) => (one.plan_id = 7)],
			['was suspended', (one) => (one.state = 'suspended')],
			['has another email', (one) => (one.email = 'other@example.com')],
		];
		it.each(changes)('keeps someone who %s since the snapshot', async (_, change) => {
			const service = new DirectSupercast(people, NOW);
			service.meanwhile = (number) => {
				if (number === 2) change(service.find(gone!.uuid)!);
			};
			const result = await runRows(service, list, { options: { output: 'all' } });
			const [kept] = result.records.filter(({ json }) => json.uuid === gone!.uuid);
			expect(kept?.json).toMatchObject({
				action: 'kept',
				reason: 'changed since the list of subscribers was read',
			});
			expect(service.writes).toEqual([]);
		});

		it('does not fail for someone who was deleted since', async () => {
			const service = new DirectSupercast(people, NOW);
			service.meanwhile = (number) => {
				if (number === 2) service.subscribers.shift();
			};
			const result = await runRows(service, list);
			expect(result).toMatchObject({ records: [], failures: [] });
			expect(service.writes).toEqual([]);
		});
	});

	describe('someone who joins during the run', () => {
		const email = 'late@example.com';
		const rows = [...people.map(rowOf), { email, id: 'c-late', firstName: 'Lea' }];

		it.each<[string, Partial<Held>, string[], string]>([
			['as wanted', { first_name: 'Lea' }, [], 'unchanged'],
			['under another name', {}, ['PATCH subscribers'], 'updated'],
			[
				'and is deactivated',
				{ state: 'deactivated' },
				['PATCH subscribers', 'PATCH feeds'],
				'reopened',
			],
			['and is suspended', { state: 'suspended' }, [], 'kept'],
			['with the ID of someone else', { customer_id: 'c-other' }, [], 'kept'],
		])('%s', async (_, fields, writes, action) => {
			const service = new DirectSupercast(people, NOW);
			service.meanwhile = (number) => {
				if (number === 2)
					service.subscribers.push(held(9, { email, customer_id: 'c-late', ...fields }));
			};
			const result = await runRows(service, rows, { options: { output: 'all' } });
			expect(service.writes.map(({ method, path }) => `${method} ${path[0]}`)).toEqual(writes);
			expect(result.records.find(({ json }) => json.email === email)?.json.action).toBe(action);
		});

		it('is found when they join between the look-up and the creation', async () => {
			const service = new DirectSupercast(people, NOW);
			service.meanwhile = (number) => {
				if (number === 3) service.subscribers.push(held(9, { email, customer_id: 'c-late' }));
			};
			expect(actions(await runRows(service, rows))).toEqual([`updated ${email}`]);
			expect(service.subscribers).toHaveLength(6);
		});
	});

	it('gives someone an email of another member once that member has a new one', async () => {
		const service = new DirectSupercast(people, NOW);
		const [one, two, ...rest] = people.map(rowOf);
		const moved = [
			{ ...one!, email: two!.email },
			{ ...two!, email: 'moved@example.com' },
		];
		const { failures } = await runRows(service, [...moved, ...rest]);
		expect(failures).toEqual([]);
		expect(service.subscribers.map(({ email }) => email).slice(0, 2)).toEqual([
			two!.email,
			'moved@example.com',
		]);
	});

	describe('a Supercast that shows little', () => {
		it('makes Sync read the feed address under the new email, and only that of opened feeds', async () => {
			const back = held(1, { uuid: '', state: 'deactivated' });
			const service = withoutFeeds(new DirectSupercast([back], NOW));
			service.meanwhile = (number) => {
				if (number === 4) service.subscribers.push(held(9));
			};
			const rows = [rowOf(held(9)), { email: 'moved@example.com', id: 'c-1' }];
			const { records } = await runRows(service, rows, { options: { output: 'all' } });
			expect(records.map(({ json }) => json.action)).toEqual(['unchanged', 'reopened']);
			const reads = service.requests.filter(({ method }) => method === 'GET').slice(1);
			expect(reads.map(({ path }) => path[1])).toEqual([
				back.email,
				'moved@example.com',
				held(9).email,
			]);
		});

		it('names people by email when it shows no uuid, even after the email changed', async () => {
			const back = held(1, { uuid: '', state: 'deactivated' });
			const service = new DirectSupercast([back], NOW);
			const rows = [{ email: 'moved@example.com', id: 'c-1' }];
			expect(actions(await runRows(service, rows))).toEqual(['reopened moved@example.com']);
			expect(service.writes.map(({ path }) => path.join('/'))).toEqual([
				`subscribers/${back.email}`,
				'feeds/moved@example.com',
			]);
		});

		it('does not write a hidden field again and again', async () => {
			const { uuid, email, customer_id, state } = held(1);
			const service = new DirectSupercast([{ uuid, email, customer_id, state } as Held], NOW);
			await runRows(service, [{ ...rowOf(held(1)), firstName: 'Anna' }]);
			expect(service.writes).toEqual([]);
		});

		it('keeps someone whose age is hidden, unless age does not matter', async () => {
			const service = new DirectSupercast(
				[held(1, { created_at: '', updated_at: '' }), held(2)],
				NOW,
			);
			expect(actions(await runRows(service, [rowOf(held(2))]))).toEqual([]);
			const options = { graceHours: 0 };
			expect(await runRows(service, [rowOf(held(2))], { options })).toMatchObject({
				failures: [],
			});
			expect(service.subscribers[0]?.state).toBe('deactivated');
		});

		it.each<[string, string, string]>([
			['seconds since 1970', '1735689600', 'deactivated'],
			['seconds since 1970, of an hour ago', String(NOW / 1000 - 3_600), 'available'],
			['milliseconds since 1970', '1735689600000', 'deactivated'],
			['milliseconds since 1970, of an hour ago', String(NOW - 3_600_000), 'available'],
			['a number that is no time', '5', 'available'],
		])('reads an age from %s', async (_, created_at, state) => {
			const times = { created_at, updated_at: created_at };
			const service = new DirectSupercast([held(1, times), held(2)], NOW);
			await runRows(service, [rowOf(held(2))]);
			expect(service.subscribers[0]?.state).toBe(state);
		});

		it('counts the plan of a subscription as a plan', async () => {
			const billed = { ...held(1), subscriptions: [null, { plan_id: 4 }] };
			const service = new DirectSupercast([billed, held(2)], NOW);
			await runRows(service, [rowOf(held(2))]);
			expect(service.writes).toEqual([]);
		});
	});

	it('names new and returning members as a welcome email needs it', async () => {
		const service = new DirectSupercast([held(1, { state: 'deactivated' })], NOW);
		const rows = [
			{ email: 'lea@example.com', firstName: 'Lea' },
			{ email: 'nobody@example.com' },
			rowOf(held(1)),
		];
		const names = async (dryRun: boolean): Promise<unknown[]> =>
			(await runRows(service, rows, { dryRun })).records.map(({ json }) => [
				json.first_name,
				json.customer_id,
				json.uuid === '',
			]);
		expect(await names(true)).toEqual([
			['Lea', '', true],
			[null, '', true],
			['Ann', 'c-1', false],
		]);
		expect(await names(false)).toEqual([
			['Lea', '', false],
			[null, '', false],
			['Ann', 'c-1', false],
		]);
	});

	describe('a customer ID', () => {
		it('is never written to an existing subscriber', async () => {
			const billed = held(1, { customer_id: null, plan_id: 3 });
			const service = new DirectSupercast([billed], NOW);
			await runRows(service, [{ email: billed.email, id: 'c-mine' }]);
			expect(service.writes).toEqual([]);
		});
	});

	describe('what the editor says', () => {
		it('warns about members whom no run with this prefix will ever close', async () => {
			const service = new DirectSupercast([], NOW);
			const rows = [{ email: 'a@example.com', id: 'p_1' }, { email: 'b@example.com' }];
			const { hints } = await runRows(service, rows, { options: { customerIdPrefix: 'p_' } });
			expect(hints).toContainEqual({
				type: 'warning',
				message: expect.stringContaining('cannot close the feeds of 1 member on the list'),
			});
		});
	});
});

describe('the list of members', () => {
	const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });

	describe('an item', () => {
		const item = parametersOf({ email: 'a@a.com', id: 'c-1' });

		it.each([
			[undefined, false],
			[null, false],
			['', false],
			[false, false],
			['Timeout', true],
			[{ message: 'Timeout' }, true],
			[0, true],
		])('with the error %j is refused: %s', async (error, isRefused) => {
			const text = await refusal(() => new ListOfMembers(2).add(0, item, { error }));
			expect(text).toBe(
				isRefused
					? 'The item reports that an earlier node failed, so it is not a member. Fix the earlier node, and connect only its success output to Sync.'
					: 'none',
			);
		});
	});

	it('has no valid members if no item names anyone', async () => {
		const nobody = parametersOf({ email: ' ', id: ' ' });
		for (const json of [{}, { plan: 'gold' }]) {
			const list = new ListOfMembers(1);
			list.add(0, nobody, json);
			expect(await refusal(() => list.check())).toContain('The list has no valid members');
		}
	});

	describe('a list', () => {
		const run = async (rows: Row[], parameters?: Parameters, subscribers: Held[] = []) =>
			await refusal(
				async () => await runRows(new DirectSupercast(subscribers, NOW), rows, parameters),
			);

		it('of nobody is refused', async () => {
			expect(await run([])).toBe(
				'The list has no valid members. Sync never treats an empty list as the end of all memberships. Check the node that reads the list, and the filter after it. If nobody is a member any more, close the feeds with Feed: Deactivate.',
			);
		});

		it('of one empty item is refused, which n8n sends for an empty list', async () => {
			const sync = new ListOfMembers(1);
			sync.add(0, parametersOf({ email: '' }), {});
			expect(await refusal(() => sync.check())).toContain('The list has no valid members');
		});

		it.each(['resource', 'operation', 'dryRun', 'close', 'maxClosePercent', 'options'])(
			'with a different %s is refused',
			async (name) => {
				const sync = new ListOfMembers(2);
				sync.add(0, parametersOf({ email: 'a@a.com' }), {});
				sync.add(1, parametersOf({ email: 'b@a.com' }, { [name]: { other: 1 } }), {});
				expect(await refusal(() => sync.check())).toBe(
					"The settings of Sync are not the same for all items. Only 'Email', 'Customer ID', 'Access', 'Status', 'Additional Fields' and 'Record ID' may differ between items. In the other settings, don't use expressions that read the item.",
				);
			},
		);

		it('with other prefixes is refused', async () => {
			const rows = [
				{ email: 'a@a.com', id: 'p_1' },
				{ email: 'b@a.com', id: 'q_1' },
				{ email: 'c@a.com' },
			];
			expect(await run(rows, { options: { customerIdPrefix: 'p_,q_' } })).toBe('none');
			expect(await run(rows, { options: { customerIdPrefix: ' r , s_ ' } })).toContain(
				'2 of 2 customer IDs on the list do not begin with "r" or "s_"',
			);
			expect(await run(rows, { options: { customerIdPrefix: 'p_' } })).toBe(
				'1 of 2 customer IDs on the list do not begin with "p_", for example "q_1". Put the prefix in front of every ID in the node before Sync, or correct \'Customer ID Prefix\'.',
			);
		});

		const same = (count: number): Row[] =>
			Array.from({ length: count }, (_, index) => ({ email: 'A@a.com', id: `c-x${index}` }));
		const text = (count: number, all: number): string =>
			`Most items name the same member: ${count} of ${all} have the email "a@a.com". Check 'Email'. It must be an expression that reads the email of each item.`;
		it.each<[string, Row[], string]>([
			['two of one', same(2), 'none'],
			['three of one', same(3), text(3, 3)],
			['three items without an ID', Array<Row>(3).fill({ email: 'a@a.com' }), text(3, 3)],
			['three items with one ID', Array<Row>(3).fill({ email: 'a@a.com', id: 'c-1' }), 'none'],
			['exactly half', [...same(3), ...crowd(3).map(rowOf)], 'none'],
			['more than half', [...same(3), ...crowd(2).map(rowOf)], text(3, 5)],
		])('of %s', async (_, rows, expected) => {
			expect(await run(rows)).toBe(expected);
		});

		const conflicting = (count: number, all: number): Row[] =>
			crowd(all).map((one, index) => ({
				...rowOf(one),
				...(index < count && { id: `x-${index}` }),
			}));
		it.each([
			[2, 2, false],
			[3, 3, true],
			[3, 6, false],
			[4, 7, true],
		])('of which %i of %i are conflicts is refused: %s', async (count, all, isRefused) => {
			expect(await run(conflicting(count, all), {}, crowd(all))).toBe(
				isRefused
					? `Sync found conflicts for ${count} of the ${all} members on the list. Check 'Email' and 'Customer ID'. They must be the ones that Supercast has. If you have moved to another membership system, first replace the customer IDs in Supercast. The documentation says how.`
					: 'none',
			);
		});

		it('whose members each have a second record is refused', async () => {
			const others = crowd(3).map((one, index) =>
				held(10 + index, { customer_id: one.customer_id }),
			);
			const people = [...crowd(3).map((one) => ({ ...one, customer_id: null })), ...others];
			expect(await run(crowd(3).map(rowOf), {}, people)).toContain(
				'found conflicts for 3 of the 3',
			);
		});
	});

	describe('a limit', () => {
		const CHECK = 'First check that the list of members is complete. If it is, set';
		const UNTIL = 'Until then, Sync neither opens nor closes feeds.';
		const run = async (gone: number, fresh: number, parameters: Parameters): Promise<string> => {
			const rows = [
				...crowd(20).slice(gone).map(rowOf),
				...Array.from({ length: fresh }, (_, index) => ({
					email: `n${index}@a.com`,
					id: `c-n${index}`,
				})),
			];
			return await refusal(
				async () => await runRows(new DirectSupercast(crowd(20), NOW), rows, parameters),
			);
		};
		it.each<[number, number, Parameters, string]>([
			[1, 1, { maxClosePercent: 5 }, 'none'],
			[1, 0, { maxClosePercent: 1 }, 'none'],
			[2, 0, { maxClosePercent: 10 }, 'none'],
			[
				1,
				0,
				{ maxClosePercent: 0 },
				`Sync would close the feeds of 1 of 20 subscribers, but the limit is 0. ${CHECK} 'Max Close (%)' to 5 for one run. ${UNTIL}`,
			],
			[
				2,
				0,
				{ maxClosePercent: 9 },
				`Sync would close the feeds of 2 of 20 subscribers, but the limit is 1. ${CHECK} 'Max Close (%)' to 10 for one run. ${UNTIL}`,
			],
			[2, 0, { options: { maxClose: 2 } }, 'none'],
			[
				2,
				0,
				{ maxClosePercent: 5, options: { maxClose: 0 } },
				`Sync would close the feeds of 2 of 20 subscribers, but the limit is 0. ${CHECK} 'Max Close (%)' to 10 for one run and 'Max Close (Feeds)' to 2 for one run. ${UNTIL}`,
			],
			[0, 1, { options: { maxOpen: 1 } }, 'none'],
			[
				0,
				1,
				{ options: { maxOpen: 0 } },
				`Sync would open 1 feed, but the limit is 0. ${CHECK} 'Max Open (Feeds)' to 1 for one run. ${UNTIL}`,
			],
			[
				2,
				2,
				{ options: { maxClose: 1, maxOpen: 1 } },
				`Sync would close the feeds of 2 of 20 subscribers, but the limit is 1. It would open 2 feeds, but the limit is 1. ${CHECK} 'Max Close (Feeds)' to 2 for one run and 'Max Open (Feeds)' to 2 for one run. ${UNTIL}`,
			],
			[
				2,
				1,
				{ maxClosePercent: 9, options: { maxClose: 2, maxOpen: 1 } },
				`Sync would close the feeds of 2 of 20 subscribers, but the limit is 1. ${CHECK} 'Max Close (%)' to 10 for one run. ${UNTIL}`,
			],
			[
				1,
				2,
				{ maxClosePercent: 5, options: { maxClose: 1, maxOpen: 1 } },
				`Sync would open 2 feeds, but the limit is 1. ${CHECK} 'Max Open (Feeds)' to 2 for one run. ${UNTIL}`,
			],
		])('of %i closings and %i openings with %j', async (gone, fresh, parameters, expected) => {
			// The names have a separate test.
			const text = await run(gone, fresh, parameters);
			expect(text.replace(/ Feeds that would close: .*/, '')).toBe(expected);
		});

		it('names the first of those whose feeds would close', async () => {
			const text = await run(2, 0, { maxClosePercent: 9 });
			expect(text).toMatch(/ Feeds that would close: Ann, m0@a.com; Ann, m1@a.com\.$/);
			expect(await run(14, 0, { maxClosePercent: 9 })).toMatch(/m11@a.com; and 2 more\.$/);
		});

		it('counts reopened feeds as opened, and suggests at most all', async () => {
			const service = new DirectSupercast([held(0, { state: 'deactivated' }), held(1)], NOW);
			const options = { maxOpen: 0 };
			const text = await refusal(async () => await runRows(service, [rowOf(held(0))], { options }));
			expect(text).toContain('Sync would open 1 feed');
		});
	});
});
