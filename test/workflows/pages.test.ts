import type { IDataObject } from 'n8n-workflow';

import { fieldsOf, resolved, type Ran } from './resolve';

/** Someone whose name and email would do harm, if they were HTML. */
const SCRIPT = '<script>alert("1")</script>';
const ADDRESS = 'https://feeds.supercast.com/feeds/abcdefghijklmnopqrstuvwx';
const ann = {
	email: 'ann@example.com',
	state: 'available',
	first_name: 'Ann',
	last_name: 'Bell',
	plan_name: null,
	customer_id: 'cus_1',
	created_at: '2026-03-02T10:00:00Z',
	updated_at: '2026-03-02T10:00:00Z',
	feed_urls: [ADDRESS],
};

/** The text that someone sees: without tags, and without what is hidden. */
function seen(html: string): string {
	const kept: string[] = [];
	const open: boolean[] = [];
	for (const [, tag = '', text = ''] of html.matchAll(/(<[^>]*>)|([^<]+)/g)) {
		if (tag.startsWith('</')) open.pop();
		else if (/^<(br|img)\b/.test(tag)) kept.push('\n');
		else if (tag !== '') open.push(/display:none/.test(tag));
		else if (!open.includes(true)) kept.push(text);
	}
	return kept.join('\n').replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

/** Where the links and buttons lead that someone sees. */
const links = (html: string): string[] =>
	[...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) => href);

