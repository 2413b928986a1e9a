import { settings, startKit, type Kit } from './workflows/kit';
import { addListener, asOwner, setFeed } from './workflows/people';

const FILE = 'nightly-reconciliation.json';
const MEMBERS = 2_000;
const trigger = 'Every Night';

let kit: Kit;
let dryRun: string;
let real: string;

beforeAll(async () => {
	kit = await startKit({ subscribers: MEMBERS, logSize: 100_000 });
	dryRun = await kit.use(FILE);
	real = await kit.use(FILE, settings({ dryRun: false }));
});
afterAll(async () => await kit?.stop());

/** Who is where, and 37 of them are wrong. */
interface Situation {
	missing: string[];
	closed: string[];
	suspended: string[];
	unlisted: string[];
	rows: string[];
}

function states(): Record<string, string> {
	return Object.fromEntries(
		kit.sandbox.state.subscribers.map(({ email, state }) => [email, state]),
	);
}

function list(csv: string, status = 200): void {
	kit.senders.replies.set('/export.csv', { status, body: csv });
}

function csvOf(rows: string[]): string {
	return ['name,email,status', ...rows.map((email) => `Somebody,${email},active`)].join('\n');
}

/** 37 differences of every kind, among much that only looks like one. */
async function disagree(): Promise<Situation> {
	kit.sandbox.reset();
	kit.mailbox.mails.length = 0;
	const all = kit.sandbox.state.subscribers.map(({ email }) => email);
	expect(new Set(Object.values(states()))).toEqual(new Set(['available']));
	const missing = Array.from({ length: 12 }, (_, index) => `joined.${index}@example.com`);
	const closed = all.slice(0, 9);
	const suspended = all.slice(9, 14);
	const unlisted = all.slice(14, 25);
	const goneAnyway = all.slice(25, 31);
	const suspendedAnyway = all.slice(31, 35);
	for (const email of [...closed, ...goneAnyway]) await setFeed(kit, email, 'inactive');
	for (const email of [...suspended, ...suspendedAnyway]) await setFeed(kit, email, 'suspended');
	const unpaid = all.slice(35, 38);
	const begun = all.slice(38, 41);
	for (const email of unpaid) kit.sandbox.controls.setState(email, 'charge_failure');
	for (const email of begun) kit.sandbox.controls.setState(email, 'pending');
	const absent = [...unlisted, ...goneAnyway, ...suspendedAnyway, ...unpaid, ...begun];
	const listed = all.filter((email) => !absent.includes(email));
	const written = listed.map((email, index) => (index % 90 === 0 ? email.toUpperCase() : email));
	const rows = [...written, ...missing, ...listed.slice(100, 105), '', ' ', ''];
	const situation = { missing, closed, suspended, unlisted, rows };
	list(csvOf(rows));
	return situation;
}

function mentioned(text: string): string[] {
	return (text.match(/\S+@example\.com/g) ?? []).sort();
}

it('finds exactly the 37 differences, and changes nothing on a dry run', async () => {
	const { missing, closed, suspended, unlisted } = await disagree();
	const before = JSON.stringify(states());
	expect(await kit.run(dryRun, trigger)).toBe('success');
	const mail = await kit.mailbox.next(/dry run/);
	expect(mail.subject).toBe('Reconciliation (dry run): 37 differences');
	expect(mentioned(mail.text)).toEqual([...missing, ...closed, ...suspended, ...unlisted].sort());
	const headings = mail.text.match(/^.*: \d+$/gm)?.map((line) => line.split(': ')[1]);
	expect(headings).toEqual(['12', '9', '5', '11']);
	expect(JSON.stringify(states())).toBe(before);
	expect(kit.mailbox.mails).toHaveLength(1);
});

it('puts them right when it may, leaves the rest alone, and has nothing to do the next night', async () => {
	const { missing, closed, suspended, unlisted } = await disagree();
	const expected = states();
	for (const email of [...missing, ...closed]) expected[email] = 'available';
	for (const email of unlisted) expected[email] = 'deactivated';
	expect(await kit.run(real, trigger)).toBe('success');
	expect(states()).toEqual(expected);
	expect(await kit.run(real, trigger)).toBe('success');
	expect(states()).toEqual(expected);
	const [first, second] = kit.mailbox.mails;
	expect(first?.subject).toBe('Reconciliation: 21 feeds to open, 11 to close');
	expect(second?.subject).toBe('Reconciliation: 0 feeds to open, 0 to close');
	expect(mentioned(second?.text ?? '')).toEqual([...suspended].sort());
	expect(kit.mailbox.mails).toHaveLength(2);
});

it.each([
	['only its first line', 'name,email,status\n', 200],
	['no bytes', '', 200],
	['rows without an email', 'name,email,status\nSomebody,,active\n', 200],
	['a page instead of a list', '<!doctype html><p>Please log in</p>', 200],
	['an error of the server', 'Internal error', 500],
])('stops, and says so, when the list is empty: %s', async (_, csv, status) => {
	await disagree();
	const before = JSON.stringify(states());
	list(csv, status);
	expect(await kit.run(real, trigger)).toBe('error');
	const mail = await kit.mailbox.next(/^Reconciliation stopped/);
	expect(mail.text.toLowerCase()).toContain('nothing was changed');
	expect(JSON.stringify(states())).toBe(before);
	expect(kit.mailbox.mails).toHaveLength(1);
});

it('stops, and says so, when too many would lose access', async () => {
	const { rows } = await disagree();
	const before = JSON.stringify(states());
	list(csvOf(rows.slice(0, rows.length * 0.9)));
	expect(await kit.run(real, trigger)).toBe('error');
	const mail = await kit.mailbox.next(/too many would lose access/);
	expect(mail.text).toMatch(/^191 of 1976 listeners would lose access/);
	expect(JSON.stringify(states())).toBe(before);
});

it('stops, and says so, when the subscribers cannot be read', async () => {
	await disagree();
	kit.sandbox.controls.addFaults({ kind: 'status', status: 403, method: 'GET', skip: 7 });
	expect(await kit.run(real, trigger)).toBe('error');
	expect((await kit.mailbox.next(/cannot be read/)).text).toContain('Nothing was changed');
});

it('says which feeds could not be changed, and changes the others', async () => {
	const { unlisted } = await disagree();
	await asOwner(kit, 'GET', '/channel');
	await addListener(kit, 'nobody.lists@example.com');
	kit.sandbox.controls.addFaults({
		kind: 'status',
		status: 403,
		method: 'PATCH',
		path: `/feeds/${encodeURIComponent(unlisted[0] ?? '')}`,
	});
	expect(await kit.run(real, trigger)).toBe('success');
	expect((await kit.mailbox.next(/could not be changed/)).text).toContain(unlisted[0]);
	const now = states();
	expect(unlisted.map((email) => now[email])).toEqual([
		'available',
		...unlisted.slice(1).map(() => 'deactivated'),
	]);
	expect(now['nobody.lists@example.com']).toBe('deactivated');
});
