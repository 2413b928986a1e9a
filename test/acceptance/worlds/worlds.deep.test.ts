/** Channels of all sizes over months, and lists that go wrong little by little. */

import { seed } from '../../support/deep';
import { goWrongGradually } from './gradual';
import { liveYear } from './years';

/** Large channels take long, so they have fewer months and fewer lists. */
const CHANNELS = [
	{ members: 20, months: 24 },
	{ members: 200, months: 12 },
	{ members: 2_000, months: 2, everyMinutes: 60 },
	{ members: 10_000, months: 1, everyMinutes: 240 },
];

const TIMEOUT_MS = 60 * 60_000;

describe.each(CHANNELS)('a channel with $members members', (channel) => {
	it(
		'loses nobody who pays in normal months, and closes who has left',
		async () => {
			const { payersHit, untold, strangers } = await liveYear({ ...channel, seed });
			expect({ payersHit, untold, strangers }).toEqual({ payersHit: 0, untold: 0, strangers: 0 });
		},
		TIMEOUT_MS,
	);

	it(
		'stops for nothing, if 5% leave within a month',
		async () => {
			const { stops, late, mostOfLimit } = await liveYear({ ...channel, seed: seed + 1 });
			expect({ stops, late }).toEqual({ stops: 0, late: 0 });
			expect(mostOfLimit).toBeLessThanOrEqual(100);
		},
		TIMEOUT_MS,
	);
});

it.each([200, 1_200, 5_000])(
	'closes at most a tenth of %i feeds within a day, however slowly the list goes wrong',
	async (members) => {
		const { closedInADay, namesSomeone } = await goWrongGradually('gradualEnd', members);
		expect(closedInADay).toBeLessThanOrEqual(members / 10);
		expect(namesSomeone).toBe(true);
	},
	TIMEOUT_MS,
);
