import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
