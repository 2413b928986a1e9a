import type { IDataObject, INodeParameters } from 'n8n-workflow';

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
	writesOf,
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

async function operation(
	resource: string,
	name: string,
	parameters: INodeParameters,
): Promise<RunResult> {
	const credential = credentialOf(sandbox.current);
	return await runSupercast({
		credential,
		parameters: { resource, operation: name, ...parameters },
	});
}

const by = (mode: string, value: string): INodeParameters => ({
	subscriber: { __rl: true, mode, value },
});

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

/** A subscriber with other members around. */
function ann(fields: Partial<Subscriber> = {}): Subscriber {
	const [, one] = addMembers(sandbox.current, 3, (index) => (index === 1 ? fields : {}));
	return one!;
}

describe('events about one person that overlap end in the order of arrival', () => {
	it.each([10, 30, 90, 200])(
		'a new membership stays when the old one ends %i ms later',
		async (ms) => {
			const one = ann();
			// The sandbox's own record has the new ID as soon as the first event is done.
			const before = { ...one };
			const actions = await overlapping(
				ms,
				async () => await setAccess({ ...accessItem('open', before), id: 'c-new' }),
				async () => await setAccess(accessItem('close', before)),
			);
			expect(actions).toEqual(['updated', 'kept']);
			expect(one).toMatchObject({ state: 'available', customer_id: 'c-new' });
		},
	);

	it('a new member is created once, and found under the ID alone 20 ms later', async () => {
		ann();
		const actions = await overlapping(
			20,
			async () => await setAccess({ access: 'open', email: 'new@example.com', id: 'c-new' }),
			async () => await setAccess({ access: 'open', id: 'c-new' }),
		);
		expect(actions).toEqual(['created', 'unchanged']);
		expect(writesOf(sandbox.current)).toHaveLength(1);
	});

	it.each([
		['upsert', { additionalFields: { firstName: 'Anna' } }],
		['update', { updateFields: { firstName: 'Anna' } }],
	] as const)(
		'a returning member is open, although %s of a name comes next',
		async (name, fields) => {
			const one = ann({ state: 'deactivated' });
			const whom = name === 'upsert' ? { email: one.email } : by('email', one.email);
			await overlapping(
				20,
				async () => await setAccess({ ...accessItem('open', one), id: 'c-new' }),
				async () => await operation('subscriber', name, { ...whom, ...fields }),
			);
			expect(one).toMatchObject({ state: 'available', customer_id: 'c-new', first_name: 'Anna' });
		},
	);

	it.each(['email', 'uuid', 'customerId'])(
		'a member who is deleted by %s and pays again gets a feed',
		async (mode) => {
			const one = ann();
			const names: Record<string, string> = { ...one, customerId: one.customer_id! } as never;
			const actions = await overlapping(
				20,
				async () => await operation('subscriber', 'delete', by(mode, names[mode]!)),
				async () => await setAccess(accessItem('open', one)),
			);
			expect(actions).toEqual([undefined, 'created']);
			expect(sandbox.current.state.subscriber(one.email)?.state).toBe('available');
		},
	);

	it('an email that changes in Update is the one that the next event finds', async () => {
		const one = ann({ state: 'deactivated' });
		const updateFields = { email: 'anna@example.com' };
		await overlapping(
			20,
			async () =>
				await operation('subscriber', 'update', { ...by('uuid', one.uuid), updateFields }),
			async () => await setAccess({ access: 'open', email: 'anna@example.com' }),
		);
		expect(one).toMatchObject({ email: 'anna@example.com', state: 'available' });
		expect(sandbox.current.state.subscribers).toHaveLength(3);
	});

	it('a name that the last event sets back stays so, although it was the same before both', async () => {
		const one = ann({ first_name: 'Ann' });
		const updateFields = { firstName: 'Anna' };
		const additionalFields = { firstName: 'Ann' };
		await overlapping(
			20,
			async () =>
				await operation('subscriber', 'update', {
					...by('customerId', one.customer_id!),
					updateFields,
				}),
			async () => await operation('subscriber', 'upsert', { email: one.email, additionalFields }),
		);
		expect(one.first_name).toBe('Ann');
	});

	it('an operation by email waits for an event by ID that is still looking', async () => {
		const one = ann();
		await overlapping(
			20,
			async () => await setAccess({ access: 'close', id: one.customer_id }),
			async () => await operation('feed', 'activate', by('email', one.email)),
		);
		expect(one.state).toBe('available');
	});

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

	it('of a Sync is done, because Supercast shows it', async () => {
		const [one, ...others] = addMembers(sandbox.current, 3);
		const fault = { kind: 'status', status: 500, when: 'after', method: 'PATCH' } as const;
		sandbox.current.controls.addFaults(fault);
		const { error, output } = await runSync(sandbox.current, memberListOf(others), {
			maxClosePercent: 100,
		});
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.action)).toEqual(['closed', 'summary']);
		expect(one!.state).toBe('deactivated');
	});

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
