import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../harness/engine';
import { addMembers } from '../support/members';
import { anchorOf, pageAt, sectionOf } from '../support/pages';
import { credentialOf, useSandbox } from '../support/sandbox';

const page = pageAt('docs/operate.md');
const section = (heading: string): string => sectionOf(page, anchorOf(heading));

describe('the page Operate', () => {
	const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading!);

	it('has its headings in alphabetical order, and links to each of them at the top', () => {
		const letters = headings.map((heading) => anchorOf(heading));
		expect(letters).toEqual([...letters].sort((one, other) => one.localeCompare(other)));
		const [top = ''] = page.split('\n## ');
		expect(headings.filter((heading) => !top.includes(`](#${anchorOf(heading)})`))).toEqual([]);
	});

	it('names only statuses that are in a workflow, where it says what to move to another list', () => {
		const [, status = ''] = /move `([^`]+)` to \*\*Close For/.exec(section('Failed payments'))!;
		expect(pageAt('workflows/stripe.json')).toContain(status);
	});
});

describe('what the page Operate says to do', () => {
	const sandbox = useSandbox();

	/** Runs Sync by hand for real, for a list with one member. */
	async function sync(parameters: INodeParameters): Promise<void> {
		const { error } = await runSupercast({
			parameters: { resource: 'subscriber', operation: 'sync', dryRun: false, ...parameters },
			credential: credentialOf(sandbox.current),
			items: [{ email: parameters.email }],
		});
		expect(error).toBeUndefined();
	}

	it('replaces the customer IDs of another membership system, and leaves everyone open', async () => {
		const [moving, staying] = addMembers(sandbox.current, 2, (at) => ({
			customer_id: `patreon-${at}`,
		}));
		const text = section('Move to another membership system');
		const [, prefixes = ''] = /such as `([^`]+)`\. Set \*\*Close Feeds of\*\* to \*\*Nobody/.exec(
			text,
		)!;
		await sync({
			...{ email: moving!.email, customerId: 'ghost-7' },
			...{ customerIdPrefix: prefixes, close: 'none' },
		});
		const shown = [moving, staying].map((one) => {
			const found = sandbox.current.state.subscriber(one!.email);
			return [found?.customer_id, found?.state];
		});
		expect(shown).toEqual([
			['ghost-7', 'available'],
			['patreon-1', 'available'],
		]);
	});
});

it.each(['README.md', 'workflows/README.md'])(
	'%s says in which n8n the workflows have been run, not which n8n they need',
	(file) => {
		expect(pageAt(file)).toMatch(
			/\[in n8n 2\.41\]\((?:\.\.\/)?(?:docs\/)?versions\.md#our-workflows\)/,
		);
		expect(pageAt(file)).not.toMatch(/2\.41 or later/);
	},
);
