import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Subscriber } from '../../../simulators/supercast';
import { addMembers, hintsOf, memberListOf, runSync, writesOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';

describe('who stays open', () => {
	let later = 0;
	const sandbox = useSandbox({ subscribers: 0, now: () => Date.now() + later });
	useQuickRuntime({ backoffMs: 1, windowMs: 100, visibleMs: 5 });
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
				'a customer ID that differs in form from those on the list: 8',
			);
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

	describe('closings', () => {
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
			expect(hintsOf(kept)).toContain('newer than Grace Hours: 1');
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
	useQuickRuntime({ backoffMs: 1, visibleMs: 60 });

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
	});

	describe('a member who takes another address', () => {
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
