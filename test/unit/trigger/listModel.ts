import { detect } from '../../../nodes/Supercast/trigger/detect';
import { UNSURE_MS, type Memory } from '../../../nodes/Supercast/trigger/memory';
import { ListTooLongError } from '../../../nodes/Supercast/trigger/reading';
import { ListService, type Habits } from './simulatedList';

/** What can happen, in any sequence. Shares are from 0 to 1. */
export type Happening =
	| { kind: 'raise'; count: number }
	| { kind: 'dismiss'; share: number }
	| { kind: 'habits'; habits: Habits }
	| { kind: 'wait'; ms: number }
	| { kind: 'poll'; meanwhile: Meanwhile[]; failAt?: number; end: PollEnd }
	| { kind: 'restart'; afterMs: number };

/** A change of the list right before the answer to a request of a poll. */
export interface Meanwhile {
	request: number;
	raise: number;
	dismiss?: number;
}

/**
 * How a poll with news ends: normally, or with a crash before n8n saved the memory (the execution
 * exists), or with a crash after that and before n8n created the execution.
 */
export type PollEnd = 'saved' | 'crash before save' | 'crash before execution';

/** n8n and a service, with a simple account of what should have been announced. */
export class World {
	readonly service: ListService;

	/** How often each id reached an execution. */
	readonly announced = new Map<string, number>();

	/** Ids that a crash may have doubled. */
	readonly excused = new Set<string>();

	/** Whether the last poll said that the list is too long. */
	isBlind = false;

	/** Ids that came, or were skipped, while the workflow became active. */
	private readonly either = new Set<string>();

	private readonly existing = new Set<string>();

	private memory: Memory | undefined;

	/** What n8n's database holds. */
	private saved: string | undefined;

	private now = 1_700_000_000_000;

	private processStartedAt = this.now - 60_000;

	private readonly emissions: Array<{ ids: string[]; at: number }> = [];

	constructor(
		setup: { habits: Habits; ids: 'number' | 'uuid'; dated: boolean; existing: number },
		private readonly options: { includeExisting: boolean; most: number },
	) {
		this.service = new ListService(setup.habits, setup.ids, setup.dated);
		for (const id of this.service.raise(setup.existing, this.now)) this.existing.add(id);
	}

	/** Activation polls once, and n8n saves the memory after it. */
	async activate(): Promise<void> {
		await this.poll({ kind: 'poll', meanwhile: [], end: 'saved' });
		this.save();
	}

	async happen(event: Happening): Promise<void> {
		if (event.kind === 'raise') this.service.raise(event.count, this.now);
		if (event.kind === 'dismiss') this.service.dismiss(event.share);
		if (event.kind === 'habits') Object.assign(this.service.habits, event.habits);
		if (event.kind === 'wait') this.now += event.ms;
		if (event.kind === 'restart') this.restart(event.afterMs);
		if (event.kind === 'poll') await this.poll(event);
	}

	/** Ids of alerts that a quiet, successful poll has seen and that were not announced. */
	lost(): string[] {
		if (this.isBlind) return [];
		const { includeExisting } = this.options;
		return this.currentIds()
			.filter((id) => !this.either.has(id))
			.filter((id) => !this.announced.has(id) && (includeExisting || !this.existing.has(id)));
	}

	/** Ids announced more than once although no crash explains it, and old ones announced at all. */
	needless(): string[] {
		const { includeExisting } = this.options;
		const ids = [...this.announced.keys()].filter((id) => !this.excused.has(id));
		return ids.filter(
			(id) => (this.announced.get(id) ?? 0) > 1 || (!includeExisting && this.existing.has(id)),
		);
	}

	private async poll(event: Extract<Happening, { kind: 'poll' }>): Promise<void> {
		this.now += 60_000;
		this.disturb(event);
		let ids: string[] = [];
		const isFirstLook = this.memory === undefined;
		const before = this.currentIds();
		try {
			ids = (await this.look()).map(({ id }) => id);
			// Until a first look succeeds, the workflow is not active; what comes during it may be either.
			if (isFirstLook) this.becomeActive(before, event);
		} catch (error) {
			const isTooLong = error instanceof ListTooLongError;
			if (!isTooLong && (error as Error).message !== 'failed page') throw error;
			this.isBlind = isTooLong;
			return;
		} finally {
			this.service.beforePage = () => undefined;
		}
		this.isBlind = false;
		if (ids.length > 0) this.emit(ids, event.end);
	}

	private becomeActive(
		before: string[],
		{ meanwhile }: Extract<Happening, { kind: 'poll' }>,
	): void {
		// Where one goes and another one comes, the total stays, and nothing tells that one was skipped.
		const mayHaveSkipped = meanwhile.some(({ dismiss }) => dismiss !== undefined);
		if (mayHaveSkipped) this.existing.clear();
		for (const id of before) (mayHaveSkipped ? this.either : this.existing).add(id);
		for (const id of this.currentIds()) if (!this.existing.has(id)) this.either.add(id);
	}

	private currentIds(): string[] {
		return this.service.alerts.map(({ id }) => String(id));
	}

	private async look(): ReturnType<typeof detect> {
		const { includeExisting, most } = this.options;
		return await detect({
			fetchPage: this.service.fetchPage,
			shelf: { recall: () => this.memory, keep: (memory) => (this.memory = memory) },
			source: 'one',
			includeExisting,
			clock: { now: () => this.now, processStartedAt: this.processStartedAt },
			most,
		});
	}

	private disturb({ meanwhile, failAt }: Extract<Happening, { kind: 'poll' }>): void {
		const { service } = this;
		let request = 0;
		service.beforePage = () => {
			request++;
			if (request === failAt) throw new Error('failed page');
			for (const change of meanwhile.filter((one) => one.request === request)) {
				service.raise(change.raise, this.now);
				if (change.dismiss !== undefined) service.dismiss(change.dismiss);
			}
		};
	}

	private emit(ids: string[], end: PollEnd): void {
		this.now += 10;
		if (end === 'crash before execution') {
			this.save();
		} else {
			for (const id of ids) this.announced.set(id, (this.announced.get(id) ?? 0) + 1);
		}
		this.emissions.push({ ids, at: this.now });
		if (end === 'saved') this.save();
		if (end !== 'saved') this.restart();
	}

	private save(): void {
		this.saved = JSON.stringify(this.memory);
	}

	private restart(afterMs = 500): void {
		this.now += afterMs;
		for (const { ids, at } of this.emissions) {
			if (this.now - at < UNSURE_MS) for (const id of ids) this.excused.add(id);
		}
		this.memory = this.saved === undefined ? undefined : (JSON.parse(this.saved) as Memory);
		this.processStartedAt = this.now;
	}
}
