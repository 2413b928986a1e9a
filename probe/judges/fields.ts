import { addressOf } from '../evidence/writing';
import type { ListName } from '../evidence/reading';
import {
	doesNot,
	holdsIf,
	ofAnswer,
	unclear,
	type Evidence,
	type Finding,
	type Judge,
} from '../finding';
import { fieldName, kindOf, recordOf, stateWord, type Row } from '../shapes';

/** The fields of the records. */
export const fieldJudges = {
	'subscriber-fields': fields(
		'subscribers',
		'uuid email customer_id first_name last_name state subscriptions created_at updated_at ignore_usage_alerts plan_id plan_name',
	),
	'all-in-fields': fields('subscribers', 'time_zone plan_price_cents plan_price_currency'),
	'feed-url-list': ({ reading }) => judgeFeedUrl(reading.lists.subscribers?.rows ?? []),
	'subscription-address': ({ reading }) =>
		judgeSubscriptions(reading.lists.subscribers?.rows ?? []),
	'feed-state': ({ reading }) => judgeFeed(reading),
	'episode-fields': fields(
		'episodes',
		'id title summary explicit language published_at created_at',
	),
	'creator-fields': fields('creators', 'email first_name last_name'),
	'question-fields': fields('questions', 'id title body created_at'),
	'role-fields': fields('roles', 'id name description permissions'),
	'invite-fields': fields('invites', 'id'),
	'usage-alert-fields': fields('usage_alerts', 'id created_at subscriber.email'),
	'channel-fields': ({ reading: { channel } }) => {
		const record = channel.status === 200 ? recordOf(channel, 'channel') : undefined;
		return record === undefined
			? unclear('the channel could not be read')
			: judgeFields([record], ['subdomain', 'title']);
	},
} satisfies Record<string, Judge>;

function fields(list: ListName, names: string): Judge {
	return ({ reading }) => judgeFields(reading.lists[list]?.rows ?? [], names.split(' '));
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
	const known = others.filter((name) => fieldName(name) !== undefined);
	return doesNot(
		known.length === 0 ? 'no field with an address' : `an address in ${known.join(', ')}`,
	);
}

const FEED_STATES = ['available', 'inactive', 'suspended'];

function judgeFeed({ lookups: { feedByUuid, feedByEmail } }: Evidence['reading']): Finding {
	const feed = [feedByUuid, feedByEmail].find((answer) => answer?.status === 200) ?? feedByUuid;
	const judge = (answer: typeof feed & object): Finding => {
		const state = answer.status === 200 ? recordOf(answer, 'feed')?.state : undefined;
		if (state === undefined) return doesNot(`${answer.status}, no state`);
		return holdsIf(
			FEED_STATES.some((known) => known === state),
			stateWord(state),
		);
	};
	return ofAnswer(feed, judge, unclear('no subscriber was read'));
}
