import { feedStateOperation } from './feed';

/** Puts the feeds of a subscriber into the state `suspended`. */
export const suspend = feedStateOperation('suspended', {
	name: 'Suspend',
	action: 'Suspend the feed of a subscriber',
	description:
		'Close the private feeds of a subscriber for the time being, such as after a failed payment. Activate opens them again.',
	verb: 'suspending',
});
