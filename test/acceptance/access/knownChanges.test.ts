import type { IDataObject } from 'n8n-workflow';

import { runSupercast, type RunOptions, type RunResult } from '../../harness/engine';
import { runtime } from '../../../nodes/Supercast/api/clock';
import type { Subscriber } from '../../../simulators/supercast';
import { accessItem, actionsOf, addMembers, runSetAccess, writesOf } from '../../support/members';
import { fastClock, useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0, latencyMs: 3 });
/** Readings may lag for 300 ms, and a lost try may go on for as long. */
useQuickRuntime({ clock: fastClock(20), random: () => 0.5, lateMs: 6_000 });

afterEach(() => jest.restoreAllMocks());

beforeEach(() => void sandbox.current.controls.changeSettings({ staleForMs: 0, latencyMs: 3 }));

const pause = async (ms: number): Promise<void> => {
	await new Promise((resolve) => setTimeout(resolve, ms));
};

const set = async (access: string, one: Subscriber, options: Partial<RunOptions> = {}) =>
	await runSetAccess(sandbox.current, [accessItem(access, one)], options);

async function operate(
	resource: string,
	operation: string,
	{ email }: Subscriber,
): Promise<RunResult> {
	return await runSupercast({
		parameters: { resource, operation, subscriber: { __rl: true, mode: 'email', value: email } },
		credential: credentialOf(sandbox.current),
	});
}

describe('reads that are older than a change of ours', () => {
	it('do not hide a deletion', async () => {
		sandbox.current.controls.changeSettings({ staleForMs: 250 });
		const [ann] = addMembers(sandbox.current, 2);
		const { email } = ann!;
		await operate('subscriber', 'delete', ann!);
		expect(actionsOf(await set('open', ann!))).toEqual(['created']);
		expect(sandbox.current.state.subscriber(email)?.state).toBe('available');
	});

	it('do not hide a new customer ID', async () => {
		sandbox.current.controls.changeSettings({ staleForMs: 250 });
		const [ann] = addMembers(sandbox.current, 2);
		const before = { ...ann! };
		await set('open', { ...before, customer_id: 'c-new' });
		expect(actionsOf(await set('close', before))).toEqual(['kept']);
		expect(ann).toMatchObject({ state: 'available', customer_id: 'c-new' });
	});

	it('do not count on a list either', async () => {
		// The list lags, however busy the machine is.
		jest.replaceProperty(runtime, 'visibleMs', 200_000);
		jest.replaceProperty(runtime, 'oldMs', 200_000);
		sandbox.current.controls.changeSettings({ staleForMs: 9_000 });
		const members = addMembers(sandbox.current, 3);
		// An Open would read the subscriber until it shows the change.
		await set('close', members[0]!);
		const items: IDataObject[] = members.map(({ email, customer_id: id }) => ({ email, id }));
		const result = await runSupercast({
			credential: credentialOf(sandbox.current),
			items,
			parameters: {
				...{ resource: 'subscriber', operation: 'sync', dryRun: true },
				...{ customerId: '={{ $json.id }}', customerIdPrefix: 'c-', access: 'open' },
			},
		});
		expect(actionsOf(result)).toEqual(['reopened', 'summary']);
	});
});

describe('a change that a gateway has given up', () => {
	it('of a deletion does not delete a member who pays again', async () => {
		const [ann] = addMembers(sandbox.current, 2);
		const { email } = ann!;
		const fault = { kind: 'status', status: 504, method: 'DELETE', lateMs: 150 } as const;
		sandbox.current.controls.addFaults(fault);
		await operate('subscriber', 'delete', ann!);
		await set('open', ann!);
		await pause(200);
		expect(sandbox.current.state.subscriber(email)?.state).toBe('available');
	});

	it('holds up nobody else', async () => {
		// Five seconds, so that a busy machine does not decide who is first.
		jest.replaceProperty(runtime, 'lateMs', 100_000);
		const [ann, bob] = addMembers(sandbox.current, 2);
		sandbox.current.controls.addFaults({ kind: 'status', status: 504, method: 'PATCH', lateMs: 9 });
		await set('close', ann!);
		const ended: string[] = [];
		await Promise.all([
			set('open', ann!).then(() => ended.push('Ann')),
			set('close', bob!).then(() => ended.push('Bob')),
		]);
		expect(ended).toEqual(['Bob', 'Ann']);
	});
});

describe('an execution that is stopped while a change is in flight', () => {
	/** Stops the execution when the sandbox has received the change, which takes a while. */
	async function stopDuring(
		method: string,
		run: (options: Partial<RunOptions>) => Promise<unknown>,
	) {
		let stop = (): void => undefined;
		const running = run({ onStart: (cancel) => (stop = cancel) });
		while (!sandbox.current.state.requests.some((one) => one.method === method)) await pause(1);
		stop();
		return await running;
	}

	it('creates nobody twice', async () => {
		addMembers(sandbox.current, 1);
		sandbox.current.controls.changeSettings({ onExistingEmail: 'duplicate' });
		sandbox.current.controls.addFaults({ kind: 'stall', stallMs: 60, method: 'POST', lateMs: 50 });
		const item = { access: 'open', email: 'new@example.com', id: 'c-new' };
		await stopDuring(
			'POST',
			async (options) => await runSetAccess(sandbox.current, [item], options),
		);
		await runSetAccess(sandbox.current, [{ ...item, email: '' }, item]);
		sandbox.current.controls.changeSettings({ onExistingEmail: 'reject' });
		const creations = writesOf(sandbox.current).filter((write) => write.startsWith('POST'));
		expect(creations).toEqual(['POST /api/v1/subscribers']);
	});
});
