import { findings } from '../../probe/report';
import type { ProbeOutcome } from '../../probe/run';
import type { FactId } from '../../probe/facts';
import { PERSONALITIES, type PersonalityName, type SandboxOptions } from '../../sandbox';
import { someOf } from '../support/deep';
import { EMAIL, recordsOf, runProbe, useBenches, writesOf } from './support';
import { truth } from './truth';

const start = useBenches();

const personalities = Object.keys(PERSONALITIES) as PersonalityName[];

function verdicts({ evidence }: ProbeOutcome): Partial<Record<FactId, string>> {
	return Object.fromEntries(findings(evidence).map(({ id, verdict }) => [id, verdict]));
}

describe.each(personalities)('against %s', (personality) => {
	it('reading gets every row right, and writes nothing', async () => {
		const bench = await start({ personality });
		const before = recordsOf(bench.sandbox);

		const outcome = await runProbe(bench);

		const { settings } = bench.sandbox;
		expect(verdicts(outcome)).toEqual(truth(settings, { write: false, limit: false }));
		expect(writesOf(bench.sandbox)).toEqual([]);
		expect(recordsOf(bench.sandbox)).toBe(before);
	});

	it('writing gets every row right, and leaves nothing', async () => {
		const bench = await start({ personality });
		const before = recordsOf(bench.sandbox);

		const outcome = await runProbe(bench, { write: EMAIL, limit: true });

		expect([outcome.stopped, outcome.left]).toEqual([undefined, undefined]);
		const { settings } = bench.sandbox;
		expect(verdicts(outcome)).toEqual(truth(settings, { write: true, limit: true }));
		expect(recordsOf(bench.sandbox)).toBe(before);
	});
});

/** Each switch alone, set to the opposite of the default. */
const switches: SandboxOptions[] = [
	{ perPageMax: 20 },
	{ perPageTooLarge: 'reject' },
	{ headers: 'plain' },
	{ headers: 'total' },
	{ headers: 'none' },
	{ headers: 'none', perPageMax: 20 },
	{ order: 'newest' },
	{ order: 'unordered' },
	{ wrapLists: 'name' },
	{ wrapLists: 'data' },
	{ wrapLists: 'each' },
	{ wrapRecords: 'name' },
	{ ids: 'uuid' },
	{ ids: 'text' },
	{ dates: 'offset' },
	{ dates: 'unix' },
	{ allInFields: false },
	{ feedUrl: 'text' },
	{ feedUrl: 'absent' },
	{ onExistingEmail: 'conflict' },
	{ onExistingEmail: 'reactivate' },
	{ onExistingEmail: 'duplicate' },
	{ emailLookup: 'exact' },
	{ visibleAfterMs: 5_000 },
	{ recreated: 'same' },
	{ honourIdempotencyKey: true },
	{ createdStatus: 200 },
	{ createdStatus: 204 },
	{ changedStatus: 204 },
	{ writeBodies: false },
	{ webPages: 'unknownAddress' },
	{ webPages: 'notFound' },
	{ webPages: 'always' },
	{ errorBody: 'error' },
	{ errorBody: 'fields' },
	{ shortPath: false },
	{ tokenInfo: false },
	{ retryAfter: 'date' },
	{ retryAfter: 'absent' },
];

describe('a single switch', () => {
	it.each(someOf(switches, 8))('%j: every row is right, and nothing is left', async (options) => {
		const bench = await start(options);
		const before = recordsOf(bench.sandbox);
		const outcome = await runProbe(bench, { write: EMAIL, limit: true });
		const { settings } = bench.sandbox;
		expect(verdicts(outcome)).toEqual(truth(settings, { write: true, limit: true }));
		expect(recordsOf(bench.sandbox)).toBe(before);
	});

	it('says what it cannot delete', async () => {
		const bench = await start({ deleted: 'kept' });
		const outcome = await runProbe(bench, { write: EMAIL });
		const { settings } = bench.sandbox;
		expect(verdicts(outcome)).toEqual(truth(settings, { write: true, limit: false }));
		expect(outcome.left).toBe('A subscriber with that address is left (deactivated).');
	});
});

describe('special data in a channel', () => {
	it('is reported for an empty channel', async () => {
		const empty = { subscribers: 0, episodes: 0, usageAlerts: 0, creators: 0, roles: 0 };
		const bench = await start({ ...empty, invites: 0, questions: 0 });
		const rows = findings((await runProbe(bench)).evidence);
		const holding = rows.filter(({ verdict }) => verdict === 'does not hold');
		expect(holding).toEqual([]);
	});

	it('includes customer IDs, which identify nobody', async () => {
		const bench = await start();
		const { baseUrl, accessToken } = bench.sandbox;
		const { uuid } = bench.sandbox.state.subscribers[0] ?? {};
		await fetch(`${baseUrl}/subscribers/${uuid}`, {
			method: 'PATCH',
			headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
			body: JSON.stringify({ subscriber: { customer_id: 'c-7' } }),
		});
		const told = verdicts(await runProbe(bench));
		expect(told['customer-id-names-nobody']).toBe('holds');
	});

	it('includes any state, and another form of address', async () => {
		const bench = await start();
		const { controls, state } = bench.sandbox;
		controls.setState(state.subscribers[0]?.uuid ?? '', 'charge_failure');
		controls.setState(state.subscribers[1]?.uuid ?? '', 'pending');
		const rows = findings((await runProbe(bench)).evidence);
		const { verdict, seen } = rows.find(({ id }) => id === 'states') ?? {};
		expect([verdict, seen]).toEqual(['holds', 'available, charge_failure, pending']);
	});
});
