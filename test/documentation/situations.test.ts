import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { MOST_WORDS, anchorOf, pageAt, sectionOf, wordsBefore } from '../support/pages';
import { runSupercast } from '../../harness/engine';
import { addMembers } from '../support/members';
import { credentialOf, useSandbox } from '../support/sandbox';

/** Whether each section of the page Situations answers completely what its heading asks. */
const page = pageAt('docs/situations.md');
const section = (heading: string): string => sectionOf(page, anchorOf(heading));

/** What each section says, by its heading. */
const ANSWERS: Record<string, RegExp[]> = {
	'A payment fails': [
		/Stripe +\| Open: \*\*past due\*\* counts/,
		/Patreon +\| Open: \*\*declined/,
		/Memberful +\| Open for \[48 hours/,
		/Ghost +\| Open/,
		/on-hold does not count/,
	],
	'You refund a payment': [/A refund alone ends nothing/, /Cancel it/, /Feed: Suspend/],
	'A gift, a lifetime, a guest or staff': [
		/free membership/,
		/\*\*Stripe\*\*: /,
		/\*\*WooCommerce\*\*: /,
		/\*\*Ghost\*\*: /,
		/\*\*Memberful\*\*: /,
		/\*\*Patreon\*\*: /,
		/column `until`/,
	],
	'A family with one email': [/one subscriber for each email/, /their own email/],
	'Two memberships': [/until both end/, /joined list/, /until the next check/],
	'A member changes the email': [
		/changes the email in Supercast/,
		/changes it back/,
		/without the column `id`/,
		/same address/,
	],
	'Pause everything for a day': [/Unpublish all workflows/, /catch up/],
	'You come from Zapier, or from a CSV': [
		/old automation/,
		/Add Customer IDs/,
		/CSV file/,
		/People who left earlier/,
	],
	'You move n8n to another server': [
		/encryption key/,
		/folder `\.n8n`/,
		/Stop the old n8n/,
		/create the credentials again/,
	],
	'Is it running?': [/morning email comes with the first check/, /Executions/, /monitor\]/],
	'Try it with one person': [
		/Put only yourself on a list/,
		/turn off \*\*Dry Run/,
		/Afterwards, delete yourself/,
	],
	'"Delete my data"': [/End the membership first/, /Subscriber: Delete/, /failed executions/],
	'Supercast bills some members directly': [/have a plan there/, /neither closes nor opens/],
	'You move to another membership system': [/Replace them first/],
	'You uninstall': [
		/Unpublish all workflows/,
		/webhooks/,
		/revoke the token/,
		/sheet or table/,
		/no feed closes anymore/,
	],
	'Your list and Supercast contradict each other': [
		/several emails +\| Correct the list/,
		/Supercast another +\| Run/,
		/has the email +\| Change/,
	],
};

describe('the page Situations', () => {
	it('is one click away from the README and the list of workflows', () => {
		expect(pageAt('README.md')).toContain('](docs/situations.md)');
		expect(pageAt('workflows/README.md')).toContain('](../docs/situations.md)');
	});

	it('has an answer here for each heading', () => {
		const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
		expect(Object.keys(ANSWERS).sort()).toEqual(headings.sort());
	});

	it.each(Object.entries(ANSWERS))('answers completely: %s', (heading, answer) => {
		const text = section(heading);
		expect(answer.filter((part) => !part.test(text))).toEqual([]);
		expect(wordsBefore(text, answer)).toBeLessThanOrEqual(MOST_WORDS);
	});

	it.each(Object.keys(ANSWERS))('takes at most a minute to read with its tables: %s', (heading) => {
		expect(section(heading).split(/\s+/).length).toBeLessThanOrEqual(2 * MOST_WORDS);
	});
});

describe('Day One, Running and Situations', () => {
	/** What the pages Day One, Running and Situations say about members who are in Supercast already, late checks and emails. */
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
});
