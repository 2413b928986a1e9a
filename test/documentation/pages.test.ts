import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '..', '..');
const CODE_BLOCK = /```[\s\S]*?```/g;

function filesIn(folder: string, ending: string, recursive = true): string[] {
	const names = readdirSync(join(root, folder), { recursive }) as string[];
	return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

const pages = [
	...filesIn('', '.md', false),
	...['.github', 'bench', 'docs', 'sandbox', 'test', 'workflows'].flatMap((name) =>
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
			expect([file, places.some((place) => existsSync(join(place, file!)))]).toEqual([file, true]);
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

	it('shows every picture that the repository keeps', () => {
		const shown = pages.flatMap((page) =>
			linksIn(page).map((link) => resolve(root, dirname(page), link)),
		);
		const pictures = ['.png', '.gif', '.svg'].flatMap((ending) => filesIn('docs/images', ending));
		expect(pictures.filter((file) => !shown.includes(join(root, file)))).toEqual([]);
	});
});

describe('lengths and numbers', () => {
	const root = join(__dirname, '..', '..');
	const readme = readFileSync(join(root, 'README.md'), 'utf8');

	function page(name: string): string {
		return readFileSync(join(root, 'docs', name), 'utf8');
	}

	/** The words of the text itself: no code blocks, image paths, link targets or table rules. */
	function wordsOf(markdown: string): number {
		const text = markdown
			.replace(/```[\s\S]*?```/g, '')
			.replace(/!\[[^\]]*\]\([^)]*\)/g, '')
			.replace(/\]\([^)]*\)/g, ']')
			.replace(/<!--.*?-->/g, '');
		return (text.match(/[\p{L}\p{N}][\p{L}\p{N}'’./-]*/gu) ?? []).length;
	}

	describe('the README', () => {
		it('has at most 700 words', () => {
			expect(wordsOf(readme)).toBeGreaterThan(300);
			expect(wordsOf(readme)).toBeLessThanOrEqual(700);
		});

		it('shows only pictures that are in the repository', () => {
			const images = [...readme.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(([, image]) => image!);
			expect(images.length).toBeGreaterThan(0);
			for (const image of images)
				expect([image, existsSync(join(root, image))]).toEqual([image, true]);
		});

		it('names the oldest tested version of n8n, and the number of tested versions', () => {
			const rows = page('versions.md').match(/^\| \d.*(?=\| (?:passed|–) )/gm)!;
			const versions = rows.map((row) => row.split('|')[1]!.trim());
			const [major, minor] = versions[0]!.split('.');
			expect(readme).toContain(`n8n ${major}.${minor} and later`);
			const newest = versions.at(-1)!.split(' ')[0]!.split('.');
			const count = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'][versions.length];
			expect(readme).toContain(
				`${count} versions](docs/versions.md) up to ${newest[0]}.${newest[1]}`,
			);
		});
	});

	it.each([
		['architecture.md', 600],
		['credentials.md', 900],
		['day-one.md', 450],
		['faq.md', 360],
		['installation.md', 750],
		['patreon.md', 300],
		['queue-mode.md', 400],
		['running.md', 500],
		['service.md', 600],
		['sync.md', 1_100],
		['troubleshooting.md', 1_200],
		['trigger.md', 800],
		['when-something-fails.md', 550],
	])('keeps docs/%s at %s words', (name, most) => {
		const words = wordsOf(page(name));
		expect(words).toBeGreaterThan(most / 3);
		expect(words).toBeLessThanOrEqual(most);
	});

	it('keeps docs/ at 13,500 words, without the decisions', () => {
		const names = readdirSync(join(root, 'docs'), { recursive: true }) as string[];
		const pages = names.filter((name) => name.endsWith('.md') && !name.startsWith('decisions'));
		const words = pages.reduce((sum, name) => sum + wordsOf(page(name)), 0);
		expect(pages.length).toBeGreaterThan(25);
		expect(words).toBeLessThanOrEqual(13_500);
	});

	describe('the page Limits', () => {
		const limits = page('limits.md');

		it('begins with 150 words at most', () => {
			const summary = /<!-- limits: begin -->([\s\S]*?)<!-- limits: end -->/.exec(limits)![1]!;
			expect(wordsOf(summary)).toBeGreaterThan(50);
			expect(wordsOf(summary)).toBeLessThanOrEqual(150);
			expect(limits.indexOf('| ---')).toBeGreaterThan(limits.indexOf('<!-- limits: end -->'));
		});

		it.each(['elapsed', 'HTTP Request, default', 'HTTP Request, best', 'Bottleneck', 'p-throttle'])(
			'quotes the measurements correctly: %s',
			(name) => {
				const [inShort = '', measured = ''] = readFileSync(
					join(root, 'bench', 'README.md'),
					'utf8',
				).split('## Method');
				const cell = new RegExp(`\\| ${name}[^|]*\\|([^|]*)\\|`).exec(measured)![1]!;
				const label = name === 'elapsed' ? 'the Supercast node' : name;
				const row = new RegExp(`${label}[^|]*\\|([^|]*)\\|([^|]*)\\|`).exec(inShort)!;
				const ratio = name === 'elapsed' ? cell : (/ratio ([\d.]+)/.exec(cell)?.[1] ?? 'early');
				expect(row[1]).toContain(ratio.trim());
				const lost = /(\d+) lost/.exec(cell)?.[1] ?? '0';
				expect(row[2]!.trim()).toBe(lost);
				if (!name.includes('default')) return;
				expect(limits).toContain(`${lost} of 1,000 deletes failed`);
				expect(readme).toContain(`${lost} of 1,000 deletes failed`);
			},
		);

		it('computes how long items take from 100 requests per minute', () => {
			const rows = [...limits.matchAll(/^\| ([\d,]+) +\| (\d+) minutes +\|$/gm)];
			expect(rows.length).toBeGreaterThan(3);
			for (const [, items, minutes] of rows) {
				expect(Number(minutes)).toBe(Number(items!.replace(',', '')) / 100 - 1);
			}
		});
	});
});
