import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';
import { testFaults, useFaultySandbox } from '../../support/faultMatrix';

describe('the option If Missing', () => {
	const sandbox = useSandbox();

	const nobody = { email: 'nobody@example.com' };
	const changes = [
		['subscriber', 'delete', { deleted: false, alreadyMissing: true, ...nobody }],
		['feed', 'activate', { alreadyMissing: true, ...nobody }],
		['feed', 'suspend', { alreadyMissing: true, ...nobody }],
		['feed', 'deactivate', { alreadyMissing: true, ...nobody }],
	] as const;

	function parametersOf(resource: string, operation: string, ifMissing: string): INodeParameters {
		return {
			resource,
			operation,
			subscriber: { __rl: true, mode: 'email', value: '={{ $json.email }}' },
			options: { ifMissing, maxWaitSeconds: 0 },
		};
	}

	describe.each(changes)('%s: %s of someone who is missing', (resource, operation, expected) => {
		it('is a success if the option allows it, and the other items are processed', async () => {
			const { email } = sandbox.current.state.subscribers[0]!;
			const { output, error } = await runSupercast({
				parameters: parametersOf(resource, operation, 'succeed'),
				credential: credentialOf(sandbox.current),
				items: [nobody, { email }],
			});
			expect(error).toBeUndefined();
			expect(output).toHaveLength(2);
			expect(output[0]!.json).toEqual(expected);
			expect(output[1]!.json).not.toHaveProperty('alreadyMissing');
		});

		it('is no success when the Base URL is wrong', async () => {
			const { output, error } = await runSupercast({
				parameters: parametersOf(resource, operation, 'succeed'),
				credential: {
					...credentialOf(sandbox.current),
					baseUrl: `${sandbox.current.origin}/api/v2`,
				},
				items: [nobody],
			});
			expect(output).toEqual([]);
			expect(error?.message).toContain('no such address');
			expect(error?.description).toContain("Check 'Base URL'");
		});

		it('is no success when Supercast fails in another way', async () => {
			sandbox.current.controls.addFaults({ kind: 'status', status: 422, times: 1 });
			const { error } = await runSupercast({
				parameters: parametersOf(resource, operation, 'succeed'),
				credential: credentialOf(sandbox.current),
				items: [nobody],
			});
			expect(error?.message).toContain('did not accept');
		});
	});

	it('someone without such a customer ID is missing too, according to the list that was read', async () => {
		const { output } = await runSupercast({
			parameters: {
				...parametersOf('feed', 'deactivate', 'succeed'),
				subscriber: { __rl: true, mode: 'customerId', value: 'c-unknown' },
			},
			credential: credentialOf(sandbox.current),
		});
		expect(output.map(({ json }) => json)).toEqual([
			{ alreadyMissing: true, customer_id: 'c-unknown' },
		]);
		expect(sandbox.current.stats().byRoute).toEqual({ 'GET /subscribers': { '200': 1 } });
	});
});

describe('deletes whose response is lost', () => {
	const sandbox = useFaultySandbox();

	testFaults(sandbox, ['delete']);

	describe('an alert that was dismissed', () => {
		it('is dismissed, although the response was lost and the retry does not find it', async () => {
			const { current } = sandbox;
			current.controls.addFaults({ kind: 'reset', when: 'after', method: 'PATCH', times: 3 });
			const [first, second, third] = current.state.usageAlerts.map(({ id }) => ({ id }));
			const { output, error } = await runSupercast({
				parameters: {
					resource: 'usageAlert',
					operation: 'dismiss',
					usageAlert: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
				},
				credential: credentialOf(current),
				items: [first!, second!, third!],
			});
			expect(error).toBeUndefined();
			expect(output).toHaveLength(3);
			expect(current.state.usageAlerts).toHaveLength(0);
		});
	});
});
