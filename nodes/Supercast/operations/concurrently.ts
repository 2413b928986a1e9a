import { sleep } from 'n8n-workflow';

/** Work that is connected by shared names so far. */
interface Group {
	readonly names: string[];
	/** Ends after all work of the group that has begun. */
	latest: Promise<void>;
}

/**
 * Combines names and earlier groups into one group. The largest group absorbs the others, so that
 * few names move.
 */
function connect(
	groups: Map<string, Group>,
	names: readonly string[],
	earlier: ReadonlySet<Group>,
	latest: Promise<void>,
): void {
	const bySize = [...earlier].sort((one, other) => other.names.length - one.names.length);
	const [group = { names: [], latest }, ...smaller] = bySize;
	group.latest = latest;
	const unknown = names.filter((name) => !groups.has(name));
	for (const name of [...smaller.flatMap((one) => one.names), ...unknown]) {
		group.names.push(name);
		groups.set(name, group);
	}
}

/**
 * Works on `things` in order, at most `width` at a time. Each one waits for the earlier things that
 * share a name with it, directly or through others. After a failure, starts nothing more, and waits
 * for the work in progress.
 * @returns The failure with the lowest index, which may not be the earliest one.
 */
export async function runConcurrently<T>(
	things: readonly T[],
	width: number,
	work: (thing: T, index: number) => Promise<void>,
	namesOf?: (thing: T) => readonly string[],
): Promise<{ index: number; error: unknown } | undefined> {
	let failure: { index: number; error: unknown } | undefined;
	const groups = new Map<string, Group>();
	const waiting = things.entries();
	let refill: Promise<void> | undefined;
	const run = async (thing: T, index: number, earlier: Array<Promise<void>>): Promise<void> => {
		await Promise.all(earlier);
		try {
			if (failure === undefined) await work(thing, index);
		} catch (error) {
			if (failure === undefined || index < failure.index) failure = { index, error };
		}
	};
	const worker = async (): Promise<void> => {
		for (const [index, thing] of waiting) {
			const own = namesOf?.(thing) ?? [];
			const earlier = new Set(own.flatMap((name) => groups.get(name) ?? []));
			const turns = [...earlier].map((group) => group.latest);
			const latest = run(thing, index, turns);
			connect(groups, own, earlier, latest);
			await latest;
			// Requests that are sent together take a third less computing time.
			refill ??= sleep(0);
			await refill;
			refill = undefined;
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, things.length) }, worker));
	return failure;
}
