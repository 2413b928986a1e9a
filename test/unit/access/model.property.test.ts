import { useJumpingClock } from '../../support/quickNode';
import { everyWorld } from './comparison';

const clock = useJumpingClock();

it('Sync and Set Access do what the page of rules says, list after list', async () => {
	await everyWorld(clock, { numRuns: 25 });
});
