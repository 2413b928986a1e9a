import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../../../api/errors/errors';
import { textOf } from '../../../api/json';
import { bodyFields } from '../../../operations/bodyFields';
import type { ListItem } from '../../../operations/types';
import { requireEmail } from '../../../api/identity';
import { subscriberFields } from '../subscriber';
import { checkTimeZone } from '../timeZone';
import type { Member } from './types';

/** Fields that Sync sets itself, so Other Fields must not contain them. */
const OWN_FIELDS = ['email', 'customer_id', 'state', 'uuid'];

/**
 * Reads one row of the list.
 *
 * @throws InputError if the item reports that an earlier node failed, or if a value is invalid.
 */
export function readMember(index: number, { parameters, json }: ListItem): Member {
	refuseErrorItem(json);
	return {
		items: [index],
		email: requireEmail(parameters.parameter('email'), 'Email'),
		customerId: readCustomerId(parameters.parameter('customerId')),
		fields: readFields(parameters),
	};
}

/**
 * Refuses an item that failed in an earlier node, because it may still contain a member's email.
 */
function refuseErrorItem({ error }: IDataObject): void {
	if (error === undefined || error === null || error === '' || error === false) return;
	throw new InputError(
		'The item reports that an earlier node failed, so it is not a member',
		'Fix the earlier node, and connect only its success output to Sync.',
	);
}

function readCustomerId(value: unknown): string {
	if (typeof value !== 'object' || value === null) return textOf(value).trim();
	throw new InputError(
		"'Customer ID' is neither text nor a number",
		'Choose the field that contains the ID itself.',
	);
}

function readFields(parameters: ListItem['parameters']): IDataObject {
	const fields = bodyFields(parameters, 'additionalFields', {
		fields: subscriberFields,
		normalize: checkTimeZone,
	});
	const own = OWN_FIELDS.find((name) => name in fields);
	if (own === undefined) return fields;
	throw new InputError(
		`'Other Fields (JSON)' contains "${own}", which Sync sets from its own parameters`,
		`Remove "${own}" from 'Other Fields (JSON)'.`,
	);
}
