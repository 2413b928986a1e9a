import { usageAlertOperation } from './usageAlert';

/** Answers a usage alert with `ignore` (what it does: Supercast help centre). */
export const ignore = usageAlertOperation('ignore', {
	name: 'Ignore',
	action: 'Ignore a usage alert',
	description: 'Let a usage alert pass for good: this listener never raises one again',
	doing: 'ignoring',
});
