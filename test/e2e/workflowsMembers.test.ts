import { publishWorkflow } from '../harness/n8n/publish';
import { JOINED, SYSTEMS, systemNames, type SystemName } from '../../simulators/memberships';
import type { People, SystemMember } from '../../simulators/memberships/people';
import { OTHER_PRODUCT, type StripeSubscription } from '../../simulators/memberships/stripe';
import { joinLists, type SavedWorkflow } from './workflows/joined';
import { type Fixture, ready, startFixture, until } from './workflows/fixture';
import { person, requests } from './workflows/people';
import {
	askForNew,
	syncRun,
	emailOf,
	feedStateOf,
	isOpen,
	fixture,
	look,
	members,
	products,
	seconds,
	told,
	use,
	useStripeFixture,
	watch,
} from './workflows/stripeMembers';

describe('stripe.json', () => {
	useStripeFixture();

	it('opens feeds for who pays, whatever the product, and closes the others', async () => {
		await use();
		const all = members(60);
		const { stripe } = fixture.senders;
		const ann = stripe.join('ann@example.com', 'Ann Bell');
		const mug = stripe.join('mug@example.com', 'Mo Mug', OTHER_PRODUCT);
		const late = stripe.join('late@example.com', 'Lou Late');
		late.status = 'past_due';
		const never = stripe.join('never@example.com', 'Ned Never');
		never.status = 'incomplete';
		stripe.end(all[3]!);
		expect(await syncRun()).toBe('success');
		expect([ann, mug, late, never].map((one) => feedStateOf(emailOf(one)))).toEqual([
			'available',
			'available',
			'available',
			'nobody',
		]);
		expect(feedStateOf(emailOf(all[3]!))).toBe('deactivated');
		expect(person(fixture, 'ann@example.com')).toMatchObject({
			customer_id: ann.customer.id,
			first_name: 'Ann',
			last_name: 'Bell',
		});
		expect(told()).toHaveLength(1);
	});

	it('changes nothing in a dry run, and shows who would change', async () => {
		await use({ dryRun: true });
		members(20);
		fixture.senders.stripe.join('ann@example.com', 'Ann Bell');
		const before = JSON.stringify(fixture.sandbox.controls.state());
		const output = await look();
		expect(output.at(-1)?.text).toContain('Ann Bell, ann@example.com');
		expect(await askForNew()).toBe('success');
		expect(JSON.stringify(fixture.sandbox.controls.state())).toBe(before);
	});

	it('opens the feeds of new members without reading the list, once each', async () => {
		await use();
		members(20);
		await syncRun();
		fixture.senders.stripe.join('nora@example.com', 'Nora New');
		fixture.senders.stripe.join('none@example.com', 'No').status = 'incomplete';
		expect(await askForNew()).toBe('success');
		expect([isOpen('nora@example.com'), isOpen('none@example.com')]).toEqual([true, false]);
		const before = fixture.sandbox.state.requests.length;
		expect(await askForNew()).toBe('success');
		expect(fixture.sandbox.state.requests).toHaveLength(before);
	});

	it('closes the feed of a member who is missing from two lists, a minute apart', async () => {
		await use({ closeAfter: 2 });
		const [gone, stays, moves] = members(40) as [
			StripeSubscription,
			StripeSubscription,
			StripeSubscription,
		];
		const closed = watch([stays, moves]);
		fixture.senders.stripe.end(gone);
		fixture.senders.stripe.end(moves);
		await syncRun();
		expect(isOpen(emailOf(gone))).toBe(true);
		// A plan switch: the next subscription begins after the list was read.
		fixture.senders.stripe.subscribe(moves.customer);
		await seconds(61);
		await syncRun();
		expect([isOpen(emailOf(gone)), closed()]).toEqual([false, []]);
	});
});

