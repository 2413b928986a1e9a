import { runs } from '../../support/deep';
import { useJumpingClock } from '../../support/quickNode';
import { everyWorld } from './comparison';

const clock = useJumpingClock();

it('Sync and Set Access do what the page of rules says in 20,000 worlds', async () => {
	await everyWorld(clock, runs(667));
});
