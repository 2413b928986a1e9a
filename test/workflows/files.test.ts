import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import type { Workflow, WorkflowNode } from '../harness/n8n/setup';
import { JOINED, SYSTEMS } from '../../simulators/memberships';
import { root } from '../harness/system/paths';
import { normalize } from '../harness/workflows/normalize';
import { linesThroughNodes } from './drawing';
import {
	after,
	before,
	expressions,
	files,
	memberFiles,
	nodeNamed,
	nodesOf,
	nodesReadIn,
	of,
	readWorkflowFile,
	settingsFields,
	texts,
	valuesOf,
	wires,
} from './files';
import { SUBSCRIBER_STATES } from '../../nodes/Supercast/subscriber/states';
import { brokenBy, rules } from './n8n3Rules';
import { samples } from './n8n3Samples';
import { resolved } from './resolve';

/** The nodes that some nodes lead to, and these nodes. */
function followed(file: string, names: readonly string[], known = new Set<string>()): Set<string> {
	for (const name of names) {
		if (known.has(name)) continue;
		known.add(name);
		followed(file, [...after(file, name), ...after(file, name, 1)], known);
	}
	return known;
}

describe('all workflows', () => {
	it('gives every workflow a separate ID', () => {
		expect(new Set(files.map((file) => readWorkflowFile(file).id)).size).toBe(files.length);
	});

	describe.each(files)('%s', (file) => {
		it('has no code', () => {
			expect(nodesOf(file).filter(({ type }) => /\.(code|function)/i.test(type))).toEqual([]);
		});

		it('has no expression of more than 200 characters, except a GraphQL query', () => {
			const long = nodesOf(file).flatMap((node) =>
				expressions(node).filter((text) => text.length > 200 && !text.includes('{ members(')),
			);
			expect(long).toEqual([]);
		});

		it('tries every request that is not to Supercast again, or shows a person that it failed', () => {
			const requests = [...of(file, '.httpRequest'), ...of(file, '.emailSend')];
			const once = requests.filter(({ name, retryOnFail }) => {
				const then = [...followed(file, after(file, name, 1))];
				const isShown = then.some((one) => nodeNamed(file, one)?.type.endsWith('.form'));
				return retryOnFail !== true && !then.includes(name) && !isShown;
			});
			expect(once.map(({ name }) => name)).toEqual([]);
		});

		it("names at most one of Supercast's states, so the table of states decides what they mean", () => {
			const text = JSON.stringify(readWorkflowFile(file));
			const named = SUBSCRIBER_STATES.filter((state) => new RegExp(`\\b${state}\\b`).test(text));
			expect(named.slice(1)).toEqual([]);
		});

		it('refers only to nodes that exist, and connects only those', () => {
			const names = new Set(readWorkflowFile(file).nodes.map(({ name }) => name));
			expect(names.size).toBe(readWorkflowFile(file).nodes.length);
			const referred = nodesOf(file).flatMap((node) => nodesReadIn(texts(node.parameters)));
			const connected = Object.entries(wires(file)).flatMap(([from, outputs]) => [
				from,
				...Object.values(outputs)
					.flat(2)
					.map(({ node }) => node),
			]);
			expect([...referred, ...connected].filter((name) => !names.has(name))).toEqual([]);
		});

		it('reads only settings that its Settings have', () => {
			const known = settingsFields(file).map(({ name }) => name);
			const used = nodesOf(file).flatMap((node) =>
				[
					...texts(node.parameters)
						.join('\n')
						.matchAll(/\$\('Settings'\)\.first\(\)\.json\.(\w+)/g),
				].map(([, name]) => name),
			);
			expect(used.filter((name) => !known.includes(String(name)))).toEqual([]);
			expect(of(file, '.set').filter(({ name }) => name === 'Settings').length).toBeLessThanOrEqual(
				1,
			);
		});

		it('has no placeholder that looks filled in', () => {
			const values = settingsFields(file).map(({ value }) => String(value));
			expect(values.filter((value) => /example|https?:|@/.test(value))).toEqual([]);
		});

		it('has nothing in it that belongs to one installation', () => {
			expect(normalize(readWorkflowFile(file))).toEqual(readWorkflowFile(file));
		});

		it('draws no line through a node', () => {
			expect(linesThroughNodes(readWorkflowFile(file))).toEqual([]);
		});

		it('has an empty line after each list in a note', () => {
			const glued = readWorkflowFile(file).nodes.flatMap(({ parameters }) =>
				[
					...String(parameters.content).matchAll(/^(?:-|\d+\.) .*\n(?!-|\d+\. | {3}- |\n)(.+)/gm),
				].map(([, text]) => text),
			);
			expect(glued).toEqual([]);
		});

		it('says in its notes to keep no successful executions, or why it needs them', () => {
			const isKept = JSON.stringify(readWorkflowFile(file)).includes('SuccessExecution":"all"');
			const said =
				/⋯\*\* > \*\*Settings\*\*\. [^.]*\*\*Save successful production executions\*\*[^.]* \*\*Do not save/;
			const notes = JSON.stringify(
				readWorkflowFile(file).nodes.map((node) => node.parameters.content),
			);
			if (isKept) expect(notes).toMatch(/must keep successful executions/);
			else expect(notes).toMatch(said);
		});

		it('names in its notes only nodes and settings that it has', () => {
			const notes = readWorkflowFile(file).nodes.filter(({ type }) => type.endsWith('.stickyNote'));
			const words = [
				...readWorkflowFile(file).nodes.map(({ name }) => name),
				...settingsFields(file).map(({ name }) => name),
			];
			const bold = notes
				.flatMap(({ parameters }) => [...String(parameters.content).matchAll(/\*\*([^*]+)\*\*/g)])
				.map(([, text = '']) => text);
			expect(bold.filter((text) => !words.includes(text) && !UI.has(text))).toEqual([]);
		});
	});

	/** What notes name besides nodes and settings: labels of n8n and of other systems. */
	const UI = new Set([
		...['D', '500', 'production URL', 'Retry', 'Executions', 'email', 'change', 'at'],
		...['Member updated', 'Subscription updated', 'Members From a List'],
		...['eventId', 'name'],
		...['Production URL', 'URL', 'open', 'close', 'Tell Members', 'Look', 'Never Close'],
		'Sync',
		...['Execute workflow', 'Dry Run', 'restricted key', 'OAuth Redirect URL', 'Authentication'],
		...['Settings', 'Custom applications', 'Integrations', 'Advanced', 'REST API'],
		...['File', 'Share', 'Publish to web', 'CSV', 'Google Sheets', 'Poll Times', 'Ignore', 'Read'],
		...['Ctrl+S', '⌘S', 'View'],
		...['⋯', 'Save successful production executions', 'Save manual executions'],
		...['Do not save', 'Max Pages'],
	]);

	describe('two executions that write the first note of Remove Duplicates at the same moment', () => {
		it.each(['feed-link.json', 'tell-members.json'])('%s writes it again', (file) => {
			const notes = nodesOf(file).filter(({ type }) => type.endsWith('.removeDuplicates'));
			expect(notes.length).toBeGreaterThan(1);
			for (const { name, retryOnFail } of notes) expect([name, retryOnFail]).toEqual([name, true]);
		});
	});

	describe('normalize', () => {
		it.each(memberFiles.map((name) => `${name}.json`))(
			'takes out of %s what belongs to one installation',
			(file) => {
				const before = readWorkflowFile(file);
				const exported = structuredClone(before);
				Object.assign(exported, {
					id: 'x1',
					versionId: 'v',
					pinData: { Sync: [] },
					active: true,
					meta: {},
				});
				Object.assign(exported.settings as object, { errorWorkflow: 'e', callerPolicy: 'any' });
				for (const node of exported.nodes) {
					for (const credential of Object.values(node.credentials ?? {}))
						Object.assign(credential, { id: 'c1', name: 'Mine' });
				}
				expect(normalize(exported, before.id)).toEqual(before);
			},
		);
	});

	describe('n8n 3', () => {
		const folder = join(root, 'workflows');
		const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
		const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow;

		describe.each(Object.entries(rules))('%s', (rule, { source, find }) => {
			it('names its source', () => expect(source).toMatch(/^docs "|\.rule\.ts$/));

			it('finds what n8n 3 removes, and nothing close to it', () => {
				for (const broken of samples[rule]!.broken) expect(find(broken)).toEqual(['It']);
				for (const close of samples[rule]!.close) expect(find(close)).toEqual([]);
			});
		});

		it.each(files)('%s uses nothing that n8n 3 removes', (file) => {
			expect(brokenBy(read(file))).toEqual([]);
		});
	});
});

describe('the member workflows', () => {
	/** The prefixes of the customer IDs, and the most nodes that the file may have. */
	const members = [
		...Object.values(SYSTEMS).map(({ file, workflow: { prefix, saysWhoIsNew = false } }) => ({
			...{ file, prefix, saysWhoIsNew, most: saysWhoIsNew ? 21 : 15 },
		})),
		...Object.entries(JOINED).map(([file, names]) => ({
			...{ file, prefix: names.map((name) => SYSTEMS[name].workflow.prefix).join(', ') },
			...{ saysWhoIsNew: true, most: 26 },
		})),
	];

	it('are all tested here', () => {
		const tested = members.map(({ file }) => file.replace('.json', ''));
		expect(tested.sort()).toEqual([...memberFiles].sort());
	});

	const parametersOf = (file: string, name: string) => nodeNamed(file, name)?.parameters ?? {};

	describe.each(members)('$file', ({ file, prefix, most, saysWhoIsNew }) => {
		it(`has at most ${most} nodes and three notes`, () => {
			expect(nodesOf(file).length).toBeLessThanOrEqual(most);
			const notes = readWorkflowFile(file).nodes.filter(({ type }) => type.endsWith('.stickyNote'));
			expect(notes.length).toBeLessThanOrEqual(3);
		});

		it('fits into the editor at a size that one can read', () => {
			const { width, height } = extent(readWorkflowFile(file));
			expect(width).toBeLessThanOrEqual(1_800);
			expect(height).toBeLessThanOrEqual(900);
		});

		it('closes only through Sync, which ships with Dry Run on', () => {
			const operations = of(file, '.supercast').map(({ parameters }) => parameters.operation);
			expect(operations).toEqual(saysWhoIsNew ? ['sync', 'setAccess'] : ['sync']);
			expect(parametersOf(file, 'Sync')).toMatchObject({
				dryRun: true,
				close: 'withCustomerId',
				maxClosePercent: 5,
			});
			if (saysWhoIsNew) expect(parametersOf(file, 'Set Access')).toMatchObject({ access: 'open' });
		});

		const member = () => valuesOf(file, 'Who Is a Member');

		it('gives each customer ID the prefix of its system', () => {
			const { options } = parametersOf(file, 'Sync') as { options: object };
			expect(options).toMatchObject({ customerIdPrefix: '={{ $json.prefix }}' });
			expect(member().prefix).toBe(prefix);
			// Stripe's own IDs begin with its prefix.
			const added = prefix.split(', ').filter((one) => one !== 'cus_');
			const { customerId } = { ...valuesOf(file, 'Fields in Use'), ...member() };
			for (const one of added) expect(customerId).toContain(`'${one}' +`);
		});

		it('lets an empty list reach Sync, which refuses it', () => {
			const way = wayTo(file, 'Sync').filter((name) => name !== 'Sync');
			const last = way.filter((name) => /^(Who|Fields|Each|Read the Rows|Rows in Use)/.test(name));
			expect(last.length).toBeGreaterThan(0);
			for (const name of last) expect(nodeNamed(file, name)?.alwaysOutputData).toBe(true);
		});

		const readers = of(file, '.httpRequest').filter(({ parameters }) =>
			JSON.stringify(parameters).includes('pagination":{"pagination'),
		);

		it('takes no page that is not JSON, and tries each request again', () => {
			expect(readers.length > 0 || file === 'any-list.json').toBe(true);
			for (const { name, parameters, maxTries } of readers) {
				const { response } = (parameters.options as { response: { response: object } }).response;
				expect([name, response, maxTries]).toEqual([
					name,
					expect.objectContaining({ responseFormat: 'json' }),
					3,
				]);
			}
		});

		it('reads no further after a page that is not a list, and never takes a refusal for the end', () => {
			for (const reader of readers) {
				const isComplete = completionOf(reader);
				const ended = DAMAGED.map((body) => isComplete({ statusCode: 200, body }, 1));
				expect([reader.name, ended]).toEqual([reader.name, DAMAGED.map(() => true)]);
				const refused = DAMAGED.map((body) => isComplete({ statusCode: 429, body }, 1));
				expect([reader.name, refused]).toEqual([reader.name, DAMAGED.map(() => false)]);
			}
		});

		it('tells Sync which record each item is, and how many there are', () => {
			const { options } = parametersOf(file, 'Sync') as { options: Record<string, string> };
			expect(options).not.toHaveProperty('recordsRead');
			expect(options.recordId).toBe('={{ $json.recordId }}');
			expect(options.recordsExpected).toMatch(
				/^=\{\{ \$\('The List'\)\.isExecuted && \$\('The List'\)\.first\(\)\.json\.expected/,
			);
			const counts = Object.keys(valuesOf(file, 'The List')).filter((name) =>
				name.startsWith('expected.'),
			);
			// A file says nothing of how many rows it should have.
			expect(counts.length > 0).toBe(file !== 'any-list.json');
		});

		it('names the limit if it stops reading before the end', () => {
			for (const { name, parameters } of readers) {
				const text = JSON.stringify(parameters.options);
				expect([name, text]).toEqual([
					name,
					expect.stringContaining('"limitPagesFetched":true,"maxRequests":1000'),
				]);
				// Products are only names to choose from, and new members come again with the whole list.
				if (/^Read (?:the Products|New)/.test(name)) continue;
				expect(valuesOf(file, 'The List').hint).toContain(
					`.length >= 1000 ? 'The limit of 1,000 pages is reached. Raise Max Pages in ${name}.'`,
				);
			}
		});

		it('repairs no value, and compares none with a pattern', () => {
			const all = JSON.stringify(nodesOf(file).map(({ parameters }) => parameters));
			expect(all).not.toMatch(/extractEmail|"regex"|notRegex/);
		});

		it('does not save the data of executions that succeed', () => {
			expect(readWorkflowFile(file).settings).toMatchObject({
				executionOrder: 'v1',
				saveDataSuccessExecution: 'none',
			});
		});

		it('remembers one email a day for each reason, and sends it later if it must', () => {
			expect(before(file, 'Not Told Yet').sort()).toEqual(['Sync', 'When Something Fails']);
			expect(after(file, 'Not Told Yet')).toEqual(['Email to You']);
			expect(after(file, 'Email to You', 1)).toEqual(['Try Again Later']);
			expect(after(file, 'Try Again Later')).toEqual(['Email to You']);
			expect(nodeNamed(file, 'Not Told Yet')).toMatchObject({ executeOnce: true });
		});

		it('has one Supercast credential, and stubs from which n8n fills in the others', () => {
			for (const { name, type, parameters, credentials } of nodesOf(file)) {
				const needs =
					type.startsWith('n8n-nodes-supercast.') ||
					['genericCredentialType', 'predefinedCredentialType'].includes(
						String(parameters.authentication),
					);
				const ids = Object.values(credentials ?? {}).map(({ id }) => id);
				expect([name, ids]).toEqual([name, needs ? [null] : []]);
			}
		});

		if (!saysWhoIsNew) return;

		it('opens feeds of new members by the same rules, and only outside of a dry run', () => {
			expect(before(file, 'Set Access')).toEqual(['Not Seen Yet']);
			expect(before(file, 'Not Seen Yet')).toEqual(['Open Records']);
			expect(JSON.stringify(parametersOf(file, 'Open Records'))).toContain(
				"{{ $json.access === 'open' }}",
			);
			expect(before(file, 'Open Records')).toEqual(['New Records']);
			for (const gate of ['New Records', 'All Records'])
				expect(before(file, gate)).toEqual(['Each Record']);
			const most = (gate: string, ran: string[], dryRun: boolean) =>
				resolved(file, gate, 'maxItems', {
					input: {},
					ran: Object.fromEntries(ran.map((name) => [name, [{}]])),
					edit: ({ name, parameters }) => {
						if (name === 'Sync') parameters.dryRun = dryRun;
					},
				});
			const [all, some] = [['Every 5 Minutes'], ['Every Minute']];
			for (const isDry of [true, false]) {
				expect([most('All Records', all, isDry), most('New Records', all, isDry)]).toEqual([
					1e6, 0,
				]);
				expect(most('All Records', some, isDry)).toBe(0);
				expect(most('New Records', some, isDry)).toBe(isDry ? 0 : 1e6);
			}
			const fields = ({ email, customerId, status, additionalFields }: Record<string, unknown>) =>
				JSON.stringify({ email, customerId, status, additionalFields });
			expect(fields(parametersOf(file, 'Set Access'))).toBe(fields(parametersOf(file, 'Sync')));
		});

		it('refers to no node that the note invites to delete', () => {
			const deletable = ['Every Minute', 'Read New', 'New Records', 'Open Records', 'Not Seen Yet'];
			deletable.push('Set Access');
			const referred = nodesOf(file)
				.filter(({ name }) => !deletable.some((one) => name.startsWith(one)))
				.map(({ parameters }) => JSON.stringify(parameters))
				.join();
			for (const name of deletable) expect(referred).not.toContain(`$('${name}`);
		});
	});

	it('takes two systems as one list', () => {
		const file = 'stripe-and-patreon.json';
		expect(before(file, 'Both Lists').sort()).toEqual(['Read Patreon', 'Read Stripe']);
		expect(after(file, 'Both Lists')).toEqual(['Who Counts']);
	});

	/** Pages with status 200 that are no list of members. */
	const DAMAGED: unknown[] = [
		...[undefined, null, {}, [], '', '<html>Just a moment</html>', { data: null }, { data: {} }],
		...[
			{ data: [], has_more: true },
			{ data: '<html>', meta: null },
			{ errors: [{ message: 'No' }] },
		],
		...[
			{ data: null, errors: [] },
			{ data: { members: null } },
			{ data: { members: { edges: [] } } },
		],
		...[
			{ members: [], meta: {} },
			{ members: null },
			{ members: [{}], meta: { pagination: null } },
		],
	];

	/** Whether n8n would read no further page. An expression that throws ends the list, too. */
	function completionOf({ parameters }: WorkflowNode) {
		const text = JSON.stringify(parameters.options);
		const { completeExpression } = (
			JSON.parse(text) as { pagination: { pagination: { completeExpression: string } } }
		).pagination.pagination;
		const body = completeExpression.replace(/^=\{\{|\}\}$/g, '');
		return (response: object, pages: number): unknown =>
			runInNewContext(body, { $response: { headers: {}, ...response }, $pageCount: pages });
	}

	/** All nodes before a node. */
	function wayTo(file: string, name: string, known: string[] = []): string[] {
		if (known.includes(name)) return known;
		return before(file, name).reduce((way, one) => wayTo(file, one, way), [...known, name]);
	}

	function extent({ nodes }: Workflow): { width: number; height: number } {
		const boxes = nodes.map(({ position, parameters }) => {
			const [x = 0, y = 0] = position as number[];
			const { width = 96, height = 96 } = parameters as { width?: number; height?: number };
			return { left: x, top: y, right: x + width, bottom: y + height };
		});
		const most = (key: 'right' | 'bottom') => Math.max(...boxes.map((box) => box[key]));
		const least = (key: 'left' | 'top') => Math.min(...boxes.map((box) => box[key]));
		return { width: most('right') - least('left'), height: most('bottom') - least('top') };
	}
});
