import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast, type RunOptions, type RunResult } from '../../harness/engine';
import { TestCredentialsHelper } from '../../harness/engine/credentialsHelper';
import type { Sandbox } from '../../../simulators/supercast';
import {
	actionsOf,
	addMembers,
	memberListOf,
	runSync,
	SET_ACCESS,
	writesOf,
} from '../../support/members';
import { credentialOf, useSandbox } from '../../support/sandbox';

describe('a credential whose fields are expressions of the item', () => {
	const first = useSandbox({ subscribers: 0 });
	const second = useSandbox({ subscribers: 0 });

	/** Each item says to which channel it belongs. */
	const expressions = {
		accessToken: '={{ $json.token }}',
		baseUrl: '={{ $json.url }}',
		requestsPerMinute: 0,
	};

	const channelOf = ({ accessToken, baseUrl }: Sandbox): IDataObject => ({
		token: accessToken,
		url: baseUrl,
	});

	const credential = (): TestCredentialsHelper => new TestCredentialsHelper({ ...expressions });

	async function run(
		parameters: INodeParameters,
		items: IDataObject[],
		more: Partial<RunOptions> = {},
	): Promise<RunResult> {
		return await runSupercast({ parameters, credential: credential(), items, ...more });
	}

	const emailsIn = ({ state }: Sandbox): string[] => state.subscribers.map(({ email }) => email);

	it('reaches the channel of each item', async () => {
		const channels = [first.current, second.current, first.current, second.current];
		const items = channels.map((one, number) => ({
			...channelOf(one),
			email: `new.${number}@example.com`,
		}));
		const create = { resource: 'subscriber', operation: 'create', email: '={{ $json.email }}' };
		const { error } = await run(create, items);
		expect(error).toBeUndefined();
		expect(emailsIn(first.current).sort()).toEqual(['new.0@example.com', 'new.2@example.com']);
		expect(emailsIn(second.current).sort()).toEqual(['new.1@example.com', 'new.3@example.com']);
	});

	it('closes the feed in the channel of the item, in the order of the items', async () => {
		const [ann] = addMembers(first.current, 1);
		const [bea] = addMembers(second.current, 1, () => ({
			...{ email: ann!.email, customer_id: ann!.customer_id },
		}));
		const item = { email: ann!.email, id: ann!.customer_id };
		const result = await run(SET_ACCESS, [
			{ ...item, ...channelOf(second.current), access: 'close' },
			{ ...item, ...channelOf(first.current), access: 'close' },
			{ ...item, ...channelOf(first.current), access: 'open' },
		]);
		expect(actionsOf(result)).toEqual(['closed', 'closed', 'reopened']);
		expect([ann!.state, bea!.state]).toEqual(['available', 'deactivated']);
	});

	it('fails only the items whose credential is wrong, if the node continues', async () => {
		const items = [
			{ ...channelOf(first.current), url: 'nowhere', email: 'a@example.com' },
			{ ...channelOf(second.current), email: 'b@example.com' },
		];
		const create = { resource: 'subscriber', operation: 'create', email: '={{ $json.email }}' };
		const result = await run(create, items, { onError: 'continueErrorOutput' });
		expect(result.errorOutput.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }]);
		expect(emailsIn(second.current)).toEqual(['b@example.com']);
		expect(first.current.stats().requests).toBe(0);
	});

	describe('in Sync', () => {
		const rowsOf = (sandbox: Sandbox): IDataObject[] =>
			memberListOf(addMembers(sandbox, 20)).map((row) => ({ ...row, ...channelOf(sandbox) }));

		it('works if all items name one channel', async () => {
			const rows = rowsOf(second.current).slice(1);
			const result = await runSync(first.current, rows, {}, { credential: credential() });
			expect(result.error).toBeUndefined();
			expect(actionsOf(result)).toEqual(['closed', 'summary']);
			expect(first.current.stats().requests).toBe(0);
		});

		it('is refused before any request if the items name two', async () => {
			const rows = rowsOf(first.current);
			Object.assign(rows[13]!, channelOf(second.current));
			const { error } = await runSync(first.current, rows, {}, { credential: credential() });
			expect(error?.message).toContain('name 2 channels');
			expect(error?.description).toContain('Nothing was changed.');
			expect(first.current.stats().requests + second.current.stats().requests).toBe(0);
			expect(writesOf(first.current)).toEqual([]);
		});
	});

	it('costs nothing if no field is an expression', async () => {
		const store = new TestCredentialsHelper(credentialOf(first.current));
		const items = Array.from({ length: 50 }, (_, number) => ({ email: `n${number}@example.com` }));
		const create = { resource: 'subscriber', operation: 'create', email: '={{ $json.email }}' };
		await run(create, items, { credential: store });
		// One for each request, and a few at the start.
		expect(store.reads - first.current.stats().requests).toBeLessThan(5);
	});
});
