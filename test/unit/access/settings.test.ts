import type { IDataObject } from 'n8n-workflow';

import { readSyncSettings } from '../../../nodes/Supercast/access/settings';
import { itemWith, refusalOf } from './records';

const CHECK = 'Correct it. If you use an expression, check its result.';

const settingsWith = (values: IDataObject) => readSyncSettings(itemWith(values));

describe('the settings of Sync', () => {
	it('without options, are cautious', () => {
		const values = { dryRun: true, close: 'prefix', customerIdPrefix: 'c-' };
		expect(settingsWith(values)).toMatchObject({
			...{ dryRun: true, close: 'prefix', prefixes: ['c-'], closeWithPlan: false, closeAfter: 2 },
			...{ maxClosePercent: 10, maxOpenPercent: 25, allowances: [], output: 'changes' },
			...{ neverClose: new Set(), hasRecordIds: false, recordsExpected: undefined, zone: 'UTC' },
		});
	});

	it.each<[IDataObject, IDataObject]>([
		[{ closeAfter: '3' }, { closeAfter: 3 }],
		[{ maxOpenPercent: 12.5 }, { maxOpenPercent: 12.5 }],
		[{ closeWithPlan: ' TRUE ' }, { closeWithPlan: true }],
		[{ output: 'summary' }, { output: 'summary' }],
		[{ recordId: '' }, { hasRecordIds: true }],
		[{ recordsExpected: '7' }, { recordsExpected: 7 }],
		[{ recordsExpected: 0 }, { recordsExpected: 0 }],
		[{ recordsExpected: null }, { recordsExpected: '' }],
	])('are read from the options %j', (options, expected) => {
		expect(settingsWith({ options })).toMatchObject(expected);
	});

	it('Never Close takes addresses and domains', () => {
		const options = { neverClose: 'Ann@A.com,, @B.org\nc@c.com' };
		expect(settingsWith({ options }).neverClose).toEqual(
			new Set(['ann@a.com', '@b.org', 'c@c.com']),
		);
	});

	it.each(['*@staff.example', '@*.example', 'staff.example', 'ann', '@', 'a@a.com; b@b.com'])(
		'Never Close refuses %s, which would protect nobody',
		(neverClose) => {
			expect(refusalOf(() => settingsWith({ options: { neverClose } }))).toContain(
				`'Never Close' contains "${neverClose}", which is neither an email address nor a domain`,
			);
		},
	);

	it('several prefixes are separated by commas', () => {
		expect(settingsWith({ customerIdPrefix: ' my own ,, p_\nq-' }).prefixes).toEqual([
			...['my own', 'p_', 'q-'],
		]);
	});

	it.each<[IDataObject, string]>([
		[{ dryRun: '' }, `'Dry Run' is empty. ${CHECK}`],
		[{ dryRun: null }, `'Dry Run' is empty. ${CHECK}`],
		[{ dryRun: 0 }, "'Dry Run' is neither true nor false"],
		[{ dryRun: 'untrue' }, "'Dry Run' is neither true nor false"],
		[{ close: 'everyone' }, '\'Close Feeds of\' cannot be "everyone"'],
		[{ close: '' }, `'Close Feeds of' is empty. ${CHECK}`],
		[{ maxClosePercent: 101 }, `'Max Close (%)' must be a number from 0 to 100. ${CHECK}`],
		[{ maxClosePercent: '' }, "'Max Close (%)' must be a number"],
		[{ maxClosePercent: undefined }, "'Max Close (%)' must be a number"],
		[{ options: { closeAfter: 1.5 } }, `'Close After (Lists)' is not a whole number. ${CHECK}`],
		[{ options: { closeAfter: 0 } }, "'Close After (Lists)' must be a number of at least 1"],
		[{ options: { closeAfter: null } }, "'Close After (Lists)' must be a number of at least 1"],
		[{ options: { maxOpenPercent: 'ten' } }, "'Max Open (%)' must be a number of at least 0"],
		[{ options: { maxOpenPercent: -1 } }, "'Max Open (%)' must be a number of at least 0"],
		[{ options: { closeWithPlan: null } }, `'Close Despite Plan' is empty. ${CHECK}`],
		[{ options: { output: 'all' } }, '\'Output\' cannot be "all"'],
		[{ options: { allowOnce: 'everything' } }, '\'Allow Once\' contains "everything"'],
	])(
		'%j is refused, because an expression without a result must not mean "off"',
		(values, words) => {
			expect(refusalOf(() => settingsWith(values))).toContain(words);
		},
	);

	it('a time zone that does not exist is UTC', () => {
		expect(readSyncSettings({ ...itemWith({}), timezone: 'Mars/Olympus' }).zone).toBe('UTC');
		expect(readSyncSettings({ ...itemWith({}), timezone: 'Europe/Berlin' }).zone).toBe(
			'Europe/Berlin',
		);
	});
});
