import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
