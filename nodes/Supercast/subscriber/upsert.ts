import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { requireEmail } from '../api/identity';
import { textOf } from '../api/json';
import { contradiction, findRecord, requestChange, requestRecord } from '../api/records';
import { changeShower } from '../operations/crud';
import { additionalFields, readFields } from '../operations/fields';
import { changeRequest } from '../operations/kinds';
import { simplifyProperties } from '../operations/output';
import { switchField } from '../operations/properties';
import type { Operation } from '../operations/types';
import { isOn } from '../operations/validation';
import { subscriberFields, subscribers } from './kind';
import { createOrFind, differences, feedSubject, lookUp, setFeedState } from './requests';

const reactivateOption = switchField('reactivate', 'Reactivate', {
	default: true,
	description:
		'Whether to reopen the feeds of a deactivated subscriber, for example a returning member. Without this option, they stay closed. Suspended feeds always stay closed.',
});

/** Hints about feeds that stay closed, by the state of the subscriber. */
const CLOSED: Record<string, string> = {
	deactivated:
		"The feeds of a deactivated subscriber stay closed. To open them, add the option 'Reactivate', or use Set Access.",
	suspended: 'The feeds of a suspended subscriber stay closed. To open them, use Feed: Activate.',
};

/** Makes sure that a subscriber with the given fields exists. Running it again changes nothing. */
export const upsert: Operation = {
	name: 'Create or Update',
	action: 'Create or update subscriber',
	description:
		'Create a new subscriber, or update the current one if it already exists (upsert). Subscribers are matched by email. Closed feeds stay closed unless the option Reactivate is on.',
	properties: [
		{ ...subscriberFields.main, required: true },
		additionalFields(subscriberFields),
		...simplifyProperties(subscribers),
	],
	options: [reactivateOption],
	prepare: (item) => {
		const email = requireEmail(item.parameter('email'), 'Email');
		const fields = readFields(item, subscriberFields, { email });
		const reactivate = isOn(item.collection('options').reactivate, 'Reactivate');
		const show = changeShower(subscribers, item, fields);
		return {
			record: email,
			run: async (client, addHint) => {
				// Within one process, requests for the same subscriber run one at a time.
				const { record, ...done } = await client.inTurn(
					lookUp(email),
					async () => await createOrUpdate(client, email, fields, reactivate),
				);
				const shown = show(record, {}, addHint);
				const closed = CLOSED[textOf(record.state)];
				if (closed !== undefined) addHint?.(closed);
				return [{ ...done, ...shown, ...done }];
			},
		};
	},
};

async function createOrUpdate(
	client: SupercastClient,
	wantedEmail: string,
	fields: IDataObject,
	reactivate: boolean,
) {
	let current = await findRecord(client, lookUp(wantedEmail));
	if (current === undefined) {
		const { record, existed } = await createOrFind(client, wantedEmail, fields);
		const shown = record ?? (await findRecord(client, lookUp(wantedEmail)));
		current = shown ?? { email: wantedEmail };
		if (!existed) return { action: 'created', record: current };
	}
	// Supercast may find the subscriber only by its stored spelling of the email.
	const email = textOf(current.email) || wantedEmail;
	const changes = differences(current, fields);
	const isChanged = Object.keys(changes).length > 0;
	if (isChanged) await requestChange(client, changeRequest(subscribers, email, changes));
	const reopen = reactivate && current.state === 'deactivated';
	if (!isChanged && !reopen) return { action: 'unchanged', record: current };
	for (let tries = 0; tries < 2; tries++) {
		if (reopen) await setFeedState(client, email, 'available');
		const record = await requestRecord(client, lookUp(email));
		if (!reopen) return { action: 'updated', record };
		if (record.state !== 'deactivated') return { action: 'updated', reactivated: true, record };
	}
	const subject = feedSubject(email, { verb: 'reopening' });
	throw contradiction({ method: 'PATCH', path: [], subject }, 'the state "deactivated"');
}
