/** Runs the package's operations against a simulated Supercast in memory, on a virtual clock. */

import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { createClient, type SupercastClient } from '../../nodes/Supercast/api/client';
import type { RequestContext } from '../../nodes/Supercast/api/http/send';
import { runtime } from '../../nodes/Supercast/api/clock';
import type { ItemParameters } from '../../nodes/Supercast/operations/types';
import { findOperation } from '../../nodes/Supercast/resources';
import { runs } from './deep';
import type { Habits, Quirk } from '../doubles/quirkySupercast';
import { VirtualClock } from './virtualClock';

/** Replaces n8n's request helper. */
export interface Answering {
	answer(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse>;
}

let credentials = 0;

const clock = new VirtualClock();

/** Restores the real clock after a `describe` block. */
export function useVirtualClock(): void {
	const real = { ...runtime };
	afterAll(() => Object.assign(runtime, real));
}

/** Gives the client the virtual clock, and starts a sequence with a separate credential. */
export function freshClock(): VirtualClock {
	Object.assign(runtime, { clock, random: () => 0.5 });
	credentials++;
	return clock;
}

/** A separate client, as in each execution. The clients of one sequence share a credential. */
export async function clientOf(
	service: Answering,
	options: { requestsPerMinute?: number; maxWaitMs?: number } = {},
): Promise<SupercastClient> {
	// An undefined limit stays undefined, as in a credential without a limit.
	const { requestsPerMinute, maxWaitMs } = {
		...{ requestsPerMinute: 0, maxWaitMs: 600_000 },
		...options,
	};
	const context = {
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ credentials: { supercastApi: { id: `quarrel-${credentials}` } } }),
		getCredentials: async () => ({
			baseUrl: `https://quarrel-${credentials}.example/api/v1`,
			accessToken: 'a-token-of-the-tests',
			requestsPerMinute,
		}),
		helpers: {
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) =>
				await service.answer(options),
		},
	};
	return await createClient(context as unknown as RequestContext, 'accessToken', { maxWaitMs });
}

/** Runs one item of a subscriber operation. */
export async function runItem(
	client: SupercastClient,
	operation: string,
	email: string,
	fields: IDataObject = {},
): Promise<IDataObject> {
	const parameters: ItemParameters = {
		...{ timezone: 'UTC', now: 0, isOld: false },
		parameter: (name) => ({ email, simplify: false })[name],
		collection: (name) => (/Fields$/.test(name) ? fields : {}),
		locator: () => ({ mode: 'email', value: email }),
	};
	const found = findOperation('subscriber', operation);
	if (found === undefined || !('prepare' in found)) throw new Error(`no operation ${operation}`);
	const task = found.prepare(parameters);
	const [output] = await task.run(client);
	return output!;
}

/** Checks a property over many sequences. */
export async function everySequence<T>(
	sequences: fc.Arbitrary<T>,
	holds: (sequence: T) => Promise<void>,
): Promise<void> {
	await fc.assert(fc.asyncProperty(sequences, holds), runs(8));
}

/** A broken connection, or a response that n8n cannot read. */
const LOST_CODES = [
	...['ECONNRESET', 'EPIPE', 'ENETUNREACH', 'EPROTO', 'ENETRESET', 'ERR_STREAM_PREMATURE_CLOSE'],
	...['HPE_INVALID_CHUNK_SIZE', 'HPE_UNEXPECTED_CONTENT_LENGTH', 'HPE_HEADER_OVERFLOW'],
];
const GATEWAY_STATUSES = [502, 503, 520];
/** A late commit is hidden for up to 5 s after it. It must be found within 30 s. */
const LATEST_COMMIT_MS = 24_000;

const processed = fc.boolean();

/** Temporary network faults. */
const passing: fc.Arbitrary<Quirk> = fc.oneof(
	fc.record({ kind: fc.constant('network'), code: fc.constantFrom(...LOST_CODES), processed }),
	fc.record({
		kind: fc.constant('network'),
		code: fc.constantFrom('ECONNREFUSED', 'EAI_AGAIN'),
		processed: fc.constant(false),
	}),
	fc.record({
		kind: fc.constant('gateway'),
		status: fc.constantFrom(...GATEWAY_STATUSES),
		isPage: fc.boolean(),
		processed,
	}),
	fc.record({
		kind: fc.constant('gateway'),
		status: fc.constantFrom(521, 523),
		isPage: fc.boolean(),
		processed: fc.constant(false),
	}),
	fc.record({
		kind: fc.constant('gateway'),
		status: fc.constantFrom(504, 522, 524),
		isPage: fc.boolean(),
		processed: fc.constant(true),
		lateMs: fc.nat({ max: LATEST_COMMIT_MS }),
	}),
	fc.record({ kind: fc.constant('wrapped'), name: fc.constantFrom('data', 'subscriber') }),
	fc.record({ kind: fc.constant('refused') }),
	fc.record({ kind: fc.constant('none') }),
);

/** Responses that do not come from the API. A request is abandoned after four of them. */
const odd: fc.Arbitrary<Quirk> = fc.oneof(
	fc.record({
		kind: fc.constant('odd'),
		body: fc.constantFrom<unknown[]>(
			{ error: 'not found' },
			{ message: 'Not found' },
			{ errors: ['Not found'] },
			{ success: false },
			{ ok: false },
			{ status: 'error' },
			{ status: 404 },
			{ deleted: false },
			{ subscriber: null },
			null,
			[],
			'<html>Sign in</html>',
			{ subscriber: { error: 'gone' } },
			{ email: 'someone.else@example.com' },
		),
		processed,
	}),
	fc.record({
		kind: fc.constant('gateway'),
		status: fc.constantFrom(404, 403, 413),
		isPage: fc.constant(true),
		processed: fc.constant(false),
	}),
);

/**
 * The events that the requests of a sequence meet one after the other. At most three are odd
 * responses.
 */
export const quirks: fc.Arbitrary<Quirk[]> = fc
	.tuple(fc.array(passing, { maxLength: 6 }), fc.array(odd, { maxLength: 3 }), fc.array(fc.nat()))
	.map(([often, rarely, places]) => {
		const all = [...often];
		rarely.forEach((quirk, n) => all.splice((places[n] ?? 0) % (all.length + 1), 0, quirk));
		return all;
	});

/** Undocumented behavior of Supercast. */
export const habits: fc.Arbitrary<Habits> = fc.record({
	onExistingEmail: fc.constantFrom('conflict', 'duplicate', 'reject'),
	visibleMs: fc.nat({ max: 5_000 }),
	changesShow: fc.constantFrom('blank', 'nothing', 'record'),
	honoursKeys: fc.boolean(),
});
