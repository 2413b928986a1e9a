import { setAccess } from '../access/setAccess';
import { sync } from '../access/settings';
import {
	createOperation,
	deleteOperation,
	getOperation,
	updateOperation,
} from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import type { Resource } from '../operations/types';
import { subscriberFields, subscriberFilters, subscribers as kind } from '../subscriber/kind';
import { upsert } from '../subscriber/upsert';

/** The people who listen, each with their own private feeds. */
export const subscriber = {
	kind,
	description: 'A person who listens to private feeds',
	defaultOperation: 'create',
	toolOperation: 'get',
	operations: {
		create: createOperation(
			kind,
			'Create a new subscriber and open their private feeds. If the email may already exist, use Create or Update instead.',
			subscriberFields,
		),
		upsert,
		setAccess,
		sync,
		delete: deleteOperation(
			kind,
			'Delete a subscriber permanently and close their private feeds immediately. If a membership ends, use Feed: Deactivate instead.',
			{
				notice:
					'This cannot be undone. If this person returns, they get a new feed address. To close the feeds but keep the subscriber, use Feed: Deactivate. If Supercast bills this person, check in Supercast whether billing has ended too.',
				ifMissing: {
					fail: 'Stop, so that a mistyped email does not look like a successful deletion',
					succeed: 'Continue. Use this if cancellations can arrive twice.',
				},
			},
		),
		get: getOperation(
			kind,
			'Look up one subscriber, including their state, plan and private feed addresses',
		),
		getAll: getManyOperation(
			kind,
			"List the channel's subscribers. With filters, the node reads the list until it has found enough matches.",
			{ filters: subscriberFilters, isSortable: true },
		),
		update: updateOperation(
			kind,
			'Change the name, email or other fields of a subscriber. To open or close their feeds, use Set Access or the resource Feed.',
			subscriberFields,
		),
	},
} satisfies Resource;
