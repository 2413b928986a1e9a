/** What the pages Day One, Running and Situations say about members who are in Supercast already, late checks and emails. */

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { runSupercast } from '../../harness/engine';
import { addMembers } from '../support/members';
import { credentialOf, useSandbox } from '../support/sandbox';

const root = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const running = read('docs/running.md');
const situations = read('docs/situations.md');

interface WorkflowNode extends IDataObject {
	name: string;
	parameters: INodeParameters & { options?: INodeParameters };
}

const nodesOf = (file: string): WorkflowNode[] =>
	(JSON.parse(read(join('workflows', file))) as { nodes: WorkflowNode[] }).nodes;
const nodeOf = (file: string, name: string): WorkflowNode | undefined =>
	nodesOf(file).find((node) => node.name === name);
const files = readdirSync(join(root, 'workflows')).filter((name) => name.endsWith('.json'));
const withSync = files.filter((file) => nodeOf(file, 'Sync') !== undefined);

describe('members who are in Supercast already', () => {
	const sandbox = useSandbox();

	async function run(parameters: INodeParameters): Promise<IDataObject[]> {
		const credential = credentialOf(sandbox.current);
		const { output, error } = await runSupercast({
			parameters: { resource: 'subscriber', ...parameters },
			credential,
		});
		expect(error).toBeUndefined();
		return output.map(({ json }) => json);
	}

	/** Runs the Sync of stripe.json, for a list with one member. */
	const sync = (email: string, customerId: string) => {
		const { close, options } = nodeOf('stripe.json', 'Sync')!.parameters;
		const limits = { maxClosePercent: 100, dryRun: false };
		return run({
			operation: 'sync',
			close: close!,
			...limits,
			email,
			customerId,
			options: { ...(options as INodeParameters), closeAfter: 1 },
		});
	};
	const stateOf = (email: string) => sandbox.current.state.subscriber(email)?.state;

	it('get their customer ID from Sync, and are closed when they leave', async () => {
		const [leaving, staying] = addMembers(sandbox.current, 2, () => ({ customer_id: null }));
		await sync(leaving!.email, 'cus_leaving');
		expect(sandbox.current.state.subscriber(leaving!.email)?.customer_id).toBe('cus_leaving');
		await sync(staying!.email, 'cus_staying');
		expect(stateOf(leaving!.email)).toBe('deactivated');
		const section = situations.split('\n## You come from Zapier, or from a CSV\n')[1]!;
		expect(section.split('\n## ')[0]).toContain('**Add Customer IDs**');
	});
});

it.each(withSync)('%s waits for no age of a subscriber, as the page says', (file) => {
	expect(nodeOf(file, 'Sync')!.parameters.options).toMatchObject({ graceHours: 0 });
	expect(running).toContain('keeps the feed until the second check');
});

it.each(withSync)(
	'%s sends an email that failed again every ten minutes, as the page says',
	(file) => {
		expect(nodeOf(file, 'Try Again Later')!.parameters).toEqual({ amount: 10, unit: 'minutes' });
		expect(running).toContain("An email that can't be sent is sent again every ten minutes");
	},
);

it.each(['README.md', 'docs/day-one.md', 'workflows/README.md'])(
	'%s says in which n8n the workflows have been run, not which n8n they need',
	(file) => {
		expect(read(file)).toMatch(
			/\[in n8n 1\.123 and 2\.39\]\((?:\.\.\/)?(?:docs\/)?versions\.md#our-workflows\)/,
		);
		expect(read(file)).not.toMatch(/2\.39 or later/);
	},
);
