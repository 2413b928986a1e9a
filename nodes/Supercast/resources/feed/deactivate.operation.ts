import { feedStateOperation } from './feed';

/** Puts the feeds of a subscriber into the state `inactive`. */
export const deactivate = feedStateOperation('inactive', {
	name: 'Deactivate',
	action: 'Deactivate the feed of a subscriber',
	description:
		'Close the private feeds of a subscriber because the membership has ended, and keep the subscriber, whose state is then "deactivated"',
	verb: 'deactivating',
});
