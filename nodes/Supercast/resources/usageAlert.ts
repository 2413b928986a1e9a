import { emailsOf, isSameName, requireEmail } from '../api/identity';
import { removal } from '../operations/removal';
import { getManyOperation } from '../operations/getMany';
import { idIdentifier } from '../operations/locators';
import { idLocator } from '../operations/locators';
import { recordSubject, type NamedRecordKind } from '../operations/kinds';
import type { ListFilter } from '../operations/lists';
import type { Operation } from '../operations/types';
import type { Resource } from './types';

/** Warnings that a private feed is shared or downloaded unusually often. */
export const usageAlerts: NamedRecordKind = {
	singular: 'usage alert',
	plural: 'usage alerts',
	path: 'usage_alerts',
	wrapper: 'usage_alert',
	isListOnly: true,
	locator: idLocator({
		displayName: 'Usage Alert',
		name: 'usageAlert',
		description: 'The usage alert to act on. Choose from the list, or enter an ID.',
		searchListMethod: 'searchUsageAlerts',
	}),
	identify: (item) => idIdentifier(item.locator('usageAlert'), 'Usage Alert'),
};

/** The filter for alerts about one person. */
const aboutPerson: ListFilter = {
	property: {
		displayName: 'Email',
		name: 'email',
		type: 'string',
		placeholder: 'e.g. nathan@example.com',
		default: '',
		description: 'Return only alerts about the subscriber with this email',
	},
	read: (typed, label) => {
		const wanted = requireEmail(typed, label);
		return (record) => emailsOf(record).some((email) => isSameName(email, wanted));
	},
};

/**
 * The possible actions on an alert. Each key is the last segment of the path, and each value is the
 * text in the output.
 */
const ACTIONS = { dismiss: 'dismissed', ignore: 'ignored', suspend: 'suspended' } as const;

/**
 * Builds an operation that acts on a usage alert. The Supercast help centre describes the effect of
 * each action.
 */
function usageAlertOperation(
	verb: keyof typeof ACTIONS,
	{
		doing,
		...texts
	}: Pick<Operation, 'action' | 'description' | 'name' | 'notice'> & { doing: string },
): Operation {
	return {
		...texts,
		properties: [usageAlerts.locator],
		prepare: (item) => {
			const { key, value, resolve } = usageAlerts.identify(item);
			return {
				record: value,
				run: async (client) => {
					const alert = await removal(client, usageAlerts, {
						method: 'PATCH',
						path: [usageAlerts.path, await resolve(client), verb],
						subject: recordSubject(usageAlerts, value, doing),
						// An alert disappears from the list once someone has acted on it.
						notFoundMeansDone: true,
					});
					const done = { action: ACTIONS[verb] };
					return [{ ...done, ...(alert ?? { [key]: value }), ...done }];
				},
			};
		},
	};
}

/** Warnings that a private feed is shared or downloaded unusually often. */
export const usageAlert: Resource<'usageAlert'> = {
	name: 'Usage Alert',
	description: 'A warning that a private feed is shared or downloaded unusually often',
	defaultOperation: 'getAll',
	operations: {
		dismiss: usageAlertOperation('dismiss', {
			name: 'Dismiss',
			action: 'Dismiss usage alert',
			description:
				'Dismiss only this usage alert. If the unusual use happens again, Supercast raises a new alert.',
			doing: 'dismissing',
		}),
		getAll: getManyOperation(usageAlerts, {
			action: 'Get many usage alerts',
			description:
				'List the usage alerts that are waiting for a decision. With a filter, the node reads the whole list.',
			filters: [aboutPerson],
		}),
		ignore: usageAlertOperation('ignore', {
			name: 'Ignore',
			action: 'Ignore usage alert',
			description: 'Ignore this usage alert and all later ones about the same subscriber',
			doing: 'ignoring',
		}),
		suspend: usageAlertOperation('suspend', {
			name: 'Suspend Listener and Stop Billing',
			action: 'Suspend listener and stop billing',
			description:
				"This ends a paid subscription, so let a person decide first. It closes the subscriber's feed, and unlinks and stops their billing.",
			notice:
				"This ends a paid subscription. It closes the subscriber's feed, and unlinks and stops their billing. The node cannot restart the billing. Let a person decide first.",
			doing: 'suspending the subscriber of',
		}),
	},
};
