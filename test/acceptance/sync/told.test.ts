import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { forgetAll } from '../../../nodes/Supercast/execution/memory/syncMemory';
import { runtime } from '../../../nodes/Supercast/api/clock';
import type { Subscriber } from '../../../simulators/supercast';
import type { RunOptions, RunResult } from '../../harness/engine';
import { addMembers, hintsOf, memberListOf, runSync } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0 });
useQuickRuntime({ backoffMs: 1 });

const PREFIX: INodeParameters = { close: 'prefix', customerIdPrefix: 'c-' };

function summaryOf({ output }: RunResult): IDataObject & { numbers: IDataObject } {
	return output.at(-1)!.json as IDataObject & { numbers: IDataObject };
}

describe('what people are told about a Sync', () => {
	let members: Subscriber[];
	beforeEach(() => {
		forgetAll();
		members = addMembers(sandbox.current, 30, (index) => ({ customer_id: `c-${index + 1}` }));
	});

	const run = async (
		items: readonly Subscriber[],
		parameters: INodeParameters = {},
		options: Partial<RunOptions> = {},
	): Promise<RunResult> =>
		await runSync(sandbox.current, memberListOf(items), { ...PREFIX, ...parameters }, options);

	it('names the channel, after one request for each process and credential', async () => {
		const title = String(sandbox.current.state.channel.title);
		for (let count = 0; count < 3; count++) {
			const result = await run(members);
			const summary = summaryOf(result);
			expect([summary.title, summary.text, hintsOf(result)].join()).toContain(title);
			expect(summary.numbers.channel).toBe(title);
		}
		expect(sandbox.current.stats().byRoute['GET /channel']).toEqual({ '200': 1 });
	});

	it('names the address if Supercast does not tell the name, and does not ask again with each run', async () => {
		const { controls } = sandbox.current;
		controls.addFaults({ kind: 'status', path: '/channel', status: 404, times: 99 });
		for (let count = 0; count < 3; count++) {
			const result = await run(members);
			expect(result.error).toBeUndefined();
			expect(summaryOf(result).title).toContain('(127.0.0.1)');
		}
		expect(sandbox.current.stats().byRoute['GET /channel']).toEqual({ '404': 1 });
	});

	it('compares with the daily email before, also after a restart', async () => {
		const staticData: IDataObject = { 'node:Start': { recurrenceRules: [] } };
		await run(members, {}, { staticData });
		forgetAll();
		members[0]!.state = 'suspended';
		const { clock } = runtime;
		runtime.clock = { ...clock, date: () => Date.now() + 24 * 60 * 60_000 };
		try {
			const summary = summaryOf(await run(members, {}, { staticData }));
			expect(summary.title).toMatch(/1 pays without an open feed, 0 joined, 1 left, 29 open/);
			expect(summary.text).toContain(`${members[0]!.email} (suspended)`);
		} finally {
			runtime.clock = clock;
		}
	});

	describe('that stops', () => {
		it('opens first, and fails with the text to copy', async () => {
			const list = [
				...memberListOf(members.slice(0, 10)),
				{ email: 'new@example.com', id: 'c-new' },
			];
			const stopped = await runSync(sandbox.current, list, PREFIX);
			expect(stopped.error?.message).toBe(
				'Sync stopped: 20 feeds would close, but the limit is 5 in 24 hours',
			);
			expect(stopped.error?.description).toMatch(/'Allow Once': close 20 until .* UTC$/);
			expect(stopped.output).toEqual([]);
			expect(sandbox.current.state.subscribers).toHaveLength(31);
		});

		it('has an error item and a summary if On Error is set to continue', async () => {
			const { output, errorOutput } = await run(
				members.slice(0, 10),
				{ options: { output: 'summary' } },
				{ onError: 'continueErrorOutput' },
			);
			expect(output.map(({ json }) => json.title)).toEqual([
				expect.stringContaining('Sync stopped: 20 feeds would close'),
			]);
			expect(errorOutput.map(({ json }) => json.error)).toEqual([
				expect.stringMatching(/^Sync stopped: 20 feeds .*close 20 until .* UTC$/),
			]);
		});
	});

	it('has a page in the editor after a run by hand, with everyone by name', async () => {
		const { output } = await run(members.slice(0, 28), { dryRun: true }, { mode: 'manual' });
		const { page } = output.at(-1)!.binary!;
		expect(page).toMatchObject({ fileName: 'What this list would change.html', fileType: 'html' });
		const html = Buffer.from(page!.data, 'base64').toString();
		for (const { email } of members.slice(28)) expect(html).toContain(email);
	});
});
