import { checkEmail } from '../../operations/bodyFields';
import { updateOperation } from '../../operations/update';
import { emailProperty, subscriberFields, subscribers } from './subscriber';

/** Changes one subscriber. */
export const update = updateOperation(subscribers, {
	action: 'Update a subscriber',
	description:
		'Change the name, email or other fields of a subscriber. To open or close their feeds, use the resource Feed.',
	fields: [{ ...emailProperty, required: false }, ...subscriberFields],
	prepare: checkEmail,
});
