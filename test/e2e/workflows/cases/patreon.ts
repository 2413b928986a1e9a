import { changed, sample, sourceOf, type Json } from '../payloads';
import type { Reply } from '../senders';
import { daysAgo, hmac, type AccessCase, type Sender } from './case';

const EMAIL = 'platform@team.com';
const ID = 'd485d5ac-6c82-42c6-9c08-c50cf01b73d7';
const PATH = `/api/oauth2/v2/members/${ID}`;

function says(status: string | null, tiers: string[], values: Json = {}): Record<string, Reply> {
	const attributes = Object.entries({ patron_status: status, ...values }).map(([key, value]) => [
		`data.attributes.${key}`,
		value,
	]);
	const body = changed('patreon-api-member', {
		'data.id': ID,
		'data.relationships': {
			currently_entitled_tiers: { data: tiers.map((id) => ({ id, type: 'tier' })) },
		},
		...(Object.fromEntries(attributes) as Json),
	});
	return { [PATH]: { body } };
}

const gone: Record<string, Reply> = {
	[PATH]: { status: 404, body: { errors: [{ code_name: 'NotFound' }] } },
};
const on = (event: string) => ({
	event,
	body: sample('patreon-member'),
	headers: { 'x-patreon-event': event },
});
const declined = (days: number) => ({ last_charge_date: daysAgo(days).toISOString() });

const cases: AccessCase[] = [
	{
		...on('members:pledge:create'),
		when: 'a new patron pays',
		says: says('active_patron', ['101']),
		before: 'nobody',
		after: 'available',
	},
	{
		...on('members:create'),
		when: 'someone follows for free',
		says: says(null, [], { lifetime_support_cents: 0 }),
		before: 'nobody',
		after: 'nobody',
	},
	{
		...on('members:update'),
		when: 'a patron comes back',
		says: says('active_patron', ['101']),
		before: 'deactivated',
		after: 'available',
	},
	{
		...on('members:pledge:update'),
		when: 'the member changed to a tier without a feed',
		says: says('active_patron', ['202']),
		before: 'available',
		after: 'deactivated',
	},
	{
		...on('members:update'),
		when: 'a payment was declined today',
		says: says('declined_patron', ['101'], declined(0)),
		before: 'available',
		after: 'available',
	},
	{
		...on('members:update'),
		when: 'a payment was declined eight days ago',
		says: says('declined_patron', [], declined(8)),
		before: 'available',
		after: 'deactivated',
	},
	{
		...on('members:pledge:delete'),
		when: 'the member canceled, and the paid period is not over',
		says: says('former_patron', ['101']),
		before: 'available',
		after: 'available',
	},
	{
		...on('members:pledge:delete'),
		when: 'the member canceled, and no paid period is left',
		says: says('former_patron', []),
		before: 'available',
		after: 'deactivated',
	},
	{
		...on('members:update'),
		when: 'the paid period is over',
		says: says('former_patron', []),
		before: 'available',
		after: 'deactivated',
	},
	{
		...on('members:update'),
		when: 'a gift or a free trial is over',
		says: says(null, [], { lifetime_support_cents: 0 }),
		before: 'available',
		after: 'deactivated',
	},
	{
		...on('members:delete'),
		when: 'the account no longer exists',
		says: gone,
		before: 'available',
		after: 'deactivated',
	},
];

export const patreon: Sender = {
	name: 'Patreon',
	file: 'patreon.json',
	settings: () => ({ tiers: '101, 102' }),
	email: EMAIL,
	customerId: `patreon-${ID}`,
	source: sourceOf('patreon-member'),
	sign: (body, secret, headers = { 'x-patreon-event': 'members:update' }) => ({
		...headers,
		'x-patreon-signature': hmac('md5', 'hex', body, secret),
	}),
	redelivers: false,
	cases,
	paying: { ...on('members:update'), says: says('active_patron', ['101']) },
	ended: { ...on('members:pledge:delete'), says: says('former_patron', []) },
	moved: {
		...on('members:update'),
		says: says('active_patron', ['101'], { email: 'platform.new@team.com' }),
	},
};