describe('lists that are wrong', () => {
	/** A sync run every so many seconds. */
	const INTERVAL = 5;

	useStripeFixture();

	it.each([
		['500 on the last page', { status: 500, after: 2 }, /not able to process/],
		['an empty list', { status: 200, body: { has_more: false, data: [] } }, /names nobody/],
		[
			'an empty page before the last',
			{ status: 200, body: { has_more: true, data: [] }, path: 'starting_after' },
			/the last page of Stripe is missing/,
		],
	])('changes nothing, and says so once: %s', async (_, fault, said) => {
		await use({ every: INTERVAL });
		const all = members(220);
		fixture.senders.stripe.end(all[3]!);
		const body = { error: { message: 'An answer of the mock server' }, has_more: false, data: [] };
		fixture.senders.faults.push({ path: '/v1/subscriptions', body, ...fault });
		const closed = watch(all);
		await until('the team is told', () => told().length > 0, 90_000);
		await seconds(2 * INTERVAL);
		expect(closed()).toEqual([]);
		expect(requests(fixture, 'PATCH')).toBe(0);
		const texts = told().map(({ subject, text }) => `${subject} ${text}`);
		// The third incomplete list in a row fails the run, which is another reason.
		expect(texts.filter((text) => !text.includes('the last 3 lists'))).toEqual([
			expect.stringMatching(said),
		]);
		fixture.senders.faults.length = 0;
		await until('closed', () => feedStateOf(emailOf(all[3]!)) === 'deactivated', 60_000);
	});

	it('changes nothing, and says what to set, when half of the list is missing', async () => {
		await use({ every: INTERVAL });
		const all = members(220);
		all.slice(0, 110).forEach((one) => fixture.senders.stripe.end(one));
		const closed = watch(all);
		await until('the team is told', () => told().length > 0, 90_000);
		await seconds(INTERVAL);
		expect(closed()).toEqual([]);
		expect(told()[0]?.text).toMatch(/110 feeds would close.*'Allow Once': close 110 until /s);
	});

	it('names the products that Stripe has when nobody has the one that counts', async () => {
		await use({ every: INTERVAL }, products('prod_Typo'));
		const closed = watch(members(30));
		await until('the team is told', () => told().length > 0, 90_000);
		expect(told()[0]?.text).toContain('Podcast membership');
		expect([closed(), requests(fixture, 'PATCH')]).toEqual([[], 0]);
	});

	it('tells another fault, and what could not be told, as soon as emails work again', async () => {
		await use({ every: INTERVAL });
		members(30);
		await until('the report of the first sync run', () => told().length === 1, 60_000);
		fixture.mailbox.refusing = true;
		const away = { path: '/v1/subscriptions', status: 500, body: {} };
		fixture.senders.faults.push(away);
		await seconds(2 * INTERVAL);
		fixture.senders.faults.length = 0;
		fixture.mailbox.refusing = false;
		await until('what happened before', () => told().length === 2, 60_000);
		fixture.senders.faults.push({ ...away, status: 403 });
		await until('another fault', () => told().length === 3, 60_000);
		await seconds(INTERVAL);
		expect(told().map(({ text }) => /(not able to process|Forbidden)/.exec(text)?.[1])).toEqual([
			undefined,
			'not able to process',
			'Forbidden',
		]);
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

	it.each([
		['ghost.json', 'memberful.json', 'ghost-', 'memberful-'],
		['woocommerce.json', 'ghost.json', 'woo-', 'ghost-'],
	])('%s and %s become one list by the steps of the page', async (file, other, ...prefixes) => {
		const [people, others] = [file, other].map((name) => {
			return peopleOf(systems.find((one) => one.file === name)!.name);
		}) as [People, People];
		fixture.sandbox.reset();
		for (const list of [people, others]) {
			list.all.length = 0;
			for (let at = 0; at < 25; at++)
				list.join(`m${at}@${list === people ? 'one' : 'two'}.${file}.example.com`);
		}
		const { client } = fixture.environment;
		const load = async (name: string) =>
			(await client.request(
				'GET',
				`/workflows/${await fixture.use(name, ready())}`,
			)) as SavedWorkflow;
		const second = await load(other);
		await fixture.unuse(second.id);
		const first = await load(file);
		joinLists(first, second);
		const { id, nodes, connections, settings, versionId } = first;
		await client.request('PATCH', `/workflows/${id}`, { nodes, connections, settings, versionId });
		await publishWorkflow(client, id);

		expect(await fixture.run(id, 'Every 5 Minutes')).toBe('success');
		const ids = [`m1@one.${file}.example.com`, `m1@two.${file}.example.com`].map(
			(email) => person(fixture, email)?.customer_id,
		);
		expect(ids).toEqual(prefixes.map((prefix) => expect.stringMatching(`^${prefix}`) as string));
		others.all.splice(3, 1);
		expect(await fixture.run(id, 'Every 5 Minutes')).toBe('success');
		const states = [
			`m3@one.${file}.example.com`,
			`m3@two.${file}.example.com`,
			`m4@two.${file}.example.com`,
		].map((email) => person(fixture, email)?.state);
		expect(states).toEqual(['available', 'deactivated', 'available']);
		await fixture.unuse(id);
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
