import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RunOptions } from '../../harness/engine';
import { Supercast } from '../../../nodes/Supercast/Supercast.node.js';
import { PROFILES, type ProfileName, type Subscriber } from '../../../simulators/supercast';
import {
	actionsOf,
	addMembers,
	hintsOf,
	memberListOf,
	runSync,
	writesOf,
} from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';
import { toolContext } from '../../support/toolContext';

describe('what Sync refuses', () => {
	const sandbox = useSandbox({ subscribers: 0 });

	let members: Subscriber[];
	let list: IDataObject[];
	beforeEach(() => {
		members = addMembers(sandbox.current, 40);
		// There is work of each kind, so a run that is wrongly not refused shows.
		members[0]!.state = 'deactivated';
		list = [{ email: 'new@example.com', id: 'c-new' }, ...memberListOf(members.slice(0, -1))];
	});

	async function refused(
		items: IDataObject[],
		parameters: INodeParameters = {},
		options: Partial<RunOptions> = {},
	): Promise<string> {
		const stopped = await runSync(sandbox.current, items, parameters, options);
		expect(stopped.output).toEqual([]);
		expect(writesOf(sandbox.current)).toEqual([]);
		const text = `${stopped.error?.message}. ${stopped.error?.description}`;
		expect(text).toContain('Nothing was changed.');
		return text;
	}

	it('would change something if nothing were wrong', async () => {
		await runSync(sandbox.current, list);
		expect(writesOf(sandbox.current)).toHaveLength(3);
	});

	it('a list whose expressions fail names their error, with Continue on Fail too', async () => {
		const items = memberListOf(addMembers(sandbox.current, 3));
		const options = { recordsExpected: "={{ $('Somewhere else').first().json.total }}" };
		const result = await runSync(
			sandbox.current,
			items,
			{ options },
			{ onError: 'continueRegularOutput' },
		);
		expect(hintsOf(result)).toContain("Sync failed: Referenced node doesn't exist");
		expect(hintsOf(result)).not.toContain('no valid members');
	});

	it('a list whose customer IDs are lost, before any request', async () => {
		const items = list.map((one) => ({ ...one, id: '' }));
		expect(await refused(items)).toContain("'Customer ID' is empty in all records");
		expect(sandbox.current.stats().requests).toBe(0);
	});

	describe('a part of the list', () => {
		it('is refused with Execute Once', async () => {
			expect(await refused(list, {}, { node: { executeOnce: true } })).toContain(
				"'Execute Once' is on",
			);
		});

		it('is refused in a loop, in its first round', async () => {
			const connections = {
				Supercast: { main: [[{ node: 'Items', type: 'main' as const, index: 0 }]] },
			};
			expect(await refused(list, {}, { connections })).toContain('Sync is in a loop');
			expect(sandbox.current.stats().requests).toBe(0);
		});

		it('is refused when the node runs a second time in the execution', async () => {
			const to = (node: string) => ({ node, type: 'main' as const, index: 0 });
			const { run } = await runSync(
				sandbox.current,
				list,
				{ dryRun: true },
				{
					connections: {
						Items: { main: [[to('Supercast'), to('More Items')]] },
						'More Items': { main: [[to('Supercast')]] },
					},
				},
			);
			const [first, second] = run.data.resultData.runData.Supercast ?? [];
			expect(first?.error).toBeUndefined();
			expect(second?.error?.message).toContain('would run twice in this execution');
			// The list, and what Supercast calls the channel: both of the first run.
			expect(sandbox.current.stats().requests).toBe(2);
		});

		it('is refused as a tool, by the type of the node and by the call', async () => {
			const node = { type: 'n8n-nodes-supercast.supercastTool' };
			expect(await refused(list, {}, { node })).toContain('cannot be used as an AI agent tool');
			const parameters = { resource: 'subscriber', operation: 'sync', dryRun: false };
			const context = toolContext(credentialOf(sandbox.current), parameters);
			// n8n 1.123 and earlier do not have this function. They always use the type above.
			if (context.isToolExecution !== undefined)
				await expect(new Supercast().execute.call(context)).rejects.toThrow(
					'cannot be used as an AI agent tool',
				);
			expect(sandbox.current.stats().requests).toBe(0);
		});
	});
});

describe('services that differ', () => {
	const profiles = Object.keys(PROFILES) as ProfileName[];

	describe.each(profiles)('against a Supercast of the profile %s', (profile) => {
		let later = 0;
		const now = (): number => Date.now() + later;
		const sandbox = useSandbox({ profile, now, subscribers: 0 });
		useQuickRuntime({ backoffMs: 5 });
		beforeEach(() => (later = 0));

		it('Sync follows the table, and then has nothing to do', async () => {
			const [gone, back, moved, ...rest] = addMembers(sandbox.current, 30, (index) =>
				index === 1 ? { state: 'deactivated' } : {},
			);
			const feeds = [gone!, back!].map(({ email }) => sandbox.current.state.feedUrl(email));
			const items = memberListOf([back!, moved!, ...rest]).map((item): IDataObject => ({
				...item,
				name: 'Ann',
			}));
			items[0]!.email = String(items[0]!.email).toUpperCase();
			items[1]!.email = 'moved@example.com';
			items.push({ email: 'New@Example.com', id: 'c-new', name: 'Nora' });
			const parameters = { additionalFields: { firstName: '={{ $json.name }}' } };

			const result = await runSync(sandbox.current, items, parameters);

			expect(result.error).toBeUndefined();
			expect(actionsOf(result)).toEqual(['closed', 'reopened', 'created', 'updated', 'summary']);
			expect(await Promise.all(feeds.map(feedStatus))).toEqual([403, 200]);
			const held = sandbox.current.state.subscribers;
			expect(held).toHaveLength(31);
			expect(held.find(({ uuid }) => uuid === moved!.uuid)?.email).toBe('moved@example.com');
			expect(held.find(({ customer_id: id }) => id === 'c-new')).toMatchObject({
				first_name: 'Nora',
				state: 'available',
			});

			later += 5_000;
			const writes = writesOf(sandbox.current).length;
			const second = await runSync(sandbox.current, items, parameters);
			expect(second.error).toBeUndefined();
			expect(actionsOf(second)).toEqual(['summary']);
			expect(writesOf(sandbox.current)).toHaveLength(writes);
		});
	});
});
