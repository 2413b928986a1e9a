import { runs, seed } from '../../support/deep';
import { useJumpingClock } from '../../support/quickNode';
import { everyWorld } from './comparison';

const clock = useJumpingClock();

/** Each part has its own seed, so that one that fails can be run alone. */
const PARTS = Array.from({ length: 20 }, (_, part) => part + 1);

it.each(PARTS)('in 20,000 worlds, the node does what the page says: part %i', async (part) => {
	await everyWorld(clock, { ...runs(34), seed: seed + part });
});
