/**
 * Scenarios in which snapshots lag, lost tries land late, executions are stopped, and two credentials
 * name one channel. Whatever happens, the last event that ended well decides.
 */

import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { createClient, type SupercastClient } from '../../../nodes/Supercast/api/client';
import type { RequestContext } from '../../../nodes/Supercast/api/http/send';
import type { ItemParameters } from '../../../nodes/Supercast/operations/types';
import { findOperation } from '../../../nodes/Supercast/resources';
import { HelperSupercast, networkError } from '../../doubles/helperSupercast';
import { type Answer, fieldsOf, pathOf, type Request } from '../../doubles/supercast';
import { runs } from '../../support/deep';
import { freshClock, useVirtualClock } from '../../support/quarrel';

useVirtualClock();

/** What happens to a request. `landsMs`: the change is made that much later, after the answer. */
type Fate =
	| { kind: 'fine' }
	| { kind: 'gateway' | 'reset'; landsMs: number | undefined }
	| { kind: 'failed'; isMade: boolean };

interface Event {
	operation: 'activate' | 'close' | 'deactivate' | 'open';
	names: 'both' | 'email' | 'id';
	credential: number;
	afterMs: number;
	/** Before which of its requests the execution is stopped, and how long after its start. */
	stopped: { request: number; ms: number } | undefined;
}

interface Scenario {
	exists: boolean;
	isOpen: boolean;
	events: Event[];
	fates: Fate[];
	lags: number[];
	delays: number[];
	isSameToken: boolean;
	maxWaitMs: number;
}

/** How old a read may be, and how late a change may land. */
interface Delays {
	lagMs: number;
	lateMs: number;
}

const fates = ({ lateMs }: Delays): fc.Arbitrary<Fate> => {
	const landsMs = fc.option(fc.nat({ max: lateMs - 1_000 }), { nil: undefined });
	return fc.oneof(
		{ weight: 4, arbitrary: fc.constant<Fate>({ kind: 'fine' }) },
		fc.record({ kind: fc.constantFrom('gateway' as const, 'reset' as const), landsMs }),
		fc.record({ kind: fc.constant('failed' as const), isMade: fc.boolean() }),
	);
};
const afterMs = fc.oneof(fc.nat({ max: 100 }), fc.nat({ max: 3_000 }), fc.nat({ max: 40_000 }));

const scenarioWith = (delayed: Delays): fc.Arbitrary<Scenario> =>
	fc.record({
		exists: fc.boolean(),
		isOpen: fc.boolean(),
		events: fc.array(
			fc.record({
				operation: fc.constantFrom(
					...(['open', 'close', 'open', 'close', 'activate', 'deactivate'] as const),
				),
				names: fc.constantFrom('both' as const, 'email' as const, 'id' as const),
				credential: fc.nat({ max: 1 }),
				afterMs,
				stopped: fc.option(fc.record({ request: fc.nat({ max: 4 }), ms: fc.nat({ max: 80 }) }), {
					nil: undefined,
					freq: 3,
				}),
			}),
			{ minLength: 2, maxLength: 5 },
		),
		fates: fc.array(fates(delayed), { maxLength: 8 }),
		lags: fc.array(fc.oneof(fc.constant(0), fc.nat({ max: delayed.lagMs - 200 })), {
			minLength: 1,
			maxLength: 6,
		}),
		delays: fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 8 }),
		isSameToken: fc.boolean(),
		maxWaitMs: fc.constantFrom(60_000, 60_000, 0),
	});

const EMAIL = 'ann@x.com';
const ID = 'c-1';

/** A Supercast with replicas, gateways that give up, and slow ways. */
class UnsteadySupercast extends HelperSupercast {
	private number = 0;
	private writes = 0;

	constructor(
		override readonly clock: ReturnType<typeof freshClock>,
		private readonly one: Scenario,
		override readonly onExistingEmail: 'duplicate' | 'reject',
	) {
		super(clock);
		if (one.exists) {
			const state = one.isOpen ? 'available' : 'deactivated';
			this.add({ uuid: 'u-ann', email: EMAIL, customer_id: ID, state });
		}
		this.add({ uuid: 'u-bob', email: 'bob@x.com', customer_id: 'c-2', state: 'available' });
	}

	override async answer(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		const { method = 'GET', url, body } = options;
		const request = { method, path: pathOf(url), fields: fieldsOf(body) };
		const { delays, lags, fates } = this.one;
		const delay = delays[this.number % delays.length]!;
		this.lagMs = Math.max(1, lags[this.number++ % lags.length]!);
		await this.clock.sleep(delay);
		const isRead = method === 'GET';
		const fate = isRead ? undefined : fates[this.writes++];
		const { status, body: shown } = isRead ? this.shownTo(request) : this.respondTo(request, fate);
		await this.clock.sleep(delay);
		if (status === 0) throw networkError('ECONNRESET');
		return { statusCode: status, body: structuredClone(shown), headers: {} } as never;
	}

