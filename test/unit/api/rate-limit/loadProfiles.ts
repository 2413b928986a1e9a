import type { Clock } from '../../../../nodes/Supercast/api/clock';
import type { Client } from '../../../../nodes/Supercast/api/rate-limit/fairQueue';
import { RateLimiter } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { VirtualClock } from '../../../support/virtualClock';

/** Supercast's minute. */
export const WINDOW = 60_000;
const LIMIT = 100;

/** What comes together at the limit, in one or several processes. */
export interface LoadProfile {
	/** A batch in each process: how many requests it has, and how many it sends at a time. */
	batches?: number[];
	atOnce?: number;
	/** How much later each process begins than the one before, in milliseconds. */
	stagger?: number;
	/** Executions that begin in the first process, and how many requests each of them sends. */
	joins?: number;
	each?: number;
	/** How many milliseconds later each of them begins than the one before. */
	joinEvery?: number;
	/** Executions of one request each, every window, from the first process. */
	urgent?: number;
	/** The workflow of these executions. That of the others is `joins`. */
	workflow?: string;
	/** The workflow of the batches, if it is not their own. */
	batchOf?: string;
	/** How many requests another app sends in every window, and for how many windows. */
	others?: number;
	until?: number;
	/** How many requests another app has sent when the others begin. */
	usedUp?: number;
	/** The times of a request on its way there, and of the response on its way back. */
	ways?: () => [number, number];
	/** Numbers of requests that Supercast refuses although there is room. */
	strays?: number[];
	retryAfter?: (waitMs: number) => number | undefined;
	limit?: number;
	/** Supercast's minute, if its clock differs. */
	window?: number;
	/** By how many milliseconds timers are late. */
	late?: number;
}

/** What users notice. Times are in windows. */
export interface Result {
	/** How long all requests take, as a multiple of the shortest time that the limit allows. */
	time: number;
	/** Which part of the requests Supercast refuses. */
	refused: number;
	/** The longest wait of an urgent execution. */
	urgent: number;
	/** After which part of the time half of the executions that came first are done. */
	median: number;
	/** How often the request that needs most tries is sent. */
	tries: number;
}

/** The same time for each request, half of it on the way there. */
export function constant(ms: number): () => [number, number] {
	return () => [ms / 2, ms / 2];
}

/** A simulated Supercast: a sliding window over the requests of all senders. */
class Service {
	private arrivals: number[] = [];
	private asked = 0;

	constructor(
		private readonly clock: VirtualClock,
		private readonly profile: LoadProfile,
	) {}

	/** Handles a request. Returns 0, or how long to wait after a refusal. */
	take(): number {
		const { strays = [], limit = LIMIT, window = WINDOW } = this.profile;
		const now = this.clock.now();
		if (strays.includes(++this.asked)) return 1;
		this.arrivals = this.arrivals.filter((at) => at > now - window);
		if (this.arrivals.length >= limit) return this.arrivals[0]! + window - now;
		this.arrivals.push(now);
		return 0;
	}
}

class Simulation {
	private readonly clock = new VirtualClock();
	private readonly service: Service;
	private readonly limiters: RateLimiter[];
	private sent = 0;
	private refused = 0;
	private tries = 0;
	private lastAt = 0;

	constructor(private readonly profile: LoadProfile) {
		const { limit = LIMIT, batches = [0], late = 0 } = profile;
		const { clock } = this;
		this.service = new Service(clock, profile);
		const timers: Clock = {
			now: () => clock.now(),
			date: () => clock.date(),
			sleep: async (ms, signal) => await clock.sleep(ms + late, signal),
		};
		this.limiters = batches.map(() => new RateLimiter(limit, WINDOW, timers));
	}

	/** Sends one request until it is accepted. */
	private async send(process: number, client: Client): Promise<void> {
		const { clock, service, profile } = this;
		const { ways = constant(100), retryAfter = () => undefined, limit = LIMIT } = profile;
		const limiter = this.limiters[process]!;
		// Each execution sets the limit of its credential.
		limiter.limit = limit;
		this.sent += 1;
		let deadline: number | undefined;
		for (let tries = 1; ; tries++) {
			const slot = await limiter.acquire(client, { deadline });
			if (typeof slot === 'string') throw new Error(slot);
			deadline ??= clock.now() + 10 * WINDOW;
			this.tries = Math.max(this.tries, tries);
			const [there, back] = ways();
			await clock.sleep(there);
			const waitMs = service.take();
			this.lastAt = clock.now();
			await clock.sleep(back);
			slot.release(waitMs === 0 ? 'counted' : 'refused', retryAfter(waitMs));
			if (waitMs === 0) return;
			this.refused += 1;
		}
	}

	/** An execution that sends its requests one after the other. Returns when it is done. */
	private async execution(workflow: string, requests: number, beginsAt = 0): Promise<number> {
		const client = { workflow };
		if (beginsAt > 0) await this.clock.sleep(beginsAt);
		for (let n = 0; n < requests; n++) await this.send(0, client);
		return this.clock.now();
	}

	private async batch(process: number, items: number): Promise<void> {
		const { stagger = 0, atOnce = 10, batchOf: workflow = 'batch' } = this.profile;
		const client = { workflow };
		await this.clock.sleep(process * stagger);
		let left = items;
		const worker = async (): Promise<void> => {
			while (left-- > 0) await this.send(process, client);
		};
		await Promise.all(Array.from({ length: atOnce }, worker));
	}

	/** The waits of executions that come one after the other, a little later in each window. */
	private async urgentWaits(count: number): Promise<number[]> {
		const waits: number[] = [];
		for (let n = 0; n < count; n++) {
			await this.clock.sleep(1.13 * WINDOW);
			const before = this.clock.now();
			waits.push((await this.execution(this.profile.workflow ?? 'urgent', 1)) - before);
		}
		return waits;
	}

	private async otherApp(each: number, isOver: () => boolean): Promise<void> {
		const until = (this.profile.until ?? Infinity) * WINDOW;
		while (each > 0 && !isOver() && this.clock.now() < until) {
			this.service.take();
			await this.clock.sleep(WINDOW / each);
		}
	}

	async simulate(): Promise<Result> {
		const { profile, clock, service } = this;
		const { batches = [], joins = 0, each = 2, joinEvery = 0, urgent = 0 } = profile;
		const { others = 0, usedUp = 0, limit = LIMIT } = profile;
		let isOver = false;
		for (let n = 0; n < usedUp; n++) service.take();
		const other = this.otherApp(others, () => isOver);
		const executions = Array.from(
			{ length: joins },
			async (_, n) => await this.execution('joins', each, n * joinEvery),
		);
		const work = Promise.all([
			...batches.map(async (items, process) => await this.batch(process, items)),
			...executions,
		]).then(() => this.lastAt);
		const all = Promise.all([work, Promise.all(executions), this.urgentWaits(urgent)]);
		const [end, joinEnds, waits] = await clock.run(all);
		isOver = true;
		await clock.run(other);
		const shortest = ((this.sent + usedUp - limit) / (limit - others)) * WINDOW;
		const early = joinEnds.slice(0, joins / 2).sort((one, two) => one - two);
		return {
			time: end / shortest,
			refused: this.refused / (this.sent + this.refused),
			urgent: Math.max(0, ...waits) / WINDOW,
			median: (early[Math.floor(early.length / 2)] ?? 0) / end,
			tries: this.tries,
		};
	}
}

/** Simulates a load profile. The same profile always has the same result. */
export async function simulate(profile: LoadProfile): Promise<Result> {
	return await new Simulation(profile).simulate();
}
