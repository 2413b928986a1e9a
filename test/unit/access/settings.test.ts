import type { IDataObject } from 'n8n-workflow';

import {
	allowedBy,
	percentFor,
	readPerson,
	readSettings,
} from '../../../nodes/Supercast/access/settings';
import { ListOfMembers } from '../../../nodes/Supercast/access/sync/list/members';
import { type Parameters, parametersOf, refusal } from './running';

const CHECK = 'Correct it. If you use an expression, check its result.';

const settingsWith = (parameters: Parameters) =>
	readSettings(parametersOf({ email: '' }, parameters));

describe('the settings of Sync', () => {
	it('without options, are cautious', () => {
		const item = parametersOf({ email: '' });
		const collection = () => ({});
		expect(readSettings({ ...item, collection })).toEqual({
			...{ addCustomerIds: true, close: 'withCustomerId', closeAfter: 2, closeWithPlan: false },
			...{ customerIdPrefix: [], dryRun: false, graceHours: 24, maxClosePercent: 100 },
			...{ neverClose: new Set(), output: 'changes', reactivate: true },
			hasRecordIds: false,
			replaceCustomerId: false,
		});
	});

	it.each<[IDataObject, IDataObject]>([
		[
			{ closeAfter: '3', maxClose: 0, maxOpen: 7 },
			{ closeAfter: 3, maxClose: 0, maxOpen: 7 },
		],
		[{ graceHours: 1.5 }, { graceHours: 1.5 }],
		[
			{ reactivate: 'FALSE', closeWithPlan: ' true ' },
			{ reactivate: false, closeWithPlan: true },
		],
		[{ customerIdPrefix: ' my own ,, p_' }, { customerIdPrefix: ['my own', 'p_'] }],
		[
			{ neverClose: 'Ann@A.com,; @B.org\nc@c.com' },
			{ neverClose: new Set(['ann@a.com', '@b.org', 'c@c.com']) },
		],
	])('are read from the options %j', (options, expected) => {
		expect(settingsWith({ options })).toMatchObject(expected);
	});

	it.each<[Parameters, string]>([
		[{ dryRun: 0 }, "'Dry Run' is neither"],
		[{ dryRun: '' }, "'Dry Run' is neither"],
		[{ dryRun: 'no' }, "'Dry Run' is neither"],
		[{ dryRun: 'untrue' }, "'Dry Run' is neither"],
		[{ dryRun: 'falsely' }, "'Dry Run' is neither"],
		[{ close: 'everybody' }, "'Close Feeds of' cannot be"],
		[{ maxClosePercent: 101 }, `'Max Close (%)' must be a number from 0 to 100. ${CHECK}`],
		[{ options: { maxOpen: 1.5 } }, `'Max Open (Feeds)' is not a whole number. ${CHECK}`],
		[{ options: { maxClose: 1.5 } }, `'Max Close (Feeds)' is not a whole number. ${CHECK}`],
		[{ options: { closeAfter: 1.5 } }, `'Close After (Lists)' is not a whole number. ${CHECK}`],
		[{ options: { maxClose: 'ten' } }, `'Max Close (Feeds)' must be a number`],
		[{ options: { graceHours: -1 } }, "'Grace Hours' must be a number"],
		[{ options: { output: 'x' } }, "'Output' cannot be"],
		[
			{ options: { customerIdPrefix: ' ' } },
			"'Customer ID Prefix' is empty. Fill it in, or remove the option. If you use an expression",
		],
		[{ options: { neverClose: ',' } }, "'Never Close' is empty. Fill it in"],
		[
			{ options: { neverClose: '@a.com, @' } },
			'\'Never Close\' contains "@", which is neither an email address nor a domain. Enter addresses such as ann@example.com',
		],
		[{ options: { neverClose: 'Ann' } }, '\'Never Close\' contains "Ann"'],
	])('are refused if %j is among them', async (parameters, words) => {
		expect(await refusal(() => settingsWith(parameters))).toContain(words);
	});
});

describe('a person', () => {
	it.each([
		[{ email: 'ann' }, "'Email' "],
		[{ email: '', id: 'a\u0000b' }, "'Customer ID' "],
	])('with %j is refused by the name of the field', async (row, words) => {
		expect(await refusal(() => readPerson(parametersOf(row), 'Sync'))).toContain(words);
	});

	it.each(['email', 'customer_id', 'state', 'uuid'])(
		'with "%s" among the other fields is refused',
		async (name) => {
			const item = parametersOf({ email: 'a@a.com' });
			const fields = { otherFields: JSON.stringify({ plan_id: 3, [name]: 'x' }) };
			const collection = () => fields;
			expect(await refusal(() => new ListOfMembers(1).add(0, { ...item, collection }, {}))).toBe(
				`'Other Fields (JSON)' contains "${name}", which Sync sets from its own parameters. Remove "${name}" from 'Other Fields (JSON)'.`,
			);
		},
	);
});

describe('the percentage that the advice about Max Close names', () => {
	it('is the lowest one that allows these closings, for every number of people', () => {
		const wrong: string[] = [];
		for (let people = 1; people <= 300; people++) {
			for (let count = 1; count <= people; count++) {
				const percent = percentFor(count, people);
				const isEnough = allowedBy(percent, people) >= count;
				const isLowest = allowedBy(percent - 1, people) < count;
				if (!isEnough || !isLowest) wrong.push(`${count} of ${people}: ${percent}`);
			}
		}
		expect(wrong).toEqual([]);
	});
});
