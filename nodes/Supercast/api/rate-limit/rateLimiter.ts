/** Lets requests go as fast as a limit allows, in turns, for everybody in the process. Pure. */

import { pause, type Clock } from '../clock';
import { Lanes, type Queued } from './fairQueue';
import { RequestWindow, type Ending } from './slidingWindow';

/** A request's right to be sent now. Its end has to be reported, whatever comes of it. */
export interface Turn {
	/**
	 * @param ending Whether the service counted the request, or refused it with 429.
	 * @param retryAfterMs How long everybody should wait, if the service said so.
	 */
	end(ending: Ending, retryAfterMs?: number): void;
}

/** What came of waiting: a turn, or none because the deadline passed or the signal was aborted. */
export type Admission = Turn | 'late' | 'stopped';

/** How somebody waits. */
export interface Patience {
	/** By the clock's `now`; Infinity by default. */
	deadline?: number;
	/** Ends the wait at once when aborted. */
	signal?: AbortSignal;
}

interface Waiter extends Queued {
	readonly deadline: number;
	settle(admission: Admission): void;
}

interface Alarm {
	at: number;
	off: AbortController;
}

// Without Retry-After, and with nothing of ours in the window that could leave it, nobody knows when
// there is room: asked again after this part of a window, and twice as long after each refusal.
const FIRST_GUESS = 1 / 16;
const LONGEST_GUESS = 1 / 3;

/** One limit, shared by all who spend it. */
export class Pacer {
	private readonly lanes = new Lanes<Waiter>();
	private window: RequestWindow | undefined;
	private inFlight = 0;
	private pausedUntil = -Infinity;
	private guess = FIRST_GUESS;
	private lastEnd = -Infinity;
	private alarm: Alarm | undefined;

	/**
	 * @param limit Requests in a window; 0 for no limit on this side.
	 * @param windowMs Length of the window in milliseconds.
	 */
	constructor(
		limit: number,
		private readonly windowMs: number,
		private readonly clock: Clock,
	) {
		this.limit = limit;
	}

	/** A new limit takes effect at once, and what was learned of the old one is forgotten. */
	set limit(limit: number) {
		if ((this.window?.limit ?? 0) === limit) return;
		this.window = limit > 0 ? new RequestWindow(limit, this.windowMs) : undefined;
		this.advance();
	}

	/** Whether a new pacer would behave no differently from this one. */
	get isIdle(): boolean {
		const now = this.clock.now();
		const forgotten = Math.max(this.lastEnd + this.windowMs, this.pausedUntil) < now;
		return this.lanes.isEmpty && this.inFlight === 0 && forgotten;
	}

	/**
	 * Waits until one request may be sent.
	 *
	 * @param lane Who asks. Lanes take turns, so that many requests of one do not hold up another.
	 */
	async admit(lane: object, { deadline = Infinity, signal }: Patience = {}): Promise<Admission> {
		if (signal?.aborted === true) return 'stopped';
		const now = this.clock.now();
		if (this.lanes.isEmpty && this.roomAt(now) <= now && now < deadline) return this.begin(now);
		return await new Promise<Admission>((resolve) => {
			const stop = (): void => {
				this.lanes.remove(waiter);
				resolve('stopped');
				this.setAlarm();
			};
			const settle = (admission: Admission): void => {
				signal?.removeEventListener('abort', stop);
				resolve(admission);
			};
			const waiter = { lane, deadline, settle };
			signal?.addEventListener('abort', stop, { once: true });
			this.lanes.add(waiter);
			this.advance();
		});
	}

	private advance(): void {
		if (this.lanes.isEmpty) return this.setAlarm();
		const now = this.clock.now();
		for (const waiter of this.lanes.all()) {
			if (waiter.deadline > now) continue;
			this.lanes.remove(waiter);
			waiter.settle('late');
		}
		while (this.roomAt(now) <= now) {
			const waiter = this.lanes.next();
			if (waiter === undefined) break;
			waiter.settle(this.begin(now));
		}
		this.setAlarm();
	}

	private roomAt(now: number): number {
		return Math.max(this.pausedUntil, this.window?.roomAt(now) ?? now);
	}

	private begin(sentAt: number): Turn {
		const { window } = this;
		const sent = window?.begin(sentAt);
		this.inFlight++;
		return {
			end: (ending, retryAfterMs) => {
				const now = this.clock.now();
				this.inFlight--;
				this.lastEnd = now;
				if (sent !== undefined) window?.end(ending, sent, now);
				if (ending === 'refused') this.yieldToOthers(sentAt, now, retryAfterMs);
				else this.guess = FIRST_GUESS;
				this.advance();
			},
		};
	}

	private yieldToOthers(sentAt: number, now: number, toldMs?: number): void {
		// A service that says the same again and again does not know when there is room.
		const firstRefusal = this.guess === FIRST_GUESS;
		const pauseMs = Math.max(toldMs ?? 0, this.guessMs(sentAt));
		const believed = firstRefusal && toldMs !== undefined ? toldMs : pauseMs;
		this.pausedUntil = Math.max(this.pausedUntil, now + believed);
	}

	/** How long to wait where only guessing is left; 0 while there is something better. */
	private guessMs(sentAt: number): number {
		const hasOwnRoomComing = this.window !== undefined && this.window.held > 0;
		// Those that were under way together with the one that led to the pause tell nothing new.
		if (hasOwnRoomComing || sentAt < this.pausedUntil) return 0;
		const ms = this.guess * this.windowMs;
		this.guess = Math.min(this.guess * 2, LONGEST_GUESS);
		return ms;
	}

	/** Sees to it that time alone brings on the next turn, or the next deadline. */
	private setAlarm(): void {
		if (this.lanes.isEmpty && this.alarm === undefined) return;
		const now = this.clock.now();
		const waiting = this.lanes.all();
		const at = Math.min(this.roomAt(now), ...waiting.map(({ deadline }) => deadline));
		const needless = waiting.length === 0 || at === Infinity;
		if (!needless && this.alarm !== undefined && this.alarm.at <= at) return;
		this.alarm?.off.abort();
		this.alarm = undefined;
		if (needless) return;
		const alarm: Alarm = { at, off: new AbortController() };
		this.alarm = alarm;
		void pause(this.clock, Math.ceil(at - now), alarm.off.signal).then(() => {
			if (this.alarm !== alarm) return;
			this.alarm = undefined;
			this.advance();
		});
	}
}
