/** Groups values by a key, in their order. Leaves out those without a key. */
export function groupBy<T, K>(
	things: readonly T[],
	keyOf: (thing: T) => K | undefined,
): Map<K, T[]> {
	const groups = new Map<K, T[]>();
	for (const thing of things) {
		const key = keyOf(thing);
		if (!key) continue;
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [thing]);
		else group.push(thing);
	}
	return groups;
}
