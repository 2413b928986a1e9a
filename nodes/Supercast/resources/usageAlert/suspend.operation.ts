import { usageAlertOperation } from './usageAlert';

/** Answers a usage alert with `suspend` (what it does: Supercast help centre). */
export const suspend = usageAlertOperation('suspend', {
	name: 'Suspend Listener and Stop Billing',
	action: 'Suspend a listener and stop their billing',
	description:
		'Close the feed of the listener whom the alert is about, unlink their billing and stop it. This ends what a person pays for: do it only when a person has decided so.',
	doing: 'suspending the listener of',
});
