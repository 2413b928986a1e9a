import {
	isDeactivated,
	isOpenState,
	STATES,
	SUBSCRIBER_STATES,
	memberAction,
	stateRow,
	storedState,
} from '../../../nodes/Supercast/subscriber/states';

/** What happens to members in each state, and whether nothing is left to close. */
const EXPECTED: Record<string, [member: string, isClosed: boolean]> = {
	available: ['update', false],
	charge_failure: ['skip', false],
	deactivated: ['reopen', true],
	pending: ['skip', false],
	suspended: ['skip', false],
};

describe('the states of subscribers', () => {
	it('decide who gets access, and whose feeds are closed already', () => {
		const rows = SUBSCRIBER_STATES.map((state) => [
			state,
			[memberAction(state), isDeactivated(state)],
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
			expect(memberAction(state)).toBe('skip');
			expect([isOpenState(state), isDeactivated(state)]).toEqual([false, false]);
		},
	);
});
