import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import type { Subscriber } from '../../../sandbox';
import { addMembers, hintsOf, memberListOf, runSync, writesOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

describe('who stays open', () => {
	let later = 0;
	const sandbox = useSandbox({ subscribers: 0, now: () => Date.now() + later });
	useQuickRuntime({ backoffMs: 1, windowMs: 100 });
	beforeEach(() => (later = 0));

	let members: Subscriber[];
	beforeEach(() => (members = addMembers(sandbox.current, 40)));

	const stateOf = (one: Subscriber | undefined) =>
		sandbox.current.state.subscriber(one!.email)?.state;
	const closings = (): number =>
		writesOf(sandbox.current).filter((write) => write.includes('/feeds/')).length;

	describe('an email on the list', () => {
		it('is never closed, whatever its customer ID, and the conflict is named once', async () => {
			const [ann, ...others] = members;
			const result = await runSync(sandbox.current, [
				{ email: ann!.email, id: 'm-5' },
				...memberListOf(others),
			]);
			expect(result.output.map(({ json }) => [json.action, json.email, json.reason])).toEqual([
				['kept', ann!.email, `conflict: your list says m-5, Supercast says ${ann!.customer_id}`],
			]);
			expect(hintsOf(result).split(ann!.email)).toHaveLength(2);
			expect(writesOf(sandbox.current)).toEqual([]);
		});

		it('with two customer IDs is one person, with the ID that Supercast has', async () => {
			const [ann, ...others] = members;
			const { output } = await runSync(
				sandbox.current,
				[
					{ email: ann!.email, id: 'c-new' },
					...memberListOf(members.slice(1)),
					{ email: ann!.email.toUpperCase(), id: ann!.customer_id },
					{ email: 'new@example.com', id: 'c-first' },
					{ email: 'new@example.com', id: 'c-second' },
				],
				{ options: { output: 'all' } },
			);
			expect(others).toHaveLength(39);
			const of = (email: string) => output.filter(({ json }) => json.email === email);
			const [known] = output;
			expect(known!.json).toMatchObject({ action: 'unchanged', customer_id: ann!.customer_id });
			expect(of('new@example.com').map(({ json }) => [json.action, json.customer_id])).toEqual([
				['created', 'c-first'],
			]);
			expect(sandbox.current.state.subscriber('new@example.com')?.customer_id).toBe('c-first');
		});

		it('is opened again after a move to another system, and gets its customer ID', async () => {
			const [ann, bob] = members;
			for (const one of members) one.customer_id = `stripe_${one.id}`;
			Object.assign(ann!, { customer_id: 'patreon_1', state: 'deactivated' });
			Object.assign(bob!, { customer_id: 'patreon_2' });
			const list = members.map(({ email, id }) => ({ email, id: `stripe_${id}` }));
			const options = { customerIdPrefix: 'stripe_' };
			const { output } = await runSync(sandbox.current, list, { options });
			expect(output.map(({ json }) => [json.action, json.email, json.customer_id])).toEqual([
				['reopened', ann!.email, `stripe_${ann!.id}`],
			]);
			// The ID of an open feed stays. Otherwise, two lists would change it back and forth.
			expect([ann!.customer_id, bob!.customer_id]).toEqual([`stripe_${ann!.id}`, 'patreon_2']);
			expect((await runSync(sandbox.current, list, { options })).output).toEqual([]);
		});

		it('may be missing if the customer ID is there', async () => {
			const list = members.map(({ customer_id: id }) => ({ id }));
			const { output, error } = await runSync(sandbox.current, [...list.slice(1), { id: 'c-new' }]);
			expect(error).toBeUndefined();
			expect(output.map(({ json }) => [json.action, json.email])).toEqual([
				['closed', members[0]!.email],
			]);
		});
	});

	describe('the members of another system', () => {
		it('are not closed by a list without a prefix whose IDs have another form', async () => {
			const patrons = members.slice(0, 8);
			for (const one of patrons) one.customer_id = `patreon-${one.id}`;
			for (const one of members.slice(8)) one.customer_id = `cus_${one.id}`;
			const list = memberListOf(members.slice(8));
			const result = await runSync(sandbox.current, list, { maxClosePercent: 100 });
			expect(closings()).toBe(0);
			expect(hintsOf(result)).toContain(
				'8 (a customer ID that differs in form from those on the list)',
			);
		});

		it('are not closed by a list with a prefix, even if their IDs begin alike', async () => {
			const patrons = members.slice(0, 8);
			for (const one of patrons) one.customer_id = `stripe_${one.id}`;
			for (const one of members.slice(8)) one.customer_id = `stripe_eu_${one.id}`;
			const options = { customerIdPrefix: 'stripe_eu_' };
			const list = memberListOf(members.slice(8));
			const result = await runSync(sandbox.current, list, { options, maxClosePercent: 100 });
			expect(closings()).toBe(0);
			expect(hintsOf(result)).toContain('8 (another customer ID prefix)');
		});

		it('are on one joined list, with a prefix for each system, and close when they leave', async () => {
			// Nearly all are Stripe's, so a list without prefixes would treat the others as mistakes.
			const [leaving, staying] = members;
			for (const one of members) one.customer_id = `cus_${one.id}`;
			for (const one of [leaving!, staying!]) one.customer_id = `patreon-${one.id}`;
			const list = memberListOf(members.filter((one) => one !== leaving));
			const options = { customerIdPrefix: 'cus_, patreon-' };
			const { error } = await runSync(sandbox.current, list, { options });
			expect(error).toBeUndefined();
			expect([leaving!.state, staying!.state]).toEqual(['deactivated', 'available']);
			expect(closings()).toBe(1);
		});

		it('on the list are refused before any request, if their IDs lack the prefix', async () => {
			const options = { customerIdPrefix: 'stripe_' };
			const { error } = await runSync(sandbox.current, memberListOf(members), { options });
			expect(error?.message).toContain(
				'40 of 40 customer IDs on the list do not begin with "stripe_"',
			);
			expect(sandbox.current.stats().requests).toBe(0);
		});
	});

	describe('a list that is probably wrong', () => {
		it('is refused if most items name the same email', async () => {
			const list = members
				.slice(0, 13)
				.map(({ customer_id: id }) => ({ email: members[0]!.email, id }));
			const { error } = await runSync(sandbox.current, list, { maxClosePercent: 100 });
			expect(error?.message).toContain('Most items name the same member: 13 of 13');
			expect(sandbox.current.stats().requests).toBe(0);
		});

		it('is refused if most of it are conflicts', async () => {
			const list = members.slice(0, 38).map(({ email }, index) => ({ email, id: `m-${index}` }));
			const { error } = await runSync(sandbox.current, list);
			expect(error?.message).toContain('conflicts for 38 of the 38 members');
			expect(writesOf(sandbox.current)).toEqual([]);
		});
	});

	describe('the limit', () => {
		it('counts only the people whom Sync may close', async () => {
			const guests = members.slice(0, 35).map(({ email }) => email);
			const options = { neverClose: guests.join(',') };
			const list = [{ email: 'new@example.com', id: 'c-new' }];
			const { error } = await runSync(sandbox.current, list, { options, maxClosePercent: 50 });
			expect(error?.message).toContain('close the feeds of 5 of 5 subscribers, but the limit is 2');
			expect(writesOf(sandbox.current)).toEqual([]);
		});

		it('is named in every run while it is raised', async () => {
			const options = { output: 'changesAndSummary' };
			const run = async (maxClosePercent: number) =>
				await runSync(sandbox.current, memberListOf(members), { options, maxClosePercent });
			const raised = await run(50);
			expect(hintsOf(raised)).toContain("'Max Close (%)' is 50.");
			expect(raised.output.at(-1)!.json.limit).toMatchObject({ raised: expect.any(String) });
			const usual = await run(5);
			expect(hintsOf(usual)).not.toContain("'Max Close (%)' is");
			expect(usual.output.at(-1)!.json).toMatchObject({
				listed: 40,
				open: 40,
				limit: { raised: null },
			});
		});
	});

	describe('closings', () => {
		it.each([402, 422, 500])(
			'wait for the next run after a creation failed with %i',
			async (status) => {
				sandbox.current.controls.addFaults({ kind: 'status', status, method: 'POST', share: 1 });
				const list = [...memberListOf(members.slice(1)), { email: 'new@example.com', id: 'c-new' }];
				const { error } = await runSync(sandbox.current, list);
				expect(error?.message).toContain('1 of 1 changes could not be made');
				expect(stateOf(members[0])).toBe('available');
				sandbox.current.controls.clearFaults();
				await runSync(sandbox.current, list);
				expect(stateOf(members[0])).toBe('deactivated');
			},
		);

		it.each([429, 503])('look again before a retry after %i', async (status) => {
			const [ann, ...others] = members;
			sandbox.current.controls.addFaults({ kind: 'status', status, method: 'PATCH', times: 1 });
			const timer = setInterval(() => {
				if (!sandbox.current.state.requests.some(({ method }) => method === 'PATCH')) return;
				Object.assign(ann!, { plan_id: 2, plan_name: 'Yearly' });
				clearInterval(timer);
			}, 1);
			await runSync(sandbox.current, memberListOf(others));
			expect(stateOf(ann)).toBe('available');
		});

		it('leave out those who were changed within Grace Hours', async () => {
			const [ann, ...others] = members;
			ann!.updated_at = new Date(Date.now() - 3_600_000).toISOString();
			await runSync(sandbox.current, memberListOf(others), { options: { graceHours: 0.5 } });
			expect(stateOf(ann)).toBe('deactivated');
			Object.assign(ann!, { state: 'available', updated_at: new Date().toISOString() });
			const kept = await runSync(sandbox.current, memberListOf(others));
			expect(stateOf(ann)).toBe('available');
			expect(hintsOf(kept)).toContain('1 (newer than Grace Hours)');
		});

		it("use Supercast's time if the clock of the server is off, and say so", async () => {
			const [ann, ...others] = members;
			later = -10 * 86_400_000;
			ann!.created_at = new Date(Date.now() + later - 3_600_000).toISOString();
			const result = await runSync(sandbox.current, memberListOf(others));
			expect(stateOf(ann)).toBe('available');
			expect(hintsOf(result)).toContain("differs from Supercast's by 240 hours");
		});
	});

	describe('a feed that someone suspends during the run', () => {
		it('is not opened again', async () => {
			const [ann] = members;
			ann!.state = 'deactivated';
			const running = runSync(sandbox.current, memberListOf(members));
			while (sandbox.current.stats().requests < 1) await new Promise((done) => setTimeout(done, 0));
			sandbox.current.controls.setState(ann!.uuid, 'suspended');
			const { output } = await running;
			expect(stateOf(ann)).toBe('suspended');
			expect(output).toEqual([]);
		});
	});

	it('names that Supercast trims are not written again and again', async () => {
		const list = memberListOf(members).map((item): IDataObject => ({ ...item, name: 'Ann ' }));
		const additionalFields = { firstName: '={{ $json.name }}' };
		const { output } = await runSync(sandbox.current, list, { additionalFields });
		expect(output).toEqual([]);
		expect(writesOf(sandbox.current)).toEqual([]);
	});
});

describe('who is who', () => {
	const sandbox = useSandbox({ subscribers: 0, latencyMs: 5 });

	let members: Subscriber[];
	let gone: Subscriber;

	beforeEach(() => {
		members = addMembers(sandbox.current, 40);
		gone = members[7]!;
	});

	const everyoneElse = (): IDataObject[] => memberListOf(members.filter((one) => one !== gone));

	/** Without the grace period for new subscribers. */
	async function sync(
		list: IDataObject[],
		options: IDataObject = {},
		more: INodeParameters = {},
	): ReturnType<typeof runSync> {
		const parameters = { ...more, options: { graceHours: 0, ...options } as never };
		return await runSync(sandbox.current, list, parameters);
	}

	describe('a member who has left is closed', () => {
		const initials = (index: number) => String.fromCharCode(65 + (index % 26), 65 + index / 26);

		it.each<[string, (index: number) => string]>([
			['initials', (index) => `${initials(index)}-${1000 + index}`],
			['names', (index) => `${initials(index)}.smith${index}`],
			['emails', (index) => `${initials(index)}-smith@example.com`],
			['random text', (index) => `${initials(index)}_8_Z5jdHi${index}`],
		])('if customer IDs are %s', async (_, idOf) => {
			for (const [index, one] of members.entries()) one.customer_id = idOf(index);
			await sync(everyoneElse());
			expect(gone.state).toBe('deactivated');
		});

		it('although a deactivated subscriber has the same customer ID', async () => {
			const [old] = addMembers(sandbox.current, 1, () => ({ state: 'deactivated' }));
			old!.customer_id = gone.customer_id;
			await sync(everyoneElse());
			expect(gone.state).toBe('deactivated');
		});
	});

	describe('a member who pays is not closed', () => {
		it('by a list in which one row has an ID of another system', async () => {
			const others = addMembers(sandbox.current, 4);
			for (const [index, one] of others.entries()) one.customer_id = String(index + 1);
			for (const one of members) one.customer_id = `cus_${one.id}`;
			await sync([...everyoneElse(), { email: 'stray@example.com', id: '17' }], {
				maxClosePercent: 100,
			});
			expect(others.map(({ state }) => state)).toEqual(Array(4).fill('available'));
			expect(gone.state).toBe('deactivated');
		});

		it.each([
			['@münchen.de', 'ann@münchen.de'],
			['@münchen.de', 'ann@xn--mnchen-3ya.de'],
			['@xn--mnchen-3ya.de', 'ann@münchen.de'],
			['jose\u0301@example.com', 'jos\u00e9@example.com'],
			['JOS\u00c9@example.com', 'jose\u0301@example.com'],
		])('if Never Close has %s, and the email is %s', async (neverClose, email) => {
			gone.email = email;
			await sync(everyoneElse(), { neverClose });
			expect(gone.state).toBe('available');
		});

		it('with Close: All, if the list has only a customer ID that no subscriber has', async () => {
			const [payer] = addMembers(sandbox.current, 1, () => ({ customer_id: null }));
			const list = [...everyoneElse(), { email: '', id: 'c-of-the-payer' }];
			await sync(list, {}, { close: 'all' });
			expect([payer!.state, gone.state]).toEqual(['available', 'deactivated']);
		});

		it('if Feed: Activate opens the feed after the list came', async () => {
			// Sync reads the subscribers only after that.
			sandbox.current.controls.addFaults({ kind: 'status', status: 503, method: 'GET', times: 1 });
			const running = sync(everyoneElse());
			await runSupercast({
				parameters: {
					resource: 'feed',
					operation: 'activate',
					subscriber: { __rl: true, mode: 'email', value: gone.email },
				},
				credential: credentialOf(sandbox.current),
			});
			await running;
			expect(gone.state).toBe('available');
		});
	});

	describe('a member who takes another address', () => {
		it('keeps the feed, even if someone else gets the old address', async () => {
			const [ann, bob] = members;
			const before = bob!.email;
			const list = memberListOf(members);
			list[1]!.email = 'bob@new.example.com';
			list[0]!.email = before;
			const count = sandbox.current.state.subscribers.length;
			const { error } = await sync(list);
			expect(error).toBeUndefined();
			expect([ann!.email, bob!.email]).toEqual([before, 'bob@new.example.com']);
			expect(sandbox.current.state.subscribers).toHaveLength(count);
			const writes = writesOf(sandbox.current).length;
			await sync(list);
			expect(writesOf(sandbox.current)).toHaveLength(writes);
		});

		it('is left alone with a reason, if two have swapped their addresses', async () => {
			const [ann, bob] = members;
			const list = memberListOf(members);
			[list[0]!.email, list[1]!.email] = [bob!.email, ann!.email];
			const result = await sync(list);
			expect(writesOf(sandbox.current)).toEqual([]);
			expect(result.error).toBeUndefined();
			expect(hintsOf(result)).toContain('another subscriber has the email');
		});

		it('keeps the feed with Close: All if someone else keeps the address, and the warning says so', async () => {
			const [payer] = addMembers(sandbox.current, 1, () => ({ customer_id: null }));
			const [billed] = addMembers(sandbox.current, 1, () => ({ state: 'deactivated', plan_id: 3 }));
			const list = memberListOf(members);
			list.push({ email: billed!.email, id: 'c-of-the-payer' });
			list.push({ email: 'billed@new.example.com', id: billed!.customer_id });
			const result = await sync(list, {}, { close: 'all' });
			expect(payer!.state).toBe('available');
			expect(hintsOf(result)).toContain(`still open: ${payer!.email}`);
		});

		it('is reopened without an error, although someone else keeps the address', async () => {
			const [ann, bob] = members;
			ann!.state = 'deactivated';
			const list = memberListOf(members);
			list[0]!.email = bob!.email;
			list[1]!.email = '';
			const { error } = await sync(list);
			expect(error).toBeUndefined();
			expect([ann!.state, bob!.state]).toEqual(['available', 'available']);
		});

		it('keeps the record, if a new member has the old address and the change fails', async () => {
			const [ann] = members;
			ann!.state = 'deactivated';
			const list = memberListOf(members);
			const address = ann!.email;
			list[0]!.email = 'ann@new.example.com';
			list.push({ email: address, id: 'c-new' });
			const faults = {
				kind: 'status',
				status: 403,
				method: 'PATCH',
				path: '/subscribers',
			} as const;
			sandbox.current.controls.addFaults({ ...faults, times: 1 });
			await sync(list);
			expect(ann!.customer_id).toBe(list[0]!.id);
			await sync(list);
			expect(ann!.email).toBe('ann@new.example.com');
			const open = sandbox.current.state.subscribers.filter(({ email }) => email === address);
			expect(open.map(({ customer_id: id }) => id)).toEqual(['c-new']);
		});
	});
});
