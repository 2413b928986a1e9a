import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';

import { startBrowser } from '../harness/browser/editor';
import type { WorkflowNode } from '../harness/n8n/setup';
import { secrets } from './workflows/credentials';
import { type Fixture, startFixture, until } from './workflows/fixture';
import { addListener, person, setFeed } from './workflows/people';

const email = 'ann@example.com';
const LOOK = 'Look';
const SEND = 'Send the address';
const OPEN = 'Open the feed and send the address';

let fixture: Fixture;
let browser: Browser;
let id: string;

/** How long the second page is valid, in minutes. */
async function use(minutes = 15): Promise<void> {
	id = await fixture.use('support.json', (node: WorkflowNode) => {
		if (node.name === 'Email the Address') node.parameters.fromEmail = 'podcast@example.com';
		if (node.parameters.limitWaitTime === true) node.parameters.resumeAmount = minutes;
	});
}

beforeAll(async () => {
	fixture = await startFixture();
	browser = await startBrowser();
});
afterAll(async () => {
	await browser?.close();
	await fixture?.stop();
});
beforeEach(async () => {
	fixture.sandbox.reset();
	fixture.mailbox.mails.length = 0;
	await addListener(fixture, email);
	await use();
});
afterEach(async () => await fixture.unuse(id));

const form = (): string => `${fixture.environment.server.url}/form/a-member-writes`;
const seconds = async (count: number): Promise<void> =>
	await new Promise((resolve) => setTimeout(resolve, count * 1000));

/** A browser in which someone of the support team has entered the password. */
async function member(password = secrets.password): Promise<Page> {
	const context = await browser.newContext({
		httpCredentials: { username: 'support', password },
		viewport: { width: 800, height: 900 },
		// The page ignores programs, such as a headless browser.
		userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
	});
	return await context.newPage();
}

/** Looks someone up, and waits for the page that follows. */
async function look(page: Page, who = email): Promise<void> {
	await page.goto(form());
	await page.locator('input[type=email]').fill(who);
	await page.getByRole('button', { name: LOOK }).click();
	await page.waitForURL(/form-waiting/);
	await page.getByText('Look up another member').waitFor();
}

/** Selects the button on the second page, and waits for the last page. */
async function press(page: Page, button: string): Promise<string> {
	await page.getByRole('button', { name: button }).click();
	await page.getByText(/is on its way|Not done/).waitFor();
	return await page.locator('body').innerText();
}

it('shows the state of a feed, and changes nothing', async () => {
	await setFeed(fixture, email, 'suspended');
	const page = await member();
	await look(page);
	expect(await page.locator('body').innerText()).toMatch(
		/The feed is closed\..*State at Supercast: suspended/s,
	);
	expect(await page.getByRole('button', { name: OPEN }).isVisible()).toBe(true);
	expect(person(fixture, email)?.state).toBe('suspended');
	expect(fixture.mailbox.mails).toEqual([]);
});

it('sends the address to the email on record', async () => {
	const page = await member();
	await look(page);
	expect(await press(page, SEND)).toMatch(/The address is on its way/);
	const mail = await fixture.mailbox.next(/private podcast feed/);
	expect(mail.to).toBe(email);
	expect(mail.text).toMatch(/\/feeds\/\S+/);
});

it('opens the feed, sends the address, and says that Sync may close it again', async () => {
	await setFeed(fixture, email, 'inactive');
	const page = await member();
	await look(page);
	expect(await press(page, OPEN)).toMatch(/is on its way.*Sync closes it again/s);
	expect(person(fixture, email)?.state).toBe('available');
	expect((await fixture.mailbox.next(/private podcast feed/)).to).toBe(email);
});

it('looks again before it acts, and neither opens nor tells of a feed that has closed meanwhile', async () => {
	const page = await member();
	await look(page);
	await setFeed(fixture, email, 'inactive');
	expect(await press(page, SEND)).toMatch(/Not done\. The feed is closed/);
	expect(person(fixture, email)?.state).toBe('deactivated');
	expect(fixture.mailbox.mails).toEqual([]);
});

it('asks for the password', async () => {
	const page = await member('a guess');
	await expect(page.goto(form())).rejects.toThrow(/ERR_(HTTP_RESPONSE_CODE_FAILURE|INVALID_AUTH)/);
});

describe('a page of someone else, in the browser of the support team', () => {
	let elsewhere: Server;
	beforeAll(async () => {
		elsewhere = createServer((_, response) => {
			const fields = { 'field-0': email, 'field-1': 'open', access: 'open' };
			const inputs = Object.entries(fields).map(
				([name, value]) => `<input name="${name}" value="${value}">`,
			);
			response.setHeader('content-type', 'text/html').end(
				`<form method="post" enctype="multipart/form-data" action="${form()}?access=open">
				${inputs.join('')}</form><script>document.forms[0].submit()</script>`,
			);
		});
		await new Promise<void>((resolve) => elsewhere.listen(0, 'localhost', resolve));
	});
	afterAll(() => elsewhere?.close());

	it('opens no feed and sends no email, however it posts the form', async () => {
		await setFeed(fixture, email, 'inactive');
		const page = await member();
		// The browser now sends the password with each request.
		await page.goto(form());
		const posted = page.waitForResponse((one) => one.request().method() === 'POST');
		await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
		expect((await posted).status()).toBe(200);
		await seconds(5);
		expect(person(fixture, email)?.state).toBe('deactivated');
		expect(fixture.mailbox.mails).toEqual([]);
	});
});

it('keeps nobody waiting whose page was not loaded', async () => {
	await fixture.unuse(id);
	await use(0.05);
	const page = await member();
	await look(page);
	await page.close();
	// n8n looks once a minute for executions that have waited long enough.
	await until(
		'the execution ends, and n8n deletes it',
		async () => (await fixture.executions(id)).length === 0,
		150_000,
	);
	expect(fixture.mailbox.mails).toEqual([]);
});
