import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Context } from '../context';
import { answerRecord } from '../wire/answers';
import { unwrap } from '../wire/bodies';
import type { Subscriber } from '../data/records';
import { required, validate } from '../wire/validation';
import { named } from './resource';
import { feedUrl } from './subscribers';
import {
	isOpenState,
	stateRow,
	type SubscriberState,
} from '../../../nodes/Supercast/subscriber/states';

/** States that clients can write to a feed (vendor's client). */
const FEED_STATES = ['available', 'suspended', 'inactive'] as const;
type FeedState = (typeof FEED_STATES)[number];

const schema = z.object({ state: required(z.enum(FEED_STATES)) });

/** States as shown on the subscriber (Supercast's reference). */
const READ_BACK: Record<FeedState, SubscriberState> = {
	available: 'available',
	suspended: 'suspended',
	inactive: 'deactivated',
};

/** Whether a subscriber has access. */
export const isOpen = ({ state }: Subscriber): boolean => isOpenState(state);

/** A feed as the API returns it. Its fields are inferred, because they are not documented. */
function feedView(subscriber: Subscriber, context: Context): object {
	return {
		subscriber_uuid: subscriber.uuid,
		subscriber_email: subscriber.email,
		state: stateRow(subscriber.state)?.feed,
		feed_url: feedUrl(subscriber, context),
		updated_at: subscriber.updated_at,
	};
}

/** Feeds, by `{uuid or email}` of their subscriber (vendor's client). */
export function registerFeeds(api: FastifyInstance, context: Context): void {
	const table = () => context.database.lists.subscribers;
	api.get('/feeds/:id', (request, reply) => {
		const row = named(table(), request, 'feed', context);
		const view = feedView(context.database.shown(row, context.now()), context);
		answerRecord(reply, { name: 'feed', view, to: 'read' }, context);
	});
	api.patch('/feeds/:id', (request, reply) => {
		const subscriber = named(table(), request, 'feed', context);
		const { settings } = context;
		const body = unwrap(request.body, 'feed_token', settings);
		const { state } = validate(schema, body, settings);
		context.database.showOld(subscriber, context.now());
		const { more_subscriptions: more } = subscriber;
		table().change(subscriber, {
			state: READ_BACK[state],
			updated_at: context.time(),
			...(more && settings.feedChanges === 'all'
				? { more_subscriptions: more.map(() => READ_BACK[state]) }
				: {}),
		});
		const view = feedView(subscriber, context);
		answerRecord(reply, { name: 'feed', view, to: 'change' }, context);
	});
}
