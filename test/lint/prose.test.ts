import { readFileSync } from 'node:fs';

import { dictionaries, lintProse } from '../../scripts/prose/linter';
import { commentsIn, notesIn, sentencesIn, type Text } from '../../scripts/prose/texts';

async function messages(text: string, kind: Text['kind'] = 'page'): Promise<string[]> {
	const findings = await lintProse({ file: 'a.md', line: 1, text, kind });
	return findings.map(({ message }) => message);
}

/** The examples of a dictionary, which must be found, and the number of its entries. */
function examplesOf(dictionary: string): { entries: number; examples: string[] } {
	const yaml = readFileSync(dictionary, 'utf8');
	const examples = [...yaml.matchAll(/^\s+- from: (.*)$/gm)].map(([, from]) =>
		from!.replace(/^'(.*)'$/, '$1'),
	);
	return { entries: yaml.match(/^\s+- expected: /gm)!.length, examples };
}

const pageWords = examplesOf(dictionaries.all);
const interfaceWords = examplesOf(dictionaries.interface);

// An example of each class of words to avoid. No class may disappear when someone edits the
// dictionary.
const AVOIDED = [
	'Copy it: it is shown only once.',
	'Counted is what is due.',
	'Stripe is asked.',
	'It is tried again.',
	'A payment shall not open it.',
	'The demo has a lockfile of its own.',
	'The feed closes at once.',
	'Close it for the time being.',
	'Close it for good.',
	'Copy both anew.',
	'Whoever is on the list has access.',
	'The service allows it.',
	'This n8n has no connection.',
	'Nothing is lost.',
	'A subscriber is never created twice.',
	'The listener gets a new feed.',
	'Remove the subscriber.',
	'Revoke their access.',
	'Activate the workflow.',
	'The tools are switched off.',
	'They get a mail.',
];

describe('the prose linter', () => {
	it.each(AVOIDED)('turns red for "%s"', async (text) => {
		expect(await messages(text)).toHaveLength(1);
	});

	it.each([...pageWords.examples, ...interfaceWords.examples])(
		'turns red for the example "%s"',
		async (text) => {
			expect(await messages(text, 'interface')).not.toEqual([]);
		},
	);

	it.each(AVOIDED)('turns red for "%s" in a comment and in the name of a test', async (text) => {
		const code = `// ${text}\nit(${JSON.stringify(text)}, run);`;
		const found = await Promise.all(
			commentsIn('a.ts', code).map(async (one) => await lintProse(one)),
		);
		expect(found.map((findings) => findings.length)).toEqual([1, 1]);
	});

	it('has an example for every entry of its dictionaries', () => {
		expect(pageWords.examples).toHaveLength(pageWords.entries);
		expect(interfaceWords.examples).toHaveLength(interfaceWords.entries);
	});

	it.each([
		'Copy the token now. Supercast shows it only once.',
		'A member who pays again keeps the feed.',
		'Choose **Suspend Listener and Stop Billing** under _Usage Alert_.',
		'Nothing is lost, except after a crash between two writes.',
		'n8n retries the request. Supercast allows 100 requests per minute across all apps.',
		'Run `npm run shall -- at once` first:\n\n```sh\nmail the service at once\n```',
	])('passes "%s"', async (text) => {
		expect(await messages(text)).toEqual([]);
	});

	it('looks into headings, tables, lists, quotes, links and emphasis', async () => {
		const places = [
			'# At once',
			'| a |\n| --- |\n| at once |',
			'- at once',
			'> at once',
			'[at once](a.md)',
			'_at once_',
			'**at once**',
		];
		for (const text of places) expect([text, (await messages(text)).length]).toEqual([text, 1]);
	});

	it('counts the words of a sentence, and code as one of them', async () => {
		const words = (count: number): string =>
			['Word', ...Array.from({ length: count - 1 }, () => 'word')].join(' ');
		expect(await messages(`${words(20)}. ${words(20)}.`)).toEqual([]);
		expect(await messages(`${words(19)} \`a b c d\`.`)).toEqual([]);
		expect(await messages(`${words(21)}.`)).toEqual([expect.stringContaining('21 words')]);
	});

	it('reports the line of the file', async () => {
		const text = 'Fine.\n\nThe feed closes at once.\n';
		const [finding] = await lintProse({ file: 'a.md', line: 1, text, kind: 'page' });
		expect(finding).toMatchObject({ file: 'a.md', line: 3 });
		const comments = commentsIn(
			'a.ts',
			'// Fine.\n\nrun();\n// At once.\n// Fine.\nrun();\n// At once.',
		);
		const found = await lintProse(...comments);
		expect(found.map(({ line }) => line)).toEqual([4, 7]);
	});
});

describe('the texts that it reads', () => {
	it('are the notes of a workflow, and the texts of its nodes and their code', () => {
		const json = JSON.stringify(
			{
				name: 'Close a feed',
				nodes: [
					{ name: 'Note', parameters: { content: '## A note\nIt closes the feed.' } },
					{ name: 'Send Email', parameters: { subject: '=Feed of {{ $json.email }} closed' } },
					{ name: 'Code', parameters: { jsCode: "return [{ advice: 'Look at it' }]" } },
				],
				connections: { 'Send Email': {} },
			},
			null,
			2,
		);
		expect(notesIn('a.json', json).map(({ line, text }) => [line, text])).toEqual([
			[2, 'Close a feed'],
			[7, '## A note\nIt closes the feed.'],
			[11, 'Send Email'],
			[13, 'Feed of … closed'],
			[19, 'Look at it'],
		]);
	});

	it('are the comments of source code, and the names of tests', () => {
		const code = [
			'/**',
			' * Closes a feed.',
			' *',
			' * @returns What Supercast answered.',
			' */',
			'function close() {}',
			'// Not below',
			'// zero.',
			"describe('a feed', () => { it('closes', close); /* later */ });",
			'if (isOpen) {',
			'\t// Not yet.',
			'}',
		].join('\n');
		expect(commentsIn('a.ts', code).map(({ line, text }) => [line, text.trim()])).toEqual([
			[1, 'Closes a feed.\n\n@returns What Supercast answered.'],
			[7, 'Not below\nzero.'],
			[9, 'a feed'],
			[9, 'closes'],
			[9, 'later'],
			[11, 'Not yet.'],
		]);
	});

	it('are the labels, descriptions and messages of source code, with … for inserted values', () => {
		const code = [
			"import a from './a b';",
			"const field = { displayName: 'First Name', name: 'firstName', placeholder: 'e.g. Ann' };",
			'throw new InputError(`No subscriber ${name} was found`);',
		].join('\n');
		expect(sentencesIn('a.ts', code).map(({ line, text }) => [line, text])).toEqual([
			[1, './a b'],
			[2, 'First Name'],
			[2, 'e.g. Ann'],
			[3, 'No subscriber … was found'],
		]);
	});
});
