import { nearLimit, tooLong } from '../../../nodes/Supercast/trigger/eventKind';
import { EVENTS } from '../../../nodes/Supercast/trigger/events';

describe('a list that becomes too long', () => {
	it.each([
		['usageAlertCreated', 31_999, false],
		['usageAlertCreated', 32_000, true],
		['subscriberDeleted', 16_000, true],
	] as const)('%s with %d records: warns %s', (event, count, warns) => {
		const eventKind = EVENTS[event]({ states: [], email: '', now: 0 });
		const warning = nearLimit(eventKind, count);
		expect(warning !== undefined).toBe(warns);
		if (warns) {
			expect(warning).toContain('Schedule Trigger');
			expect(warning).toContain(` ${count.toLocaleString('en')} `);
		}
		expect(tooLong(eventKind).description).toContain('Schedule Trigger');
	});
});
