import { JOINED, SYSTEMS, systemNames, type SystemName } from '../../simulators/memberships';
import type { People, SystemMember } from '../../simulators/memberships/people';
import { OTHER_PRODUCT, type StripeSubscription } from '../../simulators/memberships/stripe';
import { type Fixture, ready, startFixture, until } from './workflows/fixture';
import { person, requests } from './workflows/people';

describe('stripe.json', () => {
	/** A sync run every so many seconds. */
	const INTERVAL = 5;

	let fixture: Fixture;
	let id: string;

	beforeAll(async () => (fixture = await startFixture({ subscribers: 300, rateLimit: 0 })));
	afterAll(async () => await fixture?.stop());
	beforeEach(() => {
		fixture.sandbox.reset();
		fixture.senders.clear();
		fixture.mailbox.mails.length = 0;
	});
	afterEach(async () => await fixture.unuse(id));

	const stateOf = (email: string): string => person(fixture, email)?.state ?? 'nobody';
	const emailOf = ({ customer }: StripeSubscription): string => customer.email ?? '';
	/** The emails to the team. */
	const told = () => fixture.mailbox.mails.filter(({ to }) => to === 'you@example.com');

	/** Members who pay, and have open feeds. */
	function members(count: number): StripeSubscription[] {
		const people = fixture.sandbox.controls.state().subscribers.slice(0, count);
		return people.map((one) => {
			const name = `${one.first_name} ${one.last_name}`;
			const subscription = fixture.senders.stripe.join(one.email, name);
			Object.assign(one, { customer_id: subscription.customer.id, plan_id: null, plan_name: null });
			return subscription;
		});
	}

	it('opens feeds for who pays, whatever the product, and closes the others', async () => {
		id = await fixture.use('stripe.json', ready());
		const all = members(60);
		const { stripe } = fixture.senders;
		const ann = stripe.join('ann@example.com', 'Ann Bell');
		stripe.join('mug@example.com', 'Mo Mug', OTHER_PRODUCT);
		stripe.join('late@example.com', 'Lou Late').status = 'past_due';
		stripe.join('never@example.com', 'Ned Never').status = 'incomplete';
		stripe.end(all[3]!);
		expect(await fixture.run(id, 'Every 5 Minutes')).toBe('success');
		const names = ['ann', 'mug', 'late', 'never'];
		expect(names.map((name) => stateOf(`${name}@example.com`))).toEqual([
			...['available', 'available', 'available', 'nobody'],
		]);
		expect(stateOf(emailOf(all[3]!))).toBe('deactivated');
		expect(person(fixture, 'ann@example.com')).toMatchObject({
			customer_id: ann.customer.id,
			first_name: 'Ann',
			last_name: 'Bell',
		});
		expect(told()).toHaveLength(1);
	});

	it('opens the feeds of new members without reading the list, once each', async () => {
		id = await fixture.use('stripe.json', ready());
		members(20);
		await fixture.run(id, 'Every 5 Minutes');
		fixture.senders.stripe.join('nora@example.com', 'Nora New');
		fixture.senders.stripe.join('none@example.com', 'No').status = 'incomplete';
		expect(await fixture.run(id, 'Every Minute')).toBe('success');
		expect(['nora', 'none'].map((name) => stateOf(`${name}@example.com`))).toEqual([
			...['available', 'nobody'],
		]);
		const before = fixture.sandbox.state.requests.length;
		expect(await fixture.run(id, 'Every Minute')).toBe('success');
		expect(fixture.sandbox.state.requests).toHaveLength(before);
	});

	it('changes nothing while the last page fails, and emails once which node failed', async () => {
		id = await fixture.use('stripe.json', ready({ every: INTERVAL }));
		// n8n remembers for a while whose feed it has closed, so the leaver is another one.
		const leaver = members(220)[7]!;
		fixture.senders.stripe.end(leaver);
		const body = { error: { message: 'An answer of the mock server' }, has_more: false, data: [] };
		fixture.senders.faults.push({ path: '/v1/subscriptions', body, status: 500, after: 2 });
		await until('the team is told', () => told().length > 0, 90_000);
		await new Promise((resolve) => setTimeout(resolve, 2_000 * INTERVAL));
		expect(requests(fixture, 'PATCH')).toBe(0);
		const texts = told().map(({ subject, text }) => `${subject} ${text}`);
		expect(texts).toEqual([expect.stringMatching(/not able to process.*^Node: Read All /ms)]);
		fixture.senders.faults.length = 0;
		await until('closed', () => stateOf(emailOf(leaver)) === 'deactivated', 60_000);
	});
});

