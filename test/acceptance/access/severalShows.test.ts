import { runSupercast, type RunResult } from '../../harness/engine';
import type { Subscriber } from '../../../simulators/supercast';
import {
	accessItem,
	actionsOf,
	addMembers,
	memberListOf,
	runSetAccess,
	runSync,
} from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0 });
useQuickRuntime({ backoffMs: 1, visibleMs: 60, lateMs: 60 });

/** Members of whom the first listens to two shows. A closing concerns these of them. */
function withTwoShows(feedChanges: 'all' | 'first'): Subscriber[] {
	const members = addMembers(sandbox.current, 4);
	sandbox.current.controls.changeSettings({ feedChanges });
	sandbox.current.controls.addSubscriptions(members[0]!.uuid, ['available']);
	return members;
}

async function operate(operation: string, { uuid }: Subscriber): Promise<RunResult> {
	const subscriber = { __rl: true, mode: 'uuid', value: uuid };
	return await runSupercast({
		parameters: { resource: 'feed', operation, subscriber },
		credential: credentialOf(sandbox.current),
	});
}

const CLOSING: Array<[string, (members: Subscriber[]) => Promise<RunResult>]> = [
	['Set Access', async ([ann]) => await runSetAccess(sandbox.current, [accessItem('close', ann!)])],
	['Deactivate', async ([ann]) => await operate('deactivate', ann!)],
	['Suspend', async ([ann]) => await operate('suspend', ann!)],
	[
		'Sync',
		async ([, ...others]) =>
			await runSync(sandbox.current, memberListOf(others), {
				...{ maxClosePercent: 100, options: { closeAfter: 1 } },
			}),
	],
];

describe.each(CLOSING)('%s of someone who listens to two shows', (_, close) => {
	it('is done if both are closed', async () => {
		const members = withTwoShows('all');
		const { error } = await close(members);
		expect(error).toBeUndefined();
		expect(members[0]!.more_subscriptions).not.toContain('available');
	});

	it('fails if one of them is still open, and says so', async () => {
		const { error } = await close(withTwoShows('first'));
		expect(`${error?.message} ${error?.description}`).toContain(
			'with a subscription that is "available"',
		);
	});
});

it('a record that is closed, although a show is open, is not closed', async () => {
	const [ann] = withTwoShows('all');
	ann!.state = 'deactivated';
	expect(actionsOf(await runSetAccess(sandbox.current, [accessItem('close', ann!)]))).toEqual([
		'closed',
	]);
	expect(ann!.more_subscriptions).toEqual(['deactivated']);
});

it('a record that is closed, although a show is open, is closed by Sync after two lists', async () => {
	const [ann, ...others] = withTwoShows('all');
	ann!.state = 'deactivated';
	const parameters = {
		maxClosePercent: 100,
		options: { closeAfter: 2 },
	};
	const shown = (): string[] => [ann!.state, ...(ann!.more_subscriptions ?? [])];
	const staticData = {};
	const run = async (readAt: number): Promise<RunResult> =>
		await runSync(sandbox.current, memberListOf(others), parameters, { staticData, readAt });
	const first = await run(Date.now() - 3 * 60_000);
	expect(shown()).toEqual(['deactivated', 'available']);
	expect(actionsOf(first)).not.toContain('closed');
	const second = await run(Date.now());
	expect(actionsOf(second)).toContain('closed');
	expect(shown()).toEqual(['deactivated', 'deactivated']);
	expect(actionsOf(await run(Date.now()))).not.toContain('closed');
});

it('a record that is closed, although a show is open, is opened for a member', async () => {
	const [ann] = withTwoShows('all');
	ann!.state = 'deactivated';
	const result = await runSetAccess(sandbox.current, [accessItem('open', ann!)]);
	expect(actionsOf(result)).toEqual(['reopened']);
	expect(ann!.state).toBe('available');
});

it('a closing costs one request more for those with several shows, and for the first Deactivate', async () => {
	const members = withTwoShows('all');
	const requests = async (run: () => Promise<unknown>): Promise<number> => {
		const before = sandbox.current.stats().requests;
		await run();
		return sandbox.current.stats().requests - before;
	};
	const close = (one: Subscriber) => async () =>
		await runSetAccess(sandbox.current, [accessItem('close', one)]);
	expect(await requests(async () => await operate('deactivate', members[1]!))).toBe(2);
	expect(await requests(async () => await operate('deactivate', members[2]!))).toBe(1);
	// The first Close reads who else has this customer ID.
	expect(await requests(close(members[3]!))).toBe(4);
	expect(await requests(close(members[0]!))).toBe(4);
});

describe('a member of whose two feeds Supercast opens only one', () => {
	const reopened = (): Subscriber[] => {
		const members = addMembers(sandbox.current, 4);
		sandbox.current.controls.changeSettings({ feedChanges: 'first' });
		members[0]!.state = 'deactivated';
		sandbox.current.controls.addSubscriptions(members[0]!.uuid, ['deactivated']);
		return members;
	};

	it('is told by Set Access, each time', async () => {
		const [ann] = reopened();
		for (const action of ['reopened', 'unchanged']) {
			const { output } = await runSetAccess(sandbox.current, [accessItem('open', ann!)]);
			expect(output[0]!.json).toMatchObject({
				action,
				attention: expect.stringContaining('a feed of this subscriber'),
			});
		}
	});

	it('is told by Sync, each time', async () => {
		const members = reopened();
		for (const action of ['reopened', undefined]) {
			const { output } = await runSync(sandbox.current, memberListOf(members));
			expect(output.find(({ json }) => json.action === action)).toEqual(
				action && expect.anything(),
			);
			expect(output.at(-1)!.json.text).toContain(members[0]!.email);
			expect(output.at(-1)!.json.title).toContain('has a closed feed');
		}
	});
});
