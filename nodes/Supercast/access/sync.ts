/** Makes the subscribers match a list of members. */

import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { textOf } from '../api/json';
import { findRecord } from '../api/records';
import { readList } from '../operations/lists';
import { subscribers as kind } from '../subscriber/kind';
import { lookUp } from '../subscriber/requests';
import { adopt, carryOut, nameOf, type Carrying } from './carryOut';
import { knownSubscriber, type Known, type Member } from './people';
import { makePlan, type KnownChannel } from './plan';
import { report, type SyncOutcome, type SyncResult } from './report';
import { decideOpen, keep, REASONS, type AccessDecision, type Reason } from './rules';
import type { SyncSettings } from './settings';

const MINUTE_MS = 60_000;

/** A list that waited longer than this for another Sync closes nothing. */
const OLD_BEFORE_MS = 5 * MINUTE_MS;

/** Closings that have not begun after this time are left to the next run, with a new list. */
const OLD_MS = 10 * MINUTE_MS;

/** Beyond this difference, the clock of the server is worth a warning. */
const WRONG_CLOCK_MS = 60 * MINUTE_MS;

/** What a run needs. */
export interface SyncTools {
	client: SupercastClient;
	/** The current time in milliseconds since 1970. */
	now: () => number;
	/** When the node received the list, by `now`. */
	receivedAt: number;
	/** Whether another branch of the workflow may bring more members to this node. */
	mayGetMore: boolean;
	/** Runs `work` for each value, several at a time. Stops at the first error. */
	forEach<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void>;
	/** Whether someone has stopped the execution. */
	isStopped(): boolean;
}

/** One run of Sync, for a list that has been read and checked. */
export class Sync {
	private readonly fieldNames: ReadonlySet<string>;

	constructor(
		private readonly members: readonly Member[],
		readonly settings: SyncSettings,
		private readonly badItems: number,
	) {
		this.fieldNames = new Set(members.flatMap(({ fields }) => Object.keys(fields)));
	}

	/** @throws ServiceError or InputError if it fails before the first change. */
	async run(tools: SyncTools): Promise<SyncResult> {
		const { members, settings } = this;
		const isOld = tools.now() - tools.receivedAt > OLD_BEFORE_MS;
		const channel = await this.read(tools);
		const reasons: Array<[boolean, Reason]> = [
			[this.badItems > 0, 'badItems'],
			[!channel.isComplete, 'incomplete'],
			[tools.mayGetMore, 'branches'],
			[isOld, 'tooOld'],
		];
		const noClosingReason = reasons.find(([applies]) => applies)?.[1];
		const plan = makePlan(members, channel, settings, noClosingReason);
		if (plan.exceeded !== undefined && !settings.dryRun) throw plan.exceeded;
		const outcomes = plan.decisions.map((decision): SyncOutcome => ({ decision }));
		if (!settings.dryRun) await this.performAll(outcomes, tools);
		const warnings = [
			noClosingNote(noClosingReason),
			this.prefixNote(),
			clockNote(tools.now(), channel.now),
		];
		return report({ outcomes, plan, settings, warnings });
	}

	/** Reads all subscribers, and the time from Supercast's `Date` header. */
	private async read({ client, now }: SyncTools): Promise<KnownChannel> {
		let serverTime = Number.NaN;
		const noting: SupercastClient = {
			...client,
			request: async (request) => {
				const response = await client.request(request);
				serverTime = Date.parse(textOf(response.headers.date));
				return response;
			},
		};
		const { taken: subscribers, isComplete } = await readList(noting, kind, {
			take: this.known,
			mustBeSteady: true,
		});
		return { subscribers, isComplete, now: Number.isNaN(serverTime) ? now() : serverTime };
	}

	/**
	 * Carries out a plan: changed emails first, then creations, reopenings and updates, and closings
	 * last. So a run that ends early leaves feeds open rather than closed. A failure for one person
	 * does not affect the others, but nobody is closed after a creation failed: a member who changed
	 * the email may be the one who could not be created.
	 */
	private async performAll(outcomes: readonly SyncOutcome[], tools: SyncTools): Promise<void> {
		// Choose the phases first, because a creation may turn into another action.
		const due = PHASES.map((phase) =>
			outcomes.filter(({ decision }) => phaseOf(decision) === phase),
		);
		for (const [index, some] of due.entries()) {
			const hasFailed = PHASES[index] === 'closed' && due[1]!.some(({ error }) => error);
			await tools.forEach(some, async (outcome) => {
				const { decision } = outcome;
				const performed = hasFailed
					? Promise.resolve(keep(decision, 'creationFailed'))
					: this.perform(decision, tools);
				outcome.decision = await performed.catch((error: unknown) => {
					if (tools.isStopped() || !(error instanceof Error)) throw error;
					outcome.error = error;
					return decision;
				});
			});
		}
	}

	private async perform(decision: AccessDecision, tools: SyncTools): Promise<AccessDecision> {
		const { client } = tools;
		const { settings, known } = this;
		const { action, member, subscriber } = decision;
		const decide = (fresh: Known): AccessDecision =>
			decideOpen({ ...decision, subscriber: fresh }, settings)[0]!;
		const carrying: Carrying = { client, known, decide };
		if (action === 'updated') return (await carryOut(decision, carrying)).decision;
		if (action !== 'closed') {
			const find = lookUp(subscriber === undefined ? (member?.email ?? '') : nameOf(subscriber));
			return await client.inTurn(find, async () => {
				const found = await findRecord(client, find);
				if (found !== undefined) return (await adopt(found, carrying)).decision;
				if (action === 'reopened') return keep(decision, 'goneSince');
				return (await carryOut(decision, carrying)).decision;
			});
		}
		if (tools.now() - tools.receivedAt > OLD_MS) return keep(decision, 'tooOld');
		const unlessChanged = (fresh: Known): AccessDecision =>
			isSame(subscriber!, fresh)
				? decision
				: keep({ ...decision, subscriber: fresh }, 'changedSince');
		return (await carryOut(decision, { ...carrying, decide: unlessChanged })).decision;
	}

	private readonly known = (record: IDataObject): Known => knownSubscriber(record, this.fieldNames);

	/** Warns about members without an ID, because Sync with a prefix could never close their feeds. */
	private prefixNote(): string {
		const { customerIdPrefix } = this.settings;
		const outside = this.members.filter(({ customerIds }) => customerIds.length === 0);
		if (customerIdPrefix === '' || outside.length === 0) return '';
		return `Members on the list without a customer ID that begins with "${customerIdPrefix}": ${outside.length}. Sync will not close their feeds when they leave.`;
	}
}

const PHASES = ['moved', 'created', 'reopened', 'updated', 'closed'];

function phaseOf({ action, write }: AccessDecision): string {
	return action !== 'created' && 'email' in write ? 'moved' : action;
}

function noClosingNote(reason: Reason | undefined): string {
	if (reason === undefined) return '';
	const advice =
		reason === 'branches'
			? ' Add a Merge node before Sync, so that Sync receives all items together.'
			: '';
	return `Sync closes no feeds in this run (${REASONS[reason]}).${advice}`;
}

function clockNote(here: number, there: number): string {
	const hours = Math.round(Math.abs(here - there) / (60 * MINUTE_MS));
	if (Math.abs(here - there) < WRONG_CLOCK_MS) return '';
	return `The clock of your n8n server differs from Supercast's by ${hours} hours. Sync uses Supercast's time.`;
}

function isSame(before: Known, now: Known): boolean {
	const compared = ['state', 'email', 'customerId', 'hasPlan', 'updatedAt'] as const;
	return compared.every((key) => before[key] === now[key]);
}
