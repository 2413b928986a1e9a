/** Names of records that were created a moment ago, which the service may not show everybody yet. */
export class RecentNames {
	private readonly until = new Map<string, number>();

	/** Notes a name for some time; `now` and `until` are by the same clock. */
	note(name: string, until: number, now: number): void {
		for (const [other, end] of this.until) {
			if (end <= now) this.until.delete(other);
		}
		this.until.set(name, until);
	}

	/** For how many milliseconds the record may not be visible yet; 0 for any other. */
	hiddenFor(name: string, now: number): number {
		return Math.max(0, (this.until.get(name) ?? now) - now);
	}

	/** Forgets a name: its record was deleted. */
	forget(name: string): void {
		this.until.delete(name);
	}
}
