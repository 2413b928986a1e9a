import fc from 'fast-check';

import { clientOf, everySequence, freshClock, runItem } from '../../support/quarrel';
import { QuarrelsomeService, type Habits, type Quirk } from '../../support/quarrelsomeService';

const HABITS: Habits = {
	onExistingEmail: 'duplicate',
	visibleMs: 0,
	writes: 'record',
	honoursKeys: false,
};

/** Executions of one item each, more than fit into the ten minutes of Max Wait. */
const storms = fc.record({
	executions: fc.integer({ min: 12, max: 24 }),
	refused: fc.uniqueArray(fc.nat({ max: 28 }), { maxLength: 6 }),
	requestsPerMinute: fc.integer({ min: 1, max: 2 }),
});

it('requests that the limit refuses in a storm are done later, and once', async () => {
	await everySequence(storms, async ({ executions, refused, requestsPerMinute }) => {
		const clock = freshClock();
		const quirks = Array.from({ length: 29 }, (_, n): Quirk => ({
			kind: refused.includes(n) ? 'refused' : 'none',
		}));
		const service = new QuarrelsomeService(clock, quirks, HABITS);
		const emails = Array.from({ length: executions }, (_, n) => `member.${n}@example.com`);
		const runs = emails.map(async (email) => {
			const client = await clientOf(service, { requestsPerMinute });
			return await runItem(client, 'create', email);
		});
		await clock.run(Promise.all(runs));
		expect(service.kept.map(({ email }) => email).sort()).toEqual([...emails].sort());
		await clock.pass(600_000);
	});
});
