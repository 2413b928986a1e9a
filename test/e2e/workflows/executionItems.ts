type Box = Record<string, unknown>;

/** An execution's data, where each text is the number of a value. */
class ExecutionData {
	private readonly flat: unknown[];

	constructor(execution: unknown) {
		this.flat = JSON.parse((execution as { data: string }).data) as unknown[];
	}

	at(value: unknown): unknown {
		return typeof value === 'string' ? this.flat[Number(value)] : value;
	}

	inside(box: unknown, ...path: Array<number | string>): unknown {
		return path.reduce<unknown>((found, key) => this.at((found as Box | undefined)?.[key]), box);
	}

	result(...path: string[]): unknown {
		return this.inside(this.flat[0], 'resultData', ...path);
	}
}

/** What a failed execution says. */
export function failureOf(execution: unknown): string {
	const data = new ExecutionData(execution);
	const [node, message] = [data.result('lastNodeExecuted'), data.result('error', 'message')];
	return `${String(node)}: ${String(message)}`;
}

/** When a node ran, and for how long, in milliseconds. */
export interface NodeTime {
	name: string;
	at: number;
	ms: number;
}

/** When the nodes of an execution ran. */
export function nodeTimesOf(execution: unknown): NodeTime[] {
	const data = new ExecutionData(execution);
	const nodes = (data.result('runData') ?? {}) as Box;
	return Object.keys(nodes).flatMap((name) =>
		(data.result('runData', name) as unknown[]).map((run) => ({
			...{ name, at: Number(data.inside(data.at(run), 'startTime')) },
			ms: Number(data.inside(data.at(run), 'executionTime')),
		})),
	);
}
