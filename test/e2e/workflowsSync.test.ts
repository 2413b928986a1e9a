import { startKit, type Kit } from './workflows/kit';
import { setFeed } from './workflows/people';
import type { WorkflowNode } from '../../harness/n8n/setup';

const MEMBERS = 400;
const trigger = 'Every Night';

let kit: Kit;
let dryRun: string;
let real: string;

function switchOff(node: WorkflowNode): void {
	if (node.name === 'Sync Subscribers') node.parameters.dryRun = false;
}

beforeAll(async () => {
	kit = await startKit({ subscribers: MEMBERS, logSize: 100_000 });
	dryRun = await kit.use('nightly-sync.json');
	real = await kit.use('nightly-sync.json', switchOff);
});
afterAll(async () => await kit?.stop());

function states(): Record<string, string> {
	return Object.fromEntries(
		kit.sandbox.state.subscribers.map(({ email, state }) => [email, state]),
	);
}

interface Row {
	email: string;
	id: string;
}

function serve(rows: Row[], status = 200): void {
	const lines = rows.map(({ email, id }) => `Somebody,${email},${id}`);
	kit.senders.replies.set('/export.csv', {
		status,
		body: ['name,email,id', ...lines].join('\n'),
	});
}

/** Members from outside: 3 are wrongly closed, 4 are missing, 5 have left, 20 have a plan. */
async function arrange() {
	kit.sandbox.reset();
	kit.mailbox.mails.length = 0;
	const people = kit.sandbox.controls.state().subscribers;
	people.slice(20).forEach((person, index) => {
		Object.assign(person, { customer_id: `c-${index}`, plan_id: null, plan_name: null });
	});
	const [left, closed, rest] = [people.slice(20, 25), people.slice(25, 28), people.slice(28)];
	for (const { email } of closed) await setFeed(kit, email, 'inactive');
	const rows: Row[] = [...closed, ...rest].map(({ email, customer_id: id }) => ({
		email,
		id: id ?? '',
	}));
	const missing = [0, 1, 2, 3].map((n) => ({ email: `joined.${n}@example.com`, id: `j-${n}` }));
	serve([...rows, ...missing]);
	return { left, closed, missing, rows };
}

it('emails its plan, and changes nothing on a dry run', async () => {
	const { left, closed, missing } = await arrange();
	const before = JSON.stringify(states());
	expect(await kit.run(dryRun, trigger)).toBe('success');
	const mail = await kit.mailbox.next(/dry run/);
	expect(mail.subject).toBe('Sync (dry run): 7 opened, 5 closed');
	for (const { email } of [...left, ...closed, ...missing]) expect(mail.text).toContain(email);
	expect(JSON.stringify(states())).toBe(before);
	expect(kit.mailbox.mails).toHaveLength(1);
});

it('makes Supercast match, and has nothing to do the next night', async () => {
	const { left, closed, missing } = await arrange();
	const expected = states();
	for (const { email } of [...closed, ...missing]) expected[email] = 'available';
	for (const { email } of left) expected[email] = 'deactivated';
	expect(await kit.run(real, trigger)).toBe('success');
	expect(states()).toEqual(expected);
	expect((await kit.mailbox.next(/^Sync: 7 opened, 5 closed$/)).text).toContain('closed: 5');
	expect(await kit.run(real, trigger)).toBe('success');
	expect(states()).toEqual(expected);
	expect(kit.mailbox.mails).toHaveLength(1);
});

it.each([
	['only its first line', 'name,email,id\n', 200],
	['no bytes', '', 200],
	['rows without an email', 'name,email,id\nSomebody,,c-1\n', 200],
	['a page instead of a list', '<!doctype html><p>Please log in</p>', 200],
	['an answer that is no success', 'Internal error', 500],
])('changes nothing, and says so, when the list is %s', async (_, body, status) => {
	await arrange();
	const before = JSON.stringify(states());
	kit.senders.replies.set('/export.csv', { status, body });
	expect(await kit.run(real, trigger)).toBe('error');
	await kit.mailbox.next(/^Sync: some changes failed/);
	expect(JSON.stringify(states())).toBe(before);
	expect(kit.mailbox.mails).toHaveLength(1);
});

it('changes nothing, and says what to set, when too many would be closed', async () => {
	const { rows } = await arrange();
	const before = JSON.stringify(states());
	serve(rows.slice(0, 200));
	expect(await kit.run(real, trigger)).toBe('error');
	const mail = await kit.mailbox.next(/^Sync: some changes failed/);
	expect(mail.text).toMatch(
		/Sync would close the feeds of 180 of 377 subscribers, but the limit is 18/,
	);
	expect(mail.text).toContain("set 'Max Close (%)' to 48");
	expect(JSON.stringify(states())).toBe(before);
});

it('opens feeds, closes none, and names the rows that are no members', async () => {
	const { left, closed, rows } = await arrange();
	serve([...rows, { email: 'not an address', id: 'c-x' }]);
	expect(await kit.run(real, trigger)).toBe('error');
	await kit.mailbox.next(/^Sync: 3 opened, 0 closed$/);
	const mail = await kit.mailbox.next(/^Sync: some changes failed/);
	expect(mail.text).toContain('"not an address"');
	for (const { email } of closed) expect(states()[email]).toBe('available');
	for (const { email } of left) expect(states()[email]).toBe('available');
});
