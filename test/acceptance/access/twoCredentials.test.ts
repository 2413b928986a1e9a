import type { IDataObject } from 'n8n-workflow';

import { type RunOptions, runSupercast } from '../../harness/engine';
import { TestCredentialsHelper } from '../../harness/engine/credentialsHelper';
import { accessItem, addMembers, runSetAccess } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0, latencyMs: 30 });
useQuickRuntime({ backoffMs: 1, visibleMs: 60 });

let credentials = 0;

/** Another credential for the channel. */
function credential(token: 'accessToken' | 'secondToken'): TestCredentialsHelper {
	const { current } = sandbox;
	const data = { ...credentialOf(current), accessToken: current[token] };
	return new TestCredentialsHelper(data, `twin-${++credentials}`);
}

const pause = async (ms: number): Promise<void> => {
	await new Promise((resolve) => setTimeout(resolve, ms));
};

const channelReads = (): unknown => sandbox.current.stats().byRoute['GET /channel'] ?? {};

/** How two credentials may open one channel. */
const TOKENS = [
	['the same token', 'accessToken', {}],
	['another token', 'secondToken', { '200': 2 }],
] as const;

describe.each(TOKENS)('two credentials with %s for one channel', (_, token, asked) => {
	it.each([0, 10, 40, 80])(
		'keep the order of a Close and an Open that comes %i ms later',
		async (ms) => {
			const [ann] = addMembers(sandbox.current, 1);
			const run = async (access: string, options: Pick<RunOptions, 'credential'>) =>
				await runSetAccess(sandbox.current, [accessItem(access, ann!)], options);
			const [one, other] = [credential('accessToken'), credential(token)];
			const closing = run('close', { credential: one });
			await pause(ms);
			await Promise.all([closing, run('open', { credential: other })]);
			expect(ann!.state).toBe('available');
			// Later executions of both know it.
			await run('open', { credential: one });
			await run('open', { credential: other });
			expect(channelReads()).toEqual(asked);
		},
	);

	it('a Sync with one leaves whom an event with the other has just opened', async () => {
		const members = addMembers(sandbox.current, 4);
		const [ann, ...others] = members;
		const items: IDataObject[] = others.map(({ email, customer_id: id }) => ({ email, id }));
		const syncing = runSupercast({
			credential: credential('accessToken'),
			items,
			parameters: {
				...{ resource: 'subscriber', operation: 'sync', dryRun: false, maxClosePercent: 100 },
				...{ customerId: '={{ $json.id }}', options: { closeAfter: 1 } },
			},
		});
		await pause(20);
		const open = [accessItem('open', ann!)];
		await runSetAccess(sandbox.current, open, { credential: credential(token) });
		await syncing;
		expect(ann!.state).toBe('available');
	});
});

it('one credential costs no request to find out its channel', async () => {
	const [ann] = addMembers(sandbox.current, 1);
	await runSetAccess(sandbox.current, [accessItem('close', ann!)]);
	expect(channelReads()).toEqual({});
});

it('a channel that does not say its name stays apart, and is not asked again immediately', async () => {
	const [ann] = addMembers(sandbox.current, 1);
	sandbox.current.controls.addFaults({ kind: 'status', status: 403, path: '/channel', times: 2 });
	for (const token of ['accessToken', 'secondToken', 'accessToken', 'secondToken'] as const) {
		const run = { credential: credential(token) };
		await runSetAccess(sandbox.current, [accessItem('open', ann!)], run);
	}
	expect(channelReads()).toEqual({ '403': 2 });
});
