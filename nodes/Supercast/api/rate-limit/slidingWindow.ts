/** The sliding window of one limit: which requests still count, and when there is room. */

import { AdaptiveLimit } from './adaptiveLimit';

// Two clocks drift apart by at most this much while one of them is being set (NTP slews 500 ppm).
const CLOCK_DRIFT = 0.0005;

// When others have used up the limit, whatever is on its way is refused as well. So only this part of
// the limit is on its way at once, or as much as a slow service needs for a burst of the whole limit
// to be over within a seventh of a window. What had no answer for a long time holds up nobody.
const ON_THE_WAY = 1 / 20;
const LONGEST_BURST = 1 / 7;
const ANSWER_AWAITED = 1 / 20;

// Arrivals can be told apart from what leaves the window only to about this part of it.
const UNCERTAINTY = 1 / 100;

/** A request on its way, and how things stood when it was sent. */
export interface InFlight {
	readonly at: number;
	/** How many of ours the service may have counted before it. */
	readonly heldBefore: number;
	/** Whether one of ours had only just left the window: this one may have arrived before that. */
	readonly isTight: boolean;
}

/** What became of a request, as far as the service's count is concerned. */
export type Outcome = 'counted' | 'refused';

/**
 * Counts requests as the service does, which counts arrivals. When a request arrived is not known
 * here: between when it was sent and when its answer came. An answer's time less the shortest time
 * that any request took lately is the earliest bound that is still safe for the next one, which may
 * be quicker on its way there. So a slow service costs no time, and only jitter does.
 */
export class SlidingWindow {
	/** When the answers came of those that count, oldest first. */
	private readonly answers: number[] = [];
	/** Those that are still on their way, oldest first. */
	private readonly unanswered: InFlight[] = [];
	private lastLeftAt = -Infinity;
	private readonly adaptive: AdaptiveLimit;
	private readonly shortest: ShortestTime;

	/**
	 * @param limit Requests in a window, at least 1.
	 * @param windowMs Length of the window in milliseconds.
	 */
	constructor(
		readonly limit: number,
		private readonly windowMs: number,
	) {
		this.adaptive = new AdaptiveLimit(limit, windowMs);
		this.shortest = new ShortestTime(windowMs);
	}

	/** When the next request may be sent: now, later, or Infinity if that depends on an answer. */
	roomAt(now: number): number {
		this.forget(now);
		const free =
			this.held < this.adaptive.at(now)
				? now
				: Math.min(this.firstLeavesAt(), this.adaptive.nextProbe);
		return Math.max(free, this.answerAwaitedUntil());
	}

	/** Counts a request that is being sent now. */
	begin(now: number): InFlight {
		const isTight = now - this.lastLeftAt < this.windowMs * UNCERTAINTY;
		const sent = { at: now, heldBefore: this.held, isTight };
		this.unanswered.push(sent);
		return sent;
	}

	/** Notes the end of a request. */
	end(outcome: Outcome, sent: InFlight, now: number): void {
		this.unanswered.splice(this.unanswered.indexOf(sent), 1);
		this.forget(now);
		if (outcome === 'refused') {
			this.adaptive.refused(now, sent.heldBefore, sent.isTight);
			return;
		}
		this.answers.push(now);
		this.shortest.note(now - sent.at, now);
		this.adaptive.accepted(this.answers.length);
	}

	/** How many of ours the service may still count. */
	get held(): number {
		return this.answers.length + this.unanswered.length;
	}

	private answerAwaitedUntil(): number {
		const { shortest, windowMs, limit, unanswered } = this;
		const part = Math.max(ON_THE_WAY, shortest.latestMs / (windowMs * LONGEST_BURST));
		const sentAt = unanswered.at(-Math.ceil(limit * part))?.at ?? -Infinity;
		return sentAt + windowMs * ANSWER_AWAITED;
	}

	private firstLeavesAt(): number {
		const [answeredAt] = this.answers;
		if (answeredAt === undefined) return Infinity;
		return answeredAt - this.shortest.provenMs + this.windowMs * (1 + CLOCK_DRIFT);
	}

	private forget(now: number): void {
		for (let at = this.firstLeavesAt(); at <= now; at = this.firstLeavesAt()) {
			this.lastLeftAt = at;
			this.answers.shift();
		}
	}
}

/** The shortest of the times noted in the last one to two windows. */
class ShortestTime {
	private since = -Infinity;
	private current = Infinity;
	private previous = Infinity;

	constructor(private readonly windowMs: number) {}

	note(ms: number, now: number): void {
		const age = now - this.since;
		if (age >= this.windowMs) {
			this.previous = age < 2 * this.windowMs ? this.current : Infinity;
			this.current = Infinity;
			this.since = now;
		}
		this.current = Math.min(this.current, ms);
	}

	/** Milliseconds; 0 when nothing was noted. */
	get latestMs(): number {
		const shortest = Math.min(this.current, this.previous);
		return Number.isFinite(shortest) ? shortest : 0;
	}

	/**
	 * Milliseconds; 0 until there is a second window. The first burst of a process takes longer than
	 * any later one before it is on its way, since its code runs for the first time.
	 */
	get provenMs(): number {
		return Number.isFinite(this.previous) ? this.latestMs : 0;
	}
}
