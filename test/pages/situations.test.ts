import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { runSupercast } from '../harness/engine';
import { addMembers } from '../support/members';
import { anchorOf, MOST_WORDS, pageAt, sectionOf, wordsBefore } from '../support/pages';
import { credentialOf, useSandbox } from '../support/sandbox';
import { whoIs } from '../workflows/records';

const readme = pageAt('README.md');

/** A user's question, the place in or near the README that answers it, and the whole answer. */
interface Question {
	question: string;
	/** A page, and the anchor of a section. Without an anchor, the README's link leads to the page. */
	place: string;
	answer: RegExp[];
}

const QUESTIONS: Question[] = [
	{
		question: 'How do I install it in Docker?',
		place: 'docs/installation.md#docker',
		answer: [
			/clone of this repository/,
			/docker build /,
			/docker run /,
			/docker compose /,
			/Nobody has built/,
		],
	},
	{
		question: 'How do I close feeds when someone cancels at Stripe?',
		place: 'README.md#open-and-close-feeds-for-your-members',
		answer: [
			/stripe\.json/,
			/Press Execute workflow/,
			/Turn off Dry Run/,
			/Publish/,
			/missing from two lists/,
		],
	},
	{
		question: 'What happens when a member pays again?',
		place: 'docs/faq.md#what-happens-when-a-member-returns',
		answer: [/Set Access, Sync/, /stays the same/, /inferred/, /add the feed again/],
	},
	{
		question: 'How do I learn that it failed at night?',
		place: 'docs/when-something-fails.md#get-notified-of-failures',
		answer: [/email you about failures/, /Error Workflow/, /If n8n itself is down/],
	},
	{
		question: 'Do other apps share the limit?',
		place: 'docs/limits.md',
		answer: [
			/100 requests per minute\*\* across all apps/,
			/lower \*\*Requests per Minute\*\*/,
			/retries refused requests/,
		],
	},
	{
		question: 'How do I import 2,000 members?',
		place: 'docs/day-one.md',
		answer: [/Paste the content/, /Execute workflow/, /turn off \*\*Dry Run/],
	},
	{
		question: 'How long do 2,000 members take?',
		place: 'docs/running.md#what-it-costs',
		answer: [/2,000 \|\s+20 \|\s+20 minutes/],
	},
	{
		question: 'What happens when n8n is off for a day?',
		place: 'README.md#open-and-close-feeds-for-your-members',
		answer: [
			/Every 5 minutes, n8n reads the whole list/,
			/If n8n stops for a day, changes just wait/,
		],
	},
	{
		question: 'Can I undo a deletion?',
		place: 'docs/when-something-fails.md#undo',
		answer: [/Subscriber: Delete +\| Not possible\..*new feed address/, /Never Close/],
	},
	{
		question: 'What does an AI agent see?',
		place: 'docs/ai-agents.md#choose-what-the-model-sees',
		answer: [
			/Simplified.*\(default\)/,
			/without private feed addresses/,
			/\*\*Raw\*\*/,
			/names and emails/,
		],
	},
	{
		question: 'Which versions of n8n does it need?',
		place: 'README.md#compatibility',
		answer: [/n8n 1\.85 and later/, /up to 2\.41/, /n8n 3/, /queue mode/],
	},
	{
		question: 'Can I use it on n8n Cloud?',
		place: 'README.md#install',
		answer: [/self-hosted/, /not n8n Cloud/],
	},
	{
		question: 'How does a superapp connect, and who signs in?',
		place: 'docs/credentials.md#superapps',
		answer: [
			/one credential for each channel/,
			/\*\*Subdomain\*\*/,
			/signs in through your n8n/,
			/\*\*Connect\*\*/,
		],
	},
	{
		question: 'What is untested?',
		place: 'docs/service.md#what-was-not-tried',
		answer: [
			/Supercast itself/,
			/Docker image/,
			/n8n Cloud/,
			/n8n 3/,
			/Google Sheets/,
			/Windows and macOS/,
		],
	},
	{
		question: 'What does each member receive, and when?',
		place: 'docs/running.md#what-members-receive',
		answer: [/Nothing from these workflows/],
	},
	{
		question: 'What does the installation by hand need?',
		place: 'docs/installation.md#by-hand',
		answer: [/npm install/, /restart n8n/, /npm run tarball/, /Community nodes/],
	},
	{
		question: 'Which podcast apps can members use?',
		place: 'docs/faq.md#which-podcast-apps-work',
		answer: [/add a feed by its address/, /no complete list/, /Spotify can't/, /unknown/],
	},
	{
		question: 'What does it cost for my number of members?',
		place: 'docs/running.md#what-it-costs',
		answer: [/ 500 \|/, / 2,000 \|/, / 5,000 \|/, /10,000 \|/, /The package is free/],
	},
	{
		question: 'How do I connect Patreon, and who counts?',
		place: 'docs/patreon.md',
		answer: [
			/Create a client of API version 2/,
			/`active_patron`/,
			/free members/,
			/same credential/,
		],
	},
	{
		question: "What do I enter in n8n's dialog for Patreon, and where is the ID of a tier?",
		place: 'docs/patreon.md',
		answer: [
			/https:\/\/www\.patreon\.com\/oauth2\/authorize/,
			/https:\/\/www\.patreon\.com\/api\/oauth2\/token/,
			/campaigns\.members\[email\]/,
			/names and IDs of your tiers/,
		],
	},
	{
		question: 'Patreon: a card is declined, someone hides the email, or moves to another tier?',
		place: 'docs/patreon.md',
		answer: [
			/14 days after Patreon's last try/,
			/hide their email/,
			/moves to another tier/,
			/n8n renews Patreon's token/,
		],
	},
	{
		question: 'Which address of Ghost do I enter, and how do I choose tiers?',
		place: 'docs/ghost.md',
		answer: [/API URL/, /\*\*Settings\*\* > \*\*Tiers\*\*/, /`tier\.Gold`/],
	},
	{
		question: 'Ghost: who counts, until when, and what if a free member upgrades?',
		place: 'docs/ghost.md',
		answer: [/until their subscription ends/, /nightly task/, /upgrades waits for the next check/],
	},
	{
		question: 'Stripe: which rights does the key need, and how do I count only my podcast?',
		place: 'docs/day-one.md',
		answer: [
			/customers, products and subscriptions/,
			/ignore a failed test/,
			/product IDs/,
			/ends in its ID/,
			/pause their payments/,
		],
	},
	{
		question: 'What happens to people who left before I started?',
		place: 'docs/situations.md#you-come-from-zapier-or-from-a-csv',
		answer: [/old automation/, /left earlier/],
	},
];

describe('the questions of a user', () => {
	it.each(QUESTIONS)('$question', ({ place, answer }) => {
		const [page = '', anchor] = place.split('#');
		if (page !== 'README.md') expect(readme).toContain(`](${place})`);
		const text = anchor === undefined ? pageAt(page) : sectionOf(pageAt(page), anchor);
		expect(answer.filter((part) => !part.test(text))).toEqual([]);
		// Steps to follow are done one after the other.
		if (anchor === undefined) return;
		expect(wordsBefore(text, answer)).toBeLessThanOrEqual(MOST_WORDS);
	});
});

/** Each section of the page Situations must fully answer its heading. */
const page = pageAt('docs/situations.md');
const section = (heading: string): string => sectionOf(page, anchorOf(heading));

/** What each section says, by its heading. */
const ANSWERS: Record<string, RegExp[]> = {
	'A payment fails': [
		/Stripe +\| Open: \*\*past due\*\* counts/,
		/Patreon +\| As it is, for 14 days/,
		/Memberful +\| Open for \[48 hours/,
		/Ghost +\| Open/,
		/for 14 days after the payment was due/,
	],
	'You refund a payment': [/A refund alone ends nothing/, /Cancel it/, /Feed: Suspend/],
	'A gift, a lifetime, a guest or staff': [
		/Never Close/,
		/free membership/,
		/\*\*Stripe\*\*: /,
		/\*\*WooCommerce\*\*: /,
		/\*\*Ghost\*\*: /,
		/\*\*Memberful\*\*: /,
		/\*\*Patreon\*\*: /,
		/column `until`/,
	],
	'A family with one email': [/one subscriber for each email/, /their own email/],
	'Two memberships': [
		/same email are one person/,
		/until both memberships end/,
		/joined list/,
		/email must be the same/,
		/until the next check/,
		/Set Access: Open/,
	],
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
	'Is it running?': [/morning email comes with the first check/, /Executions/, /uptime monitor/],
	'Try it with one person': [
		/Put only yourself on a list/,
		/turn off \*\*Dry Run/,
		/Afterwards, delete yourself/,
	],
	'"Delete my data"': [
		/End the membership first/,
		/Subscriber: Delete/,
		/those that you ran by hand/,
	],
	'Supercast bills some members directly': [/have a plan there/, /neither closes nor opens/],
	'You move to another membership system': [
		/First replace the IDs/,
		/Set Access\*\*\. As \*\*Access\*\*, enter `\{\{ \$json\.access === 'open'/,
		/Customer ID\*\* from \*\*Sync/,
		/no dry run/,
	],
	'You uninstall': [
		/Unpublish all workflows/,
		/webhooks/,
		/revoke the token/,
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

	it('names only filters that are in a workflow, where it says what to change in them', () => {
		const files = readdirSync(join(__dirname, '..', '..', 'workflows'));
		const workflows = files
			.filter((name) => name.endsWith('.json'))
			.map((name) => pageAt(`workflows/${name}`));
		const rows = [...section('A payment fails').matchAll(/(?:remove|change) `([^`]+)`/gi)];
		expect(rows.length).toBe(3);
		for (const [, text = ''] of rows) {
			expect([text, workflows.some((file) => file.includes(text))]).toEqual([text, true]);
		}
	});

	it.each(Object.keys(ANSWERS))('takes at most a minute to read with its tables: %s', (heading) => {
		expect(section(heading).split(/\s+/).length).toBeLessThanOrEqual(2 * MOST_WORDS);
	});
});

