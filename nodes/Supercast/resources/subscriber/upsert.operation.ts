import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { bodyFields, fieldCollection } from '../../operations/bodyFields';
import { newRecordSubject, recordSubject } from '../../operations/recordKind';
import { simplifier, simplifyProperties } from '../../operations/simplify';
import { requireEmail } from '../../shared/identify';
import { isOn } from '../../shared/text';
import type { SupercastClient } from '../../transport/client';
import { ServiceError } from '../../transport/errors';
import { findRecord, requestChange, requestRecord } from '../../transport/records';
import type { ApiRequest } from '../../transport/types';
import { setFeedState } from '../feed/feed';
import type { Operation, OperationItem } from '../types';
import { differences } from './differences';
import { emailProperty, subscriberFields, subscribers } from './subscriber';

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Reactivate',
			name: 'reactivate',
			type: 'boolean',
			default: false,
			description:
				'Whether to open the feeds of a subscriber who was deactivated, such as a member who comes back. One who was suspended stays so: use the resource Feed for that.',
		},
	],
};

/** Makes sure that a member exists with the given fields, however often it runs. */
export const upsert: Operation = {
	name: 'Create or Update',
	action: 'Create or update a subscriber',
	description:
		'Create a new subscriber, or update the current one if there is one with that email already (upsert). Running it again changes nothing more.',
	properties: [
		emailProperty,
		fieldCollection('Additional Fields', 'additionalFields', subscriberFields),
		...simplifyProperties(subscribers),
		options,
	],
	execute: async (item) => {
		const email = requireEmail(item.parameter('email'), 'Email');
		const fields = bodyFields(item, 'additionalFields', { email });
		reactivates(item);
		const { action, record } = await createOrUpdate(item, email, fields);
		return [{ ...simplifier(subscribers, item)(record), action }];
	},
};

interface Outcome {
	action: 'created' | 'unchanged' | 'updated';
	record: IDataObject;
}

async function createOrUpdate(
	item: OperationItem,
	email: string,
	fields: IDataObject,
): Promise<Outcome> {
	const current = await findRecord(item.client, lookUp(email));
	if (current !== undefined) return await bringUpToDate(item, email, current, fields);
	return await create(item.client, email, fields).catch(async (error: unknown) => {
		const refused = error instanceof ServiceError && error.status === 422;
		// Perhaps somebody else created the same subscriber since the look-up.
		const taken = refused ? await findRecord(item.client, lookUp(email)) : undefined;
		if (taken === undefined) throw error;
		return await bringUpToDate(item, email, taken, fields);
	});
}

async function create(
	client: SupercastClient,
	email: string,
	fields: IDataObject,
): Promise<Outcome> {
	const created = await requestChange(client, {
		method: 'POST',
		path: [subscribers.path],
		body: { [subscribers.wrapper]: fields },
		subject: newRecordSubject(subscribers, email),
		findCreated: lookUp(email),
	});
	// Whether the service answers a create with the record is not documented.
	const record = created ?? (await findRecord(client, lookUp(email)));
	return { action: 'created', record: record ?? { email } };
}

async function bringUpToDate(
	item: OperationItem,
	email: string,
	current: IDataObject,
	fields: IDataObject,
): Promise<Outcome> {
	const changes = differences(current, fields);
	const changed = Object.keys(changes).length > 0;
	if (changed) {
		await requestChange(item.client, {
			method: 'PATCH',
			path: [subscribers.path, email],
			body: { [subscribers.wrapper]: changes },
			subject: recordSubject(subscribers, email),
		});
	}
	const reopen = reactivates(item) && current.state === 'deactivated';
	if (reopen) await setFeedState(item.client, email, 'available');
	if (!changed && !reopen) return { action: 'unchanged', record: current };
	return { action: 'updated', record: await requestRecord(item.client, lookUp(email)) };
}

function reactivates(item: OperationItem): boolean {
	return isOn(item.collection('options').reactivate, 'Reactivate');
}

function lookUp(email: string): ApiRequest {
	return {
		method: 'GET',
		path: [subscribers.path, email],
		subject: recordSubject(subscribers, email),
	};
}
