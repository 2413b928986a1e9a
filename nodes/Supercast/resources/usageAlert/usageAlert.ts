import type { NamedRecordKind } from '../../operations/recordKind';
import { recordSubject } from '../../operations/recordKind';
import { idLocator } from '../../operations/properties';
import { idIdentifier } from '../../operations/validation';
import { requestChange } from '../../api/records';
import type { Operation } from '../../operations/types';

/** Warnings that one listener's private feed is fetched by many, or far too often. */
export const usageAlerts: NamedRecordKind = {
	singular: 'usage alert',
	plural: 'usage alerts',
	path: 'usage_alerts',
	wrapper: 'usage_alert',
	locator: idLocator({
		displayName: 'Usage Alert',
		name: 'usageAlert',
		description: 'The usage alert to act on, chosen from the list or by ID',
		searchListMethod: 'searchUsageAlerts',
	}),
	identify: (item) => idIdentifier(item.locator('usageAlert'), 'Usage Alert'),
};

/** Makes the operation that answers a usage alert with `verb`, the last segment of its address. */
export function usageAlertOperation(
	verb: 'dismiss' | 'ignore' | 'suspend',
	{ doing, ...texts }: Pick<Operation, 'action' | 'description' | 'name'> & { doing: string },
): Operation {
	return {
		...texts,
		properties: [usageAlerts.locator],
		execute: async (item) => {
			const { key, value } = usageAlerts.identify(item);
			const alert = await requestChange(item.client, {
				method: 'PATCH',
				path: [usageAlerts.path, value, verb],
				subject: recordSubject(usageAlerts, value, doing),
				// An alert that was answered is off the list.
				notFoundMeansDone: true,
			});
			return [alert ?? { [key]: value, action: verb }];
		},
	};
}
