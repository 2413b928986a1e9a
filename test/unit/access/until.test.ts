import { judge } from '../../../nodes/Supercast/access/judge/judge';
import { readUntil } from '../../../nodes/Supercast/access/judge/until';
import { WordLists } from '../../../nodes/Supercast/access/judge/words';

/** What a clock on the wall in this zone shows, as a time. */
const at = (iso: string): number => Date.parse(iso);

/** From when on the access has ended. It must have lasted until a second before. */
function endsAt(given: unknown, zone: string, end: string): void {
	const kinds = [-1_000, 0].map((ms) => readUntil(given, { now: at(end) + ms, zone }).kind);
	expect([given, zone, ...kinds]).toEqual([given, zone, 'ends', 'hasEnded']);
}

describe('a day lasts to its end in the time zone of the workflow', () => {
	it.each([
		['2026-11-29', 'UTC', '2026-11-30T00:00:00Z'],
		['2026-11-29', 'Europe/Berlin', '2026-11-29T23:00:00Z'],
		['2026-11-29', 'America/New_York', '2026-11-30T05:00:00Z'],
		['2026-11-29', 'Pacific/Auckland', '2026-11-29T11:00:00Z'],
		[' 2026-11-29 ', 'Asia/Kolkata', '2026-11-29T18:30:00Z'],
		// The clocks change on this day.
		['2026-03-29', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
	])('%s in %s', endsAt);
});

describe('midnight stands for the day:', () => {
	it.each<[string, unknown, string, string]>([
		[
			'local midnight as an instant',
			'2026-11-28T23:00:00Z',
			'Europe/Berlin',
			'2026-11-29T23:00:00Z',
		],
		['midnight in UTC', '2026-11-29T00:00:00Z', 'Europe/Berlin', '2026-11-29T23:00:00Z'],
		[
			'midnight in UTC, far in the west',
			'2026-11-29T00:00Z',
			'America/New_York',
			'2026-11-30T05:00:00Z',
		],
		[
			'midnight in UTC, far in the east',
			'2026-11-29T00:00:00.000Z',
			'Pacific/Auckland',
			'2026-11-29T11:00:00Z',
		],
		['midnight without a zone', '2026-11-29 00:00:00', 'Europe/Berlin', '2026-11-29T23:00:00Z'],
		['midnight with an offset', '2026-11-29T00:00:00+05:30', 'UTC', '2026-11-30T00:00:00Z'],
		[
			'local midnight in seconds',
			at('2026-11-28T23:00:00Z') / 1_000,
			'Europe/Berlin',
			'2026-11-29T23:00:00Z',
		],
		[
			'local midnight in milliseconds',
			at('2026-11-28T23:00:00Z'),
			'Europe/Berlin',
			'2026-11-29T23:00:00Z',
		],
		[
			'a Date at midnight in UTC',
			new Date('2026-11-29T00:00:00Z'),
			'Europe/Berlin',
			'2026-11-29T23:00:00Z',
		],
	])('%s', (_, given, zone, end) => endsAt(given, zone, end));
});

describe('another time is the moment itself:', () => {
	it.each<[string, unknown, string, string]>([
		['in UTC', '2026-11-29T15:00:00Z', 'America/New_York', '2026-11-29T15:00:00Z'],
		['without seconds', '2026-11-29T15:30Z', 'UTC', '2026-11-29T15:30:00Z'],
		['with UTC as a word', '2026-11-29 15:00:00 UTC', 'Europe/Berlin', '2026-11-29T15:00:00Z'],
		['with an offset', '2026-11-29T15:00:00+02:00', 'UTC', '2026-11-29T13:00:00Z'],
		['with a short offset', '2026-11-29T15:00:00-0530', 'UTC', '2026-11-29T20:30:00Z'],
		['with hours as the offset', '2026-11-29T15:00:00+02', 'UTC', '2026-11-29T13:00:00Z'],
		['without an offset', '2026-11-29T15:00:00', 'Europe/Berlin', '2026-11-29T14:00:00Z'],
		['with fractions', '2026-11-29T15:00:00.123Z', 'UTC', '2026-11-29T15:00:00Z'],
		['in seconds', at('2026-11-29T15:00:00Z') / 1_000, 'Asia/Kolkata', '2026-11-29T15:00:00Z'],
		[
			'in milliseconds, as text',
			String(at('2026-11-29T15:00:00Z')),
			'Asia/Kolkata',
			'2026-11-29T15:00:00Z',
		],
		[
			'as an object for a time',
			{ toISO: () => '2026-11-29T16:00:00.000+01:00' },
			'UTC',
			'2026-11-29T15:00:00Z',
		],
	])('%s', (_, given, zone, end) => endsAt(given, zone, end));
});

it.each([undefined, null, '', '  ', 'Never', 'NEVER ', 'lifetime'])('%j means no end', (given) => {
	expect(readUntil(given, { now: 0, zone: 'UTC' })).toEqual({ kind: 'endless' });
});

it.each<[unknown, string]>([
	['soon', 'soon'],
	['since 2026-11-29', 'since 2026-11-29'],
	['29.11.2026', '29.11.2026'],
	['11/29/2026', '11/29/2026'],
	['2026-02-30', '2026-02-30'],
	['2026-11-29T25:00:00Z', '2026-11-29T25:00:00Z'],
	['2026-11', '2026-11'],
	['never again', 'never again'],
	[0, '0'],
	[true, 'true'],
	[46_354, '46354'],
	[{ date: '2026-11-29' }, 'an object'],
	[['2026-11-29'], 'an object'],
	[new Date(Number.NaN), 'no date'],
])('%j is no day, and is told as it is', (given, text) => {
	expect(readUntil(given, { now: 0, zone: 'UTC' })).toEqual({ kind: 'unreadable', text });
});

describe('a record', () => {
	const none = new WordLists({ products: '', otherProducts: '' });
	const words = new WordLists({ openFor: 'active', keepFor: '', closeFor: 'canceled' });
	const rules = { words, productWords: none, hasStatuses: true, now: at('2026-11-30T12:00:00Z') };
	const judged = (access: string, status: string, until: unknown) =>
		judge({ access, status, products: [], until }, { ...rules, zone: 'UTC' });

	it('gives no access after that day, whatever its status or Access is', () => {
		for (const access of ['open', 'keep', 'close', 'byStatus', 'nonsense']) {
			expect(judged(access, 'unheard of', '2026-11-29')).toEqual({
				...{ access: 'close', ground: { kind: 'endedOn', day: '2026-11-29' } },
			});
		}
		expect(judged('open', '', '2026-11-30T11:30:00Z').ground).toEqual({
			...{ kind: 'endedOn', day: '2026-11-30 11:30:00' },
		});
	});

	it('is as its status says until then, and unclear if the day cannot be read', () => {
		expect(judged('byStatus', 'active', '2026-11-30').access).toBe('open');
		expect(judged('byStatus', 'canceled', '2026-12-24').access).toBe('close');
		expect(judged('byStatus', 'canceled', 'soon').access).toBe('close');
		expect(judged('byStatus', 'active', 'soon')).toEqual({
			...{ access: 'unclear', ground: { kind: 'unreadableDay', text: 'soon' } },
		});
	});
});
