import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow } from '../harness/n8n/setup';
import { root } from '../harness/system/paths';
import { normalize } from '../harness/workflows/normalize';
import {
	after,
	files,
	memberFiles,
	nodeNamed,
	nodesOf,
	nodesReadIn,
	of,
	readWorkflowFile,
	settingsFields,
	texts,
	wires,
} from './files';
import { SUBSCRIBER_STATES } from '../../nodes/Supercast/subscriber/states';
import { SYSTEMS, systemsOf } from '../../simulators/memberships';
import { brokenBy, rules } from './n8n3Rules';
import { samples } from './n8n3Samples';

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
			const known = new Set([...words, ...UI, ...labelsOf(file)]);
			expect(bold.filter((text) => !known.has(text))).toEqual([]);
		});
	});

	/** Labels of the pages of the membership systems that a file reads. */
	const labelsOf = (file: string) =>
		systemsOf(file).flatMap((name) => SYSTEMS[name].workflow.labels ?? []);

	/** What notes name besides nodes and settings: labels of n8n, and words of the file. */
	const UI = new Set([
		...['D', '500', 'production URL', 'Retry', 'Executions', 'email', 'change', 'at'],
		'Members From a List',
		...['eventId', 'name'],
		...['Production URL', 'URL', 'Tell Members', 'Look', 'Never Close'],
		...['Execute workflow', 'Dry Run', 'Authentication', 'Settings', 'Poll Times', 'Ignore'],
		...['Ctrl+S', '⌘S', 'Save', 'View', 'Timezone', 'Forbidden'],
		...['⋯', 'Save successful production executions', 'Save manual executions', 'Do not save'],
		...['Access', 'Open For', 'Keep For', 'Close For', 'Products That Count', 'Other Products'],
		...['Access Until', 'Customer ID', 'Execute step', 'Listen for test event', 'access'],
		...['Stripe Members', 'Patreon Members'],
	]);

	describe('as imported, without a person who has read the notes', () => {
		it.each<[string, string[]]>([
			['tell-members.json', ['Send Email']],
			['payment-failed.json', ['Email the Member']],
			['mailing-list.json', ['Kit', 'Kit Tag']],
			['tell-team.json', ['Chat', 'Google Sheets']],
			...memberFiles.map((name): [string, string[]] => [`${name}.json`, ['Email to You']]),
		])('%s sends nothing', (file, names) => {
			const disabled = nodesOf(file).filter((node) => node.disabled === true);
			expect(disabled.map(({ name }) => name).sort()).toEqual(names);
		});
	});

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
