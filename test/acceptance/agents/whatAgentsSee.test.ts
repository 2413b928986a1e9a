import {
	type IDataObject,
	type INodeParameters,
	type NodeApiError,
	NodeHelpers,
} from 'n8n-workflow';

import { runSupercast } from '../../harness/engine';
import { Supercast } from '../../../nodes/Supercast/Supercast.node';
import { credentialOf, useSandbox } from '../../support/sandbox';
import { toolContext } from '../../support/toolContext';

const { description } = new Supercast();
const property = description.properties.find(({ name }) => name === 'output')!;
/**
 * Whether the installed n8n can show a parameter only for tools. n8n 1.85 can't, so an agent there
 * always gets the default.
 */
const hasOutput = NodeHelpers.displayParameter(
	{ resource: 'feed', operation: 'get' },
	property,
	{ typeVersion: 1 },
	{ ...description, name: 'supercastTool' },
);
const itWithOutput = hasOutput ? it : it.skip;

describe('private feed addresses', () => {
	const sandbox = useSandbox();

	async function runAsTool(parameters: INodeParameters) {
		const { email } = sandbox.current.state.subscribers[0]!;
		const { output, error } = await runSupercast({
			parameters: {
				subscriber: { __rl: true, mode: 'email', value: email },
				email,
				...parameters,
			},
			credential: credentialOf(sandbox.current),
			isTool: true,
		});
		return { records: output.map(({ json }) => json), error, text: JSON.stringify(output) };
	}

	const readers = [
		['subscriber', 'get', {}],
		['subscriber', 'getAll', { limit: 3 }],
		['subscriber', 'update', { updateFields: { firstName: 'Nora' } }],
		['subscriber', 'upsert', { additionalFields: { firstName: 'Nora' } }],
		['feed', 'get', {}],
		['feed', 'activate', {}],
		['feed', 'suspend', {}],
		['feed', 'deactivate', {}],
	] as const;

	describe.each(readers)('%s: %s as a tool', (resource, operation, parameters) => {
		it('returns no private feed address unless that is chosen', async () => {
			const { records, error, text } = await runAsTool({ resource, operation, ...parameters });
			expect(error).toBeUndefined();
			expect(records.length).toBeGreaterThan(0);
			expect(text).not.toMatch(/feed_url|player_links|\/feeds\//);
			expect(Object.keys(records[0]!).length).toBeLessThanOrEqual(10);
		});

		itWithOutput('returns everything when that is chosen', async () => {
			const raw = { resource, operation, ...parameters, output: 'raw' };
			const { text } = await runAsTool(raw);
			expect(text).toMatch(/\/feeds\//);
		});

		itWithOutput('returns the selected fields', async () => {
			const { records } = await runAsTool({
				resource,
				operation,
				...parameters,
				output: 'selected',
				outputFields: 'state, feed_url,nothing',
			});
			const shown = records.filter(({ note }) => note === undefined);
			expect(shown.length).toBeGreaterThan(0);
			for (const record of shown) expect(Object.keys(record)).toEqual(['state', 'feed_url']);
		});
	});

	describe('the parameter Output', () => {
		itWithOutput.each([
			[{ output: 'selected', outputFields: ' , ' }, "'Fields' is empty"],
			[{ output: '={{ "everything" }}' }, '\'Output\' cannot be "everything"'],
		])('%j is refused before anything is sent', async (parameters, words) => {
			const { error } = await runAsTool({ resource: 'feed', operation: 'get', ...parameters });
			expect(error?.message).toContain(words);
			expect(sandbox.current.stats().requests).toBe(0);
		});

		it('has no effect on the node itself, which uses Simplify', async () => {
			const { output } = await runSupercast({
				parameters: { resource: 'subscriber', operation: 'getAll', limit: 1, output: 'raw' },
				credential: credentialOf(sandbox.current),
			});
			expect(output[0]!.json).toHaveProperty('feed_urls');
			expect(output[0]!.json).not.toHaveProperty('subscriptions');
		});

		it('does not prevent a deletion', async () => {
			const { records } = await runAsTool({ resource: 'subscriber', operation: 'delete' });
			expect(records).toEqual([{ deleted: true, email: expect.any(String) }]);
		});
	});

	const lookUpNobody: INodeParameters = {
		resource: 'feed',
		operation: 'deactivate',
		subscriber: { __rl: true, mode: 'email', value: 'nobody@example.com' },
	};

	it.each([
		['the type of the node', async () => await runAsTool(lookUpNobody)],
		[
			'the place of its output',
			async () =>
				await runSupercast({
					parameters: lookUpNobody,
					credential: credentialOf(sandbox.current),
					node: { rewireOutputLogTo: 'ai_tool' },
					onError: 'stopWorkflow',
				}),
		],
		[
			'the way n8n calls it',
			async () => {
				const context = toolContext(credentialOf(sandbox.current), lookUpNobody);
				// n8n 1.123 and earlier do not have this function. They always use the type above.
				if (context.isToolExecution === undefined) return await runAsTool(lookUpNobody);
				const run = new Supercast().execute.call(context);
				return {
					error: await run.then(
						() => undefined,
						(error: NodeApiError) => error,
					),
				};
			},
		],
	])('an agent, known by %s, reads in the message what happened and what to do', async (_, run) => {
		const { error } = await run();
		const read = `${error?.message}\n\nDetails: ${error?.description ?? ''}`;
		expect(error?.message).toMatch(
			/^Supercast has no feed .*"nobody@example.com"\. .*Check the spelling/s,
		);
		expect(read.match(/Check the spelling/g)).toHaveLength(1);
		expect(read).not.toContain('[item');
	});

	describe('a private feed address in another form', () => {
		const token = 'abcdefghijklmnop12345678';
		const address = `https://feeds.supercast.com/feeds/${token}`;
		const forms = {
			plain: address,
			encoded: `overcast://x-callback-url/add?url=${encodeURIComponent(address)}`,
			twice: encodeURIComponent(encodeURIComponent(address)),
			letters: address.replace('/feeds/', '/%66eeds/'),
			json: address.replaceAll('/', '\\/'),
			unicode: address.replaceAll('/', '\\u002f'),
			html: address.replaceAll('/', '&#x2F;'),
			decimal: address.replaceAll('/', '&#47;'),
			inside: JSON.stringify({ link: address }),
		};

		it.each(Object.entries(forms))(
			'(%s) is in no output, as a value or as a name',
			async (_, text) => {
				const { email, uuid } = sandbox.current.state.subscribers[0]!;
				const state = 'inactive';
				const body = { email, uuid, state, note: text, [text]: 1, deep: [{ list: [[text]] }] };
				const more = { feedUrl: 'x', private_feed_url: 'x', 'Player-Links': ['x'] };
				sandbox.current.controls.addFaults({
					kind: 'answer',
					share: 1,
					body: { ...body, ...more },
				});
				const { records, text: output } = await runAsTool({
					resource: 'feed',
					operation: 'deactivate',
				});
				expect(output).not.toContain(token);
				expect(records[0]).toEqual({ email, uuid, state, deep: [{ list: [[]] }] });
			},
		);

		it.each(Object.entries(forms))('(%s) is in no error text', async (_, text) => {
			const body = { message: `The feed ${text} is in use`, errors: { [text]: [text] } };
			sandbox.current.controls.addFaults({ kind: 'answer', status: 422, share: 1, body });
			const { error } = await runAsTool({ resource: 'feed', operation: 'deactivate' });
			expect(`${error?.message} ${error?.description}`).toContain('/feeds/[private]');
			expect(JSON.stringify(error) + String(error?.stack)).not.toContain(token);
		});
	});
});

describe('lists', () => {
	const sandbox = useSandbox({ subscribers: 240, episodes: 5, usageAlerts: 0, order: 'oldest' });

	async function list(parameters: INodeParameters, isTool = true): Promise<IDataObject[]> {
		const { output, error } = await runSupercast({
			parameters: { resource: 'subscriber', operation: 'getAll', returnAll: false, ...parameters },
			credential: credentialOf(sandbox.current),
			isTool,
		});
		expect(error).toBeUndefined();
		return output.map(({ json }) => json);
	}

	const subscribers = () => sandbox.current.state.subscribers;
	const count = (...states: string[]): number =>
		subscribers().filter(({ state }) => states.includes(String(state))).length;

	describe('an agent that lists subscribers', () => {
		it('gets the newest first, though Supercast sends the oldest first', async () => {
			const [, first, second] = await list({ limit: 2 });
			const newest = subscribers()
				.map(({ created_at }) => String(created_at))
				.sort()
				.reverse();
			expect([first?.created_at, second?.created_at]).toEqual(newest.slice(0, 2));
		});

		it('reads first how many there are, and that it sees only some of them', async () => {
			const [note, ...records] = await list({ limit: 20 });
			expect(note).toEqual({ note: '20 of 240 subscribers, newest first' });
			expect(records).toHaveLength(20);
		});

		it('reads how many are in the states that it asks for, whatever the limit', async () => {
			const states = 'deactivated,suspended,charge_failure';
			for (let index = 0; index < 30; index++) {
				const state = states.split(',')[index % 3];
				Object.assign(subscribers()[index * 7]!, { state });
			}
			const closed = count(...states.split(','));
			expect(closed).toBe(30);
			const [note, ...records] = await list({ limit: 3, filters: { state: states } });
			expect(note?.note).toBe(`3 of ${closed} subscribers that match, of 240 in all, newest first`);
			expect(records).toHaveLength(3);
		});

		it('reads that it sees all of them', async () => {
			const [note, ...records] = await list({ resource: 'episode', limit: 20 });
			expect(note).toEqual({ note: 'All 5 episodes, newest first' });
			expect(records).toHaveLength(5);
		});

		it('reads that there are none', async () => {
			expect(await list({ resource: 'usageAlert', limit: 20 })).toEqual([
				{ note: 'All 0 usage alerts, newest first' },
			]);
		});

		itWithOutput('reads the note with selected fields, too', async () => {
			const [note, first] = await list({ limit: 1, output: 'selected', outputFields: 'email' });
			expect(note?.note).toContain('of 240');
			expect(Object.keys(first ?? {})).toEqual(['email']);
		});
	});

	it('a node that is no tool gets records only, in the order of Supercast', async () => {
		const records = await list({ limit: 3 }, false);
		const oldest = subscribers().slice(0, 3);
		expect(records.map(({ uuid }) => uuid)).toEqual(oldest.map(({ uuid }) => uuid));
	});
});
