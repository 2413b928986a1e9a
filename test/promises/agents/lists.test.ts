import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 240, episodes: 5, usageAlerts: 0, order: 'oldest' });

async function list(parameters: INodeParameters, isTool = true): Promise<IDataObject[]> {
	const { output, error } = await runSupercast({
		parameters: { resource: 'subscriber', operation: 'getAll', returnAll: false, ...parameters },
		credential: credentialOf(sandbox.current),
		isTool,
	});
	expect(error).toBeUndefined();
	return output.map(({ json }) => json);
}

const subscribers = () => sandbox.current.state.subscribers;
const count = (...states: string[]): number =>
	subscribers().filter(({ state }) => states.includes(String(state))).length;

describe('an agent that lists subscribers', () => {
	it('gets the newest first, though Supercast sends the oldest first', async () => {
		const [, first, second] = await list({ limit: 2 });
		const newest = subscribers()
			.map(({ created_at }) => String(created_at))
			.sort()
			.reverse();
		expect([first?.created_at, second?.created_at]).toEqual(newest.slice(0, 2));
	});

	it('reads first how many there are, and that it sees only some of them', async () => {
		const [note, ...records] = await list({ limit: 20 });
		expect(note).toEqual({ note: '20 of 240 subscribers, newest first' });
		expect(records).toHaveLength(20);
	});

	it('reads how many are in the states that it asks for, whatever the limit', async () => {
		const states = 'deactivated,suspended,charge_failure';
		for (let index = 0; index < 30; index++) {
			const state = states.split(',')[index % 3];
			Object.assign(subscribers()[index * 7]!, { state });
		}
		const closed = count(...states.split(','));
		expect(closed).toBe(30);
		const [note, ...records] = await list({ limit: 3, filters: { state: states } });
		expect(note?.note).toBe(`3 of ${closed} subscribers that match, of 240 in all, newest first`);
		expect(records).toHaveLength(3);
	});

	it('reads that it sees all of them', async () => {
		const [note, ...records] = await list({ resource: 'episode', limit: 20 });
		expect(note).toEqual({ note: 'All 5 episodes, newest first' });
		expect(records).toHaveLength(5);
	});

	it('reads that there are none', async () => {
		expect(await list({ resource: 'usageAlert', limit: 20 })).toEqual([
			{ note: 'All 0 usage alerts, newest first' },
		]);
	});

	it('reads the note with selected fields, too', async () => {
		const [note, first] = await list({ limit: 1, output: 'selected', outputFields: 'email' });
		expect(note?.note).toContain('of 240');
		expect(Object.keys(first ?? {})).toEqual(['email']);
	});
});

it('a node that is no tool gets records only, in the order of Supercast', async () => {
	const records = await list({ limit: 3 }, false);
	const oldest = subscribers().slice(0, 3);
	expect(records.map(({ uuid }) => uuid)).toEqual(oldest.map(({ uuid }) => uuid));
});
