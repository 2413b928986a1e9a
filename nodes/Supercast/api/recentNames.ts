/** Names of records that were just created or renamed. Some requests may not find them yet. */
export class RecentNames {
	private readonly until = new Map<string, number>();

	/** Remembers a name until the time `until`. Both times are from the same clock. */
	note(name: string, until: number, now: number): void {
		for (const [other, end] of this.until) {
			if (end <= now) this.until.delete(other);
		}
		this.until.set(name, until);
	}

	/** How many more milliseconds the record may be hidden; 0 if the name is not a recent one. */
	hiddenFor(name: string, now: number): number {
		return Math.max(0, (this.until.get(name) ?? now) - now);
	}

	/** Forgets a name after its record was deleted. */
	forget(name: string): void {
		this.until.delete(name);
	}
}
