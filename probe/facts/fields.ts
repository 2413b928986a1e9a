import { addressOf } from '../evidence/writing';
import type { ListName } from '../evidence/reading';
import { doesNot, holdsIf, unclear, type Evidence, type Fact, type Finding } from '../finding';
import { kindOf, recordOf, stateWord } from '../shapes';

type Row = Record<string, unknown>;

/** The fields of the records. */
export const fieldFacts = {
	'subscriber-fields': fields('subscribers', 'subscriber', {
		names:
			'uuid email customer_id first_name last_name state subscriptions created_at updated_at ignore_usage_alerts plan_id plan_name',
		source: 'reference',
		certainty: 'stated. `id` and `avatar_data` still exist, but are deprecated',
	}),
	'all-in-fields': fields('subscribers', 'subscriber of any channel', {
		names: 'time_zone plan_price_cents plan_price_currency',
		source: 'reference',
		certainty: 'stated for "All in" channels only, so they may be absent',
	}),
	'feed-url-list': {
		fact: 'The older field `feed_url` of a subscriber is a list of addresses',
		expected: 'list',
		source: 'reference',
		certainty: 'stated, and deprecated in favor of `subscriptions`',
		foundBy: 'reading',
		judge: ({ reading }) => judgeFeedUrl(reading.lists.subscribers?.rows ?? []),
	},
	'subscription-address': {
		fact: '`subscriptions[].feed_url` contains the feed address',
		expected: 'an address',
		source: '',
		certainty:
			'inferred from the name of the older field. If `subscriptions[].feed_url` is missing, the node uses the older field',
		foundBy: 'reading',
		judge: ({ reading }) => judgeSubscriptions(reading.lists.subscribers?.rows ?? []),
	},
	'feed-state': {
		fact: 'The `state` of a feed is `available`, `suspended` or `inactive`',
		expected: 'one of the three',
		source: 'client',
		certainty: 'stated for writing, and inferred for reading',
		foundBy: 'reading',
		judge: ({ reading }) => judgeFeed(reading),
	},
	'episode-fields': fields('episodes', 'episode', {
		names: 'id title summary explicit language published_at created_at',
		source: 'integrations',
		certainty: 'used by the integrations. `explicit` is "yes" or "no"',
	}),
	'creator-fields': fields('creators', 'creator', {
		names: 'email first_name last_name',
		source: 'integrations',
		certainty: 'used by the integrations',
	}),
	'question-fields': fields('questions', 'question', {
		names: 'id title body created_at',
		source: 'integrations',
		certainty: 'used by the integrations',
	}),
	'role-fields': fields('roles', 'role', {
		names: 'id name description permissions',
		source: 'help',
		certainty:
			'stated for the dashboard. The names in the API are inferred, and roles may be deprecated',
	}),
	'invite-fields': fields('invites', 'invite', {
		names: 'id',
		source: '',
		certainty: 'unknown, so the node returns the record unchanged',
	}),
	'usage-alert-fields': fields('usage_alerts', 'usage alert', {
		names: 'id created_at subscriber.email',
		source: '',
		certainty: 'unknown. The node treats every field except `id` as optional',
	}),
	'channel-fields': {
		fact: 'A channel has `subdomain` and `title`',
		expected: 'both',
		source: '',
		certainty: 'unknown, so the node returns the record unchanged',
		foundBy: 'reading',
		judge: ({ reading: { channel } }) => {
			const record = channel.status === 200 ? recordOf(channel, 'channel') : undefined;
			return record === undefined
				? unclear('the channel could not be read')
				: judgeFields([record], ['subdomain', 'title']);
		},
	},
} satisfies Record<string, Fact>;

function fields(
	list: ListName,
	name: string,
	{ names, source, certainty }: Pick<Fact, 'certainty' | 'source'> & { names: string },
): Fact {
	const all = names.split(' ');
	const article = /^[aeiou]/.test(name) && name !== 'usage alert' ? 'An' : 'A';
	const quoted = all.map((one) => `\`${one}\``).join(', ');
	return {
		fact: `${article} ${name} has ${quoted}`,
		expected: all.length === 1 ? 'the field' : 'all fields',
		source,
		certainty,
		foundBy: 'reading',
		judge: ({ reading }) => judgeFields(reading.lists[list]?.rows ?? [], all),
	};
}

function judgeFields(rows: readonly Row[], names: readonly string[]): Finding {
	if (rows.length === 0) return unclear('no record was read');
	const missing = names.filter((name) => !rows.some((row) => has(row, name.split('.'))));
	return holdsIf(
		missing.length === 0,
		missing.length === 0 ? 'all fields' : `missing: ${missing.join(', ')}`,
	);
}

function has(row: Row, [name = '', ...rest]: string[]): boolean {
	if (!Object.hasOwn(row, name)) return false;
	return rest.length === 0 || has((row[name] ?? {}) as Row, rest);
}

function judgeFeedUrl(rows: readonly Row[]): Finding {
	const values = rows.map(({ feed_url: value }) => value);
	const given = values.filter((value) => value !== undefined && value !== null);
	if (given.length === 0) return unclear('no subscriber has it');
	const seen = [...new Set(given.map(kindOf))].sort();
	return holdsIf(
		seen.every((kind) => kind === 'list'),
		seen.join(', '),
	);
}

function judgeSubscriptions(rows: readonly Row[]): Finding {
	const filled = rows.filter(({ subscriptions: list }) => Array.isArray(list) && list.length > 0);
	if (filled.length === 0) return unclear('no subscriber has a subscription');
	const found = filled.filter(({ subscriptions }) => addressOf({ subscriptions }) !== undefined);
	if (found.length > 0) return holdsIf(true, 'an address');
	const first = (filled[0]?.subscriptions as Row[])[0] ?? {};
	const others = Object.keys(first).filter((name) => kindOf(first[name]) === 'address');
	const known = others.filter((name) => /^[a-z_]{1,30}$/.test(name));
	return doesNot(
		known.length === 0 ? 'no field with an address' : `an address in ${known.join(', ')}`,
	);
}

const FEED_STATES = ['available', 'inactive', 'suspended'];

function judgeFeed({ lookups: { feed } }: Evidence['reading']): Finding {
	if (feed === undefined) return unclear('no subscriber was read');
	const state = feed.status === 200 ? recordOf(feed, 'feed')?.state : undefined;
	if (state === undefined) return doesNot(`${feed.status}, no state`);
	return holdsIf(
		FEED_STATES.some((known) => known === state),
		stateWord(state),
	);
}
