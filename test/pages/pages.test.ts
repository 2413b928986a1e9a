import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

import { SupercastOAuth2Api } from '../../credentials/SupercastOAuth2Api.credentials';
import { operationsPage } from '../harness/docs/operationsPage';
import { runSupercast } from '../harness/engine';
import { ACCESS_TOKEN_SENTENCES, NO_VERSION } from '../../nodes/Supercast/api/auth/testSentences';
import { proseTextsOf } from '../../tools/lint/prose/texts';
import { credentialOf, useSandbox } from '../support/sandbox';

const root = join(__dirname, '..', '..');

describe('pages', () => {
	const CODE_BLOCK = /```[\s\S]*?```/g;

	function filesIn(folder: string, ending: string, recursive = true): string[] {
		return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
			const path = join(folder, entry.name);
			const isSearched = recursive && entry.name !== 'node_modules';
			if (entry.isDirectory()) return isSearched ? filesIn(path, ending) : [];
			return path.endsWith(ending) ? [path] : [];
		});
	}

	const pages = [
		...filesIn('', '.md', false),
		...['.github', 'docs', 'simulators', 'tools', 'test', 'workflows'].flatMap((name) =>
			filesIn(name, '.md'),
		),
	];

	function linksIn(page: string): string[] {
		const text = readFileSync(join(root, page), 'utf8').replace(CODE_BLOCK, '');
		const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
		return links.filter((link) => !/^[a-z]+:/.test(link));
	}

	/** The anchors that GitHub gives to headings. */
	function anchorsOf(file: string): string[] {
		const headings =
			readFileSync(file, 'utf8')
				.replace(CODE_BLOCK, '')
				.match(/^#+ .*$/gm) ?? [];
		return headings.map((heading) =>
			heading
				.replace(/^#+ /, '')
				.toLowerCase()
				.replace(/[^\p{L}\p{N} _-]/gu, '')
				.replace(/ /g, '-'),
		);
	}

	describe('the documentation', () => {
		it.each(pages)('%s has no broken link', (page) => {
			for (const link of linksIn(page)) {
				const [path = '', anchor] = link.split('#');
				const target = path === '' ? join(root, page) : resolve(root, dirname(page), path);
				expect([link, existsSync(target)]).toEqual([link, true]);
				if (anchor !== undefined) expect(anchorsOf(target)).toContain(anchor);
			}
		});

		it.each(pages)('%s names only commands that exist', (page) => {
			const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
				scripts: Record<string, string>;
			};
			const text = readFileSync(join(root, page), 'utf8');
			const named = [...text.matchAll(/\bnpm run ([a-z0-9:-]+)/g)].map(([, name]) => name!);
			const known = Object.keys(scripts);
			expect(named.filter((name) => !known.includes(name))).toEqual([]);
		});

		it.each(pages)('%s names only source files that exist', (page) => {
			const text = readFileSync(join(root, page), 'utf8').replace(CODE_BLOCK, '');
			const named = [...text.matchAll(/`([\w.-]+\/[\w./-]+\.(?:ts|js|cjs|mjs|sh|yml))`/g)];
			const places = [root, join(root, 'nodes', 'Supercast'), join(root, 'test')];
			for (const [, file] of named) {
				expect([file, places.some((place) => existsSync(join(place, file!)))]).toEqual([
					file,
					true,
				]);
			}
		});

		it('mentions every workflow and every page', () => {
			const listed = (page: string): string[] =>
				linksIn(page).map((link) => resolve(root, dirname(page), link.split('#')[0]!));
			const files = (folder: string, ending: string): string[] =>
				filesIn(folder, ending, false).map((file) => join(root, file));
			expect(listed('workflows/README.md')).toEqual(
				expect.arrayContaining(files('workflows', '.json')),
			);
			expect([...listed('docs/README.md'), join(root, 'docs', 'README.md')]).toEqual(
				expect.arrayContaining(files('docs', '.md')),
			);
		});

		it('leads from the README to every page of the documentation in two clicks', () => {
			const near = ['README.md', ...linksFrom('README.md')];
			const reached = new Set([...near, ...near.flatMap(linksFrom)]);
			const all = filesIn('docs', '.md', false);
			expect(all.filter((page) => !reached.has(page))).toEqual([]);
		});

		/** The pages to which a page leads. */
		function linksFrom(page: string): string[] {
			return linksIn(page)
				.map((link) => join(dirname(page), link.split('#')[0]!))
				.filter((path) => path.endsWith('.md'));
		}

		it('shows every picture that the repository keeps', () => {
			const shown = pages.flatMap((page) =>
				linksIn(page).map((link) => resolve(root, dirname(page), link)),
			);
			const pictures = ['.png', '.gif', '.svg'].flatMap((ending) => filesIn('docs/images', ending));
			expect(pictures.filter((file) => !shown.includes(join(root, file)))).toEqual([]);
		});
	});

	describe('numbers and pictures', () => {
		const readme = readFileSync(join(root, 'README.md'), 'utf8');

		function page(name: string): string {
			return readFileSync(join(root, 'docs', name), 'utf8');
		}

		describe('the README', () => {
			it('shows only pictures that are in the repository', () => {
				const images = [...readme.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, image]) => image!);
				expect(images.length).toBeGreaterThan(0);
				for (const image of images)
					expect([image, existsSync(join(root, image))]).toEqual([image, true]);
			});

			it('can be followed without getting lost: it has few links, and each jump has its heading', () => {
				const links = [...readme.matchAll(/(?<!!)\[[^\]]*\]\(([^)]*)\)/g)].map(([, link]) => link!);
				expect(links.length).toBeLessThanOrEqual(25);
				const jumps = links.filter((link) => link.startsWith('#'));
				expect(jumps).toContain('#install');
				expect(anchorsOf(join(root, 'README.md'))).toEqual(
					expect.arrayContaining(jumps.map((jump) => jump.slice(1))),
				);
			});

			it('names the oldest tested version of n8n, and the number of tested versions', () => {
				const rows = page('versions.md').match(/^\| \d.*(?=\| (?:passed|–) )/gm)!;
				const versions = rows.map((row) => row.split('|')[1]!.trim());
				const [major, minor] = versions[0]!.split('.');
				const newest = versions.at(-1)!.split(' ')[0]!.split('.');
				expect(readme).toContain(`n8n ${major}.${minor} to ${newest[0]}.${newest[1]}`);
				const count = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'][
					versions.length
				];
				expect(readme).toContain(`${count} versions](docs/versions.md)`);
			});
		});

		describe('the limit of requests', () => {
			const limits = page('troubleshooting.md');

			it('quotes how many deletes fail with HTTP Request as measured', () => {
				const measured = readFileSync(join(root, 'tools', 'bench', 'README.md'), 'utf8');
				const [row] = /\| HTTP Request, default.*/.exec(measured)!;
				// The first number is that of the record before.
				const [, lost] = [...row.matchAll(/(\d+) lost/g)].at(-1)!;
				expect(limits).toContain(`${lost} of 1,000 deletes failed`);
				expect(readme).toContain(`${lost} of 1,000 deletes failed`);
			});

			it('computes how long items take from 100 requests per minute', () => {
				const rows = [...limits.matchAll(/^\| ([\d,]+) +\| (\d+) minutes +\|$/gm)];
				expect(rows.length).toBeGreaterThan(3);
				for (const [, items, minutes] of rows) {
					expect(Number(minutes)).toBe(Number(items!.replace(',', '')) / 100 - 1);
				}
			});
		});
	});
});

