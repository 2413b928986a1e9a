import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import type { Subscriber } from '../../../sandbox';
import { addMembers, hintsOf, memberListOf, runSync, writesOf } from '../../support/members';
import { credentialOf, useSandbox } from '../../support/sandbox';

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

describe('who has left is closed', () => {
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

describe('who pays is not closed', () => {
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

describe('who takes another address', () => {
	it('keeps the feed, also if someone else gets the old address', async () => {
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

	it('leaves their own record to them, if a new member has the address and the change fails', async () => {
		const [ann] = members;
		ann!.state = 'deactivated';
		const list = memberListOf(members);
		const address = ann!.email;
		list[0]!.email = 'ann@new.example.com';
		list.push({ email: address, id: 'c-new' });
		const faults = { kind: 'status', status: 403, method: 'PATCH', path: '/subscribers' } as const;
		sandbox.current.controls.addFaults({ ...faults, times: 1 });
		await sync(list);
		expect(ann!.customer_id).toBe(list[0]!.id);
		await sync(list);
		expect(ann!.email).toBe('ann@new.example.com');
		const open = sandbox.current.state.subscribers.filter(({ email }) => email === address);
		expect(open.map(({ customer_id: id }) => id)).toEqual(['c-new']);
	});
});
