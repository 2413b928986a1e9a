/**
 * Makes sure that, for each credential, only one request in this process gets a new token at a
 * time.
 *
 * n8n coordinates renewals in version 2.30 and later. No version coordinates requests for the first
 * token with Client Credentials. A server that rotates refresh tokens treats a token that is used
 * twice as stolen, and ends the connection.
 */

/** Coordinates the requests that share one credential. */
export class RefreshMutex<Answer> {
	private count = 0;
	private underWay: Promise<Answer | undefined> | undefined;

	/** @param failed Whether a result means that there is no new token. */
	constructor(private readonly failed: (answer: Answer) => boolean) {}

	/** The number of times that the token has been renewed. Read this before you read the token. */
	get renewals(): number {
		return this.count;
	}

	/**
	 * Renews the token, unless another request has renewed it since `seen` was read, or is renewing
	 * it now.
	 *
	 * @param seen The value of `renewals` before the token was read.
	 * @param work Gets a new token and sends the request with it. The mutex stays locked until
	 * `work` ends, even if its caller no longer waits. A refresh token must not be used twice.
	 * @returns The result of `work`. Undefined if another request has renewed the token and this
	 * request must still be sent. If the other request failed to renew it, returns its result,
	 * because a second renewal would fail too.
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
