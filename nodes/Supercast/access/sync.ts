import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { InputError } from '../api/errors/errors';
import { nameKey, requireEmail } from '../api/identity';
import { textOf } from '../api/json';
import { findRecord } from '../api/records';
import type { ItemParameters } from '../operations/types';
import { groupBy, nameOf, readSubscribers } from '../subscriber/customerId';
import { subscribers as kind } from '../subscriber/kind';
import { lookUp } from '../subscriber/requests';
import { apply } from './apply';
import { NewMembers } from './newMembers';
import { knownSubscriber, type Known, type Member } from './people';
import { FEW, HOUR_MS, makePlan, whyRefused } from './plan';
import { report, type SyncResult } from './report';
import { decideOpen, keep, REASONS, type AccessDecision, type Reason } from './rules';
import { readPerson, readSettings, SETTINGS, type SyncSettings } from './settings';

const MINUTE_MS = 60_000;

/** A Sync that waited longer than this for another Sync closes nothing. */
const OLD_BEFORE_MS = 5 * MINUTE_MS;

/** After this time, Sync closes no more feeds. The next run does the rest, with a new list. */
const OLD_MS = 10 * MINUTE_MS;

export interface SyncTools {
	client: SupercastClient;
	settings: SyncSettings;
	badItems: number;
	/** In milliseconds since 1970. */
	now: () => number;
	/** When the node received the list, by `now`. */
	receivedAt: number;
	/** Whether another branch of the workflow may bring more members to this node. */
	mayGetMore: boolean;
	/** Several at a time. Stops at the first error. */
	forEach: <T>(things: readonly T[], work: (thing: T) => Promise<void>) => Promise<void>;
	isStopped: () => boolean;
}

/** A run of Sync: collects the members on the list, checks the list, and makes Supercast match it. */
export class Sync {
	private readonly members: Member[] = [];

	/** The settings of the items, which must all be the same, and an item that has them. */
	private readonly settings = new Map<string, ItemParameters>();

	/** Throws InputError if the item is not a member. */
	add(index: number, item: ItemParameters, { error }: IDataObject): void {
		// Even an invalid row can show that the settings differ.
		this.settings.set(JSON.stringify(SETTINGS.map((name) => item.parameter(name))), item);
		// An item that failed in an earlier node may still contain a member's email.
		if (error !== undefined && error !== null && error !== '' && error !== false) {
			throw new InputError(
				'The item reports that an earlier node failed, so it is not a member',
				'Fix the earlier node, and connect only its success output to Sync.',
			);
		}
		const member = readPerson(item, 'Sync');
		if (member.email === '' && member.customerIds.length === 0) requireEmail('', 'Email');
		this.members.push({ ...member, items: [index] });
	}

	/** Reads the settings, and checks the list as a whole. Throws InputError if one is invalid. */
	check(): SyncSettings {
		if (this.settings.size > 1) {
			throw new InputError(
				'The settings of Sync are not the same for all items',
				"Only 'Email', 'Customer ID' and 'Additional Fields' may differ between items. In the other settings, don't use expressions that read the item.",
			);
		}
		const { members } = this;
		const [item] = this.settings.values();
		if (members.length === 0) {
			throw new InputError(
				'The list has no valid members',
				"Check the node that reads the list. An empty list would close everyone's feeds.",
			);
		}
		const settings = readSettings(item!);
		const prefix = settings.customerIdPrefix;
		const ids = members.flatMap(({ customerIds }) => customerIds);
		const others = ids.filter((id) => !id.startsWith(prefix));
		if (others.length > 0) {
			throw new InputError(
				`${others.length} of ${ids.length} customer IDs on the list do not begin with "${prefix}", for example "${others[0]}"`,
				"Put the prefix in front of every ID in the node before Sync, or correct 'Customer ID Prefix'.",
			);
		}
		for (const [email, rows] of groupBy(members, (one) => nameKey(one.email))) {
			const { size } = new Set(rows.map(({ customerIds, items }) => customerIds[0] ?? items[0]));
			if (size < FEW || size <= members.length / 2) continue;
			throw new InputError(
				`Most items name the same member: ${size} of ${members.length} have the email "${email}"`,
				"Check 'Email'. It must be an expression that reads the email of each item.",
			);
		}
		return settings;
	}

