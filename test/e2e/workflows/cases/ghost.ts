import { changed, sourceOf, type Json } from '../payloads';
import type { Reply } from '../senders';
import { daysAgo, hmac, type AccessCase, type Sender } from './case';

const EMAIL = 'testemail3@example.com';
const ID = '618ba1ffbe2896088840a6df';
const PATH = `/ghost/api/admin/members/${ID}`;

interface Subscription {
	status: string;
	tier?: string;
	start?: Date;
}

function says(
	status: string,
	subscriptions: Subscription[],
	more: Json = {},
): Record<string, Reply> {
	const member = {
		id: ID,
		email: EMAIL,
		name: 'Ghost',
		status,
		tiers: [],
		subscriptions: subscriptions.map(({ status: its, tier = 'gold', start = new Date() }) => ({
			status: its,
			tier: { id: `${tier}-id`, slug: tier },
			current_period_start: start.toISOString(),
		})),
		...more,
	};
	return { [PATH]: { body: { members: [member] } } };
}

const gone: Record<string, Reply> = {
	[PATH]: { status: 404, body: { errors: [{ type: 'NotFoundError' }] } },
};

const edited = (from: string, to: string): Json =>
	changed('ghost-member-edited', {
		'member.current.status': to,
		'member.previous': from === to ? { subscriptions: [] } : { status: from },
	});

const added = (status: string): Json =>
	changed('ghost-member-edited', { 'member.current.status': status, 'member.previous': {} });

const deletedWith = (status: string): Json =>
	changed('ghost-member-deleted', {
		'member.previous.status': status,
		'member.previous.email': EMAIL,
	});

const cases: AccessCase[] = [
	{
		event: 'member.added',
		when: 'a new member pays',
		body: added('paid'),
		says: says('paid', [{ status: 'active' }]),
		before: 'nobody',
		after: 'available',
	},
	{
		event: 'member.added',
		when: 'a free member signs up',
		body: added('free'),
		says: says('free', []),
		before: 'nobody',
		after: 'nobody',
	},
	{
		event: 'member.edited',
		when: 'a free member pays',
		body: edited('free', 'paid'),
		says: says('paid', [{ status: 'active' }]),
		before: 'nobody',
		after: 'available',
	},
	{
		event: 'member.edited',
		when: 'a trial begins',
		body: edited('free', 'paid'),
		says: says('paid', [{ status: 'trialing' }]),
		before: 'nobody',
		after: 'available',
	},
	{
		event: 'member.edited',
		when: 'the member canceled, and has paid until the end of the period',
		body: edited('paid', 'paid'),
		says: says('paid', [{ status: 'active' }]),
		before: 'available',
		after: 'available',
	},
	{
		event: 'member.edited',
		when: 'the membership is over',
		body: edited('paid', 'free'),
		says: says('free', [{ status: 'canceled' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'member.edited',
		when: 'the member gets complimentary access',
		body: edited('paid', 'comped'),
		says: says('comped', [], { tiers: [{ id: 'gold-id', slug: 'gold' }] }),
		before: 'deactivated',
		after: 'available',
	},
	{
		event: 'member.edited',
		when: 'a payment failed today',
		body: edited('paid', 'paid'),
		says: says('paid', [{ status: 'past_due' }]),
		before: 'available',
		after: 'available',
	},
	{
		event: 'member.edited',
		when: 'a payment failed eight days ago',
		body: edited('paid', 'paid'),
		says: says('paid', [{ status: 'past_due', start: daysAgo(8) }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'member.edited',
		when: 'the member changed to a tier without a feed',
		body: edited('paid', 'paid'),
		says: says('paid', [{ status: 'active', tier: 'bronze' }]),
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'member.deleted',
		when: 'a paying member is deleted',
		body: deletedWith('paid'),
		says: gone,
		before: 'available',
		after: 'deactivated',
	},
	{
		event: 'member.deleted',
		when: 'a free member is deleted',
		body: deletedWith('free'),
		says: gone,
		before: 'available',
		after: 'available',
		subscriber: { customer_id: null },
	},
];

export const ghost: Sender = {
	name: 'Ghost',
	file: 'ghost.json',
	settings: (origin) => ({ ghost: origin, tiers: 'gold, silver' }),
	email: EMAIL,
	customerId: `ghost-${ID}`,
	source: sourceOf('ghost-member-edited'),
	sign: (body, secret) => {
		const time = Date.now();
		const signature = hmac('sha256', 'hex', `${body}${time}`, secret);
		return { 'x-ghost-signature': `sha256=${signature}, t=${time}` };
	},
	redelivers: false,
	cases,
	paying: { body: edited('free', 'paid'), says: says('paid', [{ status: 'active' }]) },
	ended: { body: edited('paid', 'free'), says: says('free', []) },
	moved: {
		body: changed('ghost-member-edited', {
			'member.current.status': 'paid',
			'member.current.email': 'ghost.new@example.com',
			'member.previous': { email: EMAIL },
		}),
		says: says('paid', [{ status: 'active' }], { email: 'ghost.new@example.com' }),
	},
};
