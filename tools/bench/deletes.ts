/** Many deletes under the limit, compared with what someone would use instead. */

import type { INodeParameters } from 'n8n-workflow';

import type { Job, PeerJob } from './jobs';
import {
	deleteRows,
	flags,
	measure,
	shortest,
	withWarmUp,
	afterwards,
	type PacedOutcome,
} from './limited';
import { runAlone, startService, type BenchService } from './processes';
import { deletion, httpDeletion, LIMIT, scale, WINDOW_MS } from './runs';
import { atMost, exactly, shown, type Row } from './table';

const ITEMS = 1000;

const PEERS: Record<PeerJob['limiter'], string> = {
	bottleneck: 'Bottleneck (reservoir)',
	pThrottle: 'p-throttle (strict)',
};

function seconds({ ms, lost, refused }: PacedOutcome): string {
	return `${(ms / 1000).toFixed(1)} s, ${lost} lost, ${refused} refused`;
}

function withRatio(outcome: PacedOutcome): string {
	return `${seconds(outcome)} (ratio ${(outcome.ms / shortest(ITEMS)).toFixed(3)})`;
}

function ours(service: BenchService): (emails: string[]) => Job {
	return (emails) => ({ kind: 'run', run: deletion(service, emails), scale });
}

/** The shortest interval between batches of 100, in windows, at which HTTP Request loses nothing. */
async function losslessBatching(service: BenchService): Promise<string> {
	for (const factor of [1.02, 1.1]) {
		const batchInterval = Math.round(factor * WINDOW_MS);
		const batching: INodeParameters = { batch: { batchSize: LIMIT, batchInterval } };
		const outcome = await measure(service, (emails) => ({
			kind: 'run',
			run: httpDeletion(service, emails, { batching }),
		}));
		if (outcome.lost === 0)
			return `${withRatio(outcome)}, batches of ${LIMIT} every ${factor} windows`;
	}
	return 'none found';
}

/** What someone would write instead: a limiter, and a request without retries. */
async function peers(service: BenchService): Promise<Row[]> {
	const rows: Row[] = [];
	for (const limiter of ['bottleneck', 'pThrottle'] as const) {
		const outcome = await measure(service, (emails) => ({
			kind: 'peer',
			limiter,
			urls: emails.map((email) => `${service.baseUrl}/subscribers/${encodeURIComponent(email)}`),
			token: service.accessToken,
			limit: LIMIT,
			windowMs: WINDOW_MS,
		}));
		rows.push(shown(PEERS[limiter], withRatio(outcome)));
	}
	return rows;
}

async function httpRequest(service: BenchService): Promise<Row[]> {
	const plain = await measure(service, (emails) => ({
		kind: 'run',
		run: httpDeletion(service, emails),
	}));
	// The most that n8n allows: five tries, five seconds apart, scaled like all other times.
	const waitBetweenTries = Math.round((5000 * WINDOW_MS) / 60_000);
	const settings = { retryOnFail: true, maxTries: 5, waitBetweenTries };
	const retried = await measure(service, (emails) => ({
		kind: 'run',
		run: httpDeletion(service, emails, {}, settings),
	}));
	return [
		shown('HTTP Request, default settings', seconds(plain)),
		shown('HTTP Request, Retry On Fail (5 tries)', seconds(retried)),
		shown('HTTP Request, best lossless batching', await losslessBatching(service)),
	];
}

/**
 * 1,000 deletes: ours, HTTP Request's, and those of other limiters.
 *
 * @param latencyMs The response time of the sandbox, scaled: at least and at most.
 * @param goal For the elapsed time, as a multiple of the shortest time.
 */
export async function manyDeletes(latencyMs: [number, number], goal: number): Promise<Row[]> {
	const [from, to] = latencyMs;
	const service = await startService(flags(ITEMS, { 'latency-ms': from, 'latency-max-ms': to }));
	const rows = deleteRows(await measure(service, ours(service)), { items: ITEMS, goal });
	rows.push(...(await httpRequest(service)), ...(await peers(service)));
	service.stop();
	return rows;
}

/** 1,000 deletes, one of which is refused although there is room. */
export async function strayRefusal(): Promise<Row[]> {
	const service = await startService(flags(ITEMS));
	const stray = { kind: 'status', status: 429, skip: ITEMS / 2 };
	const outcome = await measure(service, ours(service), [stray]);
	const rows = deleteRows(outcome, { items: ITEMS, goal: 1.04 });
	const slow = await startService(flags(ITEMS, { 'latency-ms': 83 }));
	const { ms, lost } = await measure(slow, ours(slow), [stray]);
	const ratio = (ms / shortest(ITEMS)).toFixed(3);
	rows.push(
		shown(
			'with a response time of 2,000 ms: elapsed / shortest possible',
			`${ratio}, ${lost} lost`,
		),
	);
	for (const one of [service, slow]) one.stop();
	return rows;
}

/** 300 deletes under the real minute, with the settings of production. */
export async function realMinute(): Promise<Row[]> {
	const service = await startService({ 'rate-limit': LIMIT, 'latency-ms': 5, subscribers: 300 });
	const outcome = await measure(service, (emails) => ({
		kind: 'run',
		run: deletion(service, emails),
	}));
	service.stop();
	return deleteRows(outcome, { items: 300, goal: 1.03, windowMs: 60_000 });
}

/**
 * One delete that arrives while many others wait.
 *
 * @param isBurst Whether each of the others is a separate execution of the same workflow.
 */
export async function urgentDelete(items = ITEMS, isBurst = false): Promise<Row[]> {
	const service = await startService(flags(items + 5));
	const emails = await service.emails();
	const job: Job = {
		kind: 'urgent',
		batch: deletion(service, emails.slice(5)),
		urgent: emails.slice(0, 5).map((email) => deletion(service, [email])),
		everyMs: 700,
		scale,
		isBurst,
	};
	const result = await withWarmUp(async (warmUp) => await runAlone(job, warmUp));
	const { lost } = await afterwards(service);
	service.stop();
	const longest = Math.max(...result.urgentMs) / WINDOW_MS;
	return [
		atMost('longest delay of five single deletes, in simulated minutes', longest, 1),
		exactly('lost', lost, 0),
	];
}
