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
	const states = ['deactivated', 'available'] as const;

	it.each([100, 250])('do not decide, if they lag by %i of 300 ms', async (staleForMs) => {
		sandbox.current.controls.changeSettings({ staleForMs });
		const [ann] = addMembers(sandbox.current, 2);
		expect(actionsOf(await set('close', ann!))).toEqual(['closed']);
		expect(actionsOf(await set('open', ann!))).toEqual(['reopened']);
		expect(ann!.state).toBe('available');
		expect(actionsOf(await set('close', ann!))).toEqual(['closed']);
		expect(ann!.state).toBe('deactivated');
	});

	it('do not decide, even if there is no time to read again', async () => {
		sandbox.current.controls.changeSettings({ staleForMs: 290 });
		const [ann] = addMembers(sandbox.current, 1);
		await set('close', ann!);
		const parameters = { maxWaitSeconds: 0 };
		await runSupercast({
			credential: credentialOf(sandbox.current),
			items: [accessItem('open', ann!)],
			parameters: {
				...{ resource: 'subscriber', operation: 'setAccess', access: 'open' },
				...{ email: ann!.email, customerId: ann!.customer_id, options: parameters },
			},
		});
		expect(ann!.state).toBe('available');
	});

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

	it('cost no request if reads do not lag', async () => {
		const [ann] = addMembers(sandbox.current, 1);
		await set('close', ann!);
		await set('open', ann!);
		expect(sandbox.current.stats().byRoute).toEqual({
			// Who else has the customer ID.
			'GET /subscribers': { '200': 1 },
			'GET /subscribers/:id': { '200': 4 },
			'PATCH /feeds/:id': { '200': 2 },
		});
	});

	it('give way to another hand before that too, because the node reads again', async () => {
		const [ann] = addMembers(sandbox.current, 1, () => ({ state: 'deactivated' }));
		expect(actionsOf(await set('open', ann!))).toEqual(['reopened']);
		ann!.state = 'deactivated';
		expect(actionsOf(await set('open', ann!))).toEqual(['reopened']);
		expect(ann!.state).toBe('available');
	});

	it.each(states)(
		'end in what is wanted, whatever another hand has done meanwhile: %s',
		async (state) => {
			const [ann] = addMembers(sandbox.current, 1);
			await set('close', ann!);
			await pause(310);
			ann!.state = state;
			expect(actionsOf(await set('open', ann!))).toEqual(['reopened']);
			expect(ann!.state).toBe('available');
		},
	);
});

describe('a change that a gateway has given up', () => {
	const kinds = [
		{ kind: 'status', status: 504 },
		{ kind: 'reset' },
		{ kind: 'html', status: 502 },
	] as const;
	const lateness = kinds.map((kind) => ({ ...kind, lateMs: 250 }));

	it.each(lateness)('of a Close does not undo a later Open: %j', async (fault) => {
		const [ann] = addMembers(sandbox.current, 1);
		sandbox.current.controls.addFaults({ ...fault, method: 'PATCH' });
		expect(actionsOf(await set('close', ann!))).toEqual(['closed']);
		expect((await set('open', ann!)).error).toBeUndefined();
		await pause(fault.lateMs + 50);
		expect(ann!.state).toBe('available');
	});

	it.each(lateness)('of an Open does not undo a later Deactivate: %j', async (fault) => {
		const [ann] = addMembers(sandbox.current, 1, () => ({ state: 'deactivated' }));
		sandbox.current.controls.addFaults({ ...fault, method: 'PATCH' });
		expect(actionsOf(await set('open', ann!))).toEqual(['reopened']);
		expect((await operate('feed', 'deactivate', ann!)).error).toBeUndefined();
		await pause(fault.lateMs + 50);
		expect(ann!.state).toBe('deactivated');
	});

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

describe('a change that is answered 500, although it was made', () => {
	const fault = { kind: 'status', status: 500, when: 'after', method: 'PATCH' } as const;

	it('is done, because Supercast shows it', async () => {
		const [ann] = addMembers(sandbox.current, 1);
		sandbox.current.controls.addFaults(fault);
		expect(actionsOf(await set('close', ann!))).toEqual(['closed']);
		expect((await operate('feed', 'activate', ann!)).error).toBeUndefined();
	});

	it('fails if it was not made', async () => {
		const [ann] = addMembers(sandbox.current, 1);
		sandbox.current.controls.addFaults({ ...fault, when: 'before' });
		expect((await set('close', ann!)).error?.message).toContain('could not process');
		expect(ann!.state).toBe('available');
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

	it.each([5, 60])('keeps its place until a Close has ended, %i ms later', async (lateMs) => {
		const [ann] = addMembers(sandbox.current, 1);
		sandbox.current.controls.addFaults({ kind: 'stall', stallMs: 400, method: 'PATCH', lateMs });
		await stopDuring('PATCH', async (options) => await set('close', ann!, options));
		await set('open', ann!);
		await pause(lateMs);
		expect(ann!.state).toBe('available');
	});

	it('also for an event that waits already', async () => {
		const [ann] = addMembers(sandbox.current, 1);
		sandbox.current.controls.changeSettings({ latencyMs: 40 });
		let opening: Promise<RunResult> | undefined;
		await stopDuring('PATCH', async (options) => {
			const closing = set('close', ann!, options);
			await pause(10);
			opening = set('open', ann!);
			return await closing;
		});
		await opening;
		expect(ann!.state).toBe('available');
	});

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
