import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';
import { type HttpServer, startHttpServer } from '../../support/httpServer';
import { addMembers, memberListOf, runSync, writesOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';

describe('found by customer ID', () => {
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
		return Object.values(sandbox.current.stats().byRoute[route] ?? {}).reduce(
			(sum, n) => sum + n,
			0,
		);
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
});

describe('other spellings', () => {
	const sandbox = useSandbox({ subscribers: 0 });
	useQuickRuntime({ backoffMs: 2, visibleMs: 10, lateMs: 20 });

	const COMPOSED = 'ren\u00e9@example.com';
	const DECOMPOSED = 'rene\u0301@example.com';

	const byEmail = (value: string) => ({ __rl: true, mode: 'email', value });

	async function run(parameters: INodeParameters, credential = credentialOf(sandbox.current)) {
		return await runSupercast({
			parameters: { resource: 'subscriber', ...parameters },
			credential,
		});
	}

	it('two spellings of one accent are one person in Sync', async () => {
		const rows = addMembers(sandbox.current, 20, (index) =>
			index === 0 ? { email: COMPOSED, customer_id: null } : {},
		);
		const items = memberListOf(rows);
		items[0] = { email: DECOMPOSED, id: '' };
		const { error } = await runSync(sandbox.current, items, { close: 'all' });
		expect(error).toBeUndefined();
		expect(writesOf(sandbox.current)).toEqual([]);
	});

	it('two spellings of one accent are one person in Create or Update', async () => {
		await run({ operation: 'create', email: COMPOSED });
		const { output } = await run({ operation: 'upsert', email: DECOMPOSED });
		expect(output[0]!.json).toMatchObject({ action: 'unchanged', email: COMPOSED });
		expect(sandbox.current.state.subscribers).toHaveLength(1);
	});

	describe('a subscriber whose email is stored in another spelling', () => {
		let server: HttpServer | undefined;
		afterEach(async () => await server?.close());

		it.each([
			['composed', DECOMPOSED, COMPOSED],
			['decomposed', COMPOSED, DECOMPOSED],
			['in Punycode', 'ann@b\u00fccher.example', 'ann@xn--bcher-kva.example'],
		])('%s is deleted once, and the delete succeeds', async (_, typed, stored) => {
			server = await startHttpServer((_request, response) => {
				response.writeHead(200, { 'content-type': 'application/json' });
				response.end(JSON.stringify({ email: stored, first_name: 'Ann' }));
			});
			const credential = {
				...credentialOf(sandbox.current),
				baseUrl: `${server.origin}/api/v1`,
			};
			const { output, error } = await run(
				{ operation: 'delete', subscriber: byEmail(typed), options: { maxWaitSeconds: 1 } },
				credential,
			);
			expect(error).toBeUndefined();
			expect(output[0]!.json).toMatchObject({ deleted: true });
			expect(server.received).toHaveLength(1);
		});
	});
});
