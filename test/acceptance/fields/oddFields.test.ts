import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../harness/engine';
import { addMembers, hintsOf, memberListOf, runSync, SET_ACCESS } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

/** Fields of a subscriber that do not say who it is. */
const FIELDS = ['firstName', 'lastName', 'timeZone', 'ignoreUsageAlerts', 'otherFields'];

/** Values that lists of members contain by accident. */
const ODD: Record<string, unknown> = {
	'Windows-1252 read as Latin-1': 'O\u0092Brien',
	"Excel's line break": 'Ann\u000bSmith',
	'a null character': 'Ann\u0000',
	'half an emoji': 'Ann \ud83d',
	true: true,
	'an object': { first: 'Ann' },
	'a list': ['Ann', 'Bob'],
	NaN: Number.NaN,
	'an invalid date': new Date(Number.NaN),
	'JSON with a quotation mark in a value': '{ "nickname": "the "Boss"" }',
};

describe('an odd value in a field that does not say who a subscriber is', () => {
	const sandbox = useSandbox({ subscribers: 3 });
	useQuickRuntime({ backoffMs: 5, visibleMs: 20 });

	const EMAIL = 'new@example.com';

	async function run(operation: string, name: string, value: unknown, more: INodeParameters) {
		const isUpdate = operation === 'update';
		// A name that can be read arrives all the same.
		const [collection, own] = isUpdate
			? ['updateFields', { email: EMAIL }]
			: ['additionalFields', {}];
		const result = await runSupercast({
			parameters: {
				resource: 'subscriber',
				operation,
				...{ [collection]: { ...own, customerId: 'cus_1', [name]: '={{ $json.odd }}' } },
				...more,
			},
			credential: credentialOf(sandbox.current),
			items: [{ odd: value } as IDataObject],
		});
		return { ...result, hints: hintsOf(result) };
	}

	/** What is as it should be. */
	const RIGHT = [
		...['ignoreUsageAlerts: true', 'otherFields: an object'],
		...['firstName', 'lastName'].map((name) => `${name}: JSON with a quotation mark in a value`),
	];

	const table = FIELDS.flatMap((field) =>
		Object.entries(ODD).map(([odd, value]) => [`${field}: ${odd}`, field, value] as const),
	).filter(([name]) => !RIGHT.includes(name));

	const sent = (odd: unknown): IDataObject[] => [{ odd } as IDataObject];

	/** Operations read these fields in the same way, so one value of each field is enough for them. */
	describe.each(FIELDS)('in %s', (field) => {
		const value = field === 'otherFields' ? ODD.NaN : ODD['an object'];

		it.each(['create', 'upsert', 'update'])(
			'does not prevent %s, and is told',
			async (operation) => {
				const before = sandbox.current.state.subscribers[0]!.email;
				const subscriber = { __rl: true, mode: 'email', value: before };
				const { error, hints } = await run(operation, field, value, { email: EMAIL, subscriber });
				expect(error).toBeUndefined();
				const record = sandbox.current.state.subscribers.find(({ email }) => email === EMAIL);
				expect(record).toMatchObject({ customer_id: 'cus_1', state: 'available' });
				expect(hints).toContain('was left out');
				expect(hints).toContain(operation === 'update' ? before : EMAIL);
			},
		);

		it('keeps Set Access from nothing, and is told', async () => {
			const parameters = {
				...SET_ACCESS,
				...{ access: 'open', email: EMAIL, customerId: 'cus_1' },
				additionalFields: { [field]: '={{ $json.odd }}' },
			};
			const credential = credentialOf(sandbox.current);
			const items = sent(value);
			const { error, output } = await runSupercast({ parameters, credential, items });
			expect(error).toBeUndefined();
			expect(sandbox.current.state.subscriber(EMAIL)).toMatchObject({
				...{ customer_id: 'cus_1', state: 'available' },
			});
			expect(output[0]?.json.reason).toContain('Left out');
		});
	});

	it.each(table)(
		'keeps Sync from nothing: the feed opens, and one that is due closes (%s)',
		async (_, field, value) => {
			const [leaver, ...others] = addMembers(sandbox.current, 3);
			const odd = { email: EMAIL, id: 'c-new', odd: value };
			const { error, output } = await runSync(
				sandbox.current,
				[odd as IDataObject, ...memberListOf(others)],
				{ additionalFields: { [field]: '={{ $json.odd }}' } },
			);
			expect(error).toBeUndefined();
			expect(sandbox.current.state.subscriber(EMAIL)?.state).toBe('available');
			expect(leaver!.state).toBe('deactivated');
			expect(output.at(-1)?.json.text).toMatch(/left out/i);
		},
	);
});
