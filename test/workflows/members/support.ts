import {
	startMockServers,
	SYSTEMS,
	type MockServers,
	type SystemName,
} from '../../../simulators/memberships';
import type { Members } from '../../../simulators/memberships/system';
import type { Subscriber } from '../../../simulators/supercast';
import { ImportedWorkflow, type Edit, type Ran } from '../../harness/workflows/run';
import { credentialOf, useSandbox, type TestSandbox } from '../../support/sandbox';

/** The mock servers of a test file. They are empty before each test. */
let servers: MockServers;
let sandbox: TestSandbox;

/** Starts the mock servers and the sandbox of a test file. */
export function useMembers(): void {
	sandbox = useSandbox({ subscribers: 0, logSize: 10_000 });
	beforeAll(async () => (servers = await startMockServers()));
	afterAll(async () => await servers.close());
	beforeEach(() => servers.clear());
}

export const mockServers = (): MockServers => servers;
export const membersOf = (name: SystemName): Members => SYSTEMS[name].members.of(servers[name]);

/** Changes parameters of a node, as a person does in the editor. */
export function set(
	node: string,
	parameters: Record<string, unknown>,
	options: Record<string, unknown> = {},
): Edit {
	return (one) => {
		if (one.name !== node) return;
		Object.assign(one.parameters, parameters);
		Object.assign(one.parameters.options as object, options);
	};
}

/** No dry run, and a feed closes after one list. */
export const live = set('Sync', { dryRun: false, maxClosePercent: 100 }, { closeAfter: 1 });

/** The owner gets emails. */
export const withEmail: Edit = (node) => {
	if (node.name === 'Email to You') delete node.disabled;
};

/** Imports a file, and changes it. */
export function imported(file: string, ...edits: Edit[]): ImportedWorkflow {
	return new ImportedWorkflow(file, servers, credentialOf(sandbox.current), ...edits);
}

/** Someone whose feed is open in Supercast. */
export function listen(email: string, customer_id: string | null, more: object = {}): Subscriber {
	const [one] = sandbox.current.controls.addRecords('subscribers', 1) as Subscriber[];
	const times = { created_at: '2025-06-01T00:00:00.000Z', updated_at: '2025-06-01T00:00:00.000Z' };
	const plan = { plan_id: null, plan_name: null };
	return Object.assign(one!, {
		email,
		customer_id,
		state: 'available',
		...plan,
		...times,
		...more,
	});
}

/** Everyone whose feed is open, by email. */
export function openFeeds(): string[] {
	const open = sandbox.current.state.subscribers.filter(({ state }) => state === 'available');
	return open.map(({ email }) => email).sort();
}

export const subscriber = (email: string): Subscriber | undefined =>
	sandbox.current.state.subscribers.find((one) => one.email === email);

/** Requests that changed something, such as `PATCH /feeds/…`. */
export function changes(): string[] {
	const { requests } = sandbox.current.state;
	return requests.filter(({ route }) => !route.startsWith('GET')).map(({ route }) => route);
}

/** Which access Sync gave to whom: the people of each status. */
export function statusesOf(ran: Ran): Array<{ status: string; product?: string; access: string }> {
	const { numbers } = ran.output('Sync').at(-1) as { numbers: { statuses: [] } };
	return numbers.statuses;
}
