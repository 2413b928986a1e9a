import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { asRecord, isRecord, textOf } from '../api/json';
import type { ItemParameters, Locator } from '../operations/types';

/**
 * The parameters of a run. Resolving a parameter takes about as much work as sending a request. So
 * each parameter is resolved once per item, or once for all items if it contains no expression.
 */
export class Parameters {
	private readonly raw: IDataObject;
	/** Whether the node runs as a tool. If so, n8n adds "Tool" to the end of its type. */
	private readonly isTool: boolean;
	private readonly sameForAll = new Map<string, unknown>();

	constructor(private readonly context: IExecuteFunctions) {
		const { parameters, type } = context.getNode();
		this.raw = parameters;
		this.isTool = type.endsWith('Tool');
	}

	/** The parameters of one item. */
	of(index: number): ItemParameters {
		const own = new Map<string, unknown>();
		const read = (name: string, fallback?: unknown): unknown => {
			const values = this.isConstant(name) ? this.sameForAll : own;
			if (!values.has(name)) {
				values.set(name, this.context.getNodeParameter(name, index, fallback));
			}
			return values.get(name);
		};
		return {
			timezone: this.context.getTimezone(),
			isTool: this.isTool,
			parameter: read,
			collection: (name) => asRecord(read(name)) as IDataObject,
			locator: (name) => readLocator(read(name)),
		};
	}

	private isConstant(name: string): boolean {
		if (this.sameForAll.has(name)) return true;
		// n8n marks an expression with an equals sign at the start of the text.
		return name in this.raw && !JSON.stringify(this.raw[name]).includes('"=');
	}
}

function readLocator(typed: unknown): Locator {
	// An expression for the whole parameter returns just the value.
	const { mode, value } = isRecord(typed) ? typed : { mode: 'list', value: typed };
	const isText = typeof value === 'string' || Number.isFinite(value);
	return { mode: textOf(mode), value: isText ? textOf(value) : '' };
}
