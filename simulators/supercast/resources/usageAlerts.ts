import type { Context } from '../context';
import type { Store } from '../data/database';
import { NO_PLAN, type Subscriber, type UsageAlert } from '../data/records';
import { answerRecord } from '../wire/answers';
import { named, resource, type ApiList } from './resource';

/** An alert as the API returns it. Every field except `id` is inferred. */
function alertView(alert: UsageAlert, context: Context): object {
	const { subscriber_uuid: uuid, ...shown } = alert;
	const email = context.database.lists.subscribers.find(uuid)?.email ?? null;
	return { ...shown, subscriber: { uuid, email } };
}

/** The next subscriber in turn, except those whose alerts are ignored (Supercast's help). */
function nextListener(database: Store): Subscriber | undefined {
	const people = database.lists.subscribers.rows().filter((row) => !row.ignore_usage_alerts);
	if (people.length === 0) return undefined;
	return people[(database.nextNumber('alert turn') - 1) % people.length];
}

const alerts = resource({
	list: 'usageAlerts',
	name: 'usage_alert',
	/** The fields are inferred. Only `id`, the time and the subscriber are likely. */
	grow: (database, time) => {
		const listener = nextListener(database);
		if (!listener) return undefined;
		const many = database.nextNumber('alert kind') % 2 === 0;
		return database.lists.usageAlerts.add({
			id: database.nextId('usage alert'),
			kind: many ? 'many_downloads' : 'many_addresses',
			message: many
				? 'The feed was downloaded unusually often.'
				: 'The feed was fetched from many addresses.',
			subscriber_uuid: listener.uuid,
			created_at: time,
		});
	},
	view: alertView,
});

type Change = (subscriber: Subscriber) => Partial<Subscriber>;

/** What each action does to the subscriber, besides closing the alert (Supercast's help). */
const ACTIONS: Record<'dismiss' | 'ignore' | 'suspend', Change> = {
	dismiss: () => ({}),
	ignore: () => ({ ignore_usage_alerts: true }),
	// The feed is disabled. Billing is unlinked and stops.
	suspend: () => ({ state: 'suspended', ...NO_PLAN }),
};

/** Usage alerts and their three actions (vendor's client). */
export const usageAlertList: ApiList = {
	...alerts,
	register: (api, context) => {
		alerts.register(api, context);
		for (const [action, change] of Object.entries(ACTIONS)) {
			api.patch(`/usage_alerts/:id/${action}`, (request, reply) => {
				const { usageAlerts: table, subscribers } = context.database.lists;
				const alert = named(table, request, 'usage_alert', context);
				const subscriber = subscribers.find(alert.subscriber_uuid);
				const values = subscriber ? change(subscriber) : {};
				if (subscriber && Object.keys(values).length > 0) {
					subscribers.change(subscriber, { ...values, updated_at: context.time() });
				}
				table.remove(alert);
				const view = alertView(alert, context);
				answerRecord(reply, { name: 'usage_alert', view, to: 'change' }, context);
			});
		}
	},
};