	protected respond(request: Request): Answer {
		return this.process(request);
	}

	/** Lists and records come from the same replica. */
	private shownTo(request: Request): Answer {
		if (request.path[0] === 'channel') return { status: 200, body: { id: 7 } };
		return this.process(request);
	}

	private respondTo(request: Request, fate: Fate = { kind: 'fine' }): Answer {
		if (fate.kind === 'fine') return this.process(request);
		if (fate.kind === 'failed') {
			if (fate.isMade) this.process(request);
			return { status: 500, body: { message: 'Sorry' } };
		}
		if (fate.landsMs !== undefined) {
			void this.clock.sleep(fate.landsMs).then(() => this.process(request));
		}
		return fate.kind === 'reset' ? { status: 0 } : { status: 504, body: { message: 'Late' } };
	}
}

let scenarios = 0;

/** A client of one execution, which may be stopped. */
async function clientOf(
	service: UnsteadySupercast,
	{ credential, stopped }: Event,
	{ isSameToken, maxWaitMs }: Scenario,
): Promise<{ client: SupercastClient; stop: AbortController }> {
	const stop = new AbortController();
	let requests = 0;
	const context = {
		getWorkflow: () => ({ id: 'w' }),
		getNode: () => ({ credentials: { supercastApi: { id: `c-${credential}` } } }),
		getCredentials: async () => ({
			baseUrl: `https://unsteady-${scenarios}.example/api/v1`,
			accessToken: isSameToken ? 'one' : `token ${credential}`,
			requestsPerMinute: 0,
		}),
		helpers: {
			httpRequestWithAuthentication: async (_: string, options: IHttpRequestOptions) => {
				if (requests++ === stopped?.request) {
					void service.clock.sleep(stopped.ms).then(() => stop.abort());
				}
				return await service.answer(options);
			},
		},
	};
	const { signal } = stop;
	const given = { maxWaitMs, signal };
	const client = await createClient(context as unknown as RequestContext, 'accessToken', given);
	return { client, stop };
}

function parametersOf({ operation, names }: Event): [string, string, IDataObject] {
	if (operation === 'activate' || operation === 'deactivate') {
		return ['feed', operation, { subscriber: { mode: 'email', value: EMAIL } }];
	}
	const email = names === 'id' ? '' : EMAIL;
	const customerId = names === 'email' ? '' : ID;
	return ['subscriber', 'setAccess', { access: operation, email, customerId }];
}

/** Runs an event as an execution. Returns whether the person has access afterwards, if it is sure. */
async function run(service: UnsteadySupercast, event: Event, one: Scenario) {
	const [resource, operation, parameters] = parametersOf(event);
	const item: ItemParameters = {
		...{ timezone: 'UTC', now: 0, isOld: false },
		parameter: (name) => parameters[name] ?? '',
		collection: () => ({}),
		locator: (name) => parameters[name] as { mode: string; value: string },
	};
	const found = findOperation(resource, operation);
	if (found === undefined || !('prepare' in found)) throw new Error(`no ${operation}`);
	try {
		const { client } = await clientOf(service, event, one);
		const [output] = await found.prepare(item).run(client);
		const action = output?.action as string | undefined;
		if (action === 'kept') return undefined;
		return event.operation === 'open' || event.operation === 'activate';
	} catch {
		return undefined;
	}
}

it.each([
	['a few seconds', { lagMs: 6_000, lateMs: 30_000 }, 'duplicate', 60],
	['a minute', { lagMs: 60_000, lateMs: 60_000 }, 'reject', 40],
] as const)(
	'the last event that ends well decides, and nobody exists twice, with delays of %s',
	async (_, delayed, onExistingEmail, few) => {
		await fc.assert(
			fc.asyncProperty(scenarioWith(delayed), async (one) => {
				scenarios += 1;
				const clock = freshClock();
				const service = new UnsteadySupercast(clock, one, onExistingEmail);
				const all = async (): Promise<Array<boolean | undefined>> => {
					const running: Array<Promise<boolean | undefined>> = [];
					for (const event of one.events) {
						await clock.sleep(event.afterMs);
						running.push(run(service, event, one));
					}
					const ended = await Promise.all(running);
					await clock.sleep(delayed.lateMs + delayed.lagMs);
					return ended;
				};
				const ended = await clock.run(all());
				const records = service.subscribers.filter(({ email }) => email === EMAIL);
				expect(records.length).toBeLessThanOrEqual(1);
				const last = ended.at(-1);
				if (last !== undefined) expect(records[0]?.state === 'available').toBe(last);
			}),
			runs(few),
		);
	},
);
