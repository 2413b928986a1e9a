/** Names of records that were just created, which Supercast may not show to all clients yet. */
export class RecentNames {
	private readonly until = new Map<string, number>();

	/** Notes a name for some time. `now` and `until` are times of the same clock. */
	note(name: string, until: number, now: number): void {
		for (const [other, end] of this.until) {
			if (end <= now) this.until.delete(other);
		}
		this.until.set(name, until);
	}

	/** For how many milliseconds the record may still be hidden; 0 for any other record. */
	hiddenFor(name: string, now: number): number {
		return Math.max(0, (this.until.get(name) ?? now) - now);
	}

	/** Forgets a name, since its record was deleted. */
	forget(name: string): void {
		this.until.delete(name);
	}
}
