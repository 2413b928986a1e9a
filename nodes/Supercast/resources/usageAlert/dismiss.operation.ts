import { usageAlertOperation } from './usageAlert';

/** Answers a usage alert with `dismiss` (what it does: Supercast help centre). */
export const dismiss = usageAlertOperation('dismiss', {
	name: 'Dismiss',
	action: 'Dismiss a usage alert',
	description:
		'Let a usage alert pass this once: the next infraction of the same listener raises a new one',
	doing: 'dismissing',
});
