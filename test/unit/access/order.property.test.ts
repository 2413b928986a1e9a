import fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import type { ItemParameters } from '../../../nodes/Supercast/operations/types';
import { findOperation } from '../../../nodes/Supercast/resources';
import { HelperSupercast } from '../../doubles/helperSupercast';
import type { Answer, Request } from '../../doubles/supercast';
import { runs } from '../../support/deep';
import { clientOf, freshClock, useVirtualClock } from '../../support/quarrel';

useVirtualClock();

/** What happens to a person, and how long after the event before. */
interface Event {
	resource: string;
	operation: string;
	parameters: IDataObject;
	afterMs: number;
}

interface Day {
	people: IDataObject[];
	events: Event[];
	/** How long Supercast takes to receive each request, and to answer it. */
	delays: Array<[number, number]>;
}

const EMAILS = ['a@x.com', 'b@x.com', 'c@x.com'];
const IDS = ['c-1', 'c-2', 'c-3'];
const email = fc.constantFrom(...EMAILS);
const id = fc.constantFrom(...IDS);
const uuids = EMAILS.map((_, index) => `00000000-0000-0000-0000-00000000000${index}`);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: '' });

const locator = fc.oneof(
	fc.record({ mode: fc.constant('email'), value: email }),
	fc.record({ mode: fc.constant('customerId'), value: id }),
	fc.record({ mode: fc.constant('uuid'), value: fc.constantFrom(...uuids) }),
);

const fields = fc.record(
	{ firstName: fc.constantFrom('Ann', 'Bea'), customerId: id },
	{ requiredKeys: [] },
);

const what = fc.oneof(
	{
		weight: 4,
		arbitrary: fc
			.record({
				access: fc.constantFrom('open', 'close'),
				email: maybe(email),
				customerId: maybe(id),
			})
			.filter((one) => `${one.email}${one.customerId}` !== '')
			.map((parameters) => ({ resource: 'subscriber', operation: 'setAccess', parameters })),
	},
	fc
		.record({
			operation: fc.constantFrom('create', 'upsert'),
			email,
			fields,
			reactivate: fc.boolean(),
		})
		.map(({ operation, email: address, fields: additionalFields, reactivate }) => {
			const options = operation === 'upsert' ? { reactivate } : {};
			const parameters = { email: address, additionalFields, options };
			return { resource: 'subscriber', operation, parameters };
		}),
	fc
		.record({ subscriber: locator, updateFields: fields, renamed: maybe(email) })
		.map(({ subscriber, updateFields, renamed }) => {
			const given = { firstName: 'Cleo', ...updateFields, ...(renamed ? { email: renamed } : {}) };
			const parameters = { subscriber, updateFields: given };
			return { resource: 'subscriber', operation: 'update', parameters };
		}),
	locator.map((subscriber) => ({
		...{ resource: 'subscriber', operation: 'delete', parameters: { subscriber } },
	})),
	fc
		.record({
			subscriber: locator,
			operation: fc.constantFrom('activate', 'deactivate', 'suspend'),
		})
		.map(({ subscriber, operation }) => ({
			...{ resource: 'feed', operation, parameters: { subscriber } },
		})),
);

const ms = fc.oneof(fc.constant(0), fc.nat({ max: 400 }));

const day: fc.Arbitrary<Day> = fc.record({
	people: fc
		.tuple(...[0, 1].map(() => fc.option(fc.record({ id: maybe(id), isOpen: fc.boolean() }))))
		.map((chosen) =>
			chosen.flatMap((one, index) => {
				if (one === null) return [];
				const state = one.isOpen ? 'available' : 'deactivated';
				const uuid = uuids[index]!;
				return [{ uuid, email: EMAILS[index]!, customer_id: one.id || null, state }];
			}),
		),
	events: fc
		.array(fc.tuple(what, ms), { minLength: 2, maxLength: 4 })
		.map((all) => all.map(([one, afterMs]) => ({ ...one, afterMs }))),
	delays: fc.array(fc.tuple(ms, ms), { minLength: 1, maxLength: 12 }),
});

/** A Supercast whose requests take different times. */
class SlowSupercast extends HelperSupercast {
	requests = 0;

	constructor(
		override readonly clock: ReturnType<typeof freshClock>,
		{ people, delays }: Day,
	) {
		super(clock);
		this.delays = delays;
		for (const one of people) this.add(one);
	}

	private readonly delays: Day['delays'];

	override async answer(options: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		const [before, after] = this.delays[this.requests++ % this.delays.length]!;
		await this.clock.sleep(before);
		const answer = await super.answer(options);
		await this.clock.sleep(after);
		return answer;
	}

	protected respond(request: Request): Answer {
		return this.process(request);
	}

	/** The subscribers, without what only the order of their creation decides. */
	get held(): string[] {
		return this.subscribers
			.map(({ email: address, customer_id: own, state, first_name: name }) =>
				[address, own, state, name].join(' '),
			)
			.sort();
	}
}

/** Runs the event as a separate execution. Returns whether it ended well, or why it failed. */
async function run(service: SlowSupercast, event: Event): Promise<string> {
	const { resource, operation, parameters } = event;
	const item: ItemParameters = {
		...{ timezone: 'UTC', now: 0, isOld: false },
		parameter: (name) => ({ simplify: false, ...parameters })[name] ?? '',
		collection: (name) => (parameters[name] ?? {}) as IDataObject,
		locator: (name) => parameters[name] as { mode: string; value: string },
	};
	const found = findOperation(resource, operation);
	if (found === undefined || !('prepare' in found)) throw new Error(`no ${operation}`);
	try {
		const client = await clientOf(service);
		await found.prepare(item).run(client);
		return 'done';
	} catch (error) {
		// Its words may name several people in any order.
		return `failed: ${(error as Error).message.split(':')[0]}`;
	}
}

async function play(one: Day, areOverlapping: boolean): Promise<{ held: string[]; did: string[] }> {
	const clock = freshClock();
	const service = new SlowSupercast(clock, one);
	const all = async (): Promise<string[]> => {
		const running: Array<Promise<string>> = [];
		for (const event of one.events) {
			await clock.sleep(event.afterMs);
			const done = run(service, event);
			running.push(done);
			if (!areOverlapping) await done;
		}
		return await Promise.all(running);
	};
	const did = await clock.run(all());
	return { held: service.held, did };
}

/** A name that the second event sets back to what it was before both. */
const setBack: Day = {
	people: [{ uuid: uuids[0], email: EMAILS[0], customer_id: 'c-1', first_name: 'Ann' }],
	events: [
		{
			...{ resource: 'subscriber', operation: 'update', afterMs: 0 },
			parameters: {
				subscriber: { mode: 'customerId', value: 'c-1' },
				updateFields: { firstName: 'Anna' },
			},
		},
		{
			...{ resource: 'subscriber', operation: 'upsert', afterMs: 20 },
			parameters: { email: EMAILS[0], additionalFields: { firstName: 'Ann' }, options: {} },
		},
	],
	delays: [[60, 60]],
};

it('overlapping events end as the same events one after another', async () => {
	await fc.assert(
		fc.asyncProperty(day, async (one) => {
			const wanted = await play(one, false);
			const { held, did } = await play(one, true);
			expect({ held, did }).toEqual(wanted);
		}),
		{ ...runs(40), examples: [[setBack]] },
	);
});