describe('each membership system', () => {
	const COUNT = 220;
	// Stripe has its own tests above.
	const systems = systemNames
		.filter((name) => SYSTEMS[name].members.left !== undefined)
		.map((name) => ({ name, ...SYSTEMS[name] }));
	const joined = Object.entries(JOINED).map(([file, names]) => {
		const name = names.at(-1)!;
		return { name, ...SYSTEMS[name], file };
	});
	/** The members of a system whose members have a status. */
	const peopleOf = (name: SystemName) => SYSTEMS[name].members.of(fixture.senders[name]) as People;

	let fixture: Fixture;

	/** Someone else leaves each time, because n8n remembers for a while whose feed it has closed. */
	let leavers = 0;

	beforeAll(async () => (fixture = await startFixture({ subscribers: 300, rateLimit: 0 })));
	afterAll(async () => await fixture?.stop());

	describe.each([...systems, ...joined])('$file', (system) => {
		const { name: systemName, file, list, workflow: facts } = system;
		const { customerId, left = '' } = system.members;
		let members: SystemMember[];
		let workflow: string;
		const people = () => peopleOf(systemName);
		const syncRun = async () => await fixture.run(workflow, 'Every 5 Minutes');
		const stateOf = (member: SystemMember) =>
			person(fixture, String(member.email))?.state ?? 'nobody';
		const closed = () => members.filter((one) => stateOf(one) !== 'available').length;

		beforeAll(async () => {
			workflow = await fixture.use(file, ready());
		});
		afterAll(async () => await fixture.unuse(workflow));
		beforeEach(() => {
			fixture.sandbox.reset();
			const { patreon, stripe } = fixture.senders;
			fixture.senders.clear();
			patreon.pageSize = 100;
			const known = fixture.sandbox.controls.state().subscribers;
			members = known.slice(0, COUNT).map((one) => {
				const member = people().join(one.email, `${one.first_name} ${one.last_name}`);
				Object.assign(one, { customer_id: customerId(member), plan_id: null, plan_name: null });
				return member;
			});
			// The other system of a joined list.
			const customer = stripe.join('paid.at.stripe@example.com', 'Sue Stripe').customer.id;
			if (file.startsWith('stripe'))
				Object.assign(known[COUNT] ?? {}, {
					email: 'paid.at.stripe@example.com',
					customer_id: customer,
					plan_id: null,
					plan_name: null,
				});
		});

		it('changes nothing if the list is empty, and closes the feed of a leaver with the next list', async () => {
			const leaver = members[leavers++] as SystemMember;
			leaver.status = left;
			const { path, empty: body } = list;
			fixture.senders.faults.push({ system: systemName, path, status: 200, body });
			expect(await syncRun()).toBe('error');
			expect([closed(), requests(fixture, 'PATCH /feeds'), requests(fixture, 'POST')]).toEqual([
				0, 0, 0,
			]);
			fixture.senders.faults.length = 0;
			expect(await syncRun()).toBe('success');
			expect([closed(), stateOf(leaver)]).toEqual([1, 'deactivated']);
		});

		// A person of this file. If the node had created them before, it would look them up for a minute.
		it('opens the feed of a new member', async () => {
			const ann = people().join(`ann@${file}.example.com`, 'Ann Bell');
			expect(await syncRun()).toBe('success');
			expect(person(fixture, String(ann.email))).toMatchObject({
				state: 'available',
				customer_id: customerId(ann),
				first_name: 'Ann',
				last_name: 'Bell',
			});
			expect(closed()).toBe(0);
		});

		if (facts.newMembers === undefined) return;
		it('opens the feed of a new member without reading the whole list', async () => {
			// The sync run tells the node who has which customer ID.
			expect(await syncRun()).toBe('success');
			const joined = people().join(`new@${file}.example.com`, 'Ann Bell');
			const other = people().join('other@example.com', 'No Member');
			other.status = left;
			for (const one of members) one.created -= 3_600_000;
			const before = requests(fixture, 'GET /subscribers');
			expect(await fixture.run(workflow, 'Every Minute')).toBe('success');
			expect([stateOf(joined), stateOf(other), closed()]).toEqual(['available', 'nobody', 0]);
			expect(requests(fixture, 'GET /subscribers') - before).toBeLessThan(5);
		});
	});

	it('patreon.json renews a token that has expired', async () => {
		const { patreon } = fixture.senders;
		fixture.sandbox.reset();
		patreon.people.all.length = 0;
		patreon.people.join('ann@example.com', 'Ann Bell');
		const id = await fixture.use('patreon.json', ready());
		for (let time = 0; time < 2; time++) {
			patreon.expire();
			expect(await fixture.run(id, 'Every 5 Minutes')).toBe('success');
		}
		expect(person(fixture, 'ann@example.com')?.state).toBe('available');
		await fixture.unuse(id);
	});
});
