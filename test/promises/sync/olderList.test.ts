import type { INodeParameters } from 'n8n-workflow';

import { runtime } from '../../../nodes/Supercast/api/clock';
import { runSupercast, type RunResult } from '../../../harness/engine';
import type { Subscriber } from '../../../sandbox';
import { addMembers, memberListOf, runSync } from '../../support/members';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();
const realClock = runtime.clock;

let members: Subscriber[];
let ann: Subscriber;

beforeEach(() => {
	members = addMembers(sandbox.current, 20);
	ann = members[3]!;
});

afterEach(() => Object.assign(runtime, { clock: realClock }));

/** Runs an operation ten seconds after the list of the next Sync came. */
async function afterTheList(
	resource: string,
	operation: string,
	parameters: INodeParameters,
): Promise<void> {
	const now = (): number => realClock.now() + 10_000;
	Object.assign(runtime, { clock: { ...realClock, now } });
	const credential = credentialOf(sandbox.current);
	const run = await runSupercast({
		parameters: { resource, operation, ...parameters },
		credential,
	});
	expect(run.error).toBeUndefined();
	Object.assign(runtime, { clock: realClock });
}

async function syncOf(rows: readonly Subscriber[]): Promise<RunResult> {
	const options = { graceHours: 0, output: 'all' };
	return await runSync(sandbox.current, memberListOf(rows), { close: 'all', options });
}

const locators = (): Array<[string, string]> => [
	['email', ann.email.toUpperCase()],
	['uuid', ann.uuid],
	['customerId', ann.customer_id ?? ''],
];

describe('Sync with an older list does not', () => {
	it.each([0, 1, 2])(
		'close a feed that Feed: Activate has opened since (locator %i)',
		async (which) => {
			ann.state = 'deactivated';
			const [mode, value] = locators()[which]!;
			const subscriber = { __rl: true, mode, value };
			await afterTheList('feed', 'activate', { subscriber });
			const { output } = await syncOf(members.filter((one) => one !== ann));
			expect(ann.state).toBe('available');
			const [item] = output.filter(({ json }) => json.email === ann.email);
			expect(item!.json).toMatchObject({ action: 'kept' });
			expect(item!.json.reason).toContain('decided by another operation since the list came');
		},
	);

	it.each(['deactivate', 'suspend'])(
		'reopen a feed that Feed: %s has closed since',
		async (operation) => {
			const subscriber = { __rl: true, mode: 'uuid', value: ann.uuid };
			await afterTheList('feed', operation, { subscriber });
			const { state } = ann;
			await syncOf(members);
			expect([state, ann.state]).toEqual([state, state]);
			expect(state).not.toBe('available');
		},
	);

	it.each(['create', 'upsert'])('close a feed of a new subscriber (%s)', async (operation) => {
		await afterTheList('subscriber', operation, { email: 'New@example.com' });
		await syncOf(members);
		const created = sandbox.current.state.subscribers.find(({ email }) => /new@/i.test(email));
		expect(created?.state).toBe('available');
	});

	it('close a feed that Create or Update has reopened since', async () => {
		ann.state = 'deactivated';
		await afterTheList('subscriber', 'upsert', { email: ann.email, options: { reactivate: true } });
		await syncOf(members.filter((one) => one !== ann));
		expect(ann.state).toBe('available');
	});
});

it('the next list decides again', async () => {
	ann.state = 'deactivated';
	const subscriber = { __rl: true, mode: 'uuid', value: ann.uuid };
	await afterTheList('feed', 'activate', { subscriber });
	const now = (): number => realClock.now() + 60_000;
	Object.assign(runtime, { clock: { ...realClock, now } });
	await syncOf(members.filter((one) => one !== ann));
	expect(ann.state).toBe('deactivated');
});
