import { textPage, type Block, type ChartDay } from '../../../nodes/Supercast/report/page/blocks';
import { htmlPage } from '../../../nodes/Supercast/report/page/html';

const days: ChartDay[] = [
	{ date: '2026-10-31', opened: 10, closed: 0, open: 1200 },
	{ date: '2026-11-01', opened: 0, closed: 5, open: 1195 },
	{ date: '2026-11-02', opened: 1, closed: 0, open: 1196 },
];

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
	{ kind: 'list', title: 'Left', lines: [], tone: 'closed' },
	{ kind: 'list', title: 'Joined', lines: ['ann@a.com', 'ben@a.com'], tone: 'open' },
	{ kind: 'words', text: 'First line.\nSecond line.', tone: 'quiet' },
	{ kind: 'words', text: '', tone: 'quiet' },
	{ kind: 'chart', days },
	{ kind: 'chart', days: days.slice(0, 1) },
	{
		kind: 'lights',
		lights: [
			{ tone: 'open', text: 'Last sync run: 7:02' },
			{ tone: 'quiet', text: 'Next sync run: 7:07' },
		],
	},
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
			'In 3 days: 11 joined, 5 left, from 1,190 to 1,196 open feeds.',
			'Last sync run: 7:02\nNext sync run: 7:07',
		]);
	});

	it('is the same in HTML, in the same order', () => {
		const lines = shown(htmlPage('Yesterday', blocks));
		expect(lines).toEqual([
			...['Yesterday', 'Monday, November 2', '0', 'left', '1', 'joined', '1,196', 'open'],
			...['Joined', 'ann@a.com', 'ben@a.com', 'First line.', 'Second line.'],
			'In 3 days: 11 joined, 5 left, from 1,190 to 1,196 open feeds.',
			...['Joined at most 10 in a day', 'Left at most 5 in a day', 'Open from 1,195 to 1,200'],
			...['October 31', 'November 2'],
			expect.stringContaining('Last sync run: 7:02'),
			expect.stringContaining('Next sync run: 7:07'),
		]);
	});

	it('needs no style sheet, no script, no picture, and no attribute but style', () => {
		const html = htmlPage('Yesterday', blocks);
		const tags = [...html.matchAll(/<(\w+)([^>]*)>/g)];
		expect([...new Set(tags.map(([, tag]) => tag))].sort()).toEqual([
			'b',
			'br',
			'div',
			'span',
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
			{ kind: 'list', title: name, lines: [name], tone: 'open' },
			{ kind: 'words', text: name, tone: 'attention' },
			{ kind: 'counts', title: name, counts: [{ count: 1, label: name, tone: 'open' }] },
			{ kind: 'lights', lights: [{ tone: 'open', text: name }] },
		]);
		expect(shown(html).filter((line) => line.includes(name))).toHaveLength(7);
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
				{ kind: 'list', title: name, lines: [name], tone: 'closed' },
				{ kind: 'words', text: `${name}\nnext line`, tone: 'attention' },
				{ kind: 'counts', title: name, counts: [{ count: 1, label: name, tone: 'open' }] },
				{ kind: 'lights', lights: [{ tone: 'open', text: name }] },
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
			expect(page.split('ann b@a.com')).toHaveLength(7);
			expect(page).toContain('next line');
		});

		it('lets no name begin a new line in a list', () => {
			const [line] = pageWith('ann\n- ben@a.com').split('\n').slice(1);
			expect(line).toMatch(/ann - ben@a\.com$/);
		});

		it.each(['Zoë Łuć', 'علی رضا', '佐藤', 'Ann 👩‍🎤', 'Ben 👩🏽‍🚀❤️‍🔥🏳️‍🌈'])(
			'shows the name %s as it is',
			(name) => {
				expect(pageWith(name).split(name)).toHaveLength(7);
			},
		);
	});

	it('draws a bar for each day, in proportion, and none for 0', () => {
		const html = htmlPage('Page', [{ kind: 'chart', days }]);
		const bars = (color: string): number[] =>
			[...html.matchAll(new RegExp(`height:(\\d+)px[^"]*background-color:${color}`, 'g'))].map(
				([, height]) => Number(height),
			);
		expect(bars('#23955a')).toEqual([56, 6]);
		expect(bars('#d23f31')).toEqual([28]);
		const [first, second, third] = bars('#2f74c0');
		expect(first).toBeGreaterThan(third!);
		expect(third).toBeGreaterThan(second!);
		expect(second).toBeGreaterThan(0);
	});

	it('draws quiet days too', () => {
		const quiet = days.map((day) => ({ ...day, opened: 0, closed: 0, open: 7 }));
		const html = htmlPage('Page', [{ kind: 'chart', days: quiet }]);
		expect(shown(html)).toContain('Open 7');
		expect(html).not.toMatch(/NaN|Infinity/);
	});
});
