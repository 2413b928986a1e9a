import { runSupercast } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();
const email = { __rl: true, mode: 'email', value: 'new.one@example.com' };

describe('a switch that is neither on nor off', () => {
	it.each([
		['create', { email: email.value }],
		['upsert', { email: email.value }],
		['update', { subscriber: email, updateFields: { firstName: 'Nora' } }],
		['get', { subscriber: email }],
		['getAll', {}],
	])('ends subscriber: %s before anything is sent', async (operation, parameters) => {
		const { error } = await runSupercast({
			parameters: { resource: 'subscriber', operation, ...parameters, simplify: '={{ "maybe" }}' },
			credential: credentialOf(sandbox.current),
		});
		expect(error?.message).toContain("'Simplify' is neither true nor false");
		expect(sandbox.current.stats().requests).toBe(0);
	});
});
