import { changed, sourceOf, type Json } from '../payloads';
import type { Reply } from '../senders';
import { hmac, type AccessCase, type Sender } from './case';

const EMAIL = 'john.doe@example.com';
const SAMPLE = 'memberful-subscription-deactivated';

interface Subscription {
	active: boolean;
	plan?: string;
}

function says(subscriptions: Subscription[], email = EMAIL): Record<string, Reply> {
	const member = {
		id: '0',
		email,
		fullName: 'John Doe',
		subscriptions: subscriptions.map(({ active, plan = '0' }) => ({ active, plan: { id: plan } })),
	};
	return { '/api/graphql': { body: { data: { member } } } };
}

const nobody: Record<string, Reply> = {
	'/api/graphql': { body: { data: { member: null }, errors: [{ message: 'Not found' }] } },
};

const event = (name: string, values: Json = {}): Json =>
	changed(SAMPLE, { event: name, ...values });

/** An event about a member, which has the member at its top. */
function member(name: string, values: Json = {}): Json {
	const { subscription } = changed(SAMPLE, {}) as { subscription: { member: Json } };
	return { event: name, member: { ...subscription.member, ...values } };
}

const cases: AccessCase[] = [
	{
		event: 'subscription.created',
		when: 'a new member pays',
		body: event('subscription.created', { 'subscription.active': true }),
		says: says([{ active: true }]),
		before: 'nobody',
		after: 'available',
	},
	{
		event: 'subscription.activated',
		when: 'a member comes back',
		body: event('subscription.activated', { 'subscription.active': true }),
		says: says([{ active: true }]),
		before: 'deactivated',
		after: 'available',
	},
	{
		event: 'subscription.renewed',
		when: 'a member pays again',
		body: event('subscription.renewed', { 'subscription.active': true }),
		says: says([{ active: true }]),
		before: 'available',
		after: 'available',
	},
	{
		event: 'subscription.updated',
		when: 'only automatic renewal was turned off',
		body: event('subscription.updated', {
			'subscription.active': true,
			'subscription.autorenew': false,
		}),
		says: says([{ active: true }]),
		before: 'available',
		after: 'available',
	},
	{
		event: 'subscription.updated',
		when: 'the member changed to a plan without a feed',
		body: event('subscription.updated', { 'subscription.subscription_plan.id': 0 }),
		says: says([{ active: true, plan: '9' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'subscription.deactivated',
		when: 'the membership is over',
		body: event('subscription.deactivated'),
		says: says([{ active: false }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'subscription.deactivated',
		when: 'another subscription is active',
		body: event('subscription.deactivated'),
		says: says([{ active: false }, { active: true }]),
		before: 'available',
		after: 'available',
	},
	{
		event: 'subscription.deactivated',
		when: 'the member has unrestricted access',
		body: event('subscription.deactivated', { 'subscription.member.unrestricted_access': true }),
		says: says([{ active: false }]),
		before: 'available',
		after: 'available',
	},
	{
		event: 'subscription.deactivated',
		when: 'the plan that ended has no feed',
		body: event('subscription.deactivated', { 'subscription.subscription_plan.id': 9 }),
		says: says([]),
		before: 'available',
		after: 'available',
	},
	{
		event: 'subscription.deleted',
		when: 'the subscription was deleted in Memberful',
		body: event('subscription.deleted'),
		says: says([]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'member.deleted',
		when: 'the member was deleted in Memberful',
		body: { event: 'member.deleted', member: { id: 0, deleted: true } },
		says: nobody,
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'member_signup',
		when: 'someone created a free account',
		body: member('member_signup'),
		says: says([]),
		before: 'nobody',
		after: 'nobody',
	},
	{
		event: 'member_updated',
		when: 'the member was given unrestricted access',
		body: member('member_updated', { unrestricted_access: true }),
		says: says([]),
		before: 'nobody',
		after: 'available',
	},
];

export const memberful: Sender = {
	name: 'Memberful',
	file: 'memberful.json',
	settings: (origin) => ({ memberful: origin, plans: '0, 7' }),
	email: EMAIL,
	customerId: 'memberful-0',
	source: sourceOf(SAMPLE),
	sign: (body, secret) => ({
		'x-memberful-webhook-signature': hmac('sha256', 'hex', body, secret),
	}),
	redelivers: true,
	cases,
	paying: {
		body: event('subscription.renewed', { 'subscription.active': true }),
		says: says([{ active: true }]),
	},
	ended: { body: event('subscription.deactivated'), says: says([{ active: false }]) },
	moved: {
		body: member('member_updated', { email: 'john.new@example.com' }),
		says: says([{ active: true }], 'john.new@example.com'),
	},
};
