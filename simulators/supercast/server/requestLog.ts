import { fingerprint } from '../data/random';

/** One incoming request and its result. */
export interface LogEntry {
	number: number;
	time: string;
	method: string;
	/** The address exactly as the client sent it. */
	path: string;
	/** Method and route, e.g. `DELETE /subscribers/:id`. */
	route: string;
	params: Record<string, unknown>;
	query: Record<string, unknown>;
	headers: Record<string, string | string[] | undefined>;
	body: unknown;
	/** What the client received. With `reset` and `stall`, it received no response. */
	status: number | string | null;
	/** The fault that was applied, if any. */
	fault?: { kind: string; when: string };
}

/** The counters of `GET /_sandbox/stats`. */
export interface Stats {
	requests: number;
	byStatus: Record<string, number>;
	byRoute: Record<string, Record<string, number>>;
}

const SECRET_HEADERS = new Set(['authorization', 'cookie']);
const SECRET_FIELDS = new Set([
	'access_token',
	'client_secret',
	'code',
	'code_verifier',
	'password',
	'refresh_token',
]);

/** A copy without secrets. Equal secrets get the same mark. */
export function redactForLog(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(redactForLog);
	return Object.fromEntries(
		Object.entries(value).map(([key, inner]: [string, unknown]) => [
			key,
			SECRET_FIELDS.has(key) ? fingerprint(String(inner)) : redactForLog(inner),
		]),
	);
}

/** The headers without secrets. */
export function redactHeaders(headers: LogEntry['headers']): LogEntry['headers'] {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => {
			if (!SECRET_HEADERS.has(name)) return [name, value];
			const [scheme = '', ...rest] = String(value).split(' ');
			return [name, rest.length > 0 ? `${scheme} ${fingerprint(rest.join(' '))}` : '[redacted]'];
		}),
	);
}

/** A log of limited length, with counters of all requests. */
export class RequestLog {
	private entries: LogEntry[] = [];
	private received = 0;
	private counts: Pick<Stats, 'byRoute' | 'byStatus'> = { byStatus: {}, byRoute: {} };

	constructor(private readonly size: number) {}

	add(entry: Omit<LogEntry, 'number' | 'status'>): LogEntry {
		const kept: LogEntry = { ...entry, number: ++this.received, status: null };
		if (this.size > 0) this.entries.push(kept);
		if (this.entries.length > this.size) this.entries.shift();
		return kept;
	}

	/** Logs the response to a request. A second call for the same request changes nothing. */
	finish(entry: LogEntry, status: number | string): void {
		if (entry.status !== null) return;
		entry.status = status;
		const { byStatus, byRoute } = this.counts;
		byStatus[status] = (byStatus[status] ?? 0) + 1;
		const route = (byRoute[entry.route] ??= {});
		route[status] = (route[status] ?? 0) + 1;
	}

	list(): readonly LogEntry[] {
		return this.entries;
	}

	stats(): Stats {
		return { requests: this.received, ...structuredClone(this.counts) };
	}

	reset(): void {
		this.entries = [];
		this.received = 0;
		this.counts = { byStatus: {}, byRoute: {} };
	}
}
