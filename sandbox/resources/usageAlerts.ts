import type { FastifyInstance } from 'fastify';
import type { Context } from '../context';
import type { Subscriber, UsageAlert } from '../data/records';
import { NO_PLAN } from '../data/database';
import { answerRecord } from '../wire/answers';
import { named, registerResource } from './resource';

/** An alert as the API shows it. Every field but `id` is inferred. */
function alertView(alert: UsageAlert, context: Context): object {
	const { subscriber_uuid: uuid, ...shown } = alert;
	const email = context.database.subscribers.find(uuid)?.email ?? null;
	return { ...shown, subscriber: { uuid, email } };
}

type Change = (subscriber: Subscriber) => Partial<Subscriber>;

/** What each action does to the subscriber, besides closing the alert (Supercast's help). */
const ACTIONS: Record<'dismiss' | 'ignore' | 'suspend', Change> = {
	dismiss: () => ({}),
	ignore: () => ({ ignore_usage_alerts: true }),
	// The feed is disabled. Billing is unlinked and stops.
	suspend: () => ({ state: 'suspended', ...NO_PLAN }),
};

/** Usage alerts and their three actions (vendor's client). */
export function registerUsageAlerts(api: FastifyInstance, context: Context): void {
	registerResource(api, context, {
		path: '/usage_alerts',
		name: 'usage_alert',
		table: (database) => database.usageAlerts,
		view: alertView,
	});
	for (const [action, change] of Object.entries(ACTIONS)) {
		api.patch(`/usage_alerts/:id/${action}`, (request, reply) => {
			const { usageAlerts, subscribers } = context.database;
			const alert = named(usageAlerts, request, 'usage_alert', context);
			const subscriber = subscribers.find(alert.subscriber_uuid);
			const values = subscriber ? change(subscriber) : {};
			if (subscriber && Object.keys(values).length > 0) {
				subscribers.change(subscriber, { ...values, updated_at: context.time() });
			}
			usageAlerts.remove(alert);
			const view = alertView(alert, context);
			answerRecord(reply, { name: 'usage_alert', view, to: 'change' }, context);
		});
	}
}
