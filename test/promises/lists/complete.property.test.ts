import fc from 'fast-check';

import { readList } from '../../../nodes/Supercast/operations/lists';
import { episode } from '../../../nodes/Supercast/resources/episode';
import { clientOf, everySequence, freshClock } from '../../support/quarrel';
import { QuarrelsomeList, type Manners } from '../../support/quarrelsomeList';

const manners: fc.Arbitrary<Manners> = fc.record({
	cap: fc.integer({ min: 2, max: 30 }),
	perPage: fc.constantFrom('asked', 'true'),
	wrap: fc.constantFrom('data', 'each', 'name', 'none'),
	nulls: fc.nat({ max: 3 }),
	deletions: fc.array(fc.record({ before: fc.nat({ max: 20 }), index: fc.nat({ max: 100 }) }), {
		maxLength: 6,
	}),
	hasEmptyUuids: fc.boolean(),
});

it('a list returns each remaining record once, whatever is deleted and whatever the headers say', async () => {
	const sequences = fc.tuple(fc.nat({ max: 90 }), manners);
	await everySequence(sequences, async ([count, own]) => {
		const clock = freshClock();
		const list = new QuarrelsomeList(count, own);
		const client = await clientOf(list);
		const { taken } = await clock.run(readList(client, episode.kind, {}));
		const ids = taken.map(({ id }) => id);
		expect(new Set(ids).size).toBe(ids.length);
		const staying = Array.from({ length: count }, (_, id) => id).filter(
			(id) => !list.deleted.has(id),
		);
		expect(ids).toEqual(expect.arrayContaining(staying));
		expect(list.requests).toBeLessThan(5 * Math.ceil((count + 3) / Math.min(own.cap, 30)) + 30);
	});
});
