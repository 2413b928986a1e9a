import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { type RunOptions, runSupercast } from '../../harness/engine';
import { addMembers, writesOf } from '../../support/members';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';

/** A name that JSON, a spreadsheet or an expression has changed is the name of someone else. */
describe('a name that was changed on its way', () => {
	const sandbox = useSandbox({ subscribers: 0 });

	async function run(
		parameters: INodeParameters,
		item: IDataObject,
		options: Partial<RunOptions> = {},
	): Promise<{ text: string; records: IDataObject[] }> {
		const credential = credentialOf(sandbox.current);
		const { error, output } = await runSupercast({
			parameters,
			credential,
			items: [item],
			...options,
		});
		const text = error === undefined ? 'none' : `${error.message}. ${error.description}`;
		return { text, records: output.map(({ json }) => json) };
	}

	const person = { __rl: true, mode: 'customerId', value: '={{ $json.id }}' };
	const access = (what: string): INodeParameters => ({
		...{ resource: 'subscriber', operation: 'setAccess', access: what },
		email: '={{ $json.email }}',
		customerId: '={{ $json.id }}',
	});
	const fields = { customerId: '={{ $json.id }}' };
	const email = '={{ $json.email }}';

	describe('a number above 2^53', () => {
		/** JSON reads the ID of Bob, 9007199254740993, as the one of Ann. */
		const [ANN, BOB] = ['9007199254740992', 9007199254740993];

		it.each<[string, INodeParameters]>([
			['Set Access: close', access('close')],
			['Set Access: open', access('open')],
			['Delete', { resource: 'subscriber', operation: 'delete', subscriber: person }],
			['Feed: Deactivate', { resource: 'feed', operation: 'deactivate', subscriber: person }],
			['Create', { resource: 'subscriber', operation: 'create', email, additionalFields: fields }],
			[
				'Create or Update',
				{ resource: 'subscriber', operation: 'upsert', email, additionalFields: fields },
			],
			[
				'a filter',
				{ resource: 'subscriber', operation: 'getAll', filters: { planId: '={{ $json.id }}' } },
			],
			[
				'an episode',
				{ resource: 'episode', operation: 'delete', episode: { ...person, mode: 'id' } },
			],
		])('changes nobody and says how to get text: %s', async (_, parameters) => {
			const [ann] = addMembers(sandbox.current, 1, () => ({ customer_id: ANN }));
			const { text } = await run(parameters, { email: 'bob@example.com', id: BOB });
			expect(text).toContain('is the number 9007199254740992, which is not an exact ID');
			expect(text).toContain('convert the column to text');
			expect(sandbox.current.stats().requests).toBe(0);
			expect(await feedStatus(sandbox.current.state.feedUrl(ann!.email))).toBe(200);
		});

		it('may be a text', async () => {
			const [ann] = addMembers(sandbox.current, 1, () => ({ customer_id: ANN }));
			const { records } = await run(access('close'), { email: '', id: ANN });
			expect(records).toMatchObject([{ action: 'closed', email: ann!.email }]);
		});
	});

	describe('a number as a spreadsheet shows it', () => {
		it.each(['1.23457E+15', '1000.0'])('is refused if nobody has it: %s', async (id) => {
			addMembers(sandbox.current, 2, (index) => ({ customer_id: String(1_000 + index) }));
			const ops: INodeParameters[] = [
				{
					...{ resource: 'subscriber', operation: 'delete', subscriber: person },
					options: { ifMissing: 'succeed' },
				},
				{ resource: 'subscriber', operation: 'create', email, additionalFields: fields },
				{ resource: 'subscriber', operation: 'upsert', email, additionalFields: fields },
			];
			for (const parameters of ops) {
				const { text } = await run(parameters, { email: 'new@example.com', id });
				expect(text).toContain(`"${id}", which is a number as a spreadsheet shows it`);
			}
			expect(writesOf(sandbox.current)).toEqual([]);
		});

		it.each(['1.23457E+15', '1000.0'])('names the one who has it: %s', async (id) => {
			const [ann] = addMembers(sandbox.current, 1, () => ({ customer_id: id }));
			const { records } = await run(access('close'), { email: '', id });
			expect(records).toMatchObject([{ action: 'closed', email: ann!.email }]);
		});
	});

	describe("an email with a spreadsheet's mark for text", () => {
		const item = { email: "'ana@example.com" };
		const locator = { __rl: true, mode: 'email', value: email };
		const ops: Array<[string, INodeParameters]> = [
			['Create', { resource: 'subscriber', operation: 'create', email }],
			['Create or Update', { resource: 'subscriber', operation: 'upsert', email }],
			[
				'Delete with If Missing',
				{
					...{ resource: 'subscriber', operation: 'delete', subscriber: locator },
					options: { ifMissing: 'succeed' },
				},
			],
		];

		it.each(ops)('is refused and named: %s', async (_, parameters) => {
			addMembers(sandbox.current, 1, () => ({ email: 'ana@example.com' }));
			const { text } = await run(parameters, item);
			expect(text).toContain('begins with an apostrophe: "\'ana@example.com"');
			expect(text).toContain('Enter only the address: ana@example.com');
			// A request with the name as it came finds nobody.
			const changes = writesOf(sandbox.current).filter((one) => !one.startsWith('DELETE'));
			expect(changes).toEqual([]);
			expect(sandbox.current.state.subscribers).toHaveLength(1);
		});

		it('is accepted if Supercast has exactly that address', async () => {
			const { baseUrl, accessToken } = credentialOf(sandbox.current);
			await fetch(`${baseUrl}/subscribers`, {
				method: 'POST',
				headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
				body: JSON.stringify({ subscriber: item }),
			});
			const { records } = await run(access('close'), item);
			expect(records).toMatchObject([{ action: 'closed', email: "'ana@example.com" }]);
		});
	});

	describe('the text of a missing value behind a prefix', () => {
		it('is refused, if Customer ID Prefix names the prefix', async () => {
			addMembers(sandbox.current, 1, () => ({ customer_id: 'wp-undefined' }));
			for (const what of ['close', 'open']) {
				const parameters = { ...access(what), options: { customerIdPrefix: 'wp-' } };
				const { text } = await run(parameters, { email: 'bob@example.com', id: 'wp-undefined' });
				expect(text).toContain('text of a missing value');
			}
			expect(writesOf(sandbox.current)).toEqual([]);
		});

		it.each(['helen.0', 'cus_0'])('is an ID if one person has it: %s', async (id) => {
			const { records } = await run(access('open'), { email: 'helen@example.com', id });
			expect(records).toMatchObject([{ action: 'created', customer_id: id }]);
			const closed = await run(access('close'), { email: 'helen@example.com', id });
			expect(closed.records).toMatchObject([{ action: 'closed' }]);
		});
	});
});
