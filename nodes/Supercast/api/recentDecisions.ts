const MINUTE_MS = 60_000;

/** A Sync of 100,000 subscribers takes less than this from reading its list to its last change. */
const KEPT_MS = 30 * MINUTE_MS;

const MOST_KEPT = 100_000;

/** The latest decision about a person. */
interface Decision {
	at: number;
	/** The place of the event that led to the decision, in the order of arrival. */
	arrival: number;
	/** How many changes there had been when it was applied. */
	change: number;
}

/**
 * The recent decisions of this process, by person. The latest event about a person wins, even if it
 * has another of their names. A Sync with an older list does not undo it (decision 0014). All
 * executions with the same credential, host and channel share these decisions.
 */
export class RecentDecisions {
	private arrivals = 0;

	private changes = 0;

	/** By the keys of a person, oldest first. */
	private readonly decided = new Map<string, Decision>();

	/** @param now In milliseconds. Never goes backward. */
	constructor(private readonly now: () => number) {}

	/** Returns the place of a new event in the order of arrival. */
	arrive(): number {
		this.arrivals += 1;
		return this.arrivals;
	}

	/** How many changes have been applied so far. */
	get changeCount(): number {
		return this.changes;
	}

	/** Notes a decision about an event. Without `arrival`, notes only a possible change. */
	note(keys: readonly string[], arrival = 0): void {
		this.changes += 1;
		for (const key of keys) {
			const before = this.decided.get(key)?.arrival ?? 0;
			this.decided.delete(key);
			this.decided.set(key, {
				at: this.now(),
				arrival: Math.max(before, arrival),
				change: this.changes,
			});
		}
		this.forgetOld();
	}

	/** Whether a later event about the same person has been decided. */
	isOutdated(keys: readonly string[], arrival: number): boolean {
		return keys.some((key) => (this.decided.get(key)?.arrival ?? 0) > arrival);
	}

	/** Whether an event about the person was decided at `time` or later. */
	hasDecidedSince(keys: readonly string[], time: number): boolean {
		return keys.some((key) => {
			const decision = this.decided.get(key);
			return decision !== undefined && decision.arrival > 0 && decision.at >= time;
		});
	}

	/** Whether the person may have changed after the first `count` changes. */
	hasChangedSince(keys: readonly string[], count: number): boolean {
		return keys.some((key) => (this.decided.get(key)?.change ?? 0) > count);
	}

	private forgetOld(): void {
		const oldest = this.now() - KEPT_MS;
		for (const [key, { at }] of this.decided) {
			if (at >= oldest && this.decided.size <= MOST_KEPT) break;
			this.decided.delete(key);
		}
	}
}

const channels = new Map<string, RecentDecisions>();

/** Gets the decisions of a channel. `channel` names the credential, the host and the channel. */
export function recentDecisionsOf(channel: string, now: () => number): RecentDecisions {
	const decisions = channels.get(channel) ?? new RecentDecisions(now);
	channels.set(channel, decisions);
	return decisions;
}