/** What email programs and phones need. */
function expectPlain(html: string): void {
	expect(html).not.toMatch(/<(style|script|img|link|iframe)\b|\bon\w+=|url\(/i);
	expect(html).not.toMatch(/(?:^|[;"\s])width:\d{3,}px/);
}

describe('support.json', () => {
	const page = (ran: Ran): string => {
		const done = { 'Page for Support': [{ Email: ann.email }], ...ran };
		return String(resolved('support.json', 'Page: Done', 'responseText', { input: {}, ran: done }));
	};
	const look = (state: string, more: object = {}): string =>
		page({ 'Get Subscriber': [{ ...ann, state, ...more }] });

	it.each([
		['available', 'Open', 'Send the address'],
		['deactivated', 'Closed', 'Open the feed and send the address'],
		['suspended', 'Suspended', 'Open the feed and send the address'],
		['charge_failure', 'Payment failed', undefined],
		['pending', 'Checkout not complete', undefined],
	])('shows "%s" as %s, with its meaning and the next step', (state, pill, next) => {
		const html = look(state);
		const lines = seen(html).split('\n');
		expect(lines.slice(0, 2)).toEqual(['ann@example.com', pill]);
		expect(lines[2]).toMatch(/\.$/);
		const buttons = ['Send the address', 'Open the feed and send the address'];
		expect(lines.filter((line) => buttons.includes(line))).toEqual(next ? [next] : []);
		expectPlain(html);
	});

	it('shows a state that it does not know', () => {
		expect(seen(look('on_hold'))).toContain('The state is on_hold.');
	});

	it('has a button that fills in the form', () => {
		const [next] = links(look('available', { email: 'a+b&c@example.com' }));
		expect(next).toBe(
			'../form/a-member-writes?Email=a%2Bb%26c%40example.com&amp;What%20to%20Do=Send%20the%20address',
		);
	});

	it('says what it did, what the state was before, and what Sync may do', () => {
		const ran = { 'Get Subscriber': [{ ...ann, state: 'suspended' }] };
		const text = seen(page({ ...ran, 'Activate Feed': [{}], 'Email the Address': [{}] }));
		expect(text).toContain('The feed is open. The address is on its way');
		expect(text).toContain('Before, the state was suspended.');
		expect(text).toContain('Sync usually closes the feed again');
		expect(text).not.toMatch(/^(Send the address|Open the feed and send the address)$/m);
	});

	it('shows names as text', () => {
		const html = look('available', { first_name: SCRIPT, email: SCRIPT, plan_name: SCRIPT });
		expect(html).not.toContain('<script');
		expect(seen(html)).toContain(SCRIPT);
	});

	it('shows no feed address', () => {
		expect(look('available')).not.toContain('/feeds/');
	});

	it.each([
		[{}, 'Supercast has no subscriber with the email x', 'Not found', 'Ask for the email'],
		[{}, 'Supercast is <b>down</b>', 'Not done', 'Supercast is <b>down</b>'],
		[{ 'Activate Feed': [{}] }, 'SMTP is down', 'Not done', 'The feed is open, but the email'],
	])('says why it did not do it (%#)', (done, error, pill, words) => {
		const ran = { 'Page for Support': [{ Email: SCRIPT }], ...done };
		const html = String(
			resolved('support.json', 'Page: Not Done', 'responseText', { input: { error }, ran }),
		);
		expect(seen(html).split('\n').slice(0, 2)).toEqual([SCRIPT, pill]);
		expect(seen(html)).toContain(words);
		expect(html).not.toMatch(/<script|<b>down/);
		expectPlain(html);
	});

	it('sends no email without an address', () => {
		const to = (feed_urls: string[]) =>
			resolved('support.json', 'Email the Address', 'toEmail', {
				input: {},
				ran: { 'Get Subscriber': [{ ...ann, feed_urls }] },
			});
		expect([to([ADDRESS]), to([])]).toEqual(['ann@example.com', '']);
	});
});

describe('weekly-report.json', () => {
	const subscribers = (count: number, state: string, at: string): IDataObject[] =>
		Array.from({ length: count }, (_, index) => ({
			...{ email: `${state}.${index}@example.com`, state, created_at: at, updated_at: at },
		}));

	function report(all: IDataObject[]): { subject: string; text: string; html: string } {
		const ran = { 'Get Subscribers': all };
		const input = fieldsOf('weekly-report.json', 'Count', { input: {}, ran });
		const part = (name: string) =>
			String(resolved('weekly-report.json', 'Email the Report', name, { input }));
		return { subject: part('subject'), text: part('text'), html: part('html') };
	}
	const now = new Date().toISOString();
	const old = '2020-01-01T00:00:00Z';

	it('begins with the counts, and names at most 20 people of a kind', () => {
		const all = [
			...subscribers(30, 'available', now),
			...subscribers(2000, 'available', old),
			...subscribers(23, 'deactivated', now),
			...subscribers(500, 'deactivated', old),
			...subscribers(400, 'suspended', old),
			...subscribers(3, 'charge_failure', old),
		];
		const { subject, text, html } = report(all);
		expect(subject).toBe('Your podcast this week: 30 joined, 23 left, 2030 open');
		expect(text.split('\n').slice(0, 5)).toEqual([
			'Open feeds: 2,030 of 2,956 subscribers',
			'Joined: 30',
			'Left: 23',
			'Payment failed at Supercast: 3',
			'Suspended: 400',
		]);
		expect(text.split('\n').length).toBeLessThan(90);
		expect(text).toContain('and 380 more');
		expect(seen(html)).toMatch(/^Your podcast this week\n23\nleft\n30\njoined\n2,030\nopen\n403\n/);
		for (const one of [text, seen(html)]) {
			expect(one.match(/^available\.\d+@/gm)).toHaveLength(20);
			expect(one.match(/^suspended\.\d+@/gm)).toHaveLength(20);
		}
		expectPlain(html);
	});

	it('shows no empty list, and emails as text', () => {
		const quiet = report(subscribers(3, 'available', old));
		expect(seen(quiet.html)).not.toMatch(/Payment failed|Suspended|Left|Joined/);
		const { html } = report([{ ...ann, email: SCRIPT, created_at: now }]);
		expect(html).not.toContain('<script');
		expect(seen(html)).toContain(SCRIPT);
	});
});

describe('tell-members.json', () => {
	/** What Supercast's list has, besides the fields that the workflow reads. */
	const record = {
		...{ email: ann.email, state: 'available', first_name: 'Ann', plan_name: null },
		subscriptions: [{ feed_url: ADDRESS }],
		feed_url: [ADDRESS],
	};

	function email(subscriber: IDataObject, node = 'Welcome'): { text: string; html: string } {
		const fields = fieldsOf('tell-members.json', node, { input: subscriber });
		const input = { ...subscriber, ...fields };
		const part = (name: string) =>
			String(resolved('tell-members.json', 'Send Email', name, { input }));
		return { text: part('text'), html: part('html') };
	}
	const links = {
		apple_podcasts: 'podcast://feeds.supercast.com/feeds/x',
		overcast: 'overcast://x-callback-url/add?url=https%3A%2F%2Ffeeds',
	};

	it.each(['Welcome', 'Welcome Back'])(
		'%s has a link for each app that Supercast names',
		(node) => {
			const { text, html } = email({ ...record, player_links: links }, node);
			expect(text).toContain(
				`Apple Podcasts: ${links.apple_podcasts}\nOvercast: ${links.overcast}\n`,
			);
			expect(html).toMatch(
				/href="podcast:\S+">Apple Podcasts<\/a>.*href="overcast:\S+">Overcast<\/a>/,
			);
			for (const one of [text, seen(html)]) expect(one).toContain(ADDRESS);
			expectPlain(html);
		},
	);

	it.each([
		['nothing', undefined],
		['null', null],
		['a text', 'overcast://x'],
		['a list', [{ name: 'Overcast', url: 'overcast://x' }]],
		['objects', { overcast: { url: 'overcast://x' } }],
		['scripts', { overcast: 'javascript://alert(1)', castro: '"><script>' }],
		['numbers', { overcast: 7 }],
	])('has the address and how to add it if Supercast sends %s', (_, player_links) => {
		const { text, html } = email({ ...record, player_links });
		expect(`${text}${seen(html)}`).not.toMatch(/Open it in your podcast app|undefined|object/);
		expect(html).not.toMatch(/<a |<script|javascript/);
		for (const one of [text, seen(html)]) {
			expect(one).toContain(ADDRESS);
			expect(one).toMatch(/How to add it[\s\S]*Apple Podcasts[\s\S]*Follow a Show by URL/);
		}
	});

	it.each([
		['subscriptions only', { feed_url: undefined }, [ADDRESS]],
		['the older list only', { subscriptions: [] }, [ADDRESS]],
		['the older text only', { subscriptions: undefined, feed_url: ADDRESS }, [ADDRESS]],
		['none', { subscriptions: [], feed_url: null }, []],
	])('reads the addresses from %s', (_, more, expected) => {
		const input = { ...record, ...more } as IDataObject;
		expect(fieldsOf('tell-members.json', 'Welcome', { input }).feed_urls).toEqual(expected);
	});

	it('shows names as text', () => {
		const { html } = email({ ...record, first_name: SCRIPT });
		expect(html).not.toContain('<script');
		expect(seen(html)).toContain(`Hello ${SCRIPT},`);
	});
});

describe.each([
	['feed-link.json', { input: { ...ann, first_name: SCRIPT } }],
	['support.json', { input: {}, ran: { 'Get Subscriber': [{ ...ann, first_name: SCRIPT }] } }],
])('the email of %s', (file, from) => {
	it('has the address, and how to add it', () => {
		const part = (name: string) => String(resolved(file, 'Email the Address', name, from));
		for (const one of [part('text'), seen(part('html'))]) {
			expect(one).toContain(`Hello ${SCRIPT},`);
			expect(one).toContain(ADDRESS);
			expect(one).toMatch(/How to add it[\s\S]*Follow a Show by URL/);
		}
		expect(part('html')).not.toContain('<script');
		expectPlain(part('html'));
	});
});
