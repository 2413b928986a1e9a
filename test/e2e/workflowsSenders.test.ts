import type { People, SenderMember } from '../../harness/senders/people';
import type { SenderFault } from '../../harness/senders/server';
import { PRODUCT, YEARLY } from '../../harness/senders/stripe';
import { all, faster, hookOf, settings, startKit, until, type Kit } from './workflows/kit';
import { person, requests } from './workflows/people';

/** What differs between the senders. */
interface Sender {
	file: string;
	people: (kit: Kit) => People;
	/** The customer ID in Supercast. */
	id: (member: SenderMember) => string;
	/** Part of the address of the list. */
	list: string;
	/** The pages of the list. */
	pages: number;
	/** An empty list. */
	empty: unknown;
	/** The status of someone who left. */
	left: string;
	/** What the sender posts about someone. */
	event?: (member: SenderMember) => unknown;
	values?: Record<string, unknown>;
}

const COUNT = 220;
const patreon: Sender = {
	file: 'patreon.json',
	people: (kit) => kit.senders.patreon.people,
	id: ({ id }) => `patreon-9${id}`,
	list: '/campaigns/77/members',
	pages: 3,
	empty: { data: [], meta: { pagination: { total: 0, cursors: { next: null } } } },
	left: 'former_patron',
	event: ({ id }) => ({ data: { type: 'member', id } }),
	values: { campaign: '77' },
};
const senders: Sender[] = [
	patreon,
	{
		file: 'memberful.json',
		people: (kit) => kit.senders.memberful.people,
		id: ({ id }) => `memberful-${id}`,
		list: '/api/graphql',
		pages: 3,
		empty: {
			data: { members: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } } },
		},
		left: 'inactive',
		event: ({ id }) => ({ event: 'subscription.created', subscription: { member: { id } } }),
	},
	{
		file: 'ghost.json',
		people: (kit) => kit.senders.ghost.people,
		id: ({ id }) => `ghost-${id}`,
		list: '/ghost/api/admin/members/',
		pages: 3,
		empty: { members: [], meta: { pagination: { page: 1, pages: 1, total: 0, next: null } } },
		left: 'free',
		event: ({ id }) => ({ member: { current: { id }, previous: {} } }),
	},
	{
		file: 'woocommerce.json',
		people: (kit) => kit.senders.woocommerce.people,
		id: ({ id }) => `woo-${id}`,
		list: '/wc/v3/subscriptions',
		pages: 3,
		empty: [],
		left: 'cancelled',
		event: ({ id }) => ({ id: 5000 + Number(id), status: 'active', customer_id: Number(id) }),
		values: { products: '77' },
	},
	{
		file: 'any-list.json',
		people: (kit) => kit.senders.list.people,
		id: ({ id }) => `list-${id}`,
		list: '/members.csv',
		pages: 1,
		empty: 'email,id,firstName,lastName\n',
		left: 'left',
	},
	{
		...patreon,
		file: 'stripe-and-patreon.json',
		values: { campaign: '77', products: `${PRODUCT}, ${YEARLY}` },
	},
];

let kit: Kit;

beforeAll(async () => (kit = await startKit({ subscribers: 300, rateLimit: 0 })));
afterAll(async () => await kit?.stop());

describe.each(senders)('$file', (sender) => {
	const { file, left, list, pages } = sender;
	let members: SenderMember[];
	let workflow: string;
	const people = () => sender.people(kit);
	const check = async () => await kit.run(workflow, 'Every 15 Minutes');
	const stateOf = (member: SenderMember) => person(kit, String(member.email))?.state ?? 'nobody';
	const closed = () => members.filter((one) => stateOf(one) !== 'available').length;

	beforeAll(async () => {
		const filled = { mailFrom: 'podcast@example.com', tellWhom: 'you@example.com', dryRun: false };
		workflow = await kit.use(file, all(settings({ ...filled, ...sender.values }), faster()));
	});
	afterAll(async () => await kit.unuse(workflow));
	beforeEach(() => {
		kit.sandbox.reset();
		const { faults, patreon, stripe } = kit.senders;
		faults.length = 0;
		patreon.pageSize = 100;
		people().all.length = 0;
		stripe.subscriptions.length = 0;
		const known = kit.sandbox.controls.state().subscribers;
		members = known.slice(0, COUNT).map((one) => {
			const member = people().join(one.email, `${one.first_name} ${one.last_name}`);
			Object.assign(one, { customer_id: sender.id(member), plan_id: null, plan_name: null });
			return member;
		});
		// The other sender of a joined list.
		const customer = stripe.join('paid.at.stripe@example.com', 'Sue Stripe').customer.id;
		if (file.startsWith('stripe'))
			Object.assign(known[COUNT] ?? {}, {
				email: 'paid.at.stripe@example.com',
				customer_id: customer,
				plan_id: null,
				plan_name: null,
			});
	});

	const faults: Array<[string, Omit<SenderFault, 'path'>]> = [
		['401 on the first page', { status: 401 }],
		['401 on the last page', { status: 401, after: pages - 1 }],
		['429 on the last page', { status: 429, after: pages - 1 }],
		['500 on the last page', { status: 500, after: pages - 1 }],
		['500 on the last page of the second reading', { status: 500, after: 2 * pages - 1 }],
		['an empty list', { status: 200, body: sender.empty }],
	];
	it.each(faults)('changes nothing: %s', async (_, fault) => {
		(members[3] as SenderMember).status = left;
		kit.senders.faults.push({ path: list, body: { error: 'Of the stand-in' }, ...fault });
		expect(await check()).toBe('error');
		expect([closed(), requests(kit, 'PATCH'), requests(kit, 'POST')]).toEqual([0, 0, 0]);
		kit.senders.faults.length = 0;
		expect(await check()).toBe('success');
		expect([closed(), stateOf(members[3] as SenderMember)]).toEqual([1, 'deactivated']);
	});

	it('changes nothing when half of the list is missing', async () => {
		for (const one of members.slice(0, COUNT / 2)) one.status = left;
		expect(await check()).toBe('error');
		expect([closed(), requests(kit, 'PATCH')]).toEqual([0, 0]);
	});

	it('opens the feed of a new member', async () => {
		const ann = people().join('ann@example.com', 'Ann Bell');
		expect(await check()).toBe('success');
		expect(person(kit, 'ann@example.com')).toMatchObject({
			state: 'available',
			customer_id: sender.id(ann),
			first_name: 'Ann',
			last_name: 'Bell',
		});
		expect(closed()).toBe(0);
	});

	const { event } = sender;
	if (event === undefined) return;
	it('asks about the person of an event, and opens only for a member', async () => {
		const ann = people().join('ann@example.com', 'Ann Bell');
		const forged = people().join('forged@example.com', 'No Member');
		forged.status = left;
		for (const one of [forged, ann]) {
			const { status } = await kit.call(hookOf(file), JSON.stringify(event(one)));
			expect(status).toBe(200);
		}
		await until('open', () => stateOf(ann) === 'available');
		await new Promise((resolve) => setTimeout(resolve, 1500));
		expect([stateOf(forged), closed()]).toEqual(['nobody', 0]);
	});

	it.each([401, 429, 500])('asks again about an event if the sender answers %s', async (status) => {
		const ann = people().join('ann@example.com', 'Ann Bell');
		kit.senders.faults.push({ path: '/', status, body: {}, times: 1 });
		await kit.call(hookOf(file), JSON.stringify(event(ann)));
		await until('open', () => stateOf(ann) === 'available');
		expect(kit.senders.faults).toEqual([]);
	});
});
