import { runCode } from './runCode';

const SETTINGS = { graceDays: 7, tellWhom: 'you@example.com' };
const missing = { error: 'Supercast has no subscriber "jane@example.com"' };
const jane = {
	uuid: 'jane',
	email: 'jane@example.com',
	customer_id: 'c-1',
	plan_id: null,
	state: 'available',
};

interface Found {
	person?: Record<string, unknown>;
	byEmail?: Record<string, unknown>;
	byId?: Record<string, unknown>;
}

/** The steps that Set Access decides on. */
function decide(call: Record<string, unknown>, found: Found) {
	const { person, byEmail = missing, byId = missing } = found;
	return runCode(
		'decide',
		{
			'When Called': [{ sender: 'Test', event: 'an event', ...call }],
			Settings: [SETTINGS],
			'Find by Email': [[], person ? [] : [byEmail]],
		},
		[person ?? byId],
	);
}

const steps = (call: Record<string, unknown>, found: Found) =>
	decide(call, found).map(({ step }) => step);
const known = { email: 'jane@example.com', customerId: 'c-1' };
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('Set Access', () => {
	it.each([
		['open', 'available', ['log']],
		['open', 'deactivated', ['open', 'log']],
		['open', 'suspended', ['mail', 'log']],
		['open', 'pending', ['mail', 'log']],
		['close', 'available', ['close', 'log']],
		['close', 'charge_failure', ['close', 'log']],
		['close', 'deactivated', ['log']],
		['close', 'suspended', ['log']],
		['close', 'pending', ['log']],
		['hold', 'available', ['log']],
		['hold', 'suspended', ['log']],
	])('%s a feed that is %s: %j', (access, state, expected) => {
		expect(steps({ access, ...known }, { person: { ...jane, state } })).toEqual(expected);
	});

	it('closes a feed on hold after the days of grace, not before', () => {
		const person = jane;
		const hold = (since: string) => decide({ access: 'hold', since, ...known }, { person });
		expect(hold(daysAgo(6.9)).map(({ done }) => done)).toEqual(['waiting']);
		expect(hold(daysAgo(7.1)).map(({ step }) => step)).toEqual(['close', 'log']);
		// A future date does not make the grace longer.
		expect(hold(daysAgo(-30)).at(-1)?.since).toEqual(expect.stringMatching(/^20\d\d-/));
		expect(Date.parse(String(hold(daysAgo(-30)).at(-1)?.since))).toBeLessThanOrEqual(Date.now());
	});

	it('follows the email and the customer ID of a member who pays', () => {
		const call = { access: 'open', email: 'new@example.com', customerId: 'c-1' };
		expect(decide(call, { byId: jane })[0]).toMatchObject({
			step: 'update',
			uuid: 'jane',
			email: 'new@example.com',
		});
		const other = { access: 'open', email: 'JANE@example.com', customerId: 'c-2' };
		expect(decide(other, { person: jane })[0]).toMatchObject({ step: 'update', customerId: 'c-2' });
		expect(steps({ access: 'open', email: 'Jane@Example.com' }, { person: jane })).toEqual(['log']);
	});

	it.each(['open', 'hold', 'close'])('does not touch anyone whom Supercast bills: %s', (access) => {
		const person = { ...jane, customer_id: null, plan_id: 7 };
		expect(steps({ access, since: daysAgo(30), ...known }, { person })).toEqual(['log']);
		const closed = { ...person, state: 'deactivated' };
		const expected = access === 'open' ? ['mail', 'log'] : ['log'];
		expect(steps({ access, ...known }, { person: closed })).toEqual(expected);
	});

	it('does not confuse "Supercast is down" with "there is nobody"', () => {
		const away = { error: 'Supercast did not respond in time' };
		const named = /jane@example.com, c-1.*did not respond/;
		for (const access of ['open', 'hold', 'close']) {
			expect(() => decide({ access, ...known }, { byEmail: away, byId: missing })).toThrow(named);
			expect(() => decide({ access, ...known }, { byEmail: missing, byId: away })).toThrow(named);
		}
		expect(steps({ access: 'close', ...known }, { byEmail: away, byId: jane })).toContain('close');
	});

	it('needs an email or a customer ID, and a known word for the access', () => {
		expect(() => decide({ access: 'open' }, {})).toThrow(/email or a customer ID/);
		expect(() => decide({ access: 'delete', ...known }, {})).toThrow(/open, hold or close/);
		const unread = { error: "'Subscriber' is empty" };
		expect(steps({ access: 'close', customerId: 'c-1' }, { byEmail: unread, byId: jane })).toEqual([
			'close',
			'log',
		]);
		expect(
			steps({ access: 'close', email: jane.email }, { byEmail: missing, byId: unread }),
		).toEqual(['mail', 'log']);
	});
});

describe('Grace Period', () => {
	const row = (access: string, done: string, since = '', more = {}) => ({
		sender: 'Test',
		email: 'jane@example.com',
		name: 'Jane',
		customerId: 'c-1',
		access,
		done,
		since,
		...more,
	});

	it('calls for members whose newest row is a hold, with the time of the first', () => {
		const rows = [
			row('hold', 'waiting', '2026-01-03'),
			row('hold', 'waiting', '2026-01-01', { email: 'Jane@example.com' }),
			row('open', 'nothing'),
			row('hold', 'closed', '2025-01-01'),
			row('open', 'nothing', '', { customerId: 'c-2' }),
			row('hold', 'waiting', '2025-01-01', { customerId: 'c-2' }),
			row('hold', 'closed', '2025-01-01', { customerId: 'c-3' }),
		];
		expect(runCode('onHold', {}, rows)).toEqual([
			expect.objectContaining({ access: 'hold', customerId: 'c-1', since: '2026-01-01' }),
		]);
	});
});
