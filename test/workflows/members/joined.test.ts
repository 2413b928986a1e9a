import { SYSTEMS, type SystemName } from '../../../simulators/memberships';
import { joinLists } from './joined';
import { imported, live, membersOf, openFeeds, subscriber, useMembers } from './support';

useMembers();

it.each<[SystemName, SystemName]>([
	['ghost', 'memberful'],
	['woocommerce', 'ghost'],
])('%s and %s become one list by the steps of the page', async (...systems) => {
	const emails = systems.map((_, list) =>
		Array.from({ length: 25 }, (__, at) => `m${at}@list${list}.example.com`),
	);
	for (const [list, name] of systems.entries())
		for (const email of emails[list]!) membersOf(name).join(email);
	const [first, second] = systems.map((name) => imported(SYSTEMS[name].file, live));
	second!.rewrite((other) => first!.rewrite((file) => joinLists(file, other)));

	expect((await first!.run()).error).toBeUndefined();
	expect(openFeeds()).toEqual(emails.flat().sort());
	for (const [list, name] of systems.entries()) {
		const { prefix } = SYSTEMS[name].workflow;
		expect(subscriber(emails[list]![1]!)?.customer_id).toMatch(new RegExp(`^${prefix}`));
	}

	const [, other] = systems;
	membersOf(other).all.splice(3, 1);
	await first!.run();
	expect(openFeeds()).toEqual(
		emails
			.flat()
			.filter((email) => email !== emails[1]![3])
			.sort(),
	);
});