describe('Day One, Running and Situations', () => {
	/** What these pages say about late checks, emails, and members who are already in Supercast. */
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
			const section = situations.split('\n## You come from Zapier, or from a CSV\n')[1]!;
			expect(section.split('\n## ')[0]).toContain('**Add Customer IDs**');
		});

		it('keep their feed as it is while a payment is declined at Patreon, and new patrons get none', async () => {
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
			expect(read('docs/patreon.md')).toContain('feeds stay as they are for 14 days');
			expect(read('docs/patreon.md')).toContain('New patrons get none.');
		});
	});

	it.each(withSync)('%s has no grace period for new subscribers, as the page says', (file) => {
		expect(nodeOf(file, 'Sync')!.parameters.options).toMatchObject({ graceHours: 0 });
		expect(running).toContain('keeps the feed until the second check');
	});

	it.each(withSync)(
		'%s sends an email that failed again every ten minutes, as the page says',
		(file) => {
			expect(nodeOf(file, 'Try Again Later')!.parameters).toEqual({ amount: 10, unit: 'minutes' });
			expect(running).toContain("If an email can't be sent, n8n tries again every ten minutes");
		},
	);

	it.each(['README.md', 'docs/day-one.md', 'workflows/README.md'])(
		'%s says in which n8n the workflows have been run, not which n8n they need',
		(file) => {
			expect(read(file)).toMatch(
				/\[in n8n 2\.41\]\((?:\.\.\/)?(?:docs\/)?versions\.md#our-workflows\)/,
			);
			expect(read(file)).not.toMatch(/2\.41 or later/);
		},
	);
});
