import type { Client } from '../../../../nodes/Supercast/api/rate-limit/fairQueue';
import { RateLimiter } from '../../../../nodes/Supercast/api/rate-limit/rateLimiter';
import { seededRandom } from '../../../../sandbox/data/random';
import { VirtualClock } from '../../../support/virtualClock';
import { constant, LIMIT, Service, WINDOW, type WorkOptions } from './simulation';

/** What comes together at the limit, in one or several processes. */
interface Weather {
	/** A batch in each process: how many requests it has, and how many it sends at a time. */
	batches?: number[];
	atOnce?: number;
	/** Executions of two requests each that begin in the first process at the same time. */
	joins?: number;
	/** Executions of one request each, every window, from the first process. */
	urgent?: number;
	/** How many requests another app sends in every window, whatever happens. */
	others?: number;
	ways?: WorkOptions['ways'];
	/** Numbers of requests that Supercast refuses although there is room. */
	strays?: number[];
	retryAfter?: (waitMs: number) => number | undefined;
	limit?: number;
}

/** What users notice. Times are in windows. */
interface Result {
	/** How long all requests take, as a multiple of the shortest time that the limit allows. */
	time: number;
	/** Which part of the requests Supercast refuses. */
	refused: number;
	/** The longest wait of an urgent execution. */
	urgent: number;
	/** After which part of the time half of the executions with two requests are done. */
	median: number;
}

class Day {
	private readonly clock = new VirtualClock();
	private readonly service: Service;
	private readonly limiters: RateLimiter[];
	private sent = 0;
	private refused = 0;

	constructor(private readonly weather: Weather) {
		const { strays, limit = LIMIT, batches = [] } = weather;
		this.service = new Service(this.clock, strays, limit);
		const processes = Math.max(1, batches.length);
		this.limiters = Array.from(
			{ length: processes },
			() => new RateLimiter(limit, WINDOW, this.clock),
		);
	}

	/** Sends one request until it is accepted. */
	private async send(process: number, client: Client): Promise<void> {
		const { clock, service, weather, limiters } = this;
		const { ways = constant(100), retryAfter = () => undefined } = weather;
		this.sent += 1;
		for (let deadline: number | undefined; ; deadline ??= clock.now() + 10 * WINDOW) {
			const slot = await limiters[process]!.acquire(client, { deadline });
			if (typeof slot === 'string') throw new Error(slot);
			const [there, back] = ways();
			await clock.sleep(there);
			const waitMs = service.take();
			await clock.sleep(back);
			slot.release(waitMs === 0 ? 'counted' : 'refused', retryAfter(waitMs));
			if (waitMs === 0) return;
			this.refused += 1;
		}
	}

	/** An execution that sends its requests one after the other. Returns when it is done. */
	private async execution(process: number, workflow: string, requests: number): Promise<number> {
		const client = { workflow };
		for (let n = 0; n < requests; n++) await this.send(process, client);
		return this.clock.now();
	}

	private async batch(process: number, items: number): Promise<number> {
		const client = { workflow: 'batch' };
		let left = items;
		const worker = async (): Promise<void> => {
			while (left-- > 0) await this.send(process, client);
		};
		await Promise.all(Array.from({ length: this.weather.atOnce ?? 10 }, worker));
		return this.clock.now();
	}

	/** The waits of executions that come one after the other, a little later in each window. */
	private async urgentWaits(count: number): Promise<number[]> {
		const waits: number[] = [];
		for (let n = 0; n < count; n++) {
			await this.clock.sleep(1.13 * WINDOW);
			const before = this.clock.now();
			waits.push((await this.execution(0, 'urgent', 1)) - before);
		}
		return waits;
	}

	private async otherApp(each: number, isOver: () => boolean): Promise<void> {
		while (each > 0 && !isOver()) {
			this.service.take();
			await this.clock.sleep(WINDOW / each);
		}
	}

	async play(): Promise<Result> {
		const { batches = [], joins = 0, urgent = 0, others = 0, limit = LIMIT } = this.weather;
		let isOver = false;
		const other = this.otherApp(others, () => isOver);
		const all = Promise.all([
			Promise.all(batches.map(async (items, process) => await this.batch(process, items))),
			Promise.all(Array.from({ length: joins }, async () => await this.execution(0, 'joins', 2))),
			this.urgentWaits(urgent),
		]);
		const [batchEnds, joinEnds, waits] = await this.clock.run(all);
		isOver = true;
		await this.clock.run(other);
		const end = Math.max(...batchEnds, ...joinEnds);
		const half = [...joinEnds].sort((one, two) => one - two)[Math.floor(joins / 2)] ?? 0;
		return {
			time: end / ((this.sent / (limit - others) - 1) * WINDOW),
			refused: this.refused / (this.sent + this.refused),
			urgent: Math.max(0, ...waits) / WINDOW,
			median: half / end,
		};
	}
}

const chance = seededRandom(7);
const four = [500, 500, 500, 500];

/** The most that each weather may cost. */
const TABLE: Array<[string, Weather, Partial<Result>]> = [
	['quick answers', { batches: [1000], ways: constant(5) }, { time: 1.01, refused: 0 }],
	[
		'answers after two seconds',
		{ batches: [1000], atOnce: 32, ways: constant(2000) },
		{ time: 1.03, refused: 0 },
	],
	[
		'answers after 0.2 to 3 s',
		{ batches: [1000], atOnce: 32, ways: () => [5, 195 + chance() * 2800] },
		{ time: 1.05, refused: 0 },
	],
	[
		'0.2 to 3 s on the way there, which the client cannot know',
		{ batches: [1000], atOnce: 32, ways: () => [195 + chance() * 2800, 5] },
		{ time: 1.06, refused: 0.01 },
	],
	[
		'five refusals by chance',
		{ batches: [1000], strays: [1, 101, 450, 501, 999] },
		{ time: 1.04, refused: 0.006 },
	],
	['an app that takes 30 of 100', { batches: [700], others: 30 }, { time: 0.9, refused: 0.02 }],
	['four processes', { batches: four }, { time: 1.05, refused: 0.04 }],
	[
		'four processes, told to wait a minute',
		{ batches: four, retryAfter: () => WINDOW },
		{ time: 1.09, refused: 0.04 },
	],
	[
		'three processes with unequal work, and a limit of 600',
		{
			...{ batches: [1000, 1000, 400], limit: 600, atOnce: 160 },
			ways: () => [2 + chance() * 5, 100 + chance() * 20],
		},
		{ time: 1.05, refused: 0.03 },
	],
	['an urgent request beside a batch', { batches: [1000], urgent: 5 }, { urgent: 0.9 }],
	[
		'a launch day',
		{ joins: 240, urgent: 3 },
		{ time: 1.07, refused: 0, urgent: 0.9, median: 0.55 },
	],
	[
		'a launch day beside a batch',
		{ batches: [300], joins: 240, urgent: 5 },
		{ time: 1.05, refused: 0, urgent: 0.9, median: 0.65 },
	],
];

describe('the time, the refusals, the wait of urgent requests and the median', () => {
	it.each(TABLE)('stay low with %s', async (_, weather, most) => {
		const result = await new Day(weather).play();
		for (const key of Object.keys(most) as Array<keyof Result>) {
			expect([key, result[key]]).toEqual([key, expect.any(Number)]);
			expect({ [key]: result[key] <= (most[key] ?? 0), is: result[key] }).toMatchObject({
				[key]: true,
			});
		}
	});
});
