import type { IDataObject } from 'n8n-workflow';

import { detect, type PollInput } from '../../../nodes/Supercast/trigger/detect';
import {
	EVENTS,
	keptFields,
	TimeIsUpError,
	type Change,
} from '../../../nodes/Supercast/trigger/events';
import { StateStore, UNSURE_MS, type Session } from '../../../nodes/Supercast/trigger/state';
import { SimulatedList } from './simulatedList';
import type { Announcement, Edit, PollStep, Setup, Step } from './steps';

/** n8n with one trigger, and a simulated Supercast. */
export class TriggerModel {
	readonly announced: Announcement[] = [];

	/** IDs that may be announced again, since a crash or a restart came in between. */
	readonly excused = new Set<string>();

	now = 1_700_000_000_000;

	list: SimulatedList;

	private readonly channels: SimulatedList[];

	private source = 'A0';

	private disk = '{}';

	private staticData: IDataObject = {};

	private processStartedAt = this.now - 60_000;

	/** What the current process knows. */
	private session: Session = {};

	private emissions: Array<{ ids: string[]; at: number }> = [];

	constructor(readonly setup: Setup) {
		this.channels = [0, 1].map(() => new SimulatedList(setup.habits, setup.ids));
		this.list = this.channels[0]!;
		// Other ids than those of the first channel.
		this.channels[1]!.create(500, this.now);
		this.channels[1]!.records.splice(0, 500 - (setup.existing % 500));
		this.list.create(setup.existing, this.now - 86_400_000, { state: 'available' });
		this.startProcess();
	}

	get ids(): string[] {
		return this.list.records.map(({ id }) => String(id));
	}

	/** What n8n has saved about the trigger. */
	get stored(): { known: string } {
		const all = JSON.parse(this.disk) as { supercastTrigger: Record<string, { known: string }> };
		return all.supercastTrigger[this.setup.event]!;
	}

	/** The poll after publishing. n8n saves the state after it, and does not publish if it fails. */
	async activate(step: Omit<PollStep, 'kind' | 'end'> = { during: [] }): Promise<boolean> {
		this.staticData = JSON.parse(this.disk) as IDataObject;
		const isDone = await this.poll({ ...step, kind: 'poll', end: 'saved' });
		if (isDone) this.save();
		return isDone;
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
			case 'restart':
				this.restart(step.afterMs);
				return await this.activate();
			case 'access':
				this.source = `${step.credential}${step.channel}`;
				this.list = this.channels[step.channel]!;
				return await this.activate();
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

	private async poll(step: PollStep): Promise<boolean> {
		this.now += 60_000;
		if (this.setup.isDurable) this.staticData = JSON.parse(this.disk) as IDataObject;
		this.disturb(step);
		try {
			const changes = await detect(this.input()).finally(() => {
				this.list.beforePage = () => undefined;
			});
			const hasCrashed = changes.length > 0 && this.emit(changes, step.end);
			// A process manager starts n8n again, which publishes the workflow.
			return !hasCrashed || (await this.activate());
		} catch (error) {
			const { message } = error as Error;
			if (message !== 'failed page' && message !== 'time is up') throw error;
			return false;
		}
	}

	private input(): PollInput {
		const { event, includeExisting, states, most } = this.setup;
		const watch = EVENTS[event]({ states, email: '', now: this.now });
		const clock = { now: () => this.now, processStartedAt: this.processStartedAt };
		return {
			watch: { ...watch, most },
			fetchPage: this.list.fetchPage,
			checkGone: async (missing) =>
				new Map([...missing].map(([hash, note]) => [hash, !this.has(note)])),
			store: new StateStore(this.staticData, event, this.session, clock),
			source: this.source,
			includeExisting,
			clock,
		};
	}

	private has(note: string): boolean {
		return this.list.records.some(({ uuid }) => uuid === keptFields(note).uuid);
	}

	private disturb({ during, failAt, timeUpAt }: PollStep): void {
		const { list } = this;
		const before = list.requests;
		list.beforePage = (requests) => {
			const request = requests - before;
			if (request === failAt) throw new Error('failed page');
			if (timeUpAt !== undefined && request >= timeUpAt) throw new TimeIsUpError('time is up', '');
			for (const { edit } of during.filter((one) => one.request === request)) this.edit(edit);
		};
	}

	/** Returns whether n8n has crashed. */
	private emit(changes: Change[], end: PollStep['end']): boolean {
		const found = changes.map((change) => this.announcementOf(change));
		if (end === 'dropped') {
			this.staticData = JSON.parse(this.disk) as IDataObject;
			return false;
		}
		if (end !== 'crash before execution') this.announced.push(...found);
		this.emissions.push({ ids: found.map(({ id }) => id), at: this.now });
		if (end !== 'crash before save') this.save();
		if (end === 'saved') return false;
		// News that was saved in vain is announced again, and so is news that was not saved.
		for (const { id } of found) this.excused.add(id);
		this.restart(500);
		return true;
	}

	private announcementOf({ record, before }: Change): Announcement {
		if (record === undefined) return { id: String(keptFields(before ?? '').uuid).slice(2) };
		const event = EVENTS[this.setup.event]({ states: [], email: '', now: this.now });
		const { previousState } = event.fieldsOf({
			record,
			...(before === undefined ? {} : { before }),
		});
		return {
			id: String(record.id),
			state: String(record.state),
			isEarly: !(Date.parse(String(record.published_at)) <= this.now),
			...(previousState === undefined ? {} : { before: String(previousState) }),
		};
	}

	private save(): void {
		this.disk = JSON.stringify(this.staticData);
	}

	private restart(afterMs: number): void {
		this.now += afterMs;
		for (const { ids, at } of this.emissions) {
			if (this.now - at < UNSURE_MS) for (const id of ids) this.excused.add(id);
		}
		this.startProcess();
	}

	private startProcess(): void {
		this.processStartedAt = this.now;
		this.session = {};
	}
}
