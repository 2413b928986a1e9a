import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../../nodes/Supercast/api/client';
import { identifiersIn } from '../../../nodes/Supercast/api/identity';
import { runInQueue } from '../../../nodes/Supercast/api/queue';
import { identifierOf } from '../../../nodes/Supercast/api/identity';
import { findPerson } from '../../../nodes/Supercast/subscriber/findPerson';
import { lookUp } from '../../../nodes/Supercast/subscriber/listing';
import { createOrFind, setFeedState } from '../../../nodes/Supercast/subscriber/requests';
import { HelperSupercast, networkError } from '../../doubles/helperSupercast';
import type { Answer, Request } from '../../doubles/supercast';
import { runs } from '../../support/deep';
import { clientOf, freshClock, useVirtualClock } from '../../support/quarrel';
import type { VirtualClock } from '../../support/virtualClock';

type Wanted = 'available' | 'deactivated';

const EMAIL = 'ann@example.com';

/** An event about one person, as Set Access works: it reads, and changes only what is not as wanted. */
async function want(client: SupercastClient, wanted: Wanted): Promise<void> {
	await runInQueue(client, {
		named: { email: EMAIL },
		subject: lookUp(EMAIL),
		find: async () => {
			const [found] = await findPerson(client, EMAIL, '', 'told');
			return { found, names: [identifiersIn(found ?? {})], areAll: true };
		},
		work: async (found) => await make(client, found, wanted),
		outcome: () => ({ isChange: true }),
	});
}

async function make(
	client: SupercastClient,
	found: IDataObject | undefined,
	wanted: Wanted,
): Promise<void> {
	if (found === undefined) {
		if (wanted === 'available') await createOrFind(client, EMAIL, { email: EMAIL });
		return;
	}
	const { uuid, email, state } = client.channel.ownChanges.doubted(found, wanted);
	const name = identifierOf({ uuid: String(uuid), email: String(email) });
	const sent = wanted === 'available' ? 'available' : 'inactive';
	if (state !== wanted) await setFeedState(client, name, sent);
}

interface Sequence {
	events: Array<{ wanted: Wanted; afterMs: number }>;
	/** The state of the subscriber before. Undefined if there is none. */
	before: Wanted | undefined;
	changesShow: 'blank' | 'nothing' | 'record';
	luck: number;
}

const wanted = fc.constantFrom<Wanted>('available', 'deactivated');

const sequences: fc.Arbitrary<Sequence> = fc.record({
	events: fc.array(fc.record({ wanted, afterMs: fc.nat({ max: 100_000 }) }), {
		minLength: 2,
		maxLength: 6,
	}),
	before: fc.option(wanted, { nil: undefined, freq: 4 }),
	changesShow: fc.constantFrom('blank', 'nothing', 'record'),
	luck: fc.integer(),
});

/** Random numbers from 0 to 1 (a linear congruential generator). */
function randomFrom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return state / 2 ** 32;
	};
}

interface Delays {
	/** How old a read may be, in milliseconds. */
	oldMs: number;
	/** How long after a lost answer a change may be made, in milliseconds. */
	lateMs: number;
	/** For how many of the changes the answer is lost. */
	lostShare: number;
}

/** Each read comes from another replica, and some changes are made after their answer was lost. */
class LaggingSupercast extends HelperSupercast {
	// From now on, it keeps what it stored at each time.
	override lagMs = 1;

	constructor(
		clock: VirtualClock,
		private readonly random: () => number,
		private readonly delays: Delays,
	) {
		super(clock);
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

/** Runs the events. Returns the error of the last one, and whether the feed is open in the end. */
async function outcomeOf({ events, before, changesShow, luck }: Sequence, delays: Delays) {
	const clock = freshClock();
	const service = new LaggingSupercast(clock, randomFrom(luck), delays);
	Object.assign(service, { changesShow });
	if (before !== undefined) service.add({ email: EMAIL, state: before });
	const run = async (): Promise<unknown> => {
		const running: Array<Promise<unknown>> = [];
		for (const { wanted: state, afterMs } of events) {
			await clock.sleep(afterMs);
			const event = want(await clientOf(service), state);
			running.push(
				event.then(
					() => undefined,
					(error: unknown) => error,
				),
			);
		}
		const errors = await Promise.all(running);
		// Whatever is late has happened then.
		await clock.sleep(delays.lateMs);
		return errors.at(-1);
	};
	const error = await clock.run(run());
	return { error, isOpen: service.find(EMAIL)?.state === 'available' };
}

describe('the last event about a person decides, or fails', () => {
	useVirtualClock();

	it.each<[string, Delays]>([
		['reads are up to 60 s old', { oldMs: 60_000, lateMs: 0, lostShare: 0 }],
		['changes land up to 60 s late', { oldMs: 0, lateMs: 60_000, lostShare: 0.3 }],
		['both', { oldMs: 60_000, lateMs: 60_000, lostShare: 0.3 }],
	])('if %s', async (_, delays) => {
		await fc.assert(
			fc.asyncProperty(sequences, async (sequence) => {
				const { error, isOpen } = await outcomeOf(sequence, delays);
				if (error !== undefined) return;
				expect(isOpen).toBe(sequence.events.at(-1)!.wanted === 'available');
			}),
			runs(40),
		);
	});
});
