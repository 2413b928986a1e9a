import { textPage, type Block } from '../../../nodes/Supercast/report/page/blocks';
import { htmlPage } from '../../../nodes/Supercast/report/page/html';

const list = (title: string, tone: 'closed' | 'open', lines: string[]): Block => ({
	...{ kind: 'list', title, tone, lines, most: 12, count: lines.length },
});

const blocks: Block[] = [
	{
		kind: 'counts',
		title: 'Monday, November 2',
		counts: [
			{ count: 0, label: 'left', tone: 'closed' },
			{ count: 1, label: 'joined', tone: 'open' },
			{ count: 1196, label: 'open', tone: 'number' },
		],
	},
	list('Left', 'closed', []),
	list('Joined', 'open', ['ann@a.com', 'ben@a.com']),
	{ kind: 'words', text: 'First line.\nSecond line.', tone: 'quiet' },
	{ kind: 'words', text: '', tone: 'quiet' },
];

/** What an email program shows of a page: without tags, each element on its own line. */
function shown(html: string): string[] {
	const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'" };
	return html
		.replace(/<(?:br|\/?(?:div|td|tr|table))[^>]*>/g, '\n')
		.replace(/<[^>]*>/g, '')
		.replace(/&(\w+|#\d+);/g, (_, name: string) => entities[name] ?? ' ')
		.split('\n')
		.map((line) => line.trim())
		.filter((line) => line !== '');
}

describe('a page', () => {
	it('is a text', () => {
		expect(textPage(blocks).split('\n\n')).toEqual([
			'Monday, November 2: 0 left, 1 joined, 1,196 open.',
			'Joined:\n- ann@a.com\n- ben@a.com',
			'First line.\nSecond line.',
		]);
	});

	it('is the same in HTML, in the same order', () => {
		const lines = shown(htmlPage('Yesterday', blocks));
		expect(lines).toEqual([
			...['Yesterday', 'Monday, November 2', '0', 'left', '1', 'joined', '1,196', 'open'],
			...['Joined', 'ann@a.com', 'ben@a.com', 'First line.', 'Second line.'],
		]);
	});

	it('needs no style sheet, no script, no picture, and no attribute but style', () => {
		const html = htmlPage('Yesterday', blocks);
		const tags = [...html.matchAll(/<(\w+)([^>]*)>/g)];
		expect([...new Set(tags.map(([, tag]) => tag))].sort()).toEqual([
			'br',
			'div',
			'table',
			'tbody',
			'td',
			'tr',
		]);
		for (const [, , attributes] of tags) expect(attributes).toMatch(/^( style="[^"]*")?$/);
		expect(html).not.toMatch(/url\(|@media|position:/);
	});

	it.each([
		'<script>alert(1)</script>@a.com',
		'"><img src=x onerror=alert(1)>',
		"' onmouseover='alert(1)",
		'&lt;b&gt;',
	])('shows %s as it is, and does nothing else', (name) => {
		const html = htmlPage(name, [
			list(name, 'open', [name]),
			{ kind: 'words', text: name, tone: 'attention' },
			{ kind: 'counts', title: name, counts: [{ count: 1, label: name, tone: 'open' }] },
		]);
		expect(shown(html).filter((line) => line.includes(name))).toHaveLength(6);
		expect(html).not.toMatch(/<(script|img)/);
		for (const [, attributes] of html.matchAll(/<\w+([^>]*)>/g)) {
			expect(attributes).toMatch(/^( style="[^"]*")?$/);
		}
	});

	describe.each([
		['text', (all: Block[]) => textPage(all)],
		['HTML', (all: Block[]) => shown(htmlPage('Page', all)).join('\n')],
	])('as %s', (_, pageOf) => {
		const pageWith = (name: string): string =>
			pageOf([
				list(name, 'closed', [name]),
				{ kind: 'words', text: `${name}\nnext line`, tone: 'attention' },
				{ kind: 'counts', title: name, counts: [{ count: 1, label: name, tone: 'open' }] },
			]);

		it.each([
			['a change of direction', '\u202e'],
			['a mark of Arabic letters', '\u061c'],
			['an isolate', '\u2066'],
			['a bell', '\u0007'],
			['a tab', '\t'],
			['a separator of lines', '\u2028'],
			['a soft hyphen', '\u00ad'],
			['a space without width', '\u200b'],
			['an invisible letter', '\u{e0041}'],
			['a joiner between letters', '\u200d'],
			['half of a character', '\ud83d'],
		])('shows a space for %s', (_, character) => {
			const page = pageWith(`ann${character}b@a.com`);
			expect(page.split('ann b@a.com')).toHaveLength(6);
			expect(page).toContain('next line');
		});

		it('lets no name begin a new line in a list', () => {
			const [line] = pageWith('ann\n- ben@a.com').split('\n').slice(1);
			expect(line).toMatch(/ann - ben@a\.com$/);
		});

		it.each(['Zoë Łuć', 'علی رضا', '佐藤', 'Ann 👩‍🎤', 'Ben 👩🏽‍🚀❤️‍🔥🏳️‍🌈'])(
			'shows the name %s as it is',
			(name) => {
				expect(pageWith(name).split(name)).toHaveLength(6);
			},
		);
	});
});
