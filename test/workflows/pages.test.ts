import type { IDataObject } from 'n8n-workflow';

import { SUBSCRIBER_STATES } from '../../nodes/Supercast/subscriber/states';
import { after, nodeNamed } from './files';
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

/** What email programs and phones need. */
function expectPlain(html: string): void {
	expect(html).not.toMatch(/<(style|script|img|link|iframe)\b|\bon\w+=|url\(/i);
	expect(html).not.toMatch(/(?:^|[;"\s])width:\d{3,}px/);
}

describe('support.json', () => {
	const file = 'support.json';
	const found = (more: IDataObject = {}): IDataObject => {
		const input = { ...ann, uuid: 'u-1', ...more };
		return { ...input, ...fieldsOf(file, 'Text', { input }) };
	};

	/** The page with the button, as n8n's Form node gets it. */
	function secondPage(more: IDataObject = {}) {
		const from = { input: found(more), ran: { 'Page for Support': [{ Email: ann.email }] } };
		const options = resolved(file, 'Page: What to Do', 'options', from) as Record<string, string>;
		const [field] = JSON.parse(
			String(resolved(file, 'Page: What to Do', 'jsonOutput', from)),
		) as Array<Record<string, string>>;
		const { formTitle, buttonLabel, formDescription } = options;
		return { formTitle, buttonLabel, html: String(formDescription), access: field?.fieldValue };
	}

	const SEND = 'Send the address';
	const OPEN = 'Open the feed and send the address';
	it.each([...SUBSCRIBER_STATES, 'on_hold'])('shows whether a feed is open: %s', (state) => {
		const { html, formTitle, buttonLabel, access } = secondPage({ state });
		const isOpen = state === 'available';
		expect([formTitle, buttonLabel, access]).toEqual([
			ann.email,
			...(isOpen ? [SEND, 'keep'] : [OPEN, 'open']),
		]);
		const text = seen(html);
		expect(text).toMatch(isOpen ? /^The feed is open\. / : /^The feed is closed\. /);
		expect(text).toContain(`State at Supercast: ${state}, last changed on 2026-03-02`);
		expectPlain(html);
	});

	it('asks for nothing but an email on its first page', () => {
		const { formFields } = nodeNamed(file, 'Page for Support')?.parameters as {
			formFields: { values: Array<{ fieldLabel: string }> };
		};
		expect(formFields.values.map(({ fieldLabel }) => fieldLabel)).toEqual(['Email']);
	});

	it('acts only after the second page, whose address nobody else knows', () => {
		const reached = (from: string[], known = new Set<string>()): Set<string> => {
			for (const name of from)
				if (!known.has(name) && name !== 'Page: What to Do')
					reached([...after(file, name), ...after(file, name, 1)], known.add(name));
			return known;
		};
		const before = reached(['Page for Support']);
		expect(before).toContain('Get Subscriber');
		expect([...before].filter((name) => /^(Set|Email)/.test(name))).toEqual([]);
		expect(after(file, 'Page: What to Do')).toEqual(['Set Access']);
	});

	it.each(['Page: What to Do', 'Page: Result'])(
		'ends the wait of "%s" after 15 minutes',
		(name) => {
			expect(nodeNamed(file, name)?.parameters).toMatchObject({
				...{ limitWaitTime: true, resumeAmount: 15, resumeUnit: 'minutes' },
			});
		},
	);

	it.each([
		['open', 'open'],
		['keep', 'keep'],
		['close', 'keep'],
		[undefined, 'keep'],
	])('opens a feed only if someone has chosen this: %s', (access, expected) => {
		expect(resolved(file, 'Set Access', 'access', { input: { access } })).toBe(expected);
	});

	it.each([
		['open', 'available', true],
		['keep', 'available', true],
		['keep', 'deactivated', false],
		['open', 'suspended', false],
		[undefined, 'available', false],
	])('after "%s", emails the address of a feed that is %s: %s', (access, state, expected) => {
		const { conditions } = resolved(file, 'Is It Open', 'conditions', {
			input: { ...ann, state },
			ran: { 'Page: What to Do': [{ access }] },
		}) as { conditions: Array<{ leftValue: unknown; rightValue: unknown }> };
		const [chosen, now, address] = conditions;
		const isTrue = Boolean(chosen?.leftValue) && now?.leftValue === now?.rightValue;
		expect(isTrue && address?.leftValue === ADDRESS).toBe(expected);
	});

	/** The last page, after the nodes that have run. */
	function lastPage(input: IDataObject, access?: IDataObject): string {
		const ran: Ran = {
			...{ 'Page for Support': [{ Email: ann.email }], Text: [found()] },
			...(access && { 'Set Access': [access] }),
		};
		const html = String(resolved(file, 'Page: Result', 'completionMessage', { input, ran }));
		expectPlain(html);
		expect(html).not.toContain('/feeds/');
		return html;
	}

	it('says what it did, and what Sync may do', () => {
		const accepted = { accepted: [ann.email] };
		const opened = seen(lastPage(accepted, { action: 'reopened', attention: null }));
		expect(opened).toContain('The address is on its way');
		expect(opened).toContain('Sync closes it again');
		const sent = seen(lastPage(accepted, { action: 'kept', attention: null }));
		expect(sent).toContain('The address is on its way');
		expect(sent).not.toContain('Sync');
	});

	it('says why it did nothing', () => {
		const attention = 'Their feed is <b>suspended</b>.';
		const kept = lastPage({ ...ann, state: 'suspended' }, { action: 'unchanged', attention });
		expect(seen(kept)).toContain(`Not done. The feed is closed. ${attention}`);
		for (const access of [undefined, { action: 'kept', attention: null }]) {
			const failed = lastPage({ error: 'SMTP is <b>down</b>' }, access);
			expect(seen(failed)).toContain('SMTP is <b>down</b>');
			expect(failed).not.toContain('<b>down');
		}
	});

	it('shows names as text, on one line', () => {
		const evil = { first_name: `${SCRIPT}\n${'x'.repeat(300)}`, plan_name: SCRIPT };
		const { html } = secondPage(evil);
		expect(html).not.toContain('<script');
		expect(seen(html)).toMatch(/^Name: script alert 1 script x{1,30}$/m);
		expect(JSON.stringify(secondPage())).not.toContain('/feeds/');
	});
});

describe('the email of tell-members.json', () => {
	const file = 'tell-members.json';
	/** What Supercast's list has, besides the fields that the workflow reads. */
	const record = {
		...{ email: ann.email, state: 'available', first_name: 'Ann', plan_name: null },
		subscriptions: [{ feed_url: ADDRESS }],
		feed_url: [ADDRESS],
	};
	const fields = (input: IDataObject) =>
		fieldsOf(file, 'Text', { input, ran: { 'One at a Time': [{ email: ann.email }] } });

	function email(subscriber: IDataObject): { text: string; html: string } {
		const input = fields(subscriber);
		const part = (name: string) => String(resolved(file, 'Send Email', name, { input }));
		return { text: part('text'), html: part('html') };
	}
	const links = {
		apple_podcasts: 'podcast://feeds.supercast.com/feeds/x',
		overcast: 'overcast://x-callback-url/add?url=https%3A%2F%2Ffeeds',
	};

	it('has the address, and a link for each app that Supercast names', () => {
		const { text, html } = email({ ...record, player_links: links });
		expect(text).toMatch(/^Hello Ann,\n/);
		expect(text).toContain(
			`${ADDRESS}\nApple Podcasts: ${links.apple_podcasts}\nOvercast: ${links.overcast}\n`,
		);
		expect(html).toMatch(/Overcast: <a href="overcast:\S+">overcast:\S+<\/a>/);
		for (const one of [text, seen(html)]) expect(one).toContain(ADDRESS);
		expectPlain(html);
	});

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
		expect(`${text}${seen(html)}`).not.toMatch(/undefined|object|javascript|\[\w+\]/);
		expect(html).not.toContain('<script');
		for (const one of [text, seen(html)]) {
			expect(one).toContain(ADDRESS);
			expect(one).toMatch(/How to add it[\s\S]*Apple Podcasts[\s\S]*Follow a Show by URL/);
		}
	});

	it.each([
		['subscriptions only', { feed_url: undefined }, ADDRESS],
		['the older list only', { subscriptions: [] }, ADDRESS],
		['the older text only', { subscriptions: undefined, feed_url: ADDRESS }, ADDRESS],
		['none', { subscriptions: [], feed_url: null }, ''],
	])('reads the addresses from %s', (_, more, expected) => {
		expect(fields({ ...record, ...more }).address).toBe(expected);
	});
});

describe.each([
	['feed-link.json', 'text', { ...ann, first_name: SCRIPT }],
	['support.json', 'letter', { ...ann, first_name: SCRIPT }],
])('the email of %s', (file, field, input) => {
	it('has the address, and how to add it', () => {
		const { [field]: letter = null } = fieldsOf(file, 'Text', { input });
		const from = { input, ran: { Text: [{ [field]: letter }] } };
		const part = (name: string) => String(resolved(file, 'Email the Address', name, from));
		for (const one of [part('text'), seen(part('html'))]) {
			expect(one).toMatch(/^Hello,\n/);
			expect(one).toContain(ADDRESS);
			expect(one).toMatch(/How to add it[\s\S]*Follow a Show by URL/);
		}
		expect(part('html')).not.toContain('<script');
		expectPlain(part('html'));
	});
});

describe('the email of payment-failed.json', () => {
	it.each([
		['Ann', 'Hello Ann,'],
		[null, 'Hello,'],
		['[Log in](http://evil.example.com)', 'Hello Log in http evil example com,'],
		['http://evil.example.com', 'Hello http evil example com,'],
		[`Ann\n\n${'x'.repeat(300)}`, `Hello Ann ${'x'.repeat(36)},`],
		["Zoë O'Neil-Bell", "Hello Zoë O'Neil-Bell,"],
		['李小龍', 'Hello 李小龍,'],
	])('greets %j on one line, without an address', (first_name, greeting) => {
		const input = fieldsOf('payment-failed.json', 'Text', { input: { first_name } });
		const text = String(resolved('payment-failed.json', 'Email the Member', 'text', { input }));
		expect(text.split('\n')[0]).toBe(greeting);
	});

	it('has nothing that someone must fill in before it goes out', () => {
		const { text = '' } = fieldsOf('payment-failed.json', 'Text', { input: {} });
		expect(String(text).replaceAll('[name]', '')).not.toMatch(/[([<]|YOUR/);
	});
});
