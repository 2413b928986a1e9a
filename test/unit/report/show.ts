/** A channel with a Sync: lists come, the Sync runs, and one reads what it tells. */

import type { IDataObject } from 'n8n-workflow';

import { readOtherFields } from '../../../nodes/Supercast/access/recordFields';
import { ListReader, type ListArrival } from '../../../nodes/Supercast/access/sync/list';
import { NOTHING_REMEMBERED, type SyncMemory } from '../../../nodes/Supercast/access/sync/memory';
import { synchronize } from '../../../nodes/Supercast/access/sync/sync';
import type { SyncRun, SyncTools } from '../../../nodes/Supercast/access/sync/run';
import { report, type SyncReport } from '../../../nodes/Supercast/report/report';
import type { ItemParameters } from '../../../nodes/Supercast/operations/types';
import { finish } from '../../../nodes/Supercast/operations/steps';
import { DirectSupercast, type Held } from '../../doubles/directSupercast';

/** Sunday, 8 in the morning, in UTC. */
export const NOW = Date.UTC(2026, 10, 29, 8, 0, 0);

export const MINUTE_MS = 60_000;

/** A record of the membership system. */
export interface Row {
	email?: string;
	id?: string;
	status?: unknown;
	access?: unknown;
	product?: unknown;
	until?: unknown;
	name?: string;
	lastName?: string;
	recordId?: string;
}

/** Settings of the node other than those of most tests. */
export type Settings = IDataObject & { options?: IDataObject };

/** What of a run a person sees. */
export interface Told {
	report: SyncReport;
	run: SyncRun;
	items: IDataObject[];
	title: string;
	text: string;
	html: string;
	page: string;
	alert: string;
	numbers: IDataObject & { limit: IDataObject };
	hints: string[];
	/** The message of the error, and its description. */
	message: string;
	description: string;
}

/** The parameters of an item, as n8n returns them after it has resolved its expressions. */
export function parametersOf(row: Row, settings: Settings = {}): ItemParameters {
	const optional = (name: string, value: unknown): Record<string, unknown> =>
		value === undefined ? {} : { [name]: value };
	const values: Record<string, unknown> = {
		...{ resource: 'subscriber', operation: 'sync', dryRun: false },
		...{ access: row.access ?? 'byStatus', status: row.status ?? '' },
		...{ openFor: 'active', keepFor: 'on-hold', closeFor: 'canceled\nunpaid' },
		...{ email: row.email ?? '', customerId: row.id ?? '' },
		additionalFields: { ...optional('firstName', row.name), ...optional('lastName', row.lastName) },
		...{ close: 'prefix', customerIdPrefix: 'c-', maxClosePercent: 10 },
		...settings,
		options: {
			closeAfter: 2,
			...optional('product', row.product),
			...optional('accessUntil', row.until),
			...optional('recordId', row.recordId),
			...settings.options,
		},
	};
	return {
		...{ timezone: 'UTC', now: NOW, isTool: false, isOld: false },
		parameter: (name, fallback) => values[name] ?? fallback,
		collection: (name) => values[name] as IDataObject,
		locator: () => ({ mode: '', value: '' }),
	};
}

export class Show {
	readonly service: DirectSupercast;

	at = NOW;

	memory: SyncMemory = NOTHING_REMEMBERED;

	/** How the next list arrives. */
	arrival: Partial<ListArrival> = {};

	isByHand = false;

	perMinute = 100;

	channel = 'My Show';

	constructor(
		subscribers: Held[],
		readonly settings: Settings = {},
	) {
		this.service = new DirectSupercast(subscribers, NOW);
	}

	/** Gives Sync a list, five minutes after the one before. */
	async list(rows: readonly Row[], more: Settings = {}): Promise<Told> {
		const options = { ...this.settings.options, ...more.options };
		const settings = { ...this.settings, ...more, options };
		const reader = new ListReader(readOtherFields);
		for (const [index, row] of rows.entries()) {
			reader.add(index, parametersOf(row, settings), { ...(row as IDataObject) });
		}
		const { at, memory, isByHand } = this;
		this.service.passed = at - NOW;
		Array.from(reader.judgeAll(at));
		const arrival = { readingBeganAt: at, arrivedAt: at, idleMs: 0, mayGetMore: false };
		const input = { list: reader.list, settings: reader.settings, isByHand };
		const run = await synchronize(
			{ ...input, arrival: { ...arrival, ...this.arrival } },
			memory,
			this.tools,
		);
		const told = finish(report(run, { channel: this.channel, perMinute: this.perMinute }));
		this.memory = { ...run.next, told: told.told };
		this.at += 5 * MINUTE_MS;
		return toldOf(told, run);
	}

	/** The same list several times. Returns what the last run told. */
	async lists(count: number, rows: readonly Row[], more: Settings = {}): Promise<Told> {
		for (let number = 1; number < count; number++) await this.list(rows, more);
		return await this.list(rows, more);
	}

	get open(): string[] {
		return this.service.subscribers
			.filter(({ state }) => state === 'available')
			.map(({ email }) => email);
	}

	private get tools(): SyncTools {
		return {
			client: this.service,
			clock: {
				now: () => this.service.passed,
				date: () => this.at,
				sleep: async () => await Promise.resolve(),
			},
			parallelRequests: 1,
			keep: () => undefined,
		};
	}
}

function toldOf(told: SyncReport, run: SyncRun): Told {
	const items = told.records.map(({ json }) => json);
	const { title, text, html, alert, numbers } = items.at(-1) as unknown as Told;
	const { message = '', description = '' } = (told.error ?? {}) as Partial<Told>;
	return {
		...{ report: told, run, items, title, text, html, alert, numbers, page: told.page() },
		hints: told.hints.map(({ message }) => message),
		...{ message, description },
	};
}

/** The record of a subscriber, as the list has it. */
export function rowOf({ email, customer_id: id }: Held, more: Row = {}): Row {
	return { email, id: id ?? '', status: 'active', ...more };
}
