import fc from 'fast-check';

import { findByCustomerId } from '../../../nodes/Supercast/subscriber/customerId';
import { subscribers as kind } from '../../../nodes/Supercast/subscriber/kind';
import { runs } from '../../support/deep';
import { MemoryChannel as Channel } from '../../support/memoryChannel';

const MINUTE = 60_000;

type Step =
	| { kind: 'ask'; id: number }
	| { kind: 'foreign' | 'own'; person: number; id: number }
	| { kind: 'wait'; ms: number };

const [person, id] = [fc.nat({ max: 4 }), fc.nat({ max: 4 })];
const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ kind: fc.constant('ask'), id }),
	fc.record({ kind: fc.constantFrom('foreign', 'own'), person, id }),
	fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(MINUTE, 3 * MINUTE) }),
);

it('people who have had an ID for longer than the register is believed are found, and nobody else is', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
			const channel = new Channel(5);
			/** Since when people have their ID, as far as this process cannot know it. */
			const since = new Map<string, number>();
			for (const one of steps) {
				if (one.kind === 'wait') channel.time += one.ms;
				else if (one.kind === 'ask') await checkAnswer(channel, since, `c${one.id}`);
				else {
					const uuid = `u${one.person}`;
					if (one.kind === 'own') await giveId(channel, uuid, `c${one.id}`);
					else channel.people.get(uuid)!.customer_id = `c${one.id}`;
					since.set(uuid, one.kind === 'own' ? -Infinity : channel.time);
				}
			}
		}),
		runs(300),
	);
});

async function checkAnswer(
	channel: Channel,
	since: ReadonlyMap<string, number>,
	customerId: string,
): Promise<void> {
	const holders = await findByCustomerId(channel.client(), customerId, kind);
	const found = holders.map(({ name }) => name);
	for (const { uuid, customer_id: held } of channel.people.values()) {
		const age = channel.time - (since.get(uuid) ?? -Infinity);
		if (held !== customerId) expect(found).not.toContain(uuid);
		else if (age >= 6 * MINUTE) expect(found).toContain(uuid);
	}
}

async function giveId(channel: Channel, uuid: string, customerId: string): Promise<void> {
	await channel.client().request({
		method: 'PATCH',
		path: ['subscribers', uuid],
		body: { subscriber: { customer_id: customerId } },
		subject: { text: 'subscriber', isRecord: true },
	});
}
