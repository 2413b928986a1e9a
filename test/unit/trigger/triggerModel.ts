import type { IDataObject } from 'n8n-workflow';

import { ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import { detect, type PollInput } from '../../../nodes/Supercast/trigger/detect';
import type { Change, EventKind } from '../../../nodes/Supercast/trigger/eventKind';
import { EVENTS, keptFields } from '../../../nodes/Supercast/trigger/events';
import { StateStore, UNSURE_MS, type Session } from '../../../nodes/Supercast/trigger/state';
import { ModelledTrigger } from './modelledTrigger';
import { SimulatedList } from '../../doubles/simulatedList';
import type { Announcement, Edit, PollStep, Setup, Step } from './steps';

/** n8n with a workflow, and a simulated Supercast. */
export class TriggerModel {
	readonly triggers: ModelledTrigger[];

	now = 1_700_000_000_000;

	list: SimulatedList;

	/** Whether the last poll stopped because no known record is left. */
	isStopped = false;

	/** How often Supercast returned records that were gone. */
	readonly stale = new Map<string, number>();

	private readonly channels: SimulatedList[];

	private source = 'A0';

	private aheadMs = 0;

	private disk = '{}';

	/** The cursors that n8n has saved, by trigger. */
	private cursors: Record<string, string> = {};

	private staticData: IDataObject = {};

	private processStartedAt = this.now - 60_000;

	/** Whether the time of the current poll is up. */
	private time = new AbortController();

	/** What the current process knows. */
	private readonly sessions = new Map<string, Session>();

	constructor(readonly setup: Setup) {
		this.channels = [0, 1].map(() => new SimulatedList(setup.habits, setup.ids));
		this.list = this.channels[0]!;
		// Other ids than those of the first channel.
		this.channels[1]!.create(500, this.now);
		this.channels[1]!.records.splice(0, 500 - (setup.existing % 500));
		this.list.create(setup.existing, this.now - 86_400_000, { state: 'available' });
		const numbers = Array.from({ length: setup.triggers }, (_, index) => index);
		this.triggers = numbers.map((number) => new ModelledTrigger(`${setup.event} ${number}`));
		this.startProcess();
	}

	/** What the first trigger has announced. */
	get announced(): Announcement[] {
		return this.triggers[0]!.announced;
	}

	get ids(): string[] {
		return this.list.records.map(({ id }) => String(id));
	}

	/** The clock of n8n. */
	get clock(): number {
		return this.now + this.aheadMs;
	}

	/** What n8n has saved about the first trigger. */
	get stored(): { known: string } {
		const all = JSON.parse(this.disk) as { supercastTrigger: Record<string, { known: string }> };
		return all.supercastTrigger[this.triggers[0]!.name]!;
	}

	/** The poll after publishing. n8n saves the state after it, and does not publish if it fails. */
	async activate(step: Omit<PollStep, 'kind' | 'end'> = { during: [] }): Promise<boolean> {
		this.staticData = JSON.parse(this.disk) as IDataObject;
		return await this.poll({ ...step, kind: 'poll', end: 'saved' }, true);
	}

	/** Returns whether it succeeded. */
	async happen(step: Step): Promise<boolean> {
		switch (step.kind) {
			case 'habits':
				Object.assign(this.channels[0]!.habits, step.habits);
				Object.assign(this.channels[1]!.habits, step.habits);
				return true;
			case 'wait':
				this.now += step.ms;
				return true;
			case 'clock':
				this.aheadMs = step.aheadMs;
				return true;
			case 'restart':
				this.restart(step.afterMs);
				return await this.activate();
			case 'access':
				this.source = `${step.credential}${step.channel}`;
				this.list = this.channels[step.channel]!;
				return await this.activate();
			case 'swap':
				this.list = this.channels[step.channel]!;
				return true;
			case 'poll':
				return await this.poll(step);
			default:
				this.edit(step);
				return true;
		}
	}

	private edit(edit: Edit): void {
		const { list, now } = this;
		if (edit.kind === 'create') {
			const { outInMs, state } = edit;
			const out =
				outInMs === undefined ? {} : { published_at: new Date(now + outInMs).toISOString() };
			list.create(edit.count, now - edit.backMs, { state, ...out });
			return;
		}
		const record = list.at(edit.share);
		if (record === undefined) return;
		if (edit.kind === 'remove') list.remove(record);
		if (edit.kind === 'state') list.change(record, now, { state: edit.state });
		if (edit.kind === 'publish') {
			list.change(record, now, { published_at: new Date(now + edit.outInMs).toISOString() });
		}
	}

	/** All triggers poll at the same time. */
	private async poll(step: PollStep, isActivation = false): Promise<boolean> {
		this.now += 60_000;
		this.disturb(step);
		const isInMemory = isActivation || this.setup.memory === 'process';
		const polls = this.triggers.map((trigger) => ({
			trigger,
			// An activation runs all polls with the same data.
			workflow: isInMemory ? this.staticData : parsed(this.disk),
			cursor: parsed(this.cursors[trigger.name]),
			changes: [] as Change[],
			isDone: true,
		}));
		this.isStopped = false;
		await Promise.all(
			polls.map(async (poll) => {
				poll.changes = await detect(this.input(poll, step)).catch((error: unknown) => {
					this.note(error as Error);
					poll.isDone = false;
					return [];
				});
			}),
		);
		this.list.beforePage = () => undefined;
		const hasNews = polls.some(({ changes }) => changes.length > 0);
		const end = hasNews ? step.end : 'saved';
		for (const { trigger, workflow, cursor, changes, isDone } of polls) {
			if (changes.length > 0) trigger.emit(changes, end, this);
			const isSaved = changes.length > 0 || (isActivation && isDone);
			const isLost = end === 'dropped' || end === 'crash before save';
			if (isSaved && !isLost) this.disk = JSON.stringify(workflow);
			// A cursor and an execution are saved together, and a cursor alone after a poll without
			// items.
			const isCommitted = changes.length > 0 ? end === 'saved' : isDone && !isActivation;
			if (isCommitted) this.cursors[trigger.name] = JSON.stringify(cursor);
		}
		if (end === 'dropped') this.staticData = parsed(this.disk);
		const isDone = polls.every((one) => one.isDone);
		if (end === 'saved' || end === 'dropped') return isDone;
		// A process manager starts n8n again, which publishes the workflow.
		this.restart(500);
		return (await this.activate()) && isDone;
	}

	private note(error: Error): void {
		this.isStopped ||= error.message.startsWith('None of the ');
		const usual = ['failed page', 'time is up', 'failed look-up'];
		if (!this.isStopped && !usual.includes(error.message)) throw error;
	}

	private input(
		{ trigger, ...data }: { trigger: ModelledTrigger; workflow: IDataObject; cursor: IDataObject },
		{ lookUps }: PollStep,
	): PollInput {
		const { includeExisting, memory } = this.setup;
		const { workflow, cursor } = data;
		const places = memory === 'cursors' ? { workflow, cursor } : { workflow };
		const clock = { now: () => this.clock, processStartedAt: this.processStartedAt };
		return {
			eventKind: this.eventKind(),
			fetchPage: this.list.fetchPage,
			isGone: async (fingerprint) => {
				if (lookUps === 'fail') throw new ServiceError('failed look-up', '', failure);
				const id = String(keptFields(fingerprint).uuid);
				const isGone = !this.list.records.some(({ uuid }) => uuid === id);
				if (lookUps !== 'stale' || !isGone) return isGone;
				this.stale.set(id, (this.stale.get(id) ?? 0) + 1);
				return false;
			},
			signal: this.time.signal,
			store: new StateStore(places, trigger.name, this.sessions, clock),
			source: this.source,
			includeExisting,
			clock,
		};
	}

	/** What the triggers watch now. */
	eventKind(): EventKind {
		const { event, states, most } = this.setup;
		return { ...EVENTS[event]({ states, email: '', now: this.clock }), maxRecords: most };
	}

	private disturb({ during, failAt, timeUpAt }: PollStep): void {
		const { list } = this;
		const before = list.requests;
		this.time = new AbortController();
		list.beforePage = (requests) => {
			const request = requests - before;
			if (request === failAt) throw new Error('failed page');
			if (timeUpAt !== undefined && request >= timeUpAt) this.time.abort();
			if (this.time.signal.aborted) throw new ServiceError('time is up', '', failure);
			for (const { edit } of during.filter((one) => one.request === request)) this.edit(edit);
		};
	}

	private restart(afterMs: number): void {
		this.now += afterMs;
		for (const trigger of this.triggers) trigger.excuseSince(this.clock - UNSURE_MS);
		this.startProcess();
	}

	private startProcess(): void {
		this.processStartedAt = this.clock;
		this.sessions.clear();
	}
}

const failure = { kind: 'status', status: 500 } as never;

function parsed(text = '{}'): IDataObject {
	return JSON.parse(text) as IDataObject;
}
