import type { IDataObject } from 'n8n-workflow';

import { runSupercast, type RunResult } from '../../harness/engine';
import type { Subscriber } from '../../../simulators/supercast';
import {
	accessItem,
	actionsOf,
	addMembers,
	memberListOf,
	runSetAccess,
	runSync,
	SET_ACCESS,
} from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

/** How long each request takes. Events that overlap come sooner after each other. */
const LATENCY_MS = 60;

const sandbox = useSandbox({ subscribers: 0, latencyMs: LATENCY_MS });
useQuickRuntime({ backoffMs: 1, visibleMs: 60 });

const pause = async (ms: number): Promise<void> => {
	await new Promise((resolve) => setTimeout(resolve, ms));
};

const setAccess = async (...items: IDataObject[]): Promise<RunResult> =>
	await runSetAccess(sandbox.current, items);

/** Starts the executions one after the other, while the earlier ones still run. */
async function overlapping(
	gapMs: number,
	...executions: Array<() => Promise<RunResult>>
): Promise<unknown[]> {
	const running: Array<Promise<RunResult>> = [];
	const { stats } = sandbox.current;
	const before = stats().requests;
	let ended = 0;
	for (const execution of executions) {
		const run = execution();
		running.push(run.finally(() => (ended += 1)));
		await pause(gapMs);
		// On a busy machine, the first one needs longer until it works.
		while (ended === 0 && stats().requests === before) await pause(1);
	}
	return (await Promise.all(running)).flatMap(actionsOf);
}

describe('events about one person that overlap end in the order of arrival', () => {
	it('an event waits for the later items of an earlier execution', async () => {
		const members = addMembers(sandbox.current, 12, () => ({ state: 'deactivated' }));
		const last = members.at(-1)!;
		const items = members.map((one) => accessItem('open', one));
		const parameters = { ...SET_ACCESS, options: { parallelRequests: 2 } };
		const credential = credentialOf(sandbox.current);
		const batch = async () => await runSupercast({ parameters, credential, items });
		const leaving = async () => await setAccess(accessItem('close', last));
		await overlapping(20, batch, leaving);
		expect(members.map(({ state }) => state)).toEqual([
			...Array<string>(11).fill('available'),
			'deactivated',
		]);
	});

	it('events about others wait for nobody', async () => {
		const [one, other] = addMembers(sandbox.current, 2);
		const path = `/feeds/${one!.uuid}`;
		sandbox.current.controls.addFaults({ kind: 'stall', stallMs: 2_000, method: 'PATCH', path });
		const ended: string[] = [];
		await Promise.all([
			setAccess(accessItem('close', one!)).then(() => ended.push('one')),
			setAccess(accessItem('open', other!)).then(() => ended.push('other')),
		]);
		expect(ended).toEqual(['other', 'one']);
	});
});

describe('a change that was made, although Supercast answers 500', () => {
	/**
	 * The next change is made, but neither its answer nor the record can be read.
	 * @param skip How many readings come before.
	 */
	function loseNextChange({ uuid }: Subscriber, skip: number): void {
		const { controls } = sandbox.current;
		controls.addFaults({ kind: 'status', status: 500, when: 'after', method: 'PATCH', times: 1 });
		const path = `/subscribers/${uuid}`;
		controls.addFaults({ kind: 'status', status: 500, method: 'GET', path, skip, times: 1 });
	}

	/** Runs an event when Sync has begun to work on someone. */
	async function duringSync(
		one: Subscriber,
		members: readonly Subscriber[],
		item: IDataObject,
	): Promise<unknown[]> {
		const options = { maxWaitSeconds: 1 };
		const syncing = runSync(sandbox.current, memberListOf(members), {
			...{ close: 'all', maxClosePercent: 100, options },
		});
		while (!sandbox.current.state.requests.some(({ path }) => path.includes(one.uuid)))
			await pause(1);
		const event = setAccess(item);
		await syncing;
		return actionsOf(await event);
	}

	it('a payer who returns while Sync closes the feed ends open', async () => {
		const members = addMembers(sandbox.current, 3);
		const [one, ...others] = members;
		loseNextChange(one!, 1);
		const open = { access: 'open', email: one!.email };
		expect(await duringSync(one!, others, open)).toEqual(['reopened']);
		expect(one!.state).toBe('available');
	});

	it('someone who leaves while Sync reopens the feed ends closed', async () => {
		const members = addMembers(sandbox.current, 3);
		const [one] = members;
		one!.state = 'deactivated';
		loseNextChange(one!, 0);
		await duringSync(one!, members, { access: 'close', email: one!.email });
		expect(one!.state).toBe('deactivated');
	});
});
