/** A channel over many days, in which n8n is sometimes off, and a true daily log beside it. */

import type { IDataObject } from 'n8n-workflow';

import {
	type ListMemory,
	NOTHING_REMEMBERED,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import { logStop } from '../../../nodes/Supercast/execution/memory/syncDailyLog';
import type { DailyLog } from '../../../nodes/Supercast/report/dailyLog/dailyLog';
import type { DailyLogStore } from '../../../nodes/Supercast/report/dailyLog/logRun';
import { readDailyLog, writeDailyLog } from '../../../nodes/Supercast/report/dailyLog/stored';
import { seededRandom } from '../../../simulators/supercast/data/random';
import { DirectSupercast, held, type Held } from '../../doubles/directSupercast';
import { fieldsOf } from '../../doubles/supercast';
import { DayTruth } from './dayTruth';
import { NOW, type Row, runRows } from './running';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** Zones whose days are longer or shorter in spring and autumn, and some with odd hours. */
export const ZONES = [
	...['UTC', 'America/New_York', 'Europe/Kyiv', 'Asia/Kolkata', 'Pacific/Auckland'],
	...['Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Honolulu'],
];

const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating one takes long. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
	const options = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
	const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', options);
	formats.set(timeZone, format);
	return format;
}

/** How many changes failed, by a summary. */
export function failedIn({ numbers }: IDataObject): number {
	return Number((numbers as IDataObject).failed);
}

export class DayScenario {
	readonly service: DirectSupercast;
	readonly truth = new DayTruth();
	zone: string;
	at: number;
	/** By how much n8n's clock is wrong. */
	clockMs = 0;
	private members: Row[];
	private stored: IDataObject = {};
	private memory: ListMemory = NOTHING_REMEMBERED;
	private joined = 0;
	/** How many changes of records have taken a second on Supercast's clock. */
	private writes = 0;
	readonly random: () => number;

	constructor(seed: number) {
		this.random = seededRandom(seed);
		const people = Array.from({ length: 30 }, (_, number) => held(number));
		this.service = new DirectSupercast(people, NOW);
		this.members = people.map(({ email, customer_id: id }) => ({ email, id: id ?? '' }));
		this.zone = this.oneOf(ZONES);
		// In some of these months, clocks change.
		this.at = Date.UTC(2026, this.oneOf([1, 2, 3, 8, 9, 10]), 1 + this.upTo(27), 5, 1);
	}

	upTo(most: number): number {
		return Math.floor(this.random() * (most + 1));
	}

	oneOf<T>(things: readonly T[]): T {
		return things[this.upTo(things.length - 1)]!;
	}

	dateOf(time: number): string {
		return formatOf(this.zone).format(time).slice(0, 10);
	}

	get open(): Held[] {
		return this.service.subscribers.filter(({ state }) => state === 'available');
	}

	/** Time passes, in which several people do something. Each does one thing between two checks. */
	pass(minutes: number): void {
		this.truth.forgetLost();
		const times = Array.from({ length: this.upTo(3) }, () => this.upTo(minutes - 2) + 1);
		for (const after of times.sort((one, other) => one - other)) {
			this.someoneActs(this.at + after * MINUTE_MS);
		}
		this.at += minutes * MINUTE_MS;
		// Readings within seconds of a change are judged by it. So this clock goes on too.
		this.service.passed += minutes * MINUTE_MS;
	}

	/** The workflow gets another zone, in which it is not earlier than it was. */
	move(): void {
		const [before, today] = [this.zone, this.dateOf(this.at)];
		this.zone = this.oneOf(ZONES);
		if (this.dateOf(this.at) < today) this.zone = before;
	}

