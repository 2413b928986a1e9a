import { runSupercast } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';

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
