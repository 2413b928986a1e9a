import { runSupercast } from '../../../harness/engine';
import { testFaults, useFaultySandbox } from '../../support/faultMatrix';
import { credentialOf } from '../../support/sandbox';

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
