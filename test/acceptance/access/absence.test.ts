import type { INodeParameters } from 'n8n-workflow';

import { runSupercast, type RunResult } from '../../harness/engine';
import type { FaultSpec, Subscriber } from '../../../simulators/supercast';
import {
	accessItem,
	actionsOf,
	addMembers,
	memberListOf,
	runSetAccess,
	runSync,
	writesOf,
} from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0 });
useQuickRuntime({ backoffMs: 1, visibleMs: 60, lateMs: 60 });

const OWN = { message: 'Not found' };

/** A 404 for these requests, for ever. */
const missing = (more: Partial<FaultSpec> = {}): FaultSpec => ({
	...{ kind: 'answer', status: 404, body: OWN, times: 1_000, ...more },
});

const close = async (email: string): Promise<RunResult> =>
	await runSetAccess(sandbox.current, [{ access: 'close', email }]);

async function operate(resource: string, operation: string, email: string): Promise<RunResult> {
	const subscriber: INodeParameters = { __rl: true, mode: 'email', value: email };
	const options = { ifMissing: 'succeed' };
	return await runSupercast({
		parameters: { resource, operation, subscriber, options },
		credential: credentialOf(sandbox.current),
	});
}

const LOSING = [
	['Close', async ({ email }: Subscriber) => await close(email)],
	['Deactivate', async ({ email }: Subscriber) => await operate('feed', 'deactivate', email)],
	['Suspend', async ({ email }: Subscriber) => await operate('feed', 'suspend', email)],
	['Delete', async ({ email }: Subscriber) => await operate('subscriber', 'delete', email)],
] as const;

/** Whether the run says that someone is missing, or that there is nothing to do. */
function isDone({ error, output }: RunResult): boolean {
	return error === undefined && output.length > 0;
}

describe.each(LOSING)('%s', (_, run) => {
	it.each([
		['every address', missing()],
		['every record', missing({ path: '/subscribers/' })],
		['every record without a body', missing({ body: '' })],
		['every record with null', missing({ body: 'null' })],
		['every record with a list', missing({ body: [] })],
	])('fails if there is a 404 for %s', async (__, fault) => {
		const [ann] = addMembers(sandbox.current, 3);
		const faults = fault.path === undefined ? [fault] : [fault, missing({ path: '/feeds' })];
		sandbox.current.controls.addFaults(faults);
		expect(isDone(await run(ann!))).toBe(false);
	});

	it('believes that someone is missing whom the list does not show either', async () => {
		addMembers(sandbox.current, 3);
		const { error, output } = await run({ email: 'nobody@example.com' } as Subscriber);
		expect(error).toBeUndefined();
		expect(output).toHaveLength(1);
		const { byRoute } = sandbox.current.stats();
		expect(byRoute['GET /subscribers']).toEqual({ '200': 1 });
	});
});

describe('an email that only the list shows', () => {
	it.each(["o'neil@example.com", 'ann+podcast@example.com'])('%s is found there', async (email) => {
		const [ann] = addMembers(sandbox.current, 3, (index) => (index === 0 ? { email } : {}));
		const path = `/subscribers/${encodeURIComponent(email)}`;
		sandbox.current.controls.addFaults(missing({ path }));
		expect(actionsOf(await close(email))).toEqual(['closed']);
		expect(ann!.state).toBe('deactivated');
	});
});

it('the list is read once for many who are missing', async () => {
	addMembers(sandbox.current, 3);
	const items = Array.from({ length: 20 }, (_, number) => ({
		access: 'close',
		email: `nobody${number}@example.com`,
	}));
	await runSetAccess(sandbox.current, items);
	expect(sandbox.current.stats().byRoute['GET /subscribers']).toEqual({ '200': 1 });
});

describe('a Sync', () => {
	const lookUps = missing({ method: 'GET', path: '/subscribers/' });

	it('does not say that someone who returns was deleted, if the list shows them', async () => {
		const members = addMembers(sandbox.current, 4, (index) =>
			index === 0 ? { state: 'deactivated' } : {},
		);
		sandbox.current.controls.addFaults(lookUps);
		const result = await runSync(sandbox.current, memberListOf(members));
		expect(JSON.stringify(result.output)).not.toContain('deleted since');
		expect(`${result.error?.message} ${result.error?.description}`).toContain('although its list');
	});
});

it('an Open creates nobody whom the list shows, although each look-up gets a blank 404', async () => {
	const [ann] = addMembers(sandbox.current, 1);
	sandbox.current.controls.addFaults(missing({ body: '', path: '/subscribers/' }));
	const { error } = await runSetAccess(sandbox.current, [accessItem('open', ann!)]);
	expect(error).toBeDefined();
	expect(writesOf(sandbox.current)).toEqual([]);
});
