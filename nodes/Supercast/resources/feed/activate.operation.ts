import { feedStateOperation } from './feed';

/** Puts the feeds of a subscriber into the state `available`. */
export const activate = feedStateOperation('available', {
	name: 'Activate',
	action: 'Activate the feed of a subscriber',
	description:
		'Open the private feeds of a subscriber again, after they were suspended or deactivated',
	verb: 'activating',
});
