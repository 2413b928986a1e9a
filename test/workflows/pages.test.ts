import type { IDataObject } from 'n8n-workflow';

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
	const of = (subscriber: IDataObject): Ran => ({
		'Page for Support': [{ Email: ann.email }],
		'Get Subscriber': [subscriber],
		'Look Again': [subscriber],
	});
	const page = (name: string, ran: Ran, input: IDataObject = {}): string =>
		String(resolved(file, name, 'responseText', { input, ran }));

	/** The page with the button, as n8n's Form node gets it. */
	function secondPage(state: string, more: IDataObject = {}) {
		const from = { input: {}, ran: of({ ...ann, state, ...more }) };
		const options = resolved(file, 'Page: What to Do', 'options', from) as Record<string, string>;
		const fields = JSON.parse(
			String(resolved(file, 'Page: What to Do', 'jsonOutput', from)),
		) as Array<Record<string, string>>;
		const { formTitle, buttonLabel, formDescription } = options;
		return { formTitle, buttonLabel, html: String(formDescription), fields };
	}

	it.each([
		['available', 'Open', 'Send the address', 'Send'],
		['deactivated', 'Closed', 'Open the feed and send the address', 'Open'],
		['suspended', 'Suspended', 'Open the feed and send the address', 'Open'],
	])('shows "%s" as %s, with its meaning and a button', (state, pill, button, choice) => {
		const { html, formTitle, buttonLabel, fields } = secondPage(state);
		const lines = seen(html).split('\n');
		expect([formTitle, lines[0], buttonLabel]).toEqual(['ann@example.com', pill, button]);
		expect(lines[1]).toMatch(/\.$/);
		expect(fields).toEqual([
			{ fieldType: 'hiddenField', fieldName: 'What to Do', fieldValue: choice },
		]);
		expectPlain(html);
	});

	it.each([
		['charge_failure', 'Payment failed', {}],
		['pending', 'Checkout not complete', {}],
		['available', 'Open', { feed_urls: [] }],
	])('shows "%s" as %s, with its meaning, if nothing can be done', (state, pill, more) => {
		const html = page('Page: Nothing to Do', of({ ...ann, state, ...more }));
		const lines = seen(html).split('\n');
		expect(lines.slice(0, 2)).toEqual(['ann@example.com', pill]);
		expect(lines[2]).toMatch(/\.$/);
		expectPlain(html);
	});

	it.each([
		['on_hold', {}, false],
		['charge_failure', {}, false],
		['pending', {}, false],
		['available', { feed_urls: [] }, false],
		['available', {}, true],
		['deactivated', { feed_urls: [] }, true],
		['suspended', {}, true],
	])('has a page with a button for "%s" (%j): %s', (state, more, has) => {
		const conditions = resolved(file, 'Can Something Be Done', 'conditions', {
			input: { ...ann, state, ...more },
		}) as { conditions: Array<{ leftValue: unknown }> };
		expect(conditions.conditions.map(({ leftValue }) => leftValue)).toEqual([has]);
	});

	it('shows a state that it does not know', () => {
		const html = page('Page: Nothing to Do', of({ ...ann, state: 'on_hold' }));
		expect(seen(html)).toContain('The state is on_hold.');
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
					reached(
						[...after(file, name), ...after(file, name, 1), ...after(file, name, 2)],
						known.add(name),
					);
			return known;
		};
		const before = reached(['Page for Support']);
		expect(before).toContain('Get Subscriber');
		expect([...before].filter((name) => /^(Activate|Email)/.test(name))).toEqual([]);
		expect(after(file, 'Page: What to Do')).toEqual(['Someone Chose']);
	});

	it.each([
		'Page: What to Do',
		'Page: Done',
		'Page: Nothing to Do',
		'Page: Not Found',
		'Page: Not Done',
	])('ends the wait of "%s" after 15 minutes', (name) => {
		expect(nodeNamed(file, name)?.parameters).toMatchObject({
			limitWaitTime: true,
			resumeAmount: 15,
			resumeUnit: 'minutes',
		});
	});

	it.each([
		['Send', 'available', [false, true]],
		['Send', 'deactivated', [false, false]],
		['Open', 'deactivated', [true, false]],
		['Open', 'suspended', [true, false]],
		['Open', 'available', [false, true]],
		['Open', 'charge_failure', [false, false]],
	])('after "%s", looks again: "%s" opens and sends %j', (choice, state, expected) => {
		const ran = { 'Page: What to Do': [{ 'What to Do': choice }] };
		const { values } = resolved(file, 'What to Do', 'rules', {
			input: { ...ann, state },
			ran,
		}) as { values: Array<{ conditions: { conditions: Array<{ leftValue: unknown }> } }> };
		expect(values.map(({ conditions }) => conditions.conditions[0]?.leftValue)).toEqual(expected);
	});

	it('says what it did, what the state was before, and what Sync may do', () => {
		const ran = of({ ...ann, state: 'suspended' });
		const text = seen(page('Page: Done', { ...ran, 'Activate Feed': [{}] }));
		expect(text).toContain('The feed is open. The address is on its way');
		expect(text).toContain('Before, the state was suspended.');
		expect(text).toContain('Sync usually closes the feed again');
		const sent = seen(page('Page: Done', of(ann)));
		expect(sent).toContain('The address is on its way');
		expect(sent).not.toMatch(/Before, the state|The feed is open\. The address/);
	});

	it('shows names as text', () => {
		const evil = { first_name: SCRIPT, email: SCRIPT, plan_name: SCRIPT };
		for (const html of [
			secondPage('available', evil).html,
			page('Page: Done', of({ ...ann, ...evil })),
			page('Page: Nothing to Do', of({ ...ann, ...evil })),
		]) {
			expect(html).not.toContain('<script');
			expect(seen(html)).toContain(SCRIPT);
		}
	});

	it('shows no feed address', () => {
		expect(JSON.stringify(secondPage('available'))).not.toContain('/feeds/');
		expect(page('Page: Done', of(ann))).not.toContain('/feeds/');
	});

	it.each([
		['Page: Not Found', {}, 'Supercast has no subscriber with the email x', 'Not found', 'Ask for'],
		['Page: Not Found', {}, 'Supercast is <b>down</b>', 'Not done', 'Supercast is <b>down</b>'],
		['Page: Not Done', {}, 'SMTP is <b>down</b>', 'Not done', 'SMTP is <b>down</b>'],
		[
			'Page: Not Done',
			{ 'Activate Feed': [{}], 'Email the Address': [{}] },
			'SMTP is down',
			'Not done',
			'The feed is open, but the email',
		],
		['Page: Not Done', {}, undefined, 'Not done', 'The state is now suspended'],
	])('says on "%s" why it did not do it (%#)', (name, done, error, pill, words) => {
		const ran = { 'Page for Support': [{ Email: SCRIPT }], ...done };
		const html = page(name, ran, error === undefined ? { state: 'suspended' } : { error });
		expect(seen(html).split('\n').slice(0, 2)).toEqual([SCRIPT, pill]);
		expect(seen(html)).toContain(words);
		expect(html).not.toMatch(/<script|<b>down/);
		expectPlain(html);
	});

	it('sends no email without an address', () => {
		const to = (feed_urls: string[]) =>
			resolved(file, 'Email the Address', 'toEmail', {
				input: {},
				ran: of({ ...ann, feed_urls }),
			});
		expect([to([ADDRESS]), to([])]).toEqual(['ann@example.com', '']);
	});
});

