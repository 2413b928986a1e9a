import { setAccess } from '../access/setAccess';
import { sync } from '../access/parameters';
import { accessOutput, leftOutput } from '../report/setAccess';
import { crudOperations } from '../operations/crud';
import { ifMissingOption } from '../operations/record';
import { subscriberFields, subscriberFilters, subscribers as kind } from '../subscriber/kind';
import { upsert } from '../subscriber/upsert';
import type { Resource } from './resource';

const descriptions = {
	create:
		'Create a new subscriber and open their private feeds. If the subscriber may already exist, use Create or Update.',
	delete:
		'Delete a subscriber permanently and close their feeds. If a membership ends, use Feed: Deactivate instead.',
	get: 'Look up one subscriber, including their state, plan and private feed addresses',
	getAll: "List the channel's subscribers, with filters and sorting",
	update:
		'Change the name, email or other fields of a subscriber. To open or close feeds, use the operation Set Access.',
};

const { create, ...others } = crudOperations(kind, descriptions, {
	fields: subscriberFields,
	filters: subscriberFilters,
	isSortable: true,
	notice:
		'This cannot be undone. If this person returns, their feed probably has a new address. To close the feeds but keep the subscriber, use the operation Feed: Deactivate. If Supercast bills this person, check in Supercast whether billing has ended too.',
	ifMissing: ifMissingOption(
		kind,
		'Stop, so that a mistyped email does not look like a successful deletion',
		'Continue. Use this if cancellations can arrive twice.',
	),
});

export const subscriber = {
	kind,
	description: 'A person who listens to private feeds',
	defaultOperation: 'create',
	toolOperation: 'get',
	operations: { create, upsert, setAccess: setAccess(accessOutput, leftOutput), sync, ...others },
} satisfies Resource;
