import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, useSandbox } from '../../support/sandbox';
import { testFaults, useFaultySandbox } from '../../support/faultMatrix';

describe('an existing subscriber', () => {
	const sandbox = useSandbox();
	useQuickRuntime({ backoffMs: 2, visibleMs: 20, lateMs: 40 });
	const EMAIL = 'member@example.com';

	async function upsert(additionalFields: INodeParameters, options: INodeParameters = {}) {
		const { output, error } = await runSupercast({
			parameters: {
				resource: 'subscriber',
				operation: 'upsert',
				email: EMAIL,
				additionalFields,
				options,
			},
			credential: credentialOf(sandbox.current),
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(1);
		return output[0]!.json;
	}

	async function setFeed(operation: 'activate' | 'deactivate' | 'suspend'): Promise<void> {
		await runSupercast({
			parameters: {
				resource: 'feed',
				operation,
				subscriber: { __rl: true, mode: 'email', value: EMAIL },
			},
			credential: credentialOf(sandbox.current),
		});
	}

	function held(): IDataObject[] {
		return sandbox.current.state.subscribers
			.filter(({ email }) => email.toLowerCase() === EMAIL)
			.map((subscriber) => ({ ...subscriber }));
	}

	function changesReceived(): string[] {
		return sandbox.current.state.requests.map(({ method }) => method).filter((m) => m !== 'GET');
	}

	describe('create or update', () => {
		it('creates once, and reports in the second run that nothing changed', async () => {
			const fields = { firstName: 'Ann', customerId: 'c-1', ignoreUsageAlerts: true, lastName: '' };
			expect(await upsert(fields)).toMatchObject({ action: 'created', email: EMAIL });
			expect(await upsert(fields)).toMatchObject({ action: 'unchanged', email: EMAIL });
			expect(held()).toHaveLength(1);
			expect(changesReceived()).toEqual(['POST']);
		});

		it('changes only what differs', async () => {
			await upsert({ firstName: 'Ann', customerId: 'c-1' });
			expect(await upsert({ firstName: 'Anna', customerId: 'c-1' })).toMatchObject({
				action: 'updated',
				first_name: 'Anna',
				customer_id: 'c-1',
			});
			const patch = sandbox.current.state.requests.find(({ method }) => method === 'PATCH');
			expect(patch?.body).toEqual({ subscriber: { first_name: 'Anna' } });
			expect(held()).toMatchObject([{ first_name: 'Anna' }]);
		});

		it('does not open a feed that was suspended for a reason', async () => {
			await upsert({});
			await setFeed('suspend');
			expect(await upsert({}, { reactivate: true })).toMatchObject({ action: 'unchanged' });
			expect(held()).toMatchObject([{ state: 'suspended' }]);
		});

		it('continues when someone else has created the subscriber in between', async () => {
			await upsert({ firstName: 'Ann' });
			// The first look-up finds nobody, as if the subscriber had been added a moment later.
			sandbox.current.controls.addFaults([
				{ kind: 'status', status: 404, method: 'GET', path: '/subscribers', times: 1 },
			]);
			expect(await upsert({ firstName: 'Anna' })).toMatchObject({
				action: 'updated',
				first_name: 'Anna',
			});
			expect(held()).toHaveLength(1);
		});
	});
});

describe('one record in several items', () => {
	const sandbox = useSandbox({ latencyMs: 5 });

	describe('several items about the same record', () => {
		it('keep their order, so the last one decides', async () => {
			const { email } = sandbox.current.state.subscribers[0]!;
			// The first change needs a retry, and could come after the last one.
			sandbox.current.controls.addFaults([
				{ kind: 'reset', when: 'before', method: 'PATCH', path: '/subscribers', times: 1 },
			]);
			const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`);
			const { output } = await runSupercast({
				parameters: {
					resource: 'subscriber',
					operation: 'update',
					subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
					updateFields: { firstName: '={{ $json.name }}' },
				},
				credential: credentialOf(sandbox.current),
				items: names.map((name, index) => ({
					name,
					email: index % 2 === 0 ? email : ` ${email.toUpperCase()}`,
				})),
			});
			expect(output.map(({ json }) => json.first_name)).toEqual(names);
			expect(sandbox.current.state.subscriber(email)?.first_name).toBe('Name 7');
		});

		it('keep their order if there is only one record of the kind', async () => {
			const slow = { kind: 'reset', when: 'before', method: 'PATCH', path: '/channel' } as const;
			sandbox.current.controls.addFaults([{ ...slow, times: 1 }]);
			const titles = Array.from({ length: 8 }, (_, index) => `Title ${index}`);
			await runSupercast({
				parameters: {
					resource: 'channel',
					operation: 'update',
					updateFields: { otherFields: '={{ { title: $json.title } }}' },
				},
				credential: credentialOf(sandbox.current),
				items: titles.map((title) => ({ title })),
			});
			expect(sandbox.current.state.channel.title).toBe('Title 7');
		});

		it('lead to one subscriber, however often they create or update the same one', async () => {
			const { output } = await runSupercast({
				parameters: {
					resource: 'subscriber',
					operation: 'upsert',
					email: '={{ $json.email }}',
				},
				credential: credentialOf(sandbox.current),
				items: Array.from({ length: 10 }, () => ({ email: 'twin@example.com' })),
			});
			expect(output.map(({ json }) => json.action)).toEqual([
				'created',
				...Array.from({ length: 9 }, () => 'unchanged'),
			]);
			expect(sandbox.current.stats().byRoute['POST /subscribers']).toEqual({ '201': 1 });
		});
	});
});

describe('creates whose response is lost', () => {
	testFaults(useFaultySandbox(), ['create']);
});

describe('upserts whose response is lost', () => {
	testFaults(useFaultySandbox(), ['upsert']);
});