describe('promises', () => {
	const read = (path: string): string => readFileSync(join(root, path), 'utf8');
	const filesIn = (folder: string, ending: string): string[] =>
		(readdirSync(join(root, folder), { recursive: true }) as string[])
			.filter((name) => name.endsWith(ending))
			.map((name) => join(folder, name));

	const pages = ['README.md', 'workflows/README.md', ...filesIn('docs', '.md')].filter(
		(page) => !page.includes('decisions'),
	);
	const workflows = filesIn('workflows', '.json');

	/** Paragraphs, rows, notes and comments, each with its file. */
	const passages = [...pages, ...workflows, ...filesIn('nodes', '.ts')].flatMap((file) =>
		proseTextsOf(root, file)
			.flatMap(({ kind, text }) =>
				kind === 'comment' ? [text.replaceAll('\n', ' ')] : text.split('\n'),
			)
			.map((text) => ({ file, text })),
	);

	/** Passages that make a claim without the words that must qualify it. */
	function unqualified(claim: RegExp, beside: RegExp): string[] {
		const found = passages.filter(({ text }) => claim.test(text));
		expect(found.length).toBeGreaterThan(0);
		return found
			.filter(({ text }) => !beside.test(text))
			.map(({ file, text }) => `${file}: ${text}`);
	}

	const operations = read('docs/operations.md');
	/** What the editor shows beside an option. */
	const described = (file: string, label: string): string =>
		read(`nodes/Supercast/${file}`).split(`'${label}', {`)[1]!.split('}),')[0]!;

	describe('the pages agree with the node', () => {
		it('the page of operations is the one that npm run docs writes', async () => {
			const wordsOf = (text: string): string[] => text.split(/[\s"{}[\],:]+/);
			expect(wordsOf(operations.trim())).toEqual(wordsOf(await operationsPage()));
		});

		it('Delete refers to Feed: Deactivate for the end of a membership', () => {
			const text = operations.split('\n### Subscriber: Delete\n')[1]!.split('\n### ')[0]!;
			expect(text).toContain('If a membership ends, use Feed: Deactivate instead');
		});

		it('Reactivate must be added in Create or Update', () => {
			const text = described('subscriber/upsert.ts', 'Reactivate');
			expect(text).toContain('Without this option, the feeds stay closed.');
		});

		it('no page suspends a feed after a failed payment, since no workflow opens it again', () => {
			const lines = passages.filter(
				({ text }) => /suspend/i.test(text) && /failed pay/i.test(text),
			);
			expect(lines).toEqual([]);
		});
	});

	describe('no page promises what the node or Supercast may not do', () => {
		it('that a feed keeps its address when it opens again is marked as inferred', () => {
			const claim =
				/\baddress\b[^.|]*\b(?:stays?|remains?)\b|\b(?:keeps?|same)\b (?:\w+ ){0,2}feed address|\b(?:at the same|keeps? (?:its|their)) address\b|\breturn\w* [^.|]*\bkeeps? [^.|]*\bfeed/i;
			expect(unqualified(claim, /\binferred\b/)).toEqual([]);
		});

		it('a used refresh token "may" count as stolen', () => {
			expect(unqualified(/\bstolen\b|\btheft\b/i, /\bmay\b/)).toEqual([]);
		});

		it('a page has "usually" or "at most" 100 records', () => {
			const claim = /\b100 (?:records|subscribers)\b|\b100 per (?:page|request\b(?!s))/i;
			expect(unqualified(claim, /\busually\b|\bat most\b/i)).toEqual([]);
		});

		it('not every member gets a feed: some are suspended, pending or could not be charged', () => {
			const claim =
				/\bfeeds? (?:of|to|for) (?:all|every|each)\b[^.|]*members?\b|\b(?:each|every(?:one| member))\b[^.|]* a (?:private )?feed/i;
			const text = passages.filter((one) => claim.test(one.text));
			expect(text.filter((one) => !/\b(?:except|unless)\b/.test(one.text))).toEqual([]);
		});

		it('a dry run takes no nights, because an unpublished workflow does not run at night', () => {
			expect(passages.filter(({ text }) => /dry run[^.|]*\bnights?\b/i.test(text))).toEqual([]);
		});
	});

	describe('the limit of Sync', () => {
		const sandbox = useSandbox({ subscribers: 40 });

		/** Gives Sync one of 40 members, so that it would close the feeds of almost everyone. */
		async function run(dryRun: boolean) {
			const [member] = sandbox.current.state.subscribers;
			return await runSupercast({
				parameters: {
					resource: 'subscriber',
					operation: 'sync',
					email: member!.email,
					close: 'all',
					dryRun,
					options: { output: 'summary', closeAfter: 1, closeWithPlan: true },
				},
				credential: credentialOf(sandbox.current),
				items: [{ email: member!.email }],
			});
		}

		it('fails a run with a text to copy, as the page says, and a dry run only says so', async () => {
			const { error } = await run(false);
			expect(error?.message).toMatch(/^Sync stopped: \d+ feeds would close/);
			const [, example = ''] = /such as `(close [^`]+)`/.exec(read('docs/sync.md'))!;
			const form = example.replace(/\d+/g, '\\d+');
			expect(String(error?.description)).toMatch(new RegExp(`'Allow Once': ${form}`));
			const dry = await run(true);
			expect(dry.error).toBeUndefined();
			expect(dry.output.at(-1)?.json.title).toMatch(/^DRY RUN: Sync would stop: \d+ feeds/);
		});
	});

	describe('member workflows', () => {
		const order = [
			/credential|token/,
			/Execute workflow/,
			/turn off \W*Dry Run/i,
			/publish(?!\W*tell-members)/i,
		];

		it.each(['README.md', 'docs/set-up.md', 'workflows/stripe.json'])(
			'%s: credentials, a run by hand, no more dry run, and then publish',
			(file) => {
				const [setUp] = proseTextsOf(root, file)
					.map(({ text }) => text)
					.filter((text) => order.every((step) => step.test(text)));
				const steps = setUp!
					.split('\n')
					.filter((line) => /^\d+\. /.test(line))
					.join('\n');
				const places = order.map((step) => steps.search(step));
				expect(places).toEqual([...places].sort((one, other) => one - other));
				expect(places).not.toContain(-1);
			},
		);
	});
});

describe('the tables of errors', () => {
	const CHANGING = '…';

	/** The messages in the tables in which people look up errors. */
	function documented(): string[] {
		return ['troubleshooting.md', 'credentials.md', 'sync.md'].flatMap((page) => {
			const tables = readFileSync(join(root, 'docs', page), 'utf8').split(/^\| message .*$/m);
			const rows = tables.slice(1).flatMap((table) => table.split('\n\n')[0]!.split('\n'));
			const cells = rows.map((row) =>
				row
					.split(/ \|(?: |$)/)[0]!
					.replace(/^\| /, '')
					.trim(),
			);
			return cells.filter((cell) => cell !== '' && !/^\|? ?---/.test(cell));
		});
	}

	/** A message, and whether the error also says what to do. */
	interface Message {
		text: string;
		hasRemedy: boolean;
	}

	/** Every message that the package's code can give an error, with … for each inserted value. */
	function messages(): Message[] {
		const nodes = join(root, 'nodes');
		const files = (readdirSync(nodes, { recursive: true }) as string[]).filter((name) =>
			name.endsWith('.ts'),
		);
		return files.flatMap((name) => {
			const text = readFileSync(join(nodes, name), 'utf8');
			return messagesIn(ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true));
		});
	}

	function messagesIn(file: ts.SourceFile): Message[] {
		const found: Message[] = [];
		const visit = (node: ts.Node): void => {
			const [message, remedy] = partsOf(node);
			if (message !== undefined) {
				found.push({ text: textOf(message), hasRemedy: remedy !== undefined && !isEmpty(remedy) });
			}
			ts.forEachChild(node, visit);
		};
		visit(file);
		// A message of inserted values alone would stand for every row.
		return found.filter(({ text }) => /\p{L}/u.test(text));
	}

	function isEmpty(remedy: ts.Expression): boolean {
		return ts.isStringLiteralLike(remedy) && remedy.text === '';
	}

	/** The message and the remedy of an error, in the table of messages or anywhere else. */
	function partsOf(node: ts.Node): readonly (ts.Expression | undefined)[] {
		const isInTable = /errors\/(?:messages|tokenSentences)\.ts$/.test(
			node.getSourceFile().fileName,
		);
		if (isInTable && ts.isArrayLiteralExpression(node) && node.elements.length === 2) {
			return node.elements;
		}
		if (
			ts.isNewExpression(node) &&
			/^(Input|Service|TimeIsUp)Error$/.test(node.expression.getText())
		) {
			return node.arguments ?? [];
		}
		// A hint has a type, and no remedy.
		if (!ts.isObjectLiteralExpression(node) || valueOf(node, 'type')) return [];
		return ['message', 'description'].map((name) => valueOf(node, name));
	}

	function valueOf(node: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
		const found = node.properties.find((one) => one.name?.getText() === name);
		return found !== undefined && ts.isPropertyAssignment(found) ? found.initializer : undefined;
	}

	function textOf(expression: ts.Expression): string {
		if (ts.isStringLiteralLike(expression)) return expression.text.replace(/\{\w+\}/g, CHANGING);
		if (!ts.isTemplateExpression(expression)) return '';
		const { head, templateSpans } = expression;
		return [head.text, ...templateSpans.map(({ literal }) => literal.text)].join(CHANGING);
	}

	/** The sentences that n8n shows when the test of a credential fails. */
	function testSentences(): string[] {
		const { rules = [] } = new SupercastOAuth2Api().test;
		const ofOAuth2 = rules.map(({ properties }) => properties.message);
		return [...Object.values(ACCESS_TOKEN_SENTENCES), NO_VERSION, ...ofOAuth2];
	}

	/** Whether a row of a table matches a message. A row may give just the beginning of a message. */
	function standsFor(row: string, message: string): boolean {
		const parts = message
			.split(CHANGING)
			.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
		const beginning = row.replace(/ …$/, '');
		return message.startsWith(beginning) || new RegExp(`^${parts.join('.*')}$`).test(row);
	}

	const rows = documented();
	const sentences = testSentences().map((text) => ({ text, hasRemedy: true }));
	const all = [...messages(), ...sentences];

	it('have a row for every message that does not itself say what to do', () => {
		expect(all.length).toBeGreaterThan(50);
		// A message for an agent contains the remedy.
		const forAgents = `${CHANGING}. ${CHANGING}`;
		const silent = all
			.filter(({ text, hasRemedy }) => !hasRemedy && text !== forAgents)
			.map(({ text }) => text);
		expect(silent.filter((text) => !rows.some((row) => standsFor(row, text)))).toEqual([]);
	});

	it('have no row for a message that does not exist', () => {
		expect(rows.filter((row) => !all.some(({ text }) => standsFor(row, text)))).toEqual([]);
	});
});
