import { setAccess } from '../access/setAccess';
import { sync } from '../access/settings';
import { requireEmail } from '../api/identity';
import { createOperation } from '../operations/crud';
import { getOperation } from '../operations/crud';
import { getManyOperation } from '../operations/getMany';
import { updateOperation } from '../operations/crud';
import type { Resource } from './types';
import { remove } from '../subscriber/delete';
import { subscriberFilters } from '../subscriber/filters';
import { emailProperty, subscriberExample, subscriberFields, subscribers } from '../subscriber/kind';
import { checkTimeZone } from '../subscriber/timeZone';
import { upsert } from '../subscriber/upsert';

/** The people who listen, each with their own private feeds. */
export const subscriber: Resource<'subscriber'> = {
	name: 'Subscriber',
	description: 'A person who listens to private feeds',
	defaultOperation: 'create',
	toolOperation: 'get',
	operations: {
		create: createOperation(subscribers, {
			action: 'Create subscriber',
			description:
				'Create a new subscriber and open their private feeds. If the email may already exist, use Create or Update instead.',
			required: { property: emailProperty, read: requireEmail },
			fields: subscriberFields,
			example: subscriberExample,
			normalize: checkTimeZone,
			remedyIfRefused:
				"If this subscriber may already exist, use the operation 'Create or Update' instead.",
			readByName: true,
		}),
		upsert,
		setAccess,
		sync,
		delete: remove,
		get: getOperation(subscribers, {
			action: 'Get subscriber',
			description: 'Look up one subscriber, including their state, plan and private feed addresses',
		}),
		getAll: getManyOperation(subscribers, {
			action: 'Get many subscribers',
			description:
				"List the channel's subscribers. With filters, the node reads the list until it has found enough matches.",
			filters: subscriberFilters,
			isSortable: true,
		}),
		update: updateOperation(subscribers, {
			action: 'Update subscriber',
			description:
				'Change the name, email or other fields of a subscriber. To open or close their feeds, use Set Access or the resource Feed.',
			fields: [{ ...emailProperty, required: false }, ...subscriberFields],
			example: subscriberExample,
			clearable: ['customerId', 'firstName', 'lastName', 'timeZone'],
			normalize: checkTimeZone,
		}),
	},
};
