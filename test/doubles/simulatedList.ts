import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { FetchPage, Page } from '../../nodes/Supercast/api/paging/page';

export const ORDERS = ['newest', 'oldest', 'updated', 'shuffled', 'reshuffled'] as const;

/**
 * What the response headers say. `total`: only the total. `echo`: the requested page size instead
 * of the real one. `flaky`: no headers in every third response. `short`: a total of this page only.
 */
export const HEADERS = ['all', 'none', 'total', 'echo', 'flaky', 'short'] as const;

export const ID_FORMS = ['number', 'uuid', 'random number', 'text'] as const;

/** How the simulated Supercast behaves. Each value may change at any time. */
export interface Habits {
	order: (typeof ORDERS)[number];
	/** Largest page. */
	cap: number;
	headers: (typeof HEADERS)[number];
}

/** A list with any order, any page size, and changes between two pages. */
export class SimulatedList {
	records: IDataObject[] = [];

	requests = 0;

	/** Called before each response. It may change the list or throw. */
	beforePage: (request: number) => void = () => undefined;

	private count = 0;

	constructor(
		readonly habits: Habits,
		private readonly ids: (typeof ID_FORMS)[number],
	) {}

	/** Adds so many records with these fields, all created in the same second. */
	create(count: number, at: number, fields: IDataObject = {}): string[] {
		const time = new Date(Math.floor(at / 1000) * 1000).toISOString();
		return Array.from({ length: count }, () => {
			const id = this.nextId();
			this.records.push({
				id,
				uuid: `u-${String(id)}`,
				created_at: time,
				updated_at: time,
				place: this.count,
				...fields,
			});
			return String(id);
		});
	}

	/** The record at a share of the list. */
	at(share: number): IDataObject | undefined {
		return this.records[Math.floor(share * this.records.length)];
	}

	remove(record: IDataObject): void {
		this.records = this.records.filter((one) => one !== record);
	}

	change(record: IDataObject, at: number, fields: IDataObject): void {
		Object.assign(record, { updated_at: new Date(at).toISOString() }, fields);
	}

	readonly fetchPage: FetchPage = async (page, asked) => {
		this.requests++;
		this.beforePage(this.requests);
		const perPage = Math.min(asked, this.habits.cap);
		const all = this.ordered();
		const records = all.slice((page - 1) * perPage, page * perPage).map((one) => ({ ...one }));
		return { records, ...this.headersOf({ records, perPage, total: all.length }, asked) };
	};

	private headersOf(
		{ records, perPage, total }: Required<Omit<Page, 'received'>>,
		asked: number,
	): Partial<Page> {
		switch (this.habits.headers) {
			case 'all':
				return { perPage, total };
			case 'total':
				return { total };
			case 'echo':
				return { perPage: asked, total };
			case 'flaky':
				return this.requests % 3 === 0 ? {} : { perPage, total };
			case 'short':
				return { perPage: asked, total: records.length };
			default:
				return {};
		}
	}

	private ordered(): IDataObject[] {
		const { order } = this.habits;
		if (order === 'oldest') return this.records;
		if (order === 'newest') return [...this.records].reverse();
		if (order === 'updated') {
			return [...this.records].sort((one, other) =>
				String(other.updated_at).localeCompare(String(one.updated_at)),
			);
		}
		const salt = order === 'reshuffled' ? this.requests : 0;
		return this.records
			.map((record) => ({ record, rank: rankOf(Number(record.place ?? 0), salt) }))
			.sort((one, other) => one.rank - other.rank)
			.map(({ record }) => record);
	}

	private nextId(): number | string {
		const number = ++this.count;
		if (this.ids === 'number') return number;
		if (this.ids === 'random number') return parseInt(hex(number).slice(0, 12), 16);
		return this.ids === 'uuid' ? uuidOf(number) : `Nr. ${hex(number).slice(0, 5)}/${number}`;
	}
}

function uuidOf(number: number): string {
	const text = hex(number);
	return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-a${text.slice(17, 20)}-${text.slice(20, 32)}`;
}

function hex(number: number): string {
	return createHash('sha256').update(`id ${number}`).digest('hex');
}

/** A number that does not show the record's age. */
function rankOf(place: number, salt: number): number {
	let value = Math.imul(place + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
	value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
	value = Math.imul(value ^ (value >>> 12), 0x297a2d39);
	return (value ^ (value >>> 15)) >>> 0;
}
