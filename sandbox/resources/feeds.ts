import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Context } from '../context';
import { unwrap } from '../server/bodies';
import type { Subscriber, SubscriberState } from '../data/records';
import { oneOf, required, validate } from '../server/validation';
import { named } from './resource';
import { feedUrl } from './subscribers';

/** States as they are written to a feed (vendor's client). */
const FEED_STATES = ['available', 'suspended', 'inactive'] as const;
type FeedState = (typeof FEED_STATES)[number];

const schema = z.object({ state: required(oneOf(FEED_STATES)) });

/** States as they are read back on the subscriber (service's reference). */
const READ_BACK: Record<FeedState, SubscriberState> = {
	available: 'available',
	suspended: 'suspended',
	inactive: 'deactivated',
};

/** Whether a listener has access; that a failed charge keeps it for a while is inferred. */
export const isOpen = (subscriber: Subscriber): boolean =>
	subscriber.state === 'available' || subscriber.state === 'charge_failure';

function feedState(subscriber: Subscriber): FeedState {
	if (isOpen(subscriber)) return 'available';
	return subscriber.state === 'suspended' ? 'suspended' : 'inactive';
}

/** A feed as the API shows it; its fields are not shown anywhere, so these are inferred. */
function feedView(subscriber: Subscriber, context: Context): object {
	return {
		subscriber_uuid: subscriber.uuid,
		subscriber_email: subscriber.email,
		state: feedState(subscriber),
		feed_url: feedUrl(subscriber, context),
		updated_at: subscriber.updated_at,
	};
}

/** Feeds, named by their subscriber's `{uuid or email}` (vendor's client). */
export function registerFeeds(api: FastifyInstance, context: Context): void {
	const table = () => context.database.subscribers;
	api.get('/feeds/:id', (request, reply) => {
		reply.send(feedView(named(table(), request, 'feed'), context));
	});
	api.patch('/feeds/:id', (request, reply) => {
		const subscriber = named(table(), request, 'feed');
		const { state } = validate(schema, unwrap(request.body, 'feed_token'));
		table().change(subscriber, { state: READ_BACK[state], updated_at: context.time() });
		reply.send(feedView(subscriber, context));
	});
}
