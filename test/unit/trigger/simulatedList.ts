import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { FetchPage } from '../../../nodes/Supercast/api/paging/readPages';

export type ListOrder = 'newest' | 'oldest' | 'none';

/** How the service of a test behaves; each may change at any time. */
export interface Habits {
	order: ListOrder;
	/** Largest page. */
	cap: number;
	/** Whether answers carry the paging headers. */
	headers: boolean;
}

/** A list as a service may keep it: any order, any page size, and changes between two pages. */
export class ListService {
	readonly alerts: IDataObject[] = [];

	requests = 0;

	private count = 0;

	/** Called before each answer; may change the list or throw. */
	beforePage: (request: number) => void = () => undefined;

	readonly habits: Habits;

	constructor(
		habits: Habits,
		private readonly ids: 'number' | 'uuid',
		private readonly dated: boolean,
	) {
		this.habits = { ...habits };
	}

	/** Several alerts come within the same second. */
	raise(count: number, at: number): string[] {
		const time = new Date(Math.floor(at / 1000) * 1000).toISOString();
		return Array.from({ length: count }, () => {
			const number = ++this.count;
			const id = this.ids === 'number' ? number : uuidOf(number);
			this.alerts.push({ id, ...(this.dated ? { created_at: time } : {}) });
			return String(id);
		});
	}

	/** Removes the alert that stands at a share of the list. */
	dismiss(share: number): void {
		this.alerts.splice(Math.floor(share * this.alerts.length), 1);
	}

	readonly fetchPage: FetchPage = async (page, asked) => {
		this.requests++;
		this.beforePage(this.requests);
		const { cap, headers } = this.habits;
		const perPage = Math.min(asked, cap);
		const all = this.list();
		const records = all.slice((page - 1) * perPage, page * perPage);
		return headers ? { records, perPage, total: all.length } : { records };
	};

	private list(): IDataObject[] {
		const { order } = this.habits;
		if (order === 'oldest') return this.alerts;
		if (order === 'newest') return [...this.alerts].reverse();
		return this.alerts
			.map((alert) => ({ alert, rank: hash(String(alert.id)) }))
			.sort((one, other) => one.rank.localeCompare(other.rank))
			.map(({ alert }) => alert);
	}
}

function uuidOf(number: number): string {
	const hex = hash(`uuid ${number}`);
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function hash(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
