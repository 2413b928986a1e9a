import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { identifiersIn } from '../api/identity';
import { textOf } from '../api/json';
import { runInQueue, type PersonEvent } from '../api/queue';
import { EXPRESSION_HINT, hasNoResult } from '../operations/texts';
import type { ItemParameters, ItemTask, Operation } from '../operations/types';
import { isOn } from '../operations/validation';
import { findPerson } from '../subscriber/findPerson';
import { lookUp } from '../subscriber/listing';
import { feedSubject, readInState } from '../subscriber/requests';
import { apply, nameAfter, outcomeOf, type AppliedDecision } from './apply';
import { judge } from './judge/judge';
import { setAccessDescription } from './parameters';
import { personWith } from './people';
import { idsOf, namesSomebody, ownWords, readClaims, readNames, type MemberRecord } from './record';
import { readOtherFields } from './recordFields';
import {
	decideEnded,
	decideListed,
	type Decision,
	type EndSettings,
	type SubscriberDecision,
} from './rules';
import { readPrefixes, readWordSettings } from './settings';
import { currentSubscriber } from './subscribers';

/** Builds the output of what a record wanted, and what was done. */
export type TellAccess = (record: MemberRecord, decision: AppliedDecision) => IDataObject;

/** Builds the output for a person whose access stays as it is, without a request. */
export type TellLeft = (left: MemberRecord) => IDataObject;

export const setAccess = (tell: TellAccess, tellLeft: TellLeft): Operation => ({
	...setAccessDescription,
	prepare: (item) => {
		const settings = settingsOf(item);
		const record = readRecord(item, settings.prefixes);
		const { access } = record;
		const isLeft = access === 'close' && settings.onlyOpen;
		if (access === 'keep' || access === 'unclear' || isLeft) return leaveAsItIs(tellLeft(record));
		if (!namesSomebody(record)) throw nobodyNamed(item);
		const named = { email: record.email, customerIds: idsOf(record) };
		return {
			record: [record.email, record.customerId].filter((name) => name !== ''),
			changes: { named },
			run: async (client, addHint, place) => {
				const event = eventOf(client, { record, access, settings });
				const output = tell(record, await runInQueue(client, event, place));
				if (output.attention !== null) addHint?.(textOf(output.attention));
				if (item.isTool) delete output.feed_urls;
				return [output];
			},
		};
	},
});

interface SetAccessSettings extends EndSettings {
	/** Whether a record that gives no access changes nothing. */
	onlyOpen: boolean;
}

function settingsOf(item: ItemParameters): SetAccessSettings {
	const { closeWithPlan, customerIdPrefix, onlyOpen } = item.collection('options');
	return {
		closeWithPlan: isOn(closeWithPlan, 'Close Despite Plan'),
		onlyOpen: isOn(onlyOpen, 'Only Open'),
		prefixes: readPrefixes(customerIdPrefix),
		isOld: item.isOld,
	};
}

/** One record is no list, so that a missing status may be a lost field. */
function readRecord(item: ItemParameters, prefixes: readonly string[]): MemberRecord {
	const words = readWordSettings(item);
	const claims = readClaims(item, words.productNames);
	const judged = judge(claims, { ...words, hasStatuses: false, now: item.now });
	const fields = () => readOtherFields(item);
	return {
		item: 0,
		...judged,
		...ownWords(claims),
		...knownNames(item, judged.access, prefixes),
		fields,
	};
}

/** Whatever an item says about someone who is left as they are, it is no failure. */
function knownNames(
	item: ItemParameters,
	access: MemberRecord['access'],
	prefixes: readonly string[],
): ReturnType<typeof readNames> {
	if (access === 'open' || access === 'close') return readNames(item, prefixes);
	const [email, customerId] = ['email', 'customerId'].map((name) =>
		textOf(item.parameter(name)).trim(),
	) as [string, string];
	return { email, emailKey: email.toLowerCase(), customerId };
}

function leaveAsItIs(output: IDataObject): ItemTask {
	return {
		run: async (_, addHint) => {
			if (output.attention !== null) addHint?.(textOf(output.attention));
			return await Promise.resolve([output]);
		},
	};
}

/** What an event wants for a person. */
export type WantedAccess = 'close' | 'open';

interface AccessEvent {
	record: MemberRecord;
	access: WantedAccess;
	settings: EndSettings;
}

function eventOf(
	client: SupercastClient,
	{ record, access, settings }: AccessEvent,
): PersonEvent<IDataObject[], AppliedDecision> {
	const { ownChanges } = client.channel;
	const wanted = access === 'open' ? 'available' : 'deactivated';
	const decide = (found: IDataObject[]): Decision => {
		// A reading that contradicts what this process did last may be older than that.
		const shown = found.map((one) => ownChanges.doubted(one, wanted));
		const person = personWith(record, shown.map(currentSubscriber));
		return access === 'open' ? decideListed(person, settings) : decideEnded(person, settings);
	};
	return {
		named: { email: record.email, customerIds: idsOf(record) },
		subject: lookUp(record.email || record.customerId),
		find: async () => {
			const { email, customerId } = record;
			const certainty = access === 'open' ? 'notKnown' : 'proven';
			const found = await findPerson(client, email, customerId, certainty);
			return { found, names: found.map(identifiersIn), areAll: true };
		},
		work: async (found) => {
			// With several subscribers, nothing changes, so the fresh one is the only one.
			const applied = await apply(client, decide(found), ({ fields }) => decide([fields]));
			if (applied.action !== 'reopened' || applied.shown !== undefined) return applied;
			return { ...applied, shown: await shownAfter(client, applied) };
		},
		outcome: outcomeOf,
	};
}

function nobodyNamed(item: ItemParameters): InputError {
	const wanted = [
		['email', 'Email'],
		['customerId', 'Customer ID'],
	] as const;
	const label = wanted.find(([name]) => hasNoResult(item.parameter(name)))?.[1];
	if (label === undefined) {
		return new InputError(
			"'Email' and 'Customer ID' are both empty",
			`Fill in at least one of them. ${EXPRESSION_HINT}`,
		);
	}
	return new InputError(
		`The expression in '${label}' returned no value, so the person is unknown`,
		`${EXPRESSION_HINT} n8n also returns no value if the expression itself is wrong.`,
	);
}

/**
 * The subscriber as Supercast shows them after the change. The response to a reopening may show
 * only the feed, so the node then reads the subscriber for the feed addresses.
 */
async function shownAfter(
	client: SupercastClient,
	{ subscriber, write }: SubscriberDecision,
): Promise<IDataObject> {
	const name = nameAfter(subscriber, write);
	const subject = feedSubject(subscriber.email || name, { verb: 'opening' });
	return await readInState(client, name, 'available', subject);
}
