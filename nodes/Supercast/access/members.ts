import type { IDataObject } from 'n8n-workflow';

import { InputError } from '../api/errors/errors';
import { requireEmail } from '../api/identity';
import { readAdditionalFields } from '../operations/fields';
import type { ItemParameters } from '../operations/types';
import { isBlank, requireId } from '../operations/validation';
import { subscriberFields } from '../subscriber/kind';
import type { Member } from './people';
import { Sync } from './sync';
import { refuseOneEmail } from './plan';
import { readSettings, type SyncSettings } from './settings';

/** Fields that come from other parameters, so Other Fields must not contain them. */
const OWN_FIELDS = ['email', 'customer_id', 'state', 'uuid'];

/**
 * Reads one row of a list of members.
 *
 * @throws InputError if the item reports that an earlier node failed, if it has neither an email nor
 * a customer ID, or if a value is invalid.
 */
function readMember(index: number, item: ItemParameters, { error }: IDataObject): Member {
	// An item that failed in an earlier node may still contain a member's email.
	if (error !== undefined && error !== null && error !== '' && error !== false) {
		throw new InputError(
			'The item reports that an earlier node failed, so it is not a member',
			'Fix the earlier node, and connect only its success output to Sync.',
		);
	}
	const member = readPerson(item, 'Sync');
	if (member.email === '' && member.customerIds.length === 0) requireEmail('', 'Email');
	return { ...member, items: [index] };
}

/**
 * Reads a person. Both the email and the customer ID may be empty.
 *
 * @throws InputError if a value is invalid.
 */
export function readPerson(item: ItemParameters, operation: string): Member {
	const typed = item.parameter('email');
	const email = isBlank(typed) ? '' : requireEmail(typed, 'Email');
	const id = item.parameter('customerId');
	const customerIds = isBlank(id) ? [] : [requireId(id, 'Customer ID')];
	const fields = readAdditionalFields(item, { ...subscriberFields, main: undefined });
	const own = OWN_FIELDS.find((name) => name in fields);
	if (own !== undefined) {
		throw new InputError(
			`'Other Fields (JSON)' contains "${own}", which ${operation} sets from its own parameters`,
			`Remove "${own}" from 'Other Fields (JSON)'.`,
		);
	}
	return { items: [], email, customerIds, fields };
}

/** Parameters that must be the same for all items. */
const SETTINGS = ['resource', 'operation', 'dryRun', 'close', 'maxClosePercent', 'options'];

/** Reads the list of members. */
export class SyncList {
	private readonly members: Member[] = [];

	private first: ItemParameters | undefined;

	private readonly settings = new Set<string>();

	/** Reads one item. Throws InputError if it is not a member. */
	add(index: number, item: ItemParameters, json: IDataObject): void {
		// Even an invalid row can show that the settings differ.
		this.settings.add(JSON.stringify(SETTINGS.map((name) => item.parameter(name))));
		this.first ??= item;
		this.members.push(readMember(index, item, json));
	}

	/**
	 * Checks the list as a whole.
	 *
	 * @param badItems How many items are no members.
	 * @throws InputError if the list or the settings are invalid.
	 */
	finish(badItems: number): Sync {
		const { members, first, settings: given } = this;
		if (given.size > 1) {
			throw new InputError(
				'The settings of Sync are not the same for all items',
				"Only 'Email', 'Customer ID' and 'Additional Fields' may differ between items. In the other settings, don't use expressions that read the item.",
			);
		}
		if (first === undefined || members.length === 0) {
			throw new InputError(
				'The list has no valid members',
				"Check the node that reads the list. An empty list would close everyone's feeds.",
			);
		}
		const settings = readSettings(first);
		refuseOtherPrefixes(members, settings);
		refuseOneEmail(members);
		return new Sync(members, settings, badItems);
	}
}

function refuseOtherPrefixes(members: Member[], { customerIdPrefix }: SyncSettings): void {
	const ids = members.flatMap(({ customerIds }) => customerIds);
	const others = ids.filter((id) => !id.startsWith(customerIdPrefix));
	if (others.length === 0) return;
	throw new InputError(
		`${others.length} of ${ids.length} customer IDs on the list do not begin with "${customerIdPrefix}", for example "${others[0]}"`,
		"Put the prefix in front of every ID in the node before Sync, or correct 'Customer ID Prefix'.",
	);
}
