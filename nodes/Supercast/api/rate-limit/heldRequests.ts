/** Clocks may differ by this part of a window. */
const CLOCK_DRIFT = 0.0005;

/** After this part of a window, a request has reached Supercast, even without a response. */
const LONGEST_WAY = 1 / 40;

/** The shortest response time moves toward a longer one by this part of the difference. */
const FORGETTING = 1 / 64;

/** Times are in milliseconds, by the clock's `now`. */
export interface CountedRequest {
	readonly sentAt: number;
	/** How many requests were in the window when this one was sent. */
	readonly requestsBefore: number;
	isAccepted: boolean;
	leavesAt: number;
}

/** The requests of the last window. They count from the estimated time at which they arrived. */
export class WindowRequests {
	/** In the order in which they leave the window. */
	private readonly requests: CountedRequest[] = [];
	// The first requests of a process are slow, so no time is subtracted from the first response.
	private shortestMs = 0;
	acceptedCount = 0;

	constructor(private readonly windowMs: number) {}

	get count(): number {
		return this.requests.length;
	}

	/** When the next request leaves the window; Infinity if there is none. */
	get nextLeavesAt(): number {
		return this.leavesAt(0);
	}

	begin(now: number): CountedRequest {
		const leavesAt = now + this.windowMs * (1 + LONGEST_WAY);
		const sent = { sentAt: now, requestsBefore: this.requests.length, isAccepted: false, leavesAt };
		this.requests.push(sent);
		return sent;
	}

	accepted(sent: CountedRequest, now: number): void {
		this.end(sent);
		const ms = now - sent.sentAt;
		this.shortestMs = Math.min(ms, this.shortestMs + (ms - this.shortestMs) * FORGETTING);
		const leavesAt = now - this.shortestMs + this.windowMs * (1 + CLOCK_DRIFT);
		sent.leavesAt = Math.min(sent.leavesAt, leavesAt);
		sent.isAccepted = true;
		this.acceptedCount++;
		this.insert(sent);
	}

	/** A request that Supercast refused takes no room. */
	end(sent: CountedRequest): void {
		const index = this.requests.lastIndexOf(sent);
		if (index >= 0) this.requests.splice(index, 1);
	}

	/** A new request usually leaves after all others, so the search begins at the end. */
	private insert(sent: CountedRequest): void {
		let place = this.requests.length;
		while (place > 0 && this.leavesAt(place - 1) > sent.leavesAt) place--;
		this.requests.splice(place, 0, sent);
	}

	private leavesAt(place: number): number {
		return this.requests[place]?.leavesAt ?? Infinity;
	}

	forget(now: number): void {
		while (this.nextLeavesAt <= now) {
			if (this.requests.shift()?.isAccepted === true) this.acceptedCount--;
		}
	}
}
