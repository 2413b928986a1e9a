import { OTHER_PRODUCT, type StripeSubscription } from '../../harness/senders/stripe';
import { person } from './workflows/people';
import {
	askForNew,
	check,
	emailOf,
	feedStateOf,
	isOpen,
	kit,
	look,
	members,
	seconds,
	told,
	use,
	useStripeKit,
	watch,
} from './workflows/stripeMembers';

useStripeKit();

it('opens feeds for who pays, whatever the product, and closes the others', async () => {
	await use();
	const all = members(60);
	const { stripe } = kit.senders;
	const ann = stripe.join('ann@example.com', 'Ann Bell');
	const mug = stripe.join('mug@example.com', 'Mo Mug', OTHER_PRODUCT);
	const late = stripe.join('late@example.com', 'Lou Late');
	late.status = 'past_due';
	const never = stripe.join('never@example.com', 'Ned Never');
	never.status = 'incomplete';
	stripe.end(all[3]!);
	expect(await check()).toBe('success');
	expect([ann, mug, late, never].map((one) => feedStateOf(emailOf(one)))).toEqual([
		'available',
		'available',
		'available',
		'nobody',
	]);
	expect(feedStateOf(emailOf(all[3]!))).toBe('deactivated');
	expect(person(kit, 'ann@example.com')).toMatchObject({
		customer_id: ann.customer.id,
		first_name: 'Ann',
		last_name: 'Bell',
	});
	expect(told()).toHaveLength(1);
});

it('changes nothing in a dry run, and shows who would change', async () => {
	await use({ dryRun: true });
	members(20);
	kit.senders.stripe.join('ann@example.com', 'Ann Bell');
	const before = JSON.stringify(kit.sandbox.controls.state());
	const output = await look();
	expect(output).toContainEqual(
		expect.objectContaining({ action: 'created', email: 'ann@example.com' }),
	);
	expect(await askForNew()).toBe('success');
	expect(JSON.stringify(kit.sandbox.controls.state())).toBe(before);
});

it('opens the feeds of new members without reading the list, once each', async () => {
	await use();
	members(20);
	await check();
	kit.senders.stripe.join('ann@example.com', 'Ann Bell');
	kit.senders.stripe.join('none@example.com', 'No').status = 'incomplete';
	expect(await askForNew()).toBe('success');
	expect([isOpen('ann@example.com'), isOpen('none@example.com')]).toEqual([true, false]);
	const before = kit.sandbox.state.requests.length;
	expect(await askForNew()).toBe('success');
	expect(kit.sandbox.state.requests).toHaveLength(before);
});

it('closes the feed of a member who is missing from two lists, a minute apart', async () => {
	await use({ closeAfter: 2 });
	const [gone, stays, moves] = members(40) as [
		StripeSubscription,
		StripeSubscription,
		StripeSubscription,
	];
	const closed = watch([stays, moves]);
	kit.senders.stripe.end(gone);
	kit.senders.stripe.end(moves);
	await check();
	expect(isOpen(emailOf(gone))).toBe(true);
	// A plan switch: the next subscription begins after the list was read.
	kit.senders.stripe.subscribe(moves.customer);
	await seconds(61);
	await check();
	expect([isOpen(emailOf(gone)), closed()]).toEqual([false, []]);
});
