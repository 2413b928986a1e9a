import type { VirtualClock } from '../support/virtualClock';
import { HelperSupercast, networkError } from './helperSupercast';
import type { Answer, Request } from './supercast';

/** How late it is. */
export interface Delays {
	/** How old a read may be, in milliseconds. */
	oldMs: number;
	/** How long after a lost answer a change may be made, in milliseconds. */
	lateMs: number;
	/** For how many of the changes the answer is lost. */
	lostShare: number;
}

/**
 * The simulated Supercast whose reads each come from another replica, and which makes some changes
 * only after their answer was lost.
 */
export class LaggingSupercast extends HelperSupercast {
	/** @param random Returns a number from 0 to 1. */
	constructor(
		clock: VirtualClock,
		private readonly random: () => number,
		private readonly delays: Delays,
	) {
		super(clock);
		// From now on, it keeps what it stored at each time.
		this.lagMs = 1;
	}

	protected respond(request: Request): Answer {
		const { oldMs, lateMs, lostShare } = this.delays;
		this.lagMs = 1 + Math.floor(this.random() * oldMs);
		if (request.method === 'GET' || this.random() >= lostShare) return this.process(request);
		const late = this.clock.sleep(Math.floor(this.random() * lateMs));
		void late.then(() => this.process(request));
		if (this.random() < 0.5) throw networkError('ECONNRESET');
		return { status: 504, body: '<h1>Gateway time-out</h1>' };
	}
}
