import { keysOf } from '../../../../nodes/Supercast/api/identity';
import { PersonQueues } from '../../../../nodes/Supercast/api/ledger/personQueues';

describe('the queue of a person', () => {
	it('lets an event wait that learns a name late, if a later event already works on it', () => {
		const queues = new PersonQueues();
		const [first, second] = [
			queues.enter({ named: { email: 'ann@example.com' } }),
			queues.enter({ named: { customerIds: ['c-1'] } }),
		];
		expect(second.begin()).toBe(true);
		first.join(keysOf({ customerIds: ['c-1'] }));
		expect(first.begin()).toBe(false);
		second.leave();
		expect(first.begin()).toBe(true);
	});

	it('lets an event that gives an email wait for someone who may have it', () => {
		const meetsUnknown = (email?: string): boolean => {
			const queues = new PersonQueues();
			queues.enter({ named: { customerIds: ['c-1'] } });
			return queues.enter({ named: { customerIds: ['c-2'] }, gives: { email } }).mayMeetUnknown();
		};
		expect(meetsUnknown('ann@example.com')).toBe(true);
		expect(meetsUnknown()).toBe(false);
	});
});