	private someoneActs(at: number): void {
		const time = new Date(at).toISOString();
		const busy = new Set(this.truth.pending.map(({ uuid }) => uuid));
		const free = this.service.subscribers.filter(({ uuid }) => !busy.has(uuid));
		const person = this.oneOf(free);
		switch (this.upTo(5)) {
			case 0:
			case 1: {
				this.joined += 1;
				this.members.push({ email: `n${this.joined}@a.com`, id: `n-${this.joined}` });
				return;
			}
			case 2: {
				this.members = this.members.filter(({ email }) => email !== person.email);
				return;
			}
			case 3: {
				const isOpen = person.state === 'available';
				person.state = isOpen ? 'deactivated' : 'available';
				person.updated_at = time;
				return this.truth.note(isOpen ? 'closed' : 'opened', person, at);
			}
			case 4: {
				this.joined += 1;
				const uuid = `hand-${this.joined}`;
				const email = `h${this.joined}@a.com`;
				const dates = { created_at: time, updated_at: time };
				const made = { ...held(0), uuid, email, customer_id: null, ...dates };
				this.service.subscribers.push(made);
				return this.truth.note('opened', made, at);
			}
			case 5: {
				this.service.subscribers.splice(this.service.subscribers.indexOf(person), 1);
				if (person.state === 'available') this.truth.note('closed', person);
			}
		}
	}

	/**
	 * A check. Returns its summary, or undefined if it stopped.
	 * @param isLost Whether n8n is killed before it stores what the check has noted.
	 */
	async check({ isLost = false, isDown = false } = {}): Promise<IDataObject | undefined> {
		const { service, at } = this;
		const start = service.requests.length;
		const receivedAt = at + this.clockMs;
		const now = (): number => receivedAt + (service.requests.length - start) * 1000;
		service.aheadMs = at + 1000 - NOW - this.writes * 1000;
		service.passed += 1000;
		const broken = this.random() < 0.2 ? 2 + this.upTo(3) : 0;
		let failed = '';
		service.trouble = (number, { method, path, body }) => {
			if (isDown) return 'before';
			if (method === 'GET' || number - start !== broken) return undefined;
			failed = path[1] ?? String(fieldsOf(body).email);
			return 'after';
		};
		const wasOpen = new Map(this.open.map((one) => [one.uuid, one]));
		const found = this.truth.pending;
		const tools = { now, receivedAt, cameAt: service.passed, ...this.memoryTools() };
		const book = this.book(isLost);
		const options = { output: 'summary', graceHours: 0, closeAfter: 1 };
		const result = await runRows(
			service,
			this.members,
			{ options },
			{
				tools: { ...tools, dailyLog: book },
			},
		).catch((error: Error) => void logStop(book, now(), error));
		this.writes += service.requests.slice(start).filter(({ method }) => method !== 'GET').length;
		if (result === undefined) return undefined;
		this.truth.begin(this.dateOf(at), wasOpen.size);
		this.addOwn(wasOpen);
		const { json } = result.records[0]!;
		const dateOf = (time = at): string => this.dateOf(time);
		this.truth.settle(found, { failed: failedIn(json) === 0 ? '' : failed, dateOf, isLost });
		return json;
	}

	private addOwn(wasOpen: ReadonlyMap<string, Held>): void {
		const { truth } = this;
		const isOpen = new Map(this.open.map((one) => [one.uuid, one]));
		for (const [uuid, one] of isOpen) if (!wasOpen.has(uuid)) truth.note('opened', one, this.at);
		for (const [uuid, one] of wasOpen) if (!isOpen.has(uuid)) truth.note('closed', one, this.at);
	}

	private memoryTools() {
		return {
			memory: this.memory,
			remember: (memory: ListMemory): void => void (this.memory = memory),
		};
	}

	private book(isLost: boolean): DailyLogStore {
		const read = (): DailyLog =>
			readDailyLog(JSON.parse(JSON.stringify(this.stored)) as IDataObject);
		let dailyLog = read();
		const { zone } = this;
		const format = formatOf(zone);
		return {
			load: () => dailyLog,
			keep: (one) => {
				dailyLog = one;
				if (!isLost) this.stored = writeDailyLog(one);
			},
			local: (time) => format.format(time),
			zone,
			run: { startedAt: this.at + this.clockMs, startedBy: 'schedule' },
		};
	}

	/** How many feeds have opened and closed on all days of the daily log. */
	sums(): [opened: number, closed: number] {
		const { days } = readDailyLog(this.stored);
		const log = (key: 'closed' | 'opened') => days.reduce((sum, day) => sum + day[key], 0);
		return [log('opened'), log('closed')];
	}
}
