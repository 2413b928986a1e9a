import { demoContents } from '../../../simulators/demo/contents';
import { withCredentialIds, type Workflow, type WorkflowNode } from '../../harness/n8n/setup';
import { announceSteps, step } from '../../harness/system/progress';
import { startMockServers } from '../../../simulators/memberships';

describe('the steps of a start', () => {
	let printed: string[];

	beforeEach(() => {
		printed = [];
		jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
			printed.push(String(text));
			return true;
		});
		jest.useFakeTimers();
	});

	afterEach(() => {
		announceSteps([]);
		jest.useRealTimers();
		jest.restoreAllMocks();
	});

	it('are named in advance, then each says how much is done and what comes next', async () => {
		announceSteps(['Installing n8n', 'Starting n8n']);
		expect(printed.join('')).toBe('2 steps:\n  1/2 Installing n8n\n  2/2 Starting n8n\n\n');
		printed = [];
		let installed = 0;
		const work = async () => await new Promise<void>((resolve) => setTimeout(resolve, 40_000));
		const running = step('Installing n8n', work, () => `${(installed += 700)} of 2107 packages`);
		await jest.advanceTimersByTimeAsync(40_000);
		await running;
		expect(printed).toEqual([
			'  1/2 Installing n8n ...\n',
			'  1/2 Installing n8n ... 15 s, 700 of 2107 packages, next: Starting n8n\n',
			'  1/2 Installing n8n ... 30 s, 1400 of 2107 packages, next: Starting n8n\n',
			'  1/2 Installing n8n: done in 40 s\n',
		]);
	});

	it('have no number if nobody announced them', async () => {
		await step('Checking', async () => undefined);
		expect(printed).toEqual(['  Checking ...\n', '  Checking: done in 0 s\n']);
	});
});

describe('what the demo puts into n8n', () => {
	async function contents() {
		const senders = await startMockServers();
		const sandbox = { accessToken: 'token', baseUrl: 'http://127.0.0.1:1/api/v1' };
		const addresses = { sandbox, senders, dashboard: 'http://127.0.0.1:2', smtpPort: 3 };
		const { publish = [], workflows } = demoContents(addresses);
		await senders.close();
		return { publish, workflows };
	}

	it('publishes the workflows that open feeds first', async () => {
		const { publish, workflows } = await contents();
		const ids = workflows.map(({ id }) => id);
		expect(publish.filter((id) => !ids.includes(id))).toEqual([]);
		const others = ['supercastChat', 'supercastTellMembers', 'supercastTellTeam'];
		const [stripe, ...places] = ['supercastStripe', ...others].map((id) => publish.indexOf(id));
		expect(stripe).toBeGreaterThanOrEqual(0);
		for (const place of places) expect(place).toBeGreaterThan(stripe!);
	});

	it('sends each email and each chat message to the dashboard', async () => {
		const { publish, workflows } = await contents();
		const sends = ({ name, type }: WorkflowNode) =>
			type === 'n8n-nodes-base.emailSend' || ['Chat', 'Post It'].includes(name);
		const senders = workflows
			.filter(({ id }) => publish.includes(id))
			.flatMap(({ nodes }) => nodes.filter(sends));
		expect(senders.map(({ name }) => name)).toEqual(
			expect.arrayContaining(['Email to You', 'Send Email', 'Chat', 'Post It']),
		);
		for (const { name, disabled, parameters } of senders) {
			expect([name, disabled, parameters.fromEmail, parameters.url]).not.toContain('');
			expect([name, disabled]).toEqual([name, undefined]);
		}
	});

	it('gives each node the credential that n8n has created', () => {
		const node = { name: 'Sync', type: 'n8n-nodes-supercast.supercast', parameters: {} };
		const used = { supercastApi: { id: 'ours', name: 'Supercast' } };
		const other = { smtp: { id: 'unknown', name: 'Mail' } };
		const nodes = [{ ...node, credentials: used }, { ...node, credentials: other }, node];
		const workflow: Workflow = { id: 'one', name: 'One', nodes };
		const [changed] = withCredentialIds([workflow], new Map([['ours', 'of n8n']]));
		expect(changed!.nodes.map(({ credentials }) => credentials)).toEqual([
			{ supercastApi: { id: 'of n8n', name: 'Supercast' } },
			other,
			undefined,
		]);
		expect(workflow.nodes[0]!.credentials).toBe(used);
	});
});
