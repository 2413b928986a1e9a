import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 250 });

const byCustomerId = { __rl: true, mode: 'customerId', value: '={{ $json.customerId }}' };

async function run(
	parameters: INodeParameters,
	items: IDataObject[],
	onError?: 'continueRegularOutput',
) {
	return await runSupercast({
		parameters: { subscriber: byCustomerId, ...parameters },
		credential: credentialOf(sandbox.current),
		items,
		...(onError === undefined ? {} : { onError }),
	});
}

/** Gives the first subscribers customer IDs, as if a membership system had created them. */
function giveIds(...ids: string[]) {
	const people = sandbox.current.state.subscribers.slice(-ids.length);
	return people.map((person, index) => Object.assign(person, { customer_id: ids[index] }));
}

function requestsTo(route: string): number {
	return Object.values(sandbox.current.stats().byRoute[route] ?? {}).reduce((sum, n) => sum + n, 0);
}

describe('a subscriber named by customer ID', () => {
	it('is found with one reading of the list for all items', async () => {
		const [ann, bob, cid] = giveIds('c-1', 'C-1', 'c 3');
		const { output, error } = await run({ resource: 'subscriber', operation: 'get' }, [
			{ customerId: 'c-1' },
			{ customerId: ' C-1 ' },
			{ customerId: 'c 3' },
			{ customerId: 'c-1' },
		]);
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.email)).toEqual(
			[ann, bob, cid, ann].map((person) => person?.email),
		);
		expect(requestsTo('GET /subscribers')).toBe(3);
	});

	it.each([
		['subscriber', 'delete', {}, { deleted: true, customer_id: 'c-1' }],
		['subscriber', 'update', { updateFields: { firstName: 'Nora' } }, { first_name: 'Nora' }],
		['feed', 'get', {}, { state: 'available' }],
		['feed', 'suspend', {}, { state: 'suspended' }],
		['feed', 'deactivate', {}, { state: 'inactive' }],
		['feed', 'activate', {}, { state: 'available' }],
	])('is the one that %s: %s changes', async (resource, operation, parameters, expected) => {
		const [ann] = giveIds('c-1');
		Object.assign(ann!, { state: 'available' });
		const before = sandbox.current.state.subscribers.length;
		const { output, error } = await run({ resource, operation, ...parameters }, [
			{ customerId: 'c-1' },
		]);
		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json)).toEqual([expect.objectContaining(expected)]);
		expect(sandbox.current.state.requests.at(-1)?.path).toContain(ann!.uuid);
		const after = sandbox.current.state.subscribers.length;
		expect(before - after).toBe(operation === 'delete' ? 1 : 0);
	});

	it('is an error when two have the ID, even if the subscriber may be missing', async () => {
		const people = giveIds('twin', 'twin');
		const { error } = await run(
			{ resource: 'subscriber', operation: 'delete', options: { ifMissing: 'succeed' } },
			[{ customerId: 'twin' }],
		);
		expect(error?.message).toBe(
			`2 subscribers have the customer ID "twin": ${people.map(({ email }) => email).join(', ')}`,
		);
		expect(requestsTo('DELETE /subscribers/:id')).toBe(0);
		expect(error?.description).toContain('by email or UUID');
	});

	it('is an error when nobody has the ID, and the other items are processed', async () => {
		const [ann] = giveIds('c-1');
		const { output } = await run(
			{ resource: 'subscriber', operation: 'delete' },
			[{ customerId: 'unknown' }, { customerId: 'c-1' }],
			'continueRegularOutput',
		);
		expect(output.map(({ json }) => json)).toEqual([
			{ error: expect.stringContaining('no subscriber with the customer ID "unknown" [item 0,') },
			{ deleted: true, customer_id: 'c-1' },
		]);
		expect(sandbox.current.state.subscriber(ann!.email)).toBeUndefined();
	});
});
