import type { IDataObject } from 'n8n-workflow';

import { updateAndConfirm } from '../api/changes';
import { showsWhatWasSent } from '../api/sentFields';
import type { SupercastClient } from '../api/client';
import { identifiersIn, newPerson } from '../api/identity';
import { textOf } from '../api/json';
import { requestRecord } from '../api/records';
import { isState, subscriptionNotOpen } from '../api/states';
import { runInQueue, type PersonEvent } from '../api/queue';
import { about, changeShower } from '../operations/crud';
import { additionalFields, readFields } from '../operations/fields';
import { changeRequest } from '../operations/kinds';
import { simplifyProperties } from '../operations/output';
import { switchField } from '../operations/properties';
import type { TellLeftOut } from '../operations/leftOut';
import { refuseSpoiled } from '../operations/spoiled';
import { requireEmail } from '../operations/texts';
import type { Operation } from '../operations/types';
import { isOn } from '../operations/validation';
import { subscriberFields, subscribers, warnOfClosed, warnOfPartlyClosed } from './kind';
import { findPerson } from './findPerson';
import { lookUp } from './listing';
import { createOrFind, differences, feedSubject, readInState, setFeedState } from './requests';
import { isOpenState } from './states';

const reactivateOption = switchField('reactivate', 'Reactivate', {
	default: true,
	description:
		'Whether to reopen the feeds of a deactivated subscriber, for example a returning member. Without this option, the feeds stay closed. Suspended feeds always stay closed.',
});

/** Makes sure that a subscriber with the given fields exists. Running it again changes nothing. */
export const upsert: Operation = {
	name: 'Create or Update',
	action: 'Create or update subscriber',
	description:
		'Create a new subscriber, or update the one with the same email (upsert). Closed feeds stay closed by default.',
	properties: [
		{ ...subscriberFields.main, required: true },
		additionalFields(subscriberFields),
		...simplifyProperties(subscribers),
	],
	options: [reactivateOption],
	prepare: (item) => {
		const email = requireEmail(item.parameter('email'), 'Email');
		const told: string[] = [];
		const tell: TellLeftOut = (sentence) => told.push(sentence);
		const fields = readFields(item, subscriberFields, { email }, 'additionalFields', tell);
		const reactivate = isOn(item.collection('options').reactivate, 'Reactivate');
		const whom = newPerson(fields);
		const show = changeShower(subscribers, item, fields);
		return {
			record: email,
			changes: whom,
			run: async (client, addHint, place) => {
				for (const sentence of told) addHint?.(about(lookUp(email).subject, sentence));
				const event: PersonEvent<IDataObject | undefined, UpsertOutcome> = {
					...whom,
					subject: lookUp(email),
					find: async () => {
						const [found] = await findPerson(client, email, '', 'told');
						return { found, names: [identifiersIn(found ?? {})], areAll: true };
					},
					work: async (current) =>
						await createOrUpdate(client, email, current, { fields, reactivate }),
					outcome: ({ action, record: shown }) => ({
						isChange: action !== 'unchanged',
						names: identifiersIn(shown),
					}),
				};
				const { record, ...done } = await runInQueue(client, event, place);
				const shown = show(record, {}, addHint);
				const isOpen = isOpenState(textOf(record.state));
				const warning =
					isOpen && done.action !== 'created'
						? warnOfPartlyClosed(subscriptionNotOpen(record))
						: warnOfClosed(record);
				if (warning !== undefined) addHint?.(warning);
				return [{ ...done, ...shown, ...done }];
			},
		};
	},
};

/** What Create or Update has done, and the subscriber afterwards. */
interface UpsertOutcome extends IDataObject {
	action: 'created' | 'unchanged' | 'updated';
	/** Set if the feeds were reopened. */
	reactivated?: true;
	record: IDataObject;
}

async function createOrUpdate(
	client: SupercastClient,
	email: string,
	current: IDataObject | undefined,
	{ fields, reactivate }: { fields: IDataObject; reactivate: boolean },
): Promise<UpsertOutcome> {
	if (current !== undefined) return await update(client, email, current, fields, reactivate);
	refuseSpoiled(fields);
	const { record, existed } = await createOrFind(client, email, fields);
	const isClosed = reactivate && isState(record.state, 'deactivated');
	if (!existed && !isClosed) return { action: 'created', record };
	return await update(client, email, record, fields, reactivate);
}

async function update(
	client: SupercastClient,
	wantedEmail: string,
	current: IDataObject,
	fields: IDataObject,
	reactivate: boolean,
): Promise<UpsertOutcome> {
	// Supercast may find the subscriber only by its stored spelling of the email.
	const email = textOf(current.email) || wantedEmail;
	const changes = differences(current, fields);
	refuseSpoiled(changes);
	const isChanged = Object.keys(changes).length > 0;
	const answer = isChanged
		? await updateAndConfirm(client, changeRequest(subscribers, email, changes))
		: undefined;
	if (reactivate && isState(current.state, 'deactivated')) {
		const record = await reopenFeeds(client, email);
		return { action: 'updated', reactivated: true, record };
	}
	if (!isChanged) return { action: 'unchanged', record: current };
	// The read may lag behind a change that the response has shown.
	const isShown = (record: IDataObject): boolean => showsWhatWasSent(record, { body: { changes } });
	const outdatedIf =
		answer !== undefined && isShown(answer)
			? (body: unknown) => !isShown(body as IDataObject)
			: undefined;
	return {
		action: 'updated',
		record: await requestRecord(client, { ...lookUp(email), outdatedIf }),
	};
}

async function reopenFeeds(client: SupercastClient, email: string): Promise<IDataObject> {
	const subject = feedSubject(email, { verb: 'reopening' });
	const { subscriber } = await setFeedState(client, email, 'available', { subject });
	return subscriber ?? (await readInState(client, email, 'available', subject));
}
