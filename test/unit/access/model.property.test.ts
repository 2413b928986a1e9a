import fc from 'fast-check';

import { runs } from '../../support/deep';
import { useJumpingClock } from '../../support/quickNode';
import { Comparison } from './comparison';
import { worlds } from './worlds';

const clock = useJumpingClock();

it('Sync and Set Access do what the page of rules says, list after list', async () => {
	await fc.assert(
		fc.asyncProperty(worlds, async (world) => {
			for await (const { node, page } of new Comparison(world, clock).compare()) {
				expect(node).toEqual(page);
			}
		}),
		runs(300),
	);
});
