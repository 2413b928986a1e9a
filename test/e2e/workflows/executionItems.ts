/** Finds the items of a node in an execution's data, where each text is the number of a value. */
export function itemsOf(execution: unknown, node: string): Array<Record<string, unknown>> {
	const flat = JSON.parse((execution as { data: string }).data) as unknown[];
	type Box = Record<string, unknown>;
	const at = (value: unknown): unknown => (typeof value === 'string' ? flat[Number(value)] : value);
	const inside = (box: unknown, ...path: Array<number | string>): unknown =>
		path.reduce<unknown>((found, key) => at((found as Box | undefined)?.[key]), box);
	const whole = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map((one) => whole(at(one)));
		if (typeof value !== 'object' || value === null) return value;
		return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, whole(at(one))]));
	};
	const runs = (inside(flat[0], 'resultData', 'runData', node) ?? []) as unknown[];
	return runs.flatMap((run) => {
		const outputs = (inside(at(run), 'data', 'main') ?? []) as unknown[];
		const items = outputs.flatMap((output) => (at(output) ?? []) as unknown[]);
		return items.map((item) => whole(inside(at(item), 'json')) as Box);
	});
}
