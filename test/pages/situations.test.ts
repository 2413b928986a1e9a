import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { runSupercast } from '../harness/engine';
import { addMembers } from '../support/members';
import { anchorOf, pageAt, sectionOf } from '../support/pages';
import { credentialOf, useSandbox } from '../support/sandbox';
import { whoIs } from '../workflows/records';

/** Each section of the page Operate must fully answer its heading. */
const page = pageAt('docs/operate.md');
const section = (heading: string): string => sectionOf(page, anchorOf(heading));

/** What each section says, by its heading. */
const ANSWERS: Record<string, RegExp[]> = {
	'Audit: who was opened or closed, and why': [
		/Search your mailbox/,
		/tell-team\.json/,
		/not on the list/,
		/\*\*Changes and Summary\*\*/,
	],
	Cancellations: [/until the paid period ends/, /end the membership immediately/, /column `until`/],
	'Clients: several channels in one n8n': [
		/one Supercast credential for each channel/,
		/once for each client/,
		/credentials in all nodes/,
		/no client waits for another/,
	],
	'Conflicts: your list and Supercast disagree': [
		/several emails +\| Correct the list/,
		/Supercast says … +\| Run/,
		/another subscriber has the email … +\| Change/,
	],
	'Costs and how often to sync': [/ 500 \|/, / 2,000 \|/, / 50,000 \|/, /The package is free/],
	'"Delete my data"': [
		/End the membership immediately/,
		/Subscriber: Delete/,
		/those that you ran by hand/,
		/what the nodes remember/,
	],
	'Delays: how long access can be wrong': [
		/about a minute with Stripe, Ghost and WooCommerce/,
		/5 to 10 minutes/,
		/If n8n is off/,
	],
	'Email: a member changes it': [
		/changes the email in Supercast/,
		/changes it back/,
		/without the column `id`/,
		/same address/,
	],
	'Emails to members': [/don't email members/, /tell-members\.json/, /two welcome emails/],
	'Emails to you: reports and alerts': [
		/first sync run after 7:00/,
		/once a day for each reason/,
		/every ten minutes/,
	],
	'Failed payments': [
		/Stripe +\| Stays open with the status `past_due`/,
		/Patreon +\| Stays as it is until \[14 days/,
		/Memberful +\| Stays open for \[48 hours/,
		/Ghost +\| Stays open/,
		/WooCommerce +\| Usually stays as it is until \[14 days/,
		/`charge_failure`/,
	],
	'Families: several people with one email': [/one subscriber for each email/, /their own email/],
	'Gifts, lifetime members, guests and staff': [
		/Never Close/,
		/free membership/,
		/In Stripe, /,
		/In WooCommerce, /,
		/In Ghost, members with complimentary access/,
		/unrestricted access in Memberful/,
		/a gift in Patreon/,
		/column `until`/,
	],
	'Is it running?': [/daily email/, /Executions/, /uptime monitor/],
	'Move n8n to another server': [
		/encryption key/,
		/folder `\.n8n`/,
		/Stop the old n8n/,
		/create the credentials again/,
	],
	'Move to another membership system': [
		/First replace the IDs/,
		/Switch \*\*Access\*\* to \*\*Expression\*\*, and enter `\{\{ \$json\.access === 'open'/,
		/Customer ID\*\* from \*\*Sync/,
		/no dry run/,
	],
	'Pause everything': [/Unpublish all workflows/, /catch up/],
	'Podcast apps': [/add a feed by its address/, /Spotify can't/],
	Refunds: [/A refund alone usually ends nothing/, /cancel the membership too/, /Feed: Suspend/],
	'Restore a backup of n8n': [
		/unpublish:workflow --all/,
		/settings of \*\*Sync/,
		/copy each trigger/,
		/second welcome email/,
	],
	'Returning members': [/deactivated/, /suspended/, /`charge_failure`/, /add the feed again/],
	'Shared feeds: block someone': [/Run \*\*Feed: Suspend/, /usage-alerts\.json/],
	'Staff: someone leaves': [/transfer/, /Replace the access token/, /Never Close/],
	'Start with people who are already in Supercast': [
		/Zapier/,
		/old automation/,
		/Add Customer IDs/,
		/CSV/,
		/People who left before you started/,
	],
	'Supercast bills some members directly': [
		/have a plan at Supercast/,
		/neither open nor close \[their feeds\]/,
		/doesn't stop the payments there/,
	],
	"Support: a member can't listen": [
		/support\.json/,
		/I paid, but have no feed/,
		/feed-link\.json/,
		/Why did my feed close/,
	],
	'Test with one person': [
		/one row with an email of yours/,
		/turn off \*\*Dry Run/,
		/Afterwards, delete yourself/,
	],
	'Two memberships': [
		/same email are one person/,
		/until both memberships end/,
		/both lists in one workflow/,
		/email must be the same/,
		/Set Access: Open/,
	],
	'Two shows': [/in two channels/, /in one channel/, /If one of the feeds stays open/],
	Undo: [
		/Subscriber: Delete +\| Not possible\..*new feed address/,
		/Never Close/,
		/If it stops, do what its message says/,
	],
	Uninstall: [/Unpublish all workflows/, /webhooks/, /revoke the token/, /keep their feeds/],
	'Your shop or site moves': [/restore an older backup/, /Clear Fields/, /new IDs/],
	'Upgrade imported workflows': [
		/doesn't change workflows that you have imported/,
		/separate workflow/,
		/Dry Run/,
		/Unpublish the old workflow/,
		/tell-members\.json/,
	],
};

describe('the page Operate', () => {
	const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading!);

	it('has an answer here for each heading', () => {
		expect(Object.keys(ANSWERS).sort()).toEqual([...headings].sort());
	});

	it('has its headings in alphabetical order, and links to each of them at the top', () => {
		const letters = headings.map((heading) => anchorOf(heading));
		expect(letters).toEqual([...letters].sort((one, other) => one.localeCompare(other)));
		const [top = ''] = page.split('\n## ');
		expect(headings.filter((heading) => !top.includes(`](#${anchorOf(heading)})`))).toEqual([]);
	});

	it.each(Object.entries(ANSWERS))('answers completely: %s', (heading, answer) => {
		expect(answer.filter((part) => !part.test(section(heading)))).toEqual([]);
	});

	it('names only filters that are in a workflow, where it says what to change in them', () => {
		const files = readdirSync(join(__dirname, '..', '..', 'workflows'));
		const workflows = files
			.filter((name) => name.endsWith('.json'))
			.map((name) => pageAt(`workflows/${name}`));
		const rows = [...section('Failed payments').matchAll(/(?:remove|change) `([^`]+)`/gi)];
		expect(rows.length).toBe(3);
		for (const [, text = ''] of rows) {
			expect([text, workflows.some((file) => file.includes(text))]).toEqual([text, true]);
		}
	});
});

describe('what the pages say about delays, emails, and members who are already in Supercast', () => {
	const root = join(__dirname, '..', '..');
	const read = (path: string): string => readFileSync(join(root, path), 'utf8');

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

		const NOTHING_READ = { recordId: '', recordsExpected: '', output: 'summary' };

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
				// Without the nodes that read the list, there are no records to count.
				options: {
					...{ ...(options as INodeParameters), ...NOTHING_READ, closeAfter: 1 },
					customerIdPrefix: 'cus_',
				},
			});
		};
		const stateOf = (email: string) => sandbox.current.state.subscriber(email)?.state;

		it('get their customer ID from Sync, and are closed when they leave', async () => {
			const [leaving, staying] = addMembers(sandbox.current, 2, () => ({ customer_id: null }));
			await sync(leaving!.email, 'cus_leaving');
			expect(sandbox.current.state.subscriber(leaving!.email)?.customer_id).toBe('cus_leaving');
			await sync(staying!.email, 'cus_staying');
			expect(stateOf(leaving!.email)).toBe('deactivated');
			const start = section('Start with people who are already in Supercast');
			expect(start).toContain('**Add Customer IDs**');
		});

		it('keep their feed as it is while a payment is declined at Patreon, and new patrons get no feed', async () => {
			const [open, closed] = addMembers(sandbox.current, 2, (at) => ({
				customer_id: `patreon-7${at}`,
			}));
			closed!.state = 'deactivated';
			const ids = new Map([
				[open!.email, String(open!.customer_id)],
				[closed!.email, String(closed!.customer_id)],
				['new@example.com', 'patreon-8'],
				['active@example.com', 'patreon-9'],
			]);
			const page = {
				data: [...ids].map(([email, id]) => ({
					id,
					attributes: {
						...{ email, last_charge_date: null },
						patron_status: email.startsWith('active') ? 'active_patron' : 'declined_patron',
					},
					relationships: {
						user: { data: { id: id.replace('patreon-', '') } },
						currently_entitled_tiers: { data: [] },
					},
				})),
			};
			const { email, customerId, access, options } = nodeOf('patreon.json', 'Sync')!.parameters;
			const { error } = await runSupercast({
				parameters: {
					...{ resource: 'subscriber', operation: 'sync', dryRun: false, email: email! },
					...{ customerId: customerId!, access: access! },
					options: { ...(options as INodeParameters), ...NOTHING_READ, closeAfter: 1 },
				},
				credential: credentialOf(sandbox.current),
				items: whoIs('patreon.json', [page], {
					ran: { 'Read My Campaign': [{ included: [] }], 'Read All Members': [page] },
				}),
			});
			expect(error).toBeUndefined();
			expect([...ids.keys()].map(stateOf)).toEqual([
				...['available', 'deactivated', undefined, 'available'],
			]);
			expect(section('Failed payments')).toMatch(
				/Patreon +\| Stays as it is until \[14 days.* New patrons with a declined payment get no feed/,
			);
		});
	});

	it.each(withSync)('%s has no grace period for new subscribers, as the page says', (file) => {
		expect(nodeOf(file, 'Sync')!.parameters.options).toMatchObject({ graceHours: 0 });
		expect(section('Delays: how long access can be wrong')).toContain(
			'keeps the feed for about 5 to 10 minutes',
		);
	});

	it.each(withSync)(
		'%s sends an email that failed again every ten minutes, as the page says',
		(file) => {
			expect(nodeOf(file, 'Try Again Later')!.parameters).toEqual({ amount: 10, unit: 'minutes' });
			expect(section('Emails to you: reports and alerts')).toContain(
				"If an email can't be sent, n8n retries every ten minutes",
			);
		},
	);

	it.each(['README.md', 'workflows/README.md'])(
		'%s says in which n8n the workflows have been run, not which n8n they need',
		(file) => {
			expect(read(file)).toMatch(
				/\[in n8n 2\.41\]\((?:\.\.\/)?(?:docs\/)?versions\.md#our-workflows\)/,
			);
			expect(read(file)).not.toMatch(/2\.41 or later/);
		},
	);
});
