import type { WorkflowNode } from '../../harness/n8n/setup';
import { secrets } from './workflows/credentials';
import { startKit, until, type Kit } from './workflows/kit';
import { addListener, person, setFeed } from './workflows/people';

const email = 'ann@example.com';
const choices = {
	look: 'Only look',
	send: 'Send the address',
	open: 'Open the feed and send the address',
};

let kit: Kit;

beforeAll(async () => {
	kit = await startKit();
	await kit.use('support.json', (node: WorkflowNode) => {
		if (node.name === 'Email the Address') node.parameters.fromEmail = 'podcast@example.com';
	});
});
afterAll(async () => await kit?.stop());
beforeEach(async () => {
	kit.sandbox.reset();
	kit.mailbox.mails.length = 0;
	await addListener(kit, email);
});

/** What the support team does: fills in the page, and reads the one that follows. */
async function fillIn(
	choice: keyof typeof choices,
	who = email,
	password = secrets.password,
): Promise<{ status: number; page: string }> {
	const body = new FormData();
	body.set('field-0', who);
	body.set('field-1', choices[choice]);
	const token = Buffer.from(`support:${password}`).toString('base64');
	const headers = {
		authorization: `Basic ${token}`,
		// The page ignores programs.
		'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
	};
	const address = `${kit.environment.server.url}/form/supercast-support`;
	const answer = await fetch(address, { method: 'POST', body, headers });
	if (!answer.ok) return { status: answer.status, page: '' };
	const { formWaitingUrl } = (await answer.json()) as { formWaitingUrl: string };
	// The page in the browser asks in the same way when the next page is there.
	const statusUrl = formWaitingUrl.replace(/(\?|$)/, '/n8n-execution-status$1');
	await until('the page that follows', async () => {
		const status = await (await fetch(statusUrl, { headers })).text();
		return ['form-waiting', 'success'].includes(status);
	});
	const page = await (await fetch(formWaitingUrl, { headers })).text();
	return { status: answer.status, page };
}

it('shows the state of a feed, and changes nothing', async () => {
	await setFeed(kit, email, 'suspended');
	const { page } = await fillIn('look');
	expect(page).toContain('State before: suspended');
	expect(page).toContain('Feed opened: no');
	expect(person(kit, email)?.state).toBe('suspended');
	expect(kit.mailbox.mails).toEqual([]);
});

it('sends the address to the email on record', async () => {
	const { page } = await fillIn('send');
	expect(page).toContain('Address sent: yes');
	const mail = await kit.mailbox.next(/private podcast feed/);
	expect(mail.to).toBe(email);
	expect(mail.text).toMatch(/\/feeds\/\S+/);
});

it('opens the feed, sends the address, and says that the next check may close it again', async () => {
	await setFeed(kit, email, 'inactive');
	const { page } = await fillIn('open');
	expect(page).toContain('State before: deactivated');
	expect(page).toContain('Sync closes it again');
	expect(person(kit, email)?.state).toBe('available');
	expect((await kit.mailbox.next(/private podcast feed/)).to).toBe(email);
});

it('says that someone is not there', async () => {
	const { page } = await fillIn('open', 'nobody@example.com');
	expect(page).toContain('nobody@example.com');
});

it('asks for the password', async () => {
	expect((await fillIn('look', email, 'a guess')).status).toBe(401);
});
