import type { IDataObject } from 'n8n-workflow';

import { runtime } from '../../../nodes/Supercast/api/clock';
import { TestCredentialsHelper } from '../../../harness/engine/credentialsHelper';
import type { RunOptions, RunResult } from '../../../harness/engine';
import { addMembers, memberListOf, runSync } from '../../support/members';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';
import type { Subscriber } from '../../../sandbox';

const sandbox = useSandbox();
const realClock = runtime.clock;

let later = 0;
let members: Subscriber[];
let gone: Subscriber;

beforeEach(() => {
	later = 0;
	const date = (): number => realClock.date() + later;
	Object.assign(runtime, { clock: { ...realClock, date } });
	members = addMembers(sandbox.current, 40);
	gone = members[7]!;
});

afterEach(() => {
	Object.assign(runtime, { clock: realClock });
});

/** A list five minutes after the one before. */
async function list(
	rows: readonly Subscriber[],
	given: Partial<RunOptions> = {},
	options: IDataObject = {},
): Promise<RunResult> {
	later += 300_000;
	const parameters = { options: { closeAfter: 2, ...options } as never };
	return await runSync(sandbox.current, memberListOf(rows), parameters, given);
}

const everyoneElse = (): Subscriber[] => members.filter((one) => one !== gone);

/** Another process, which knows only what n8n has stored. */
const inAnotherProcess = (staticData: IDataObject): Partial<RunOptions> => ({
	staticData,
	workflowId: `test-${later}`,
});

it('a feed closes after two lists in a row without the member', async () => {
	const feed = sandbox.current.state.feedUrl(gone.email);
	await list(everyoneElse());
	expect(await feedStatus(feed)).toBe(200);
	await list(everyoneElse());
	expect(await feedStatus(feed)).toBe(403);
});

it('the first list counts after a restart, because n8n stores it with the workflow', async () => {
	const staticData: IDataObject = {};
	await list(everyoneElse(), { staticData });
	const stored = JSON.parse(JSON.stringify(staticData)) as IDataObject;
	await list(everyoneElse(), inAnotherProcess(stored));
	expect(gone.state).toBe('deactivated');
});

it('what n8n has stored of an older list does not replace what the process knows', async () => {
	const old: IDataObject = {};
	await list(everyoneElse(), { staticData: old });
	const stored = JSON.parse(JSON.stringify(old)) as IDataObject;
	await list(members, { staticData: old });
	await list(everyoneElse(), { staticData: stored });
	expect(gone.state).toBe('available');
});

it('without stored data, the process remembers it, so manual runs close too', async () => {
	await list(everyoneElse(), { mode: 'manual' });
	await list(everyoneElse(), { mode: 'manual' });
	expect(gone.state).toBe('deactivated');
});

it('if n8n has forgotten everything, a feed closes after two more lists', async () => {
	await list(everyoneElse());
	await list(everyoneElse(), inAnotherProcess({}));
	expect(gone.state).toBe('available');
	const other = { workflowId: 'test-later' };
	await list(everyoneElse(), other);
	await list(everyoneElse(), other);
	expect(gone.state).toBe('deactivated');
});

it('a list of another credential or workflow does not count', async () => {
	const staticData: IDataObject = {};
	const credential = new TestCredentialsHelper(credentialOf(sandbox.current), 'other');
	await list(everyoneElse(), { staticData, credential });
	await list(everyoneElse(), { workflowId: 'another' });
	await list(everyoneElse(), { staticData });
	expect(gone.state).toBe('available');
});

it.each([null, 'text', { sync: { missing: { x: -1, y: 'z' }, seenAt: 'never' } }])(
	'stored data that someone else wrote does not fail the run: %j',
	async (sync) => {
		const { error } = await list(everyoneElse(), { staticData: { 'node:Supercast': { sync } } });
		expect(error).toBeUndefined();
	},
);

it('at most 2,000 names are stored', async () => {
	addMembers(sandbox.current, 2_500);
	const staticData: Record<string, { sync: { missing: IDataObject } }> = {};
	const parameters = { maxClosePercent: 100, options: { closeAfter: 2 } };
	await runSync(sandbox.current, memberListOf(members), parameters, { staticData });
	const [stored] = Object.values(staticData);
	expect(Object.keys(stored!.sync.missing)).toHaveLength(2_000);
	expect(JSON.stringify(staticData).length).toBeLessThan(110_000);
});