	/** @throws ServiceError or InputError if it fails before the first change. */
	async run(tools: SyncTools): Promise<SyncResult> {
		const { members } = this;
		const { client, settings, now, receivedAt } = tools;
		const isOld = now() - receivedAt > OLD_BEFORE_MS;
		let time = now();
		const request: SupercastClient['request'] = async (given) => {
			const response = await client.request(given);
			time = Date.parse(textOf(response.headers.date)) || now();
			return response;
		};
		const { customerIds } = client;
		const inTurn: SupercastClient['inTurn'] = async (...given) => await client.inTurn(...given);
		const timed = { customerIds, inTurn, request };
		const list = await readSubscribers(timed, kind, knownSubscriber);
		const { taken: subscribers, isComplete } = list;
		let reason: Reason | undefined;
		if (tools.badItems > 0) reason = 'badItems';
		else if (!isComplete) reason = 'incomplete';
		else if (tools.mayGetMore) reason = 'branches';
		else if (isOld) reason = 'tooOld';
		const plan = makePlan(members, subscribers, settings, time, reason);
		const exceeded = whyRefused(plan, settings);
		if (exceeded !== undefined && !settings.dryRun) throw exceeded;
		const prefix = settings.customerIdPrefix;
		const outside = members.filter(({ customerIds }) => customerIds.length === 0).length;
		const skewMs = Math.abs(now() - time);
		const merge = ' Add a Merge node before Sync, so that Sync receives all items together.';
		const advice = reason === 'branches' ? merge : '';
		const warnings = [
			reason === undefined ? '' : `Sync closes no feeds in this run (${REASONS[reason]}).${advice}`,
			prefix === '' || outside === 0
				? ''
				: `Members on the list without a customer ID that begins with "${prefix}": ${outside}. Sync will not close their feeds when they leave.`,
			skewMs < HOUR_MS
				? ''
				: `The clock of your n8n server differs from Supercast's by ${Math.round(skewMs / HOUR_MS)} hours. Sync uses Supercast's time.`,
		];
		const { decisions } = plan;
		const outcomes = settings.dryRun
			? decisions
			: await performAll(decisions, tools, new NewMembers(client, list));
		return report(outcomes, { ...plan, exceeded }, settings, warnings);
	}
}

const PHASES = ['moved', 'created', 'reopened', 'updated', 'closed'] as const;

/** If one of these has changed since the list was read, the feed stays open. */
const COMPARED = ['state', 'email', 'customerId', 'hasPlan', 'updatedAt'] as const;

/**
 * Changes emails first, and closes feeds last, so that a run that ends early leaves feeds open. A
 * failure for one person does not affect the others. But a failed creation prevents closings: the
 * new member may be an old one whose email has changed.
 */
async function performAll(
	decisions: AccessDecision[],
	{ client, settings, now, receivedAt, isStopped, forEach }: SyncTools,
	newMembers: NewMembers,
): Promise<AccessDecision[]> {
	const outcomes = [...decisions];
	let hasCreationFailed = false;
	const perform = async (decision: AccessDecision): Promise<AccessDecision> => {
		const { action, member, subscriber } = decision;
		const decide = (fresh: Known): AccessDecision => {
			if (action !== 'closed') return decideOpen({ ...decision, subscriber: fresh }, settings);
			const isSame = COMPARED.every((key) => subscriber![key] === fresh[key]);
			return isSame ? decision : keep({ ...decision, subscriber: fresh }, 'changedSince');
		};
		if (action === 'updated') return await apply(client, decision, decide);
		if (action === 'closed') {
			if (hasCreationFailed) return keep(decision, 'creationFailed');
			if (now() - receivedAt > OLD_MS) return keep(decision, 'tooOld');
			return await apply(client, decision, decide);
		}
		const find = lookUp(subscriber === undefined ? member!.email : nameOf(subscriber));
		return await client.inTurn(find, async () => {
			const isNew = subscriber === undefined;
			const found = isNew ? await newMembers.find(find) : await findRecord(client, find);
			const latest = found === undefined ? decision : decide(knownSubscriber(found));
			if (found === undefined && action === 'reopened') return keep(decision, 'goneSince');
			const outcome = await apply(client, latest, decide);
			if (outcome.action === 'created') newMembers.noteCreated();
			return outcome;
		});
	};
	const phases = groupBy([...decisions.entries()], ([, { action, write }]) =>
		action !== 'created' && 'email' in write ? 'moved' : action,
	);
	for (const phase of PHASES) {
		const work = async ([index, decision]: [number, AccessDecision]): Promise<void> => {
			outcomes[index] = await perform(decision).catch((error: unknown) => {
				if (isStopped() || !(error instanceof Error)) throw error;
				hasCreationFailed ||= phase === 'created';
				return { ...decision, error };
			});
		};
		const things = phases.get(phase) ?? [];
		if (phase !== 'created') await forEach(things, work);
		else await newMembers.inParts(things, async (part) => await forEach(part, work));
	}
	return outcomes;
}
