import { after, before, nodeNamed, nodesOf, of, readWorkflowFile, settingsFields } from './files';

/** One file for each sender, and one for two of them. */
const lists = ['stripe', 'patreon', 'memberful', 'ghost', 'woocommerce', 'any-list'].map(
	(name) => `${name}.json`,
);
const members = [...lists, 'stripe-and-patreon.json'];
const PREFIXES: Record<string, string> = {
	'stripe.json': 'cus_',
	'patreon.json': 'patreon-',
	'memberful.json': 'memberful-',
	'ghost.json': 'ghost-',
	'woocommerce.json': 'woo-',
	'any-list.json': 'list-',
};

describe.each(members)('%s', (file) => {
	it('closes only through Sync, and opens otherwise only through Set Access', () => {
		const used = of(file, '.supercast').map(({ parameters }) => String(parameters.operation));
		expect(used.filter((operation) => !['sync', 'setAccess', 'get'].includes(operation))).toEqual(
			[],
		);
		expect(used.filter((operation) => operation === 'sync')).toHaveLength(1);
		for (const { parameters } of of(file, '.supercast')) {
			if (parameters.operation === 'setAccess') expect(parameters.access).toBe('open');
			expect(parameters.resource).toBe('subscriber');
		}
	});

	it('ships with Dry Run on, for Sync and for Welcome', () => {
		expect(settingsFields(file)).toContainEqual(
			expect.objectContaining({ name: 'dryRun', value: true }),
		);
		const dryRun = "={{ $('Settings').first().json.dryRun }}";
		expect(nodeNamed(file, 'Sync')?.parameters).toMatchObject({ dryRun, close: 'withCustomerId' });
		if (nodeNamed(file, 'Give Access') === undefined) return;
		const conditions = JSON.stringify(nodeNamed(file, 'Not a Dry Run')?.parameters.conditions);
		expect(conditions).toContain("!$('Settings').first().json.dryRun");
		expect(before(file, 'Give Access')).toEqual(['Not a Dry Run']);
	});

	it('ends no list before a page with status 200, and limits no pages', () => {
		const paged = of(file, '.httpRequest').filter(({ parameters }) =>
			JSON.stringify(parameters).includes('pagination'),
		);
		expect(paged.length > 0 || file === 'any-list.json').toBe(true);
		for (const { parameters } of paged) {
			const { pagination } = (parameters.options as { pagination: { pagination: object } })
				.pagination;
			expect(pagination).toMatchObject({
				paginationCompleteWhen: 'other',
				completeExpression: expect.stringMatching(/^=\{\{ \$response\.statusCode === 200 && /),
			});
			expect(pagination).not.toHaveProperty('limitPagesFetched');
		}
	});

	it('reads the list twice, and takes everyone who is on either', () => {
		expect(JSON.stringify(nodeNamed(file, 'Two Readings')?.parameters)).toContain('[0,60]');
		expect(after(file, 'Both Readings', 0)).toEqual(['Each Member Once']);
		expect(after(file, 'Both Readings', 1)).toEqual(['Pause']);
	});

	it('ends each list in the same fields, and stops if it is empty', () => {
		const ends = nodesOf(file).filter(({ parameters }) => {
			return String(parameters.jsonOutput).includes('"customerId"');
		});
		expect(ends).toHaveLength(file.includes('-and-') ? 2 : 1);
		for (const { name, parameters } of ends) {
			const fields = [...String(parameters.jsonOutput).matchAll(/"(\w+)": \{\{/g)].map(
				([, key]) => key,
			);
			expect(fields).toEqual(['email', 'customerId', 'firstName', 'lastName']);
			expect(nodeNamed(file, String(after(file, name)[0]))?.type).toMatch(/\.if$/);
			const [filter = ''] = before(file, name);
			const [each = ''] = before(file, filter).filter((one) => after(file, one).length > 1);
			// n8n runs the upper branch first, and the guard then sees what the filter let through.
			const [, guard = ''] = after(file, each);
			expect(nodeNamed(file, guard)).toMatchObject({ executeOnce: true });
			expect(JSON.stringify(nodeNamed(file, guard)?.parameters)).toContain(
				`!$('${filter}').first()`,
			);
			const height = (one: string) => (nodeNamed(file, one)?.position as number[])[1] ?? 0;
			expect(height(guard)).toBeGreaterThan(height(filter));
			expect(nodeNamed(file, each)).toMatchObject({ alwaysOutputData: true });
			expect(nodeNamed(file, String(after(file, guard)[0]))?.type).toMatch(/stopAndError$/);
		}
	});

	it('asks in both lanes by the same filter', () => {
		const filters = of(file, '.filter').filter(({ name }) => name.startsWith('Who Is a'));
		expect(filters).toHaveLength(file.includes('-and-') ? 2 : 1);
	});

	it('has every lane, and keeps successful executions out of the database', () => {
		const lanes = (
			nodeNamed(file, 'Lane')?.parameters.rules as { values: Array<{ outputKey: string }> }
		).values;
		const wanted = file === 'any-list.json' ? [] : [expect.stringMatching(/^Welcome/)];
		expect(lanes.map(({ outputKey }) => outputKey)).toEqual(
			expect.arrayContaining(['Check', ...wanted, 'All Is Well', 'Trouble']),
		);
		expect(readWorkflowFile(file).settings).toMatchObject({
			executionOrder: 'v1',
			saveDataSuccessExecution: 'none',
		});
		expect(of(file, '.errorTrigger')).toHaveLength(1);
	});

	it('ends its row in the log also if Sync does nothing, so that later checks run', () => {
		// n8n runs the upper branch to its end first, and the lower one then finds the row as it is.
		expect(after(file, 'Each Member Once')).toEqual(['Sync', 'Nothing Was Done']);
		const height = (one: string) => (nodeNamed(file, one)?.position as number[])[1] ?? 0;
		expect(height('Nothing Was Done')).toBeGreaterThan(height('Sync'));
		const { filters, columns } = nodeNamed(file, 'Nothing Was Done')?.parameters ?? {};
		expect(filters).toMatchObject({
			conditions: [{ keyName: 'execution' }, { keyValue: 'running' }],
		});
		expect(columns).toMatchObject({ value: { status: 'nothing done' } });
	});

	it('names its version in the first note', () => {
		const [note] = readWorkflowFile(file).nodes.filter(({ type }) => type.endsWith('.stickyNote'));
		expect(String(note?.parameters.content)).toMatch(/^## Set up: .*, version 3\n/);
	});
});

it.each(Object.entries(PREFIXES))('%s gives every customer ID the prefix "%s"', (file, prefix) => {
	const { options } = (nodeNamed(file, 'Sync')?.parameters ?? {}) as { options: object };
	expect(options).toMatchObject({ customerIdPrefix: prefix });
	const text = String(nodeNamed(file, 'Member')?.parameters.jsonOutput);
	// Stripe's own IDs begin with it.
	if (file !== 'stripe.json') expect(text).toContain(`'${prefix}' +`);
});

it('takes two senders as one list, without a prefix', () => {
	const { options } = (nodeNamed('stripe-and-patreon.json', 'Sync')?.parameters ?? {}) as {
		options: object;
	};
	expect(options).not.toHaveProperty('customerIdPrefix');
	expect(after('stripe-and-patreon.json', 'Both Lists')).toEqual(['Both Readings']);
});
