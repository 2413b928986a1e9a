import { hash32 } from './random';

/** How to sort a list. Supercast's own order is not documented. */
export type Order = 'oldest' | 'newest' | 'unordered';

/** Records by ID, or by UUID and email. By default, look-ups by email ignore case. */
export class Table<T extends object> {
	private readonly byKey = new Map<string, T>();
	private readonly byAlias = new Map<string, T[]>();
	private sorted: { order: Order; rows: T[] } | undefined;

	constructor(
		private readonly key: 'id' | 'uuid',
		private readonly seed: number,
	) {}

	get size(): number {
		return this.byKey.size;
	}

	add(row: T): T {
		this.byKey.set(this.keyOf(row), row);
		this.link(row);
		this.sorted = undefined;
		return row;
	}

	/** The record with this key or alias, either ignoring case or exactly as written. */
	find(name: string, match: 'any' | 'exact' = 'any'): T | undefined {
		const called = this.byAlias.get(name.toLowerCase()) ?? [];
		const isIt = (row: T): boolean => match === 'any' || emailOf(row) === name;
		return this.byKey.get(name) ?? called.find(isIt);
	}

	/** Changes a record in place and updates the alias index. */
	change(row: T, values: Partial<T>): T {
		this.unlink(row);
		Object.assign(row, values);
		this.link(row);
		return row;
	}

	remove(row: T): void {
		this.byKey.delete(this.keyOf(row));
		this.unlink(row);
		this.sorted = undefined;
	}

	/** All records in the requested order. Cached, because clients read a list page by page. */
	rows(order: Order = 'oldest'): readonly T[] {
		if (this.sorted?.order !== order) this.sorted = { order, rows: this.sort(order) };
		return this.sorted.rows;
	}

	private sort(order: Order): T[] {
		const rows = [...this.byKey.values()];
		if (order === 'newest') rows.reverse();
		if (order !== 'unordered') return rows;
		return rows
			.map((row) => ({ row, rank: hash32(this.keyOf(row), this.seed) }))
			.sort((left, right) => left.rank - right.rank)
			.map(({ row }) => row);
	}

	private keyOf(row: T): string {
		return String((row as Record<string, unknown>)[this.key]);
	}

	private link(row: T): void {
		if (this.key === 'id') return;
		const alias = emailOf(row).toLowerCase();
		const others = this.byAlias.get(alias);
		if (others) others.push(row);
		else this.byAlias.set(alias, [row]);
	}

	private unlink(row: T): void {
		if (this.key === 'id') return;
		const alias = emailOf(row).toLowerCase();
		const others = this.byAlias.get(alias)?.filter((other) => other !== row) ?? [];
		if (others.length > 0) this.byAlias.set(alias, others);
		else this.byAlias.delete(alias);
	}
}

const emailOf = (row: object): string => (row as { email: string }).email;
