import { z } from 'zod';
import type { Context } from '../context';
import { invalid } from '../wire/errors';
import type { Settings } from '../settings';
import type { NewSubscriber } from '../data/database';
import { addressFor, inventedName } from '../data/names';
import { NO_PLAN, PLANS, type Subscriber } from '../data/records';
import {
	email,
	flag,
	integer,
	kept,
	nullable,
	required,
	storedEmail,
	text,
} from '../wire/validation';
import { given, resource, type Created } from './resource';
import { stateRow } from '../../../nodes/Supercast/subscriber/states';

const fields = {
	first_name: nullable(text()),
	last_name: nullable(text()),
	customer_id: nullable(text()),
	time_zone: nullable(text()),
	ignore_usage_alerts: kept(flag),
	plan_id: nullable(integer),
};

const createSchema = z.object({ email: required(email), ...fields });
const updateSchema = z.object({ email: kept(email), ...fields });

type Input = z.output<typeof updateSchema>;

/** The address of a subscriber's private feed. The sandbox serves it itself. */
export const feedUrl = (subscriber: Subscriber, context: Context): string =>
	`${context.origin}/feeds/${subscriber.feed_token}.xml`;

/** Tests set states that Supercast does not document. */
const hasFeed = ({ state }: Subscriber): boolean => stateRow(state)?.hasFeed !== false;

/** `feed_url` is documented as a deprecated list of addresses. */
function deprecatedFeedUrl(urls: string[], { feedUrl: form }: Settings): unknown {
	return { list: urls, text: urls[0] ?? null, absent: undefined }[form];
}

/**
 * A subscriber as the API returns it (Supercast's reference, the subscriber object), including
 * deprecated fields. The fields of a subscription are inferred.
 */
export function subscriberView(subscriber: Subscriber, context: Context): object {
	const url = feedUrl(subscriber, context);
	const urls = hasFeed(subscriber) ? [url] : [];
	const { plan_id, plan_name, plan_price_cents, plan_price_currency, state } = subscriber;
	const { more_subscriptions: more = [] } = subscriber;
	const others = more.map((own, index) => [`${url}?show=${index + 2}`, own] as const);
	return {
		...subscriber,
		feed_token: undefined,
		more_subscriptions: undefined,
		subscriptions: [...urls.map((address) => [address, state] as const), ...others].map((one) => ({
			id: subscriber.id,
			state: one[1],
			channel_subdomain: context.database.channel.subdomain,
			feed_url: one[0],
			plan_id,
			plan_name,
			plan_price_cents,
			plan_price_currency,
			created_at: subscriber.created_at,
		})),
		feed_url: deprecatedFeedUrl(urls, context.settings),
		avatar_data: { url: `${context.origin}/avatars/${subscriber.id}.png`, width: 128, height: 128 },
		player_links: {
			apple_podcasts: url.replace(/^https?:/, 'podcast:'),
			overcast: `overcast://x-callback-url/add?url=${encodeURIComponent(url)}`,
			pocket_casts: url.replace(/^https?:/, 'pktc:'),
		},
	};
}

function planFields(planId: number | null): object {
	if (planId === null) return NO_PLAN;
	const plan = PLANS.find((candidate) => candidate.plan_id === planId);
	if (!plan) throw invalid('plan_id', 'must exist');
	return plan;
}

function changes({ plan_id: planId, ...input }: Input): Partial<Subscriber> {
	return { ...given(input), ...(planId === undefined ? {} : planFields(planId)) };
}

/** A new subscriber with only an email. */
const blank = (address: string, time: string): NewSubscriber => ({
	email: address,
	customer_id: null,
	first_name: null,
	last_name: null,
	state: 'available',
	ignore_usage_alerts: false,
	time_zone: null,
	...NO_PLAN,
	created_at: time,
	updated_at: time,
});

/** It is not documented what Supercast does if the email already exists. A setting decides. */
function create(asked: Input & { email: string }, context: Context): Created<Subscriber> {
	const { database, settings } = context;
	const input = { ...asked, email: storedEmail(asked.email, settings) };
	const existing = database.lists.subscribers.find(input.email, settings.emailLookup);
	const time = context.time();
	if (existing && ['reject', 'conflict'].includes(settings.onExistingEmail)) {
		const status = settings.onExistingEmail === 'conflict' ? 409 : 422;
		throw invalid('email', 'has already been taken', status);
	}
	if (existing && settings.onExistingEmail === 'reactivate') {
		const values = { ...changes(input), state: 'available', updated_at: time } as const;
		return { row: database.lists.subscribers.change(existing, values), existed: true };
	}
	const values = changes(input);
	return { row: database.addSubscriber({ ...blank(input.email, time), ...values }) };
}

function update(row: Subscriber, input: Input, context: Context): void {
	const { database, settings } = context;
	const { subscribers: table } = database.lists;
	const stored: { email?: string } =
		input.email === undefined ? {} : { email: storedEmail(input.email, settings) };
	const holder =
		stored.email === undefined ? undefined : table.find(stored.email, settings.emailLookup);
	if (holder && holder !== row) throw invalid('email', 'has already been taken');
	database.showOld(row, context.now());
	table.change(row, { ...changes(input), ...stored, updated_at: context.time() });
}

/** Subscribers, by `{uuid or email}` (vendor's client). */
export const subscriberList = resource({
	list: 'subscribers',
	name: 'subscriber',
	grow: (database, time) => {
		const name = inventedName(database.random);
		return database.addSubscriber({
			...blank(addressFor(name, database.nextNumber('subscriber email')), time),
			...name,
			...(PLANS[database.lists.subscribers.size % PLANS.length] ?? NO_PLAN),
			time_zone: 'UTC',
		});
	},
	view: subscriberView,
	readOne: true,
	create: { schema: createSchema, run: create },
	update: { schema: updateSchema, run: update },
	remove: (row, { database, settings, now }) => {
		database.showOld(row, now());
		database.lists.subscribers.change(row, { state: 'deactivated' });
		if (settings.deleted === 'removed') database.removeSubscriber(row);
	},
});
