import type { GenericValue, IDataObject } from 'n8n-workflow';

import { NOBODY, type DesiredMember } from '../../../nodes/Supercast/access/match';
import { setAccess } from '../../../nodes/Supercast/access/setAccess';
import { ListOfMembers } from '../../../nodes/Supercast/access/sync/list/members';
import type { SyncRecord } from '../../../nodes/Supercast/access/sync/record';
import { accessOutput, leftOutput } from '../../../nodes/Supercast/report/setAccess';
import { report, type SyncReport } from '../../../nodes/Supercast/report/report';
import { refusalError } from '../../../nodes/Supercast/report/refusals';
import type { SyncTools } from '../../../nodes/Supercast/access/sync/carryOut';
import { synchronize } from '../../../nodes/Supercast/access/sync/sync';
import { readDailyLog } from '../../../nodes/Supercast/report/dailyLog/stored';
import { logRun, type DailyLogStore } from '../../../nodes/Supercast/report/dailyLog/logRun';
import { identifierKey } from '../../../nodes/Supercast/api/identity';
import type { ApiRequest, ApiResponse } from '../../../nodes/Supercast/api/types';
import type { ItemParameters } from '../../../nodes/Supercast/operations/types';
import {
	NOTHING_REMEMBERED,
	type ListMemory,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import { DirectSupercast } from '../../doubles/directSupercast';

/** The time at which the runs of a test begin. */
export const NOW = Date.UTC(2026, 0, 15, 3, 0, 0);

/** A row of the list of members. */
export interface Row {
	email: string;
	id?: string;
	firstName?: string;
	/** What the record says about access. "open" if it is left out. */
	access?: GenericValue;
	status?: GenericValue;
	recordId?: GenericValue;
}

/** A member on the list with these fields. */
export function desired(fields: Partial<DesiredMember> = {}): DesiredMember {
	return { ...NOBODY, items: [0], emailKey: identifierKey(fields.email), ...fields };
}

/** Parameters at the top of the node, and the options. */
export interface Parameters {
	dryRun?: unknown;
	close?: unknown;
	maxClosePercent?: unknown;
	options?: IDataObject;
}

/** Parameters of an item, as n8n returns them after it has resolved its expressions. */
export function parametersOf(row: IDataObject, given: Parameters = {}): ItemParameters {
	const { email, id = '', firstName, status = '' } = row;
	const values: Record<string, unknown> = {
		resource: 'subscriber',
		operation: 'sync',
		dryRun: false,
		email,
		customerId: id,
		...{ access: 'access' in row ? row.access : 'open', status },
		additionalFields: firstName === undefined ? {} : { firstName },
		close: 'withCustomerId',
		maxClosePercent: 100,
		...given,
		// Most tests are about one list. closeAfter.test.ts is about several.
		options: {
			closeAfter: 1,
			...('recordId' in row ? { recordId: row.recordId } : {}),
			...given.options,
		},
	};
	return {
		timezone: 'UTC',
		parameter: (name) => values[name],
		collection: (name) => values[name] as IDataObject,
		locator: () => ({ mode: '', value: '' }),
	};
}

/** What a run works with, and what remembers it. */
export type RunTools = SyncTools & {
	dailyLog: DailyLogStore;
	perMinute: number;
	remember: (memory: ListMemory) => void;
};

/** The disturbances of a run. */
export interface Disturbance {
	/** Whether the process has ended, so that it sends nothing more. */
	isStopped?: () => boolean;
	badItems?: number;
	/** Further values for the run, such as another clock. */
	tools?: Partial<RunTools>;
}

/** A daily log that is empty at first. Times are in UTC. */
export function newBook(): DailyLogStore {
	let dailyLog = readDailyLog({});
	return {
		load: () => dailyLog,
		keep: (one) => void (dailyLog = one),
		local: (time) => new Date(time).toISOString().slice(0, 16).replace('T', ' '),
		zone: 'UTC',
		run: { startedAt: NOW, startedBy: 'schedule' },
	};
}

/** Runs a Sync of these rows against the simulated Supercast. */
export async function runRows(
	service: DirectSupercast,
	rows: readonly Row[],
	parameters: Parameters = {},
	{ isStopped = () => false, badItems = 0, tools }: Disturbance = {},
): Promise<SyncReport> {
	const list = new ListOfMembers(rows.length);
	for (const [index, row] of rows.entries()) {
		const json = { ...row };
		list.add(index, parametersOf(json, parameters), json);
	}
	const forEach: SyncTools['forEach'] = async (things, work) => {
		for (const thing of things) await work(thing);
	};
	const receivedAt = tools?.receivedAt ?? NOW;
	const all: RunTools = {
		client: service,
		settings: list.check(),
		badItems,
		now: () => NOW,
		receivedAt,
		readAt: receivedAt,
		idleMs: 0,
		cameAt: 1,
		mayGetMore: false,
		reject: ({ error }) => {
			throw error;
		},
		forEach,
		rest: async () => await Promise.resolve(),
		isStopped,
		memory: NOTHING_REMEMBERED,
		dailyLog: newBook(),
		perMinute: 100,
		remember: () => undefined,
		...tools,
	};
	const forget = (): void => all.remember(list.afterUncounted(all.memory, receivedAt));
	const record = await synchronize(list, all).catch((error: unknown) => {
		forget();
		throw error;
	});
	if (record.next === undefined) forget();
	else all.remember(record.next);
	return tell(record, all);
}

/** Tells a run as the node does. */
function tell(record: SyncRecord, { dailyLog, perMinute }: RunTools): SyncReport {
	const { settings, snapshot, outcomes, endedAt } = record;
	const refused = settings.dryRun ? undefined : refusalError(record);
	if (refused !== undefined) throw refused;
	const areAll = snapshot.list.isComplete && snapshot.unexpected === undefined;
	const read = { at: endedAt, readAt: snapshot.endedAt, subscribers: snapshot.list.taken, areAll };
	const day = settings.dryRun ? undefined : logRun(dailyLog, { ...read, outcomes });
	return report(record, { perMinute, day });
}

/** Runs Set Access for one person. */
export async function runAccess(
	service: DirectSupercast,
	what: unknown,
	person: Row,
	options: IDataObject = {},
	firstTried?: ItemParameters['firstTried'],
): Promise<IDataObject> {
	const item = { ...parametersOf({ ...person }, { options }), firstTried };
	const parameter = (name: string) => (name === 'access' ? what : item.parameter(name));
	const [output] = await setAccess(accessOutput, leftOutput)
		.prepare({ ...item, parameter })
		.run(service);
	return output!;
}

/** Why something is refused, and what to do. */
export async function refusal(run: () => unknown): Promise<string> {
	const error = await (async () => await run())().then(
		() => undefined,
		(reason: unknown) => reason as Error & { description: string },
	);
	return error === undefined ? 'none' : `${error.message}. ${error.description}`;
}

/** Changes each response. */
export function altered(
	service: DirectSupercast,
	change: (response: ApiResponse) => object,
): DirectSupercast {
	const { request } = DirectSupercast.prototype;
	service.request = async (given) => {
		const response = await request.call(service, given);
		return { ...response, ...change(response) };
	};
	return service;
}

/**
 * Each change has a second try, because the response to the first one was lost.
 * @param between What happens to the records before the second try of a change to a feed.
 */
export function retried(
	service: DirectSupercast,
	between: () => void = () => undefined,
): DirectSupercast {
	const { request } = DirectSupercast.prototype;
	service.request = async (given) => {
		if (given.path[0] === 'feeds') between();
		await given.beforeRetry?.();
		return await request.call(service, given);
	};
	return service;
}

/** A service whose responses take different times. */
export class SlowService extends DirectSupercast {
	/** How many turns each request takes, in order. */
	delays: number[] = [];

	override async request(request: ApiRequest): Promise<ApiResponse> {
		const turns = this.delays[this.requests.length % this.delays.length] ?? 0;
		for (let turn = 0; turn < turns; turn++) await Promise.resolve();
		const response = await super.request(request);
		this.channel.noteResponse(request, response.body);
		return response;
	}
}

/** A service that shows no feed addresses. */
export function withoutFeeds(service: DirectSupercast): DirectSupercast {
	return altered(service, ({ body }) =>
		Array.isArray(body) ? {} : { body: { ...Object(body), feed_url: undefined } },
	);
}
