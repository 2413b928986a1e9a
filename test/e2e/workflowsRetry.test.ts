import { hookOf, type Fixture, startFixture } from './workflows/fixture';
import { secrets } from './workflows/credentials';
import { addListener, person, setFeed } from './workflows/people';

/** Someone presses Retry on an execution that failed some time ago. */
describe('a retried execution', () => {
	const email = 'ann@example.com';
	let fixture: Fixture;
	let workflow: string;

	beforeAll(async () => {
		fixture = await startFixture();
		// Without an error output, n8n shows the execution as failed, so it offers the retry.
		workflow = await fixture.use('any-system.json', (node) => {
			if (node.name === 'Set Access') delete node.onError;
			if (node.name !== 'Email to You') return;
			delete node.disabled;
			Object.assign(node.parameters, { fromEmail: 'n8n@example.com', toEmail: 'you@example.com' });
		});
	});
	afterAll(async () => await fixture?.stop());

	/** A cancellation comes while Supercast is down. Returns the execution that failed. */
	async function failedClose(): Promise<string> {
		fixture.sandbox.controls.addFaults({
			...{ kind: 'status', status: 403, method: 'PATCH', path: '/feeds', share: 1 },
		});
		const body = JSON.stringify({ access: 'close', email });
		const answer = await fixture.call(hookOf('any-system.json'), body, {
			'x-secret': secrets.header,
		});
		expect(answer.status).toBe(500);
		fixture.sandbox.controls.clearFaults();
		expect(person(fixture, email)?.state).toBe('available');
		const [failed] = await fixture.executions(workflow);
		expect(failed?.status).toBe('error');
		return String(failed?.id);
	}

	it('closes no feed that is open because the member paid since, and says so', async () => {
		await addListener(fixture, email);
		const failed = await failedClose();
		await setFeed(fixture, email, 'inactive');
		await setFeed(fixture, email, 'available');
		await fixture.environment.client.request('POST', `/executions/${failed}/retry`, {
			loadWorkflow: false,
		});
		const { text } = await fixture.mailbox.next(/ann@example.com/);
		expect(text).toContain('pinned or from an earlier execution');
		expect(person(fixture, email)?.state).toBe('available');
	});
});