describe('weekly-report.json', () => {
	const file = 'weekly-report.json';
	const subscribers = (count: number, state: string): IDataObject[] =>
		Array.from({ length: count }, (_, index) => ({
			...{ uuid: `${state}-${index}`, email: `${state}.${index}@example.com`, state },
		}));
	const noted = (count: number, kind: string): IDataObject[] =>
		Array.from({ length: count }, (_, index) => ({ kind, email: `${kind}.${index}@example.com` }));

	function report(
		all: IDataObject[],
		week: IDataObject[] = [{}],
	): { subject: string; text: string; html: string } {
		const ran = { 'Get Subscribers': all, 'What Was Noted': week };
		const input = fieldsOf(file, 'Count', { input: {}, ran });
		const part = (name: string) => String(resolved(file, 'Email the Report', name, { input }));
		return { subject: part('subject'), text: part('text'), html: part('html') };
	}

	it('begins with the counts, and names at most 20 people of a kind', () => {
		const { subject, text, html } = report(
			[
				...subscribers(2030, 'available'),
				...subscribers(523, 'deactivated'),
				...subscribers(400, 'suspended'),
				...subscribers(3, 'charge_failure'),
			],
			[
				...noted(30, 'joined'),
				...noted(23, 'left'),
				...noted(1, 'came back'),
				...noted(2, 'deleted'),
			],
		);
		expect(subject).toBe(
			'Your podcast this week: 30 joined, 1 came back, 23 left, 2 deleted, 2030 open (Members)',
		);
		expect(text.split('\n').slice(0, 7)).toEqual([
			'Open feeds: 2,030 of 2,956 subscribers',
			'Joined: 30',
			'Came back: 1',
			'Left: 23',
			'Deleted in Supercast: 2',
			'Payment failed at Supercast: 3',
			'Suspended: 400',
		]);
		expect(text.split('\n').length).toBeLessThan(100);
		expect(text).toContain('and 380 more');
		expect(seen(html)).toMatch(
			/^Your podcast this week\n25\nleft\n31\njoined or came back\n2,030\nopen\n403\n/,
		);
		for (const one of [text, seen(html)]) {
			expect(one.match(/^joined\.\d+@/gm)).toHaveLength(20);
			expect(one.match(/^suspended\.\d+@/gm)).toHaveLength(20);
			expect(one).toContain('came back.0@example.com');
			expect(one).toContain('deleted.1@example.com');
		}
		expectPlain(html);
	});

	it('counts nobody because of a changed record', () => {
		const now = new Date().toISOString();
		const renamed = { ...ann, uuid: 'u1', state: 'deactivated', updated_at: now, created_at: now };
		expect(report([renamed]).subject).toContain('0 joined, 0 came back, 0 left, 0 deleted, 0 open');
	});

	it('shows no empty list, and emails as text', () => {
		const quiet = report(subscribers(3, 'available'));
		expect(seen(quiet.html)).not.toMatch(/Payment failed|Suspended|Left|Joined|incomplete/);
		const { html } = report(subscribers(1, 'available'), [{ kind: 'joined', email: SCRIPT }]);
		expect(html).not.toContain('<script');
		expect(seen(html)).toContain(SCRIPT);
	});

	it('comes without a subscriber and without a note, too', () => {
		expect(report([{}]).subject).toBe(
			'Your podcast this week: 0 joined, 0 came back, 0 left, 0 deleted, 0 open (Members)',
		);
		for (const name of ['What Was Noted', 'Get Subscribers'])
			expect(nodeNamed(file, name)).toMatchObject({ alwaysOutputData: true, executeOnce: true });
	});

	it.each([
		['Get Subscribers', [[{ error: 'Supercast is <b>down</b>' }], [{}]]],
		['What Was Noted', [subscribers(2, 'available'), [{ error: 'Supercast is <b>down</b>' }]]],
	])('says that it is incomplete if %s fails', (name, [all = [], week = []]) => {
		expect(nodeNamed(file, name)?.onError).toBe('continueRegularOutput');
		const { subject, text, html } = report(all, week);
		expect(subject).toMatch(/ \(incomplete\) \(Members\)$/);
		for (const one of [text, seen(html)])
			expect(one).toContain('This report is incomplete. Supercast is <b>down</b>');
		expect(html).not.toContain('<b>down');
	});

	it.each([
		['subscriberCreated:1', 'available', undefined, 'joined'],
		['subscriberCreated:1', 'pending', undefined, ''],
		['subscriberStateChanged:1', 'available', 'pending', 'joined'],
		['subscriberStateChanged:1', 'available', 'deactivated', 'came back'],
		['subscriberStateChanged:1', 'available', 'suspended', ''],
		['subscriberStateChanged:1', 'deactivated', 'available', 'left'],
		['subscriberStateChanged:1', 'deactivated', 'charge_failure', 'left'],
		['subscriberStateChanged:1', 'deactivated', 'pending', ''],
		['subscriberStateChanged:1', 'suspended', 'available', ''],
		['subscriberDeleted:1', undefined, undefined, 'deleted'],
	])('notes %s, %s after %s, as "%s"', (eventId, state, previousState, kind) => {
		const input = { eventId, state, previousState, email: ann.email } as IDataObject;
		expect(fieldsOf(file, 'What Happened', { input })).toEqual({ kind, email: ann.email });
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
	['support.json', { input: {}, ran: { 'Look Again': [{ ...ann, first_name: SCRIPT }] } }],
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
