import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { textOf } from '../api/json';
import type { ItemParameters, Locator } from '../operations/types';

/**
 * The parameters of a run. Resolving one costs about as much as sending a request, so each is resolved
 * once for an item, and once for all items where it holds no expression.
 */
export class Parameters {
	private readonly raw: IDataObject;
	private readonly sameForAll = new Map<string, unknown>();

	constructor(private readonly context: IExecuteFunctions) {
		this.raw = context.getNode().parameters;
	}

	/** Those of one item. */
	of(index: number): ItemParameters {
		const own = new Map<string, unknown>();
		const read = (name: string): unknown => {
			const values = this.isConstant(name) ? this.sameForAll : own;
			if (!values.has(name)) values.set(name, this.context.getNodeParameter(name, index));
			return values.get(name);
		};
		return {
			timezone: this.context.getTimezone(),
			parameter: read,
			collection: (name) => read(name) as IDataObject,
			locator: (name) => readLocator(read(name)),
		};
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
