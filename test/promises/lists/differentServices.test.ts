import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/Supercast/resources';
import { PERSONALITIES, type PersonalityName } from '../../../sandbox';
import type { ListKey } from '../../../sandbox/data/lists';
import { runSupercast } from '../../../harness/engine';
import { quickPersonality, useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';
import { raiseAlertsIn, TriggerServer } from '../../support/triggerServer';

const EMAIL = 'member@example.com';

/** The resources with Get Many, and the sandbox's lists of their records. */
const LISTS = Object.entries(resources)
	.filter(([, { operations }]) => 'getAll' in operations)
	.map(([key]) => [key, `${key}s` as ListKey] as const);

useQuickRuntime({ backoffMs: 5, visibleMs: 60 });

const personalities = Object.keys(PERSONALITIES) as PersonalityName[];

describe.each(personalities)('against a Supercast of the personality %s', (personality) => {
	let later = 0;
	const now = (): number => Date.now() + later;
	const sandbox = useSandbox({
		...quickPersonality(personality),
		now,
		subscribers: 60,
		episodes: 40,
		usageAlerts: 15,
	});
	beforeEach(() => (later = 0));

	async function run(parameters: INodeParameters): Promise<IDataObject[]> {
		const credential = credentialOf(sandbox.current);
		const { output, error } = await runSupercast({ parameters, credential });
		expect(error).toBeUndefined();
		// A new record may show only after a while.
		later += 5_000;
		return output.map(({ json }) => json);
	}

	it.each(LISTS)('Get Many reads every %s once', async (resource, name) => {
		const records = await run({ resource, operation: 'getAll', returnAll: true, simplify: false });
		const names = (rows: ReadonlyArray<object>): string[] =>
			rows.map((row) => String((row as IDataObject).id)).sort();
		expect(names(records)).toEqual(names(sandbox.current.state[name]));
	});

	it.each([1, 8, 33])('Get Many stops at a limit of %i', async (limit) => {
		const parameters = { resource: 'subscriber', operation: 'getAll', returnAll: false, limit };
		const records = await run(parameters);
		expect(new Set(records.map(({ email }) => email)).size).toBe(limit);
	});

	const upsert = async (additionalFields: INodeParameters): Promise<IDataObject> => {
		const options = { reactivate: true };
		const parameters = { resource: 'subscriber', operation: 'upsert', email: EMAIL };
		const [outcome] = await run({ ...parameters, additionalFields, options });
		return outcome ?? {};
	};
	const members = () => sandbox.current.state.subscribers.filter(({ email }) => email === EMAIL);

	it('Create or Update makes one subscriber, changes what differs, and opens the feed again', async () => {
		const fields = { firstName: 'Ann', customerId: 'c-1' };
		expect(await upsert(fields)).toMatchObject({ action: 'created', email: EMAIL });
		expect(members()).toMatchObject([{ first_name: 'Ann', customer_id: 'c-1' }]);
		expect(await upsert(fields)).toMatchObject({ action: 'unchanged', email: EMAIL });
		const changed = await upsert({ ...fields, lastName: 'Lee' });
		expect(changed).toMatchObject({ action: 'updated', email: EMAIL, last_name: 'Lee' });

		sandbox.current.controls.setState(EMAIL, 'deactivated');
		const url = sandbox.current.state.feedUrl(EMAIL);
		expect(await feedStatus(url)).toBe(403);
		const opened = await upsert(fields);
		expect(opened).toMatchObject({ action: 'updated', state: 'available', feed_urls: [url] });
		expect(await feedStatus(url)).toBe(200);
		expect(members()).toMatchObject([{ first_name: 'Ann', last_name: 'Lee' }]);
	});

	it('a delete closes the feed, and reports when there is nobody to delete', async () => {
		const { email } = sandbox.current.state.subscribers[7] ?? {};
		const url = sandbox.current.state.feedUrl(email ?? '');
		const subscriber = { __rl: true, mode: 'email', value: email ?? '' };
		const parameters = { resource: 'subscriber', operation: 'delete', subscriber };
		const options = { ifMissing: 'succeed' };
		expect(await run({ ...parameters, options })).toEqual([{ deleted: true, email }]);
		expect(await feedStatus(url)).toBe(403);
		const again = { deleted: false, alreadyMissing: true, email };
		expect(await run({ ...parameters, options })).toEqual([again]);
		expect(sandbox.current.state.subscribers).toHaveLength(59);
	});

	it('the trigger announces each new record once', async () => {
		const server = new TriggerServer(sandbox.current);
		await server.activate();
		const ids = raiseAlertsIn(sandbox.current, 9);
		const items = (await server.poll()) ?? [];
		expect(items.map(({ id }) => String(id)).sort()).toEqual(ids.map(String).sort());
		expect(await server.poll()).toBeNull();
	});

	it('the trigger announces each new subscriber once, with fields that identify them', async () => {
		const parameters = { event: 'subscriberCreated' };
		const server = new TriggerServer(sandbox.current, { parameters });
		await server.activate();
		const added = sandbox.current.controls.addRecords('subscribers', 12) as IDataObject[];
		const items = (await server.poll()) ?? [];
		const emails = (rows: IDataObject[]): unknown[] => rows.map(({ email }) => email).sort();
		expect(emails(items)).toEqual(emails(added));
		expect(await server.poll()).toBeNull();
	});
});
