import { z } from 'zod';
import { seededRandom, type Random } from '../data/random';

/**
 * A fault in the format of `POST /_sandbox/faults`. Without `share` and `times`, it applies once.
 */
export const faultSchema = z
	.object({
		kind: z.enum(['status', 'reset', 'stall', 'truncated', 'html', 'answer']),
		/** The status to send (`status`, `html`, `answer`, and `truncated` before processing). */
		status: z.number().int().min(200).max(599).optional(),
		/**
		 * The share of matching requests that the fault affects, chosen by a seeded random source.
		 */
		share: z.number().min(0).max(1).optional(),
		/** The largest number of requests that the fault affects. */
		times: z.number().int().min(1).optional(),
		/** How many matching requests to let through first. */
		skip: z.number().int().min(0).default(0),
		/** Whether it applies before or after the sandbox processes the request. */
		when: z.enum(['before', 'after']).default('before'),
		method: z
			.string()
			.transform((method) => method.toUpperCase())
			.optional(),
		/** A prefix of the path without the version, e.g. `/subscribers`, or `/oauth/token`. */
		path: z.string().startsWith('/').optional(),
		/** Query parameters that the request must have, e.g. `{"page": "2"}`. */
		query: z.record(z.string()).optional(),
		/** The body of an `answer`: a string as it is, anything else as JSON. */
		body: z.unknown(),
		/** How many records of a processed list an `answer` keeps. The headers don't change. */
		keep: z.number().int().min(0).optional(),
		/** Headers that an `answer` adds, changes, or removes (null). */
		headers: z.record(z.string().nullable()).default({}),
		/** Retry-After: absent (null), `date` (a second from now), or the given value. */
		retryAfter: z
			.union([z.string(), z.number().int().min(0).transform(String), z.null()])
			.default(null),
		/** How long a stalled connection stays open. */
		stallMs: z.number().int().min(0).default(60_000),
		/** The sandbox processes the request only this long after the fault. */
		lateMs: z.number().int().min(0).optional(),
		message: z.string().default('Injected fault'),
		seed: z.number().int().min(0).default(1),
	})
	.strict();

/** A fault as a caller passes it. */
export type FaultSpec = z.input<typeof faultSchema>;
/** A fault with its defaults. */
export type Fault = z.output<typeof faultSchema>;

interface Armed {
	fault: Fault;
	random: Random;
	seen: number;
	left: number;
}

/** Decides which fault affects a request. */
export class FaultInjector {
	private armed: Armed[] = [];

	add(specs: FaultSpec | FaultSpec[]): void {
		for (const spec of Array.isArray(specs) ? specs : [specs]) {
			const fault = faultSchema.parse(spec);
			const once = fault.share === undefined && fault.times === undefined;
			this.armed.push({
				fault,
				random: seededRandom(fault.seed),
				seen: 0,
				left: once ? 1 : (fault.times ?? Infinity),
			});
		}
	}

	/** The first fault that matches this request, if any. */
	next(method: string, url: string): Fault | undefined {
		for (const armed of this.armed) {
			if (matches(armed.fault, method, url) && this.falls(armed)) return armed.fault;
		}
		return undefined;
	}

	/** The active faults, and how many requests each can still affect (`null`: no limit). */
	list(): Array<Fault & { left: number | null }> {
		return this.armed.map(({ fault, left }) => ({
			...fault,
			left: Number.isFinite(left) ? left : null,
		}));
	}

	clear(): void {
		this.armed = [];
	}

	private falls(armed: Armed): boolean {
		if (armed.left === 0 || armed.seen++ < armed.fault.skip) return false;
		if (armed.fault.share !== undefined && armed.random() >= armed.fault.share) return false;
		armed.left--;
		return true;
	}
}

function matches(fault: Fault, method: string, url: string): boolean {
	if (fault.method !== undefined && fault.method !== method) return false;
	const [path = '', query = ''] = url.split('?');
	const sent = new URLSearchParams(query);
	const wanted = Object.entries(fault.query ?? {});
	if (wanted.some(([name, value]) => sent.get(name) !== value)) return false;
	// A fault without a path affects only the API, and not the token endpoint.
	if (fault.path === undefined) return !path.startsWith('/oauth/');
	return path.startsWith(fault.path);
}
