import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../../api/json';
import { findRecord, requestChange, showsWhatWasSent } from '../../../api/records';
import { recordSubject } from '../../../operations/recordKind';
import type { ListTools } from '../../../operations/types';
import { creation, findTaken, lookUp } from '../creation';
import { feedSubject, setFeedState, type FeedState } from '../feedState';
import { subscribers as kind } from '../subscriber';
import { decideListed } from './planner';
import { REASONS } from './reasons';
import { knownSubscriber } from './subscribers';
import type { SyncDecision, KnownSubscriber, SyncSettings } from './types';

/** The result of a decision. */
export interface SyncOutcome {
	/**
	 * The decision as it was carried out. It differs from the plan if subscribers were added,
	 * changed or deleted in the meantime.
	 */
	decision: SyncDecision;
	/** Why the decision was not carried out, or was carried out only in part. */
	error?: Error;
}

/** What is needed to carry out the plan. */
export interface PerformInput {
	tools: ListTools;
	settings: SyncSettings;
	fieldNames: ReadonlySet<string>;
}

/**
 * Carries out a plan: changed emails first, then creations, reopenings and updates, and closings
 * last. So a run that ends early leaves feeds open rather than closed. A failure for one person
 * does not affect the others.
 *
 * @returns One outcome for each decision, in the same order.
 * @throws ServiceError only if the execution was stopped.
 */
export async function perform(
	decisions: readonly SyncDecision[],
	input: PerformInput,
): Promise<SyncOutcome[]> {
	const jobs = decisions.map((decision) => new Job(decision, input));
	const phases: Array<[(job: Job) => boolean, (job: Job) => Promise<void>]> = [
		[(job) => job.movesEmail, async (job) => await job.writeFields()],
		[({ decision }) => decision.action === 'created', async (job) => await job.create()],
		[({ decision }) => decision.action === 'reopened', async (job) => await job.reopen()],
		[(job) => job.hasFields && !job.movesEmail, async (job) => await job.writeFields()],
		[({ decision }) => decision.action === 'closed', async (job) => await job.close()],
	];
	// Sort the jobs into phases first, because a creation may turn into another action.
	const steps = phases.map(([belongs, step]) => ({ due: jobs.filter(belongs), step }));
	for (const { due, step } of steps) {
		await input.tools.forEach(due, async (job) => await job.attempt(step));
	}
	return jobs.map(({ decision, error }) => ({
		decision,
		...(error === undefined ? {} : { error }),
	}));
}

/** The work for one decision. */
class Job {
	error?: Error;

	/** The subscriber's name in paths. An email is valid only until it changes. */
	private name: string;

	constructor(
		public decision: SyncDecision,
		private readonly input: PerformInput,
	) {
		this.name = nameOf(decision.subscriber);
	}

	/** Whether there are fields to write for an existing subscriber. */
	get hasFields(): boolean {
		const { action, write } = this.decision;
		return (action === 'reopened' || action === 'updated') && Object.keys(write).length > 0;
	}

	get movesEmail(): boolean {
		return this.hasFields && 'email' in this.decision.write;
	}

	async attempt(step: (job: Job) => Promise<void>): Promise<void> {
		await step(this).catch((error: unknown) => {
			if (this.input.tools.isStopped() || !(error instanceof Error)) throw error;
			this.error ??= error;
		});
	}

	async writeFields(): Promise<void> {
		const { write } = this.decision;
		await requestChange(this.client, {
			method: 'PATCH',
			path: [kind.path, this.name],
			body: { [kind.wrapper]: write },
			subject: recordSubject(kind, this.label),
		});
		const { email } = write;
		if (this.decision.subscriber?.uuid === '' && typeof email === 'string') this.name = email;
	}

	async reopen(): Promise<void> {
		await this.setFeed('available', 'opening');
	}

	/** Creates a subscriber, unless the subscriber already exists. */
	async create(): Promise<void> {
		const email = this.decision.member?.email ?? '';
		await this.client.inTurn(lookUp(email), async () => {
			const found = await findRecord(this.client, lookUp(email));
			if (found !== undefined) return await this.take(found);
			await this.post(email).catch(async (error: unknown) => {
				const taken = await findTaken(this.client, email, error);
				if (taken === undefined) throw error;
				await this.take(taken);
			});
		});
	}

	/** Closes a subscriber's feeds, unless the subscriber has changed since the plan was made. */
	async close(): Promise<void> {
		const { subscriber } = this.decision;
		const record = await findRecord(this.client, lookUp(this.name));
		if (record === undefined) return this.keep(REASONS.goneSince);
		const isAsBefore = subscriber !== undefined && isSame(subscriber, this.known(record));
		if (!isAsBefore) return this.keep(REASONS.changedSince);
		await this.setFeed('inactive', 'closing');
	}

	private async post(email: string): Promise<void> {
		const request = creation(email, this.decision.write);
		const { body, wasLookedUp } = await this.client.request(request);
		// It is not documented whether Supercast responds to a create request with the record.
		if (!isRecord(body)) return;
		// The response was lost, and someone else may have created the subscriber in the meantime.
		if (wasLookedUp === true && !showsWhatWasSent(body, request)) return await this.take(body);
		this.decision = { ...this.decision, subscriber: this.known(body) };
	}

	/** Continues with a subscriber whom someone else has created. */
	private async take(record: IDataObject): Promise<void> {
		const { member } = this.decision;
		if (member === undefined) return;
		const subscriber = this.known(record);
		this.decision = decideListed(member, subscriber, this.input.settings);
		this.name = nameOf(subscriber);
		if (this.decision.action === 'reopened') await this.reopen();
		if (this.hasFields) await this.writeFields();
	}

	private async setFeed(state: FeedState, verb: string): Promise<void> {
		await setFeedState(this.client, this.name, state, feedSubject(this.label, { verb }));
	}

	private keep(reason: string): void {
		this.decision = { ...this.decision, action: 'kept', reason };
	}

	private known(record: IDataObject): KnownSubscriber {
		return knownSubscriber(record, this.input.fieldNames);
	}

	private get client(): ListTools['client'] {
		return this.input.tools.client;
	}

	/** The email, for error messages, because users know subscribers by email. */
	private get label(): string {
		const { subscriber, member } = this.decision;
		return subscriber?.email || member?.email || this.name;
	}
}

function nameOf(subscriber: KnownSubscriber | undefined): string {
	if (subscriber === undefined) return '';
	return subscriber.uuid === '' ? subscriber.email : subscriber.uuid;
}

function isSame(before: KnownSubscriber, now: KnownSubscriber): boolean {
	const compared = ['state', 'email', 'customerId', 'hasPlan', 'updatedAt'] as const;
	return compared.every((key) => before[key] === now[key]);
}
