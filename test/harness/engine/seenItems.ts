import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
	IDeduplicationOutput,
} from 'n8n-workflow';

/** What n8n's database has in its store of seen items, by workflow and node. */
export class SeenItemsTable {
	readonly rows = new Map<string, string[]>();

	/** How many times the store was asked or changed. */
	calls = 0;

	/** Makes the store fail from this call on, as without a database. */
	failsFrom = Infinity;

	/** Called before each call, for example to let another process run. */
	before: (call: number) => Promise<void> = async () => await Promise.resolve();

	async call(): Promise<void> {
		this.calls += 1;
		if (this.calls >= this.failsFrom) throw new Error('The database does not answer');
		await this.before(this.calls);
	}
}

/** The stores of running executions, by their `Workflow`. */
const stores = new WeakMap<object, SeenItemsTable>();

/** Keeps items as n8n's server does: in a list for each node, and asking for an item records it. */
class Checker implements IDataDeduplicator {
	private async storeOf({ workflow }: ICheckProcessedContextData): Promise<SeenItemsTable> {
		const store = stores.get(workflow);
		// Like n8n's error if nobody has set up the store.
		if (store === undefined) throw Object.assign(new Error('no store'), { code: 'ERR_ASSERTION' });
		await store.call();
		return store;
	}

	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<IDeduplicationOutput> {
		const { rows } = await this.storeOf(context);
		const row = rows.get(keyOf(scope, context)) ?? [];
		const known = new Set(row);
		const isKnown = (item: DeduplicationItemTypes): boolean => known.has(String(item));
		const fresh = items.filter((item) => !isKnown(item));
		rows.set(keyOf(scope, context), [...row, ...fresh.map(String)]);
		return { new: fresh, processed: items.filter(isKnown) };
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const { rows } = await this.storeOf(context);
		const removed = new Set(items.map(String));
		const row = rows.get(keyOf(scope, context)) ?? [];
		rows.set(
			keyOf(scope, context),
			row.filter((item) => !removed.has(item)),
		);
	}

	async clearAllProcessedItems(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const { rows } = await this.storeOf(context);
		rows.delete(keyOf(scope, context));
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<number> {
		const { rows } = await this.storeOf(context);
		return rows.get(keyOf(scope, context))?.length ?? 0;
	}
}

function keyOf(scope: DeduplicationScope, { workflow, node }: ICheckProcessedContextData): string {
	return `${workflow.id} ${scope === 'node' ? node?.id : ''}`;
}

let isReady = false;

/** Gives an execution of this workflow a store. Without one, asking it fails. */
export function giveSeenItems(workflow: object, store: SeenItemsTable | undefined): void {
	if (store === undefined) return;
	if (!isReady) void DataDeduplicationService.init(new Checker());
	isReady = true;
	stores.set(workflow, store);
}
