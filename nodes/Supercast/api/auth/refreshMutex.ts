/**
 * Lets one request at a time get a new token, for everybody in the process.
 *
 * n8n coordinates renewals from version 2.30 on, and the first token of client credentials in none.
 * A service that rotates refresh tokens takes one that is used twice for stolen, and ends the
 * connection.
 */

/** The requests that share one credential. */
export class RefreshMutex<Answer> {
	private count = 0;
	private underWay: Promise<Answer | undefined> | undefined;

	/** @param failed Whether an answer means that there is no new token. */
	constructor(private readonly failed: (answer: Answer) => boolean) {}

	/** How often the token was renewed; to be read before the token that is then found wanting. */
	get renewals(): number {
		return this.count;
	}

	/**
	 * Renews the token, unless somebody has done so since, or is doing it.
	 *
	 * @param seen What `renewals` was.
	 * @param work Gets a new token and does the request with it. It holds the mutex until it has ended,
	 * also when nobody waits for it any more: what it spends must not be spent a second time.
	 * @returns What `work` did; or undefined when another has renewed the token, so that the request is
	 * still to be done; or that one's answer when it failed to, since trying again would fail as well.
	 */
	async renew(seen: number, work: () => Promise<Answer>): Promise<Answer | undefined> {
		if (this.count !== seen) return undefined;
		if (this.underWay !== undefined) return await this.underWay;
		const done = work();
		this.underWay = done.then(
			(answer) => (this.failed(answer) ? answer : undefined),
			() => undefined,
		);
		try {
			const answer = await done;
			if (!this.failed(answer)) this.count++;
			return answer;
		} finally {
			this.underWay = undefined;
		}
	}
}
