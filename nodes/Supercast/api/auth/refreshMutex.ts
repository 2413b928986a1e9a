/**
 * Lets one request at a time get a new token, across the whole process.
 *
 * n8n coordinates renewals from version 2.30 on. No version coordinates the first token of client
 * credentials. A server that rotates refresh tokens treats one that is used twice as stolen, and
 * ends the connection.
 */

/** The requests that share one credential. */
export class RefreshMutex<Answer> {
	private count = 0;
	private underWay: Promise<Answer | undefined> | undefined;

	/** @param failed Whether a result means that there is no new token. */
	constructor(private readonly failed: (answer: Answer) => boolean) {}

	/** How often the token was renewed. Read this before you read the token. */
	get renewals(): number {
		return this.count;
	}

	/**
	 * Renews the token, unless another request has done so since, or is doing it now.
	 *
	 * @param seen The value of `renewals` before the token was read.
	 * @param work Gets a new token and sends the request with it. It holds the mutex until it has
	 * ended, even if its caller no longer waits. The refresh token that it uses must not be used a
	 * second time.
	 * @returns The result of `work`. Returns undefined when another request has renewed the token,
	 * so this request must still be sent. If the other's renewal failed, returns its result, since
	 * a second renewal would fail too.
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
