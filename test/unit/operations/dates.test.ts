import * as n8nWorkflow from 'n8n-workflow';

import { numberField } from '../../../nodes/Supercast/operations/properties';
import type { ItemParameters } from '../../../nodes/Supercast/operations/types';
import { readField, requireDateTime } from '../../../nodes/Supercast/operations/validation';

jest.mock('n8n-workflow', () => {
	const real = jest.requireActual<typeof n8nWorkflow>('n8n-workflow');
	return { ...real, tryToParseDateTime: jest.fn(real.tryToParseDateTime) };
});

/** Not luxon's own default, which n8n sets to the zone of the workflow that ran last. */
const SERVER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

describe('dates', () => {
	const { tryToParseDateTime: parse } = jest.requireActual<typeof n8nWorkflow>('n8n-workflow');

	describe.each([
		['this n8n', parse],
		[
			'an n8n that reads dates in the time zone of the server',
			(value: unknown) => parse(value, SERVER_ZONE),
		],
	])('in %s', (_, parseAsThere) => {
		beforeEach(() => jest.mocked(n8nWorkflow.tryToParseDateTime).mockImplementation(parseAsThere));

		it.each([
			['2026-03-01T10:00:00', '2026-03-01T10:00:00.000-05:00'],
			['2026-03-01 10:00', '2026-03-01T10:00:00.000-05:00'],
			['2026-07-01', '2026-07-01T00:00:00.000-04:00'],
			['2026-03-01T10:00:00Z', '2026-03-01T10:00:00.000Z'],
			['2026-03-01T10:00:00+05:00', '2026-03-01T10:00:00.000+05:00'],
			['Sun, 01 Mar 2026 10:00:00 +0200', '2026-03-01T10:00:00.000+02:00'],
		])('%s is %s for a workflow in New York', (typed, expected) => {
			const item = { timezone: 'America/New_York' } as ItemParameters;
			expect(requireDateTime(typed, 'Published At', item)).toBe(expected);
		});

		it.each(['2026-02-30', '2026-02-30T10:00:00Z', '2026-04-31 09:00', '30 Feb 2026 10:00:00 GMT'])(
			'%j is refused, since there is no such day',
			(typed) => {
				const item = { timezone: 'America/New_York' } as ItemParameters;
				expect(() => requireDateTime(typed, 'Published At', item)).toThrow('is not a date');
			},
		);

		it.each([new Date(Number.NaN), {}, ['2026-01-01'], { toISO: 5 }])('%p is refused', (typed) => {
			const item = { timezone: 'America/New_York' } as ItemParameters;
			expect(() => requireDateTime(typed, 'Published At', item)).toThrow('is not a date');
		});

		it.each([
			'Episode 12',
			'5',
			5,
			'01/02/2026',
			'Jan 31, 2026 09:00',
			'2026-01-31 9:00',
			...['', null, '2026-11', '2026', 2026, '12', 12, '12:00', '12/31/2026', '31.12.2026'],
			...[46022, '46022', '46022.5', 1_767_225_600, 'T12:00', '2026-W05', '2026-031'],
		])('%j is refused, since it may mean another day, or none', (typed) => {
			const item = { timezone: 'America/New_York' } as ItemParameters;
			expect(() => requireDateTime(typed, 'Published At', item)).toThrow('is not a date');
		});

		it('a zone of the workflow that does not exist is named, and not the date', () => {
			const item = { timezone: 'Pacific' } as ItemParameters;
			const read = (typed: string) => requireDateTime(typed, 'Published At', item);
			expect(() => read('2026-03-01 10:00')).toThrow(
				'The workflow\'s time zone "Pacific" does not exist, so a date without an offset is unclear',
			);
			expect(Date.parse(read('2026-03-01T10:00:00Z'))).toBe(Date.UTC(2026, 2, 1, 10));
			expect(() => read('2026-3')).toThrow('is not a date');
		});

		it("accepts n8n's date and time values", () => {
			const item = { timezone: 'America/New_York' } as ItemParameters;
			const moment = parse('2026-03-01T10:00:00Z');
			for (const typed of [moment, moment.toJSDate()]) {
				const iso = requireDateTime(typed, 'Published At', item);
				expect(Date.parse(iso)).toBe(Date.UTC(2026, 2, 1, 10));
			}
		});
	});
});

describe('numbers', () => {
	const percent = numberField('percentOff', 'Percent Off', {
		typeOptions: { minValue: 1, maxValue: 100 },
	});
	const read = (value: unknown) => readField(percent, value, {} as never);

	it.each([25, '25', ' 25 '])('reads %j in a number field as a number', (value) => {
		expect(read(value)).toBe(25);
	});

	it.each([0, 101, 'abc', true, NaN])('refuses %j in a field from 1 to 100', (value) => {
		expect(() => read(value)).toThrow("'Percent Off' must be a number from 1 to 100");
	});
});
