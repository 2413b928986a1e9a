import { SYSTEMS, systemNames } from '../../../simulators/memberships';
import {
	changes,
	imported,
	listen,
	live,
	membersOf,
	mockServers,
	openFeeds,
	set,
	subscriber,
	useMembers,
} from './support';

useMembers();

const quick = systemNames.flatMap((name) => {
	const { file, members, workflow } = SYSTEMS[name];
	return workflow.newMembers ? [{ name, file, members, ...workflow.newMembers }] : [];
});

describe.each(quick)('$name', ({ name, file, members, unpaid, paid }) => {
	const join = (email: string, status?: string): { id: string } => {
		const member = membersOf(name).join(email, 'Ann Bell');
		if (status !== undefined) members.setStatus?.(mockServers()[name], member, status);
		return member;
	};
	const minute = 'Every Minute';

	it('opens the feed of a new member once, without reading the whole list', async () => {
		const workflow = imported(file, live);
		const member = join('ann@example.com');
		join('not.yet@example.com', unpaid);
		join('odd@example.com', 'odd');
		await workflow.run(minute);
		expect(openFeeds()).toEqual(['ann@example.com']);
		expect(subscriber('ann@example.com')).toMatchObject({
			...{ customer_id: members.customerId(member), first_name: 'Ann', last_name: 'Bell' },
		});
		const before = changes().length;
		await workflow.run(minute);
		expect(changes()).toHaveLength(before);
	});

	it('opens it as soon as the payment succeeds', async () => {
		const workflow = imported(file, live);
		const member = join('ann@example.com', unpaid);
		await workflow.run(minute);
		expect(openFeeds()).toEqual([]);
		members.setStatus?.(mockServers()[name], member, paid);
		await workflow.run(minute);
		expect(openFeeds()).toEqual(['ann@example.com']);
	});

	it('changes nothing in a dry run', async () => {
		const workflow = imported(file);
		join('ann@example.com');
		expect((await workflow.run(minute)).error).toBeUndefined();
		await workflow.run();
		expect(changes()).toEqual([]);
	});

	it('closes nobody: a second subscription that is not paid says nothing about the first', async () => {
		const workflow = imported(file, live);
		const member = join('ann@example.com');
		listen('ann@example.com', members.customerId(member));
		members.setStatus?.(mockServers()[name], member, unpaid);
		await workflow.run(minute);
		expect(openFeeds()).toEqual(['ann@example.com']);
	});

	it('follows the words of Sync, and its products', async () => {
		const workflow = imported(file, live, set('Sync', { openFor: 'odd' }));
		join('ann@example.com');
		join('odd@example.com', 'odd');
		await workflow.run(minute);
		expect(openFeeds()).toEqual(['odd@example.com']);
		const other = imported(file, live, set('Sync', {}, { products: 'Something else' }));
		join('ben@example.com');
		await other.run(minute);
		expect(openFeeds()).toEqual(['odd@example.com']);
	});

	it('leaves the feed of another system alone', async () => {
		listen('ann@example.com', 'other-7');
		join('ann@example.com');
		await imported(file, live).run(minute);
		expect(subscriber('ann@example.com')).toMatchObject({ customer_id: 'other-7' });
	});
});

describe.each(['stripe.json', 'stripe-and-patreon.json'])('products by name in %s', (file) => {
	const join = (email: string, product?: string): void =>
		void mockServers().stripe.join(email, 'Ann Bell', product);

	beforeEach(() => {
		mockServers().stripe.products.push({ id: 'prod_news', name: 'Newsletter', active: true });
		join('ann@example.com');
		join('news@example.com', 'prod_news');
	});
	afterEach(() => void mockServers().stripe.products.pop());

	it.each([{ products: 'Podcast membership' }, { otherProducts: 'Newsletter' }])(
		'a new member of a product that counts gets a feed within a minute, and no other: %j',
		async (words) => {
			await imported(file, live, set('Sync', {}, words)).run('Every Minute');
			expect(openFeeds()).toEqual(['ann@example.com']);
		},
	);

	it('a new member gets a feed by the name of the 101st product', async () => {
		const { products } = mockServers().stripe;
		const others = Array.from({ length: 101 - products.length }, (_, at) => ({
			...{ id: `prod_${at}`, name: `Other ${at}`, active: true },
		}));
		products.unshift(...others);
		await imported(file, live, set('Sync', {}, { products: 'Newsletter' })).run('Every Minute');
		products.splice(0, others.length);
		expect(openFeeds()).toEqual(['news@example.com']);
	});

	it('nobody gets a feed as long as the names cannot be read', async () => {
		mockServers().faults.push({ path: '/v1/products', status: 500 });
		const ran = await imported(file, live, set('Sync', {}, { otherProducts: 'Newsletter' })).run(
			'Every Minute',
		);
		expect([ran.failed, openFeeds()]).toEqual(['Read Products Again', []]);
	});
});
