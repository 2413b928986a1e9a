import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { textOf } from '../api/json';
import type { Locator, OperationItem } from '../operations/types';

/** How an operation reads the parameters of its item. */
export type ItemParameters = Pick<OperationItem, 'collection' | 'locator' | 'parameter'>;

/**
 * The parameters of a run. Resolving one costs about as much as sending a request, so each is resolved
 * once for an item, and once for all items where it holds no expression.
 */
export class Parameters {
	private readonly raw: IDataObject;
	private readonly sameForAll = new Map<string, unknown>();
	private readonly ofItems = new Map<number, Map<string, unknown>>();

	constructor(private readonly context: IExecuteFunctions) {
		this.raw = context.getNode().parameters;
	}

	/** Those of one item. */
	of(index: number): ItemParameters {
		const read = (name: string): unknown => this.read(name, index);
		return {
			parameter: read,
			collection: (name) => read(name) as IDataObject,
			locator: (name) => readLocator(read(name)),
		};
	}

	/** Lets go of what is remembered of an item. */
	forget(index: number): void {
		this.ofItems.delete(index);
	}

	private read(name: string, index: number): unknown {
		const values = this.isConstant(name) ? this.sameForAll : this.valuesOf(index);
		if (!values.has(name)) values.set(name, this.context.getNodeParameter(name, index));
		return values.get(name);
	}

	private valuesOf(index: number): Map<string, unknown> {
		const known = this.ofItems.get(index);
		if (known !== undefined) return known;
		const values = new Map<string, unknown>();
		this.ofItems.set(index, values);
		return values;
	}

	private isConstant(name: string): boolean {
		if (this.sameForAll.has(name)) return true;
		// n8n marks an expression by an equals sign in front of the text.
		return name in this.raw && !JSON.stringify(this.raw[name]).includes('"=');
	}
}

function readLocator(value: unknown): Locator {
	const { mode, value: named } = (value ?? {}) as { mode?: unknown; value?: unknown };
	return { mode: textOf(mode), value: textOf(named) };
}
