import {
	isDeactivated,
	isOpenState,
	STATES,
	SUBSCRIBER_STATES,
	leaverAction,
	memberAction,
	stateRow,
	storedState,
} from '../../../nodes/Supercast/subscriber/states';

/** What happens to members and to people who have left, in each state. */
const EXPECTED: Record<string, [member: string, leaver: string]> = {
	available: ['update', 'close'],
	charge_failure: ['skip', 'close'],
	deactivated: ['reopen', 'closedAlready'],
	pending: ['skip', 'skip'],
	suspended: ['skip', 'skip'],
};

describe('the states of subscribers', () => {
	it('decide who gets access and who loses it', () => {
		const rows = SUBSCRIBER_STATES.map((state) => [
			state,
			[STATES[state].member, STATES[state].leaver],
		]);
		expect(Object.fromEntries(rows)).toEqual(EXPECTED);
	});

	it.each(SUBSCRIBER_STATES)('say why a feed is closed and what to do: %s', (state) => {
		const { isOpen, feed, member, closed, skipped } = STATES[state];
		expect(feed === 'available').toBe(isOpen);
		expect(closed === undefined).toBe(isOpen);
		expect(skipped === undefined).toBe(member !== 'skip');
	});

	it.each(['mystery', '', 'constructor', 'toString', '__proto__'])(
		'do not include "%s", which is unknown',
		(state) => {
			expect(stateRow(state)).toBeUndefined();
			expect(storedState(state)).toBeUndefined();
			expect([memberAction(state), leaverAction(state)]).toEqual(['skip', 'skip']);
			expect([isOpenState(state), isDeactivated(state)]).toEqual([false, false]);
		},
	);
});
