import { all, ready, startKit, until, type Edit, type Kit, type Ready } from './workflows/kit';
import { requests } from './workflows/people';
import type { People } from '../../harness/senders/people';

/** A check every so many seconds. */
const EVERY = 10;

let kit: Kit;
let id: string | undefined;

beforeAll(async () => (kit = await startKit({ subscribers: 30, rateLimit: 0 })));
afterAll(async () => await kit?.stop());
beforeEach(() => {
	kit.sandbox.reset();
	kit.mailbox.mails.length = 0;
	kit.senders.faults.length = 0;
	kit.senders.asked.length = 0;
});
afterEach(async () => {
	if (id !== undefined) await kit.unuse(id);
	id = undefined;
});

async function use(file: string, how: Ready, ...edits: Edit[]): Promise<void> {
	id = await kit.use(file, all(ready(how), ...edits));
}

/** Counts only what matches, as a person enters it. */
function counting(pattern: string): Edit {
	return ({ name, parameters }) => {
		if (name !== 'Who Is a Member') return;
		const { conditions } = parameters.conditions as { conditions: Array<{ rightValue: string }> };
		for (const one of conditions) if (one.rightValue === '.') one.rightValue = pattern;
	};
}

const changes = (): number => requests(kit, 'POST') + requests(kit, 'PATCH');
const email = async () => await kit.mailbox.next(/./, 0, 60_000);

/** The people of a stand-in, of whom one is a member. */
function oneMember(people: People): void {
	people.all.length = 0;
	people.join('ann@example.com', 'Ann Bell');
}

it.each([
	['patreon.json', '999', 'Tiers at Patreon: Listener (501)'],
	['memberful.json', 'Mugs', 'Plans at Memberful: Podcast'],
	['ghost.json', 'Silver', 'Tiers at Ghost: Gold'],
	['woocommerce.json', 'Mugs', 'Products at WooCommerce: Podcast membership'],
])('%s names what the system knows when nobody has %s', async (file, pattern, known) => {
	const { patreon, memberful, ghost, woocommerce } = kit.senders;
	for (const { people } of [patreon, memberful, ghost, woocommerce]) oneMember(people);
	await use(file, { every: EVERY }, counting(pattern));
	expect((await email()).text).toContain(known);
	expect(changes()).toBe(0);
});

it('any-list.json reads a public file without a credential', async () => {
	oneMember(kit.senders.list.people);
	await use('any-list.json', {});
	expect(await kit.run(id ?? '', 'Every 5 Minutes')).toBe('success');
	const asked = kit.senders.asked.filter(({ url }) => url.startsWith('/members.csv'));
	expect(asked.map(({ authorization }) => authorization)).toEqual(['']);
	expect(requests(kit, 'POST')).toBe(1);
});

it('begins with DRY RUN in a dry run, and says how to end it', async () => {
	oneMember(kit.senders.list.people);
	await use('any-list.json', { every: EVERY, dryRun: true });
	const { subject, text } = await email();
	expect(subject).toMatch(/^DRY RUN: 1 feed would open/);
	expect(text).toMatch(/^This was a dry run.* turn off 'Dry Run' in the node Sync/);
	expect(changes()).toBe(0);
});

it('says that a check did not finish, and counts nothing then', async () => {
	kit.senders.faults.push({ path: '/members.csv', status: 500 });
	await use('any-list.json', { every: EVERY });
	const { subject, text } = await email();
	expect(subject).toMatch(/^A check did not finish/);
	expect(text).toMatch(/not able to process/);
	expect(`${subject}\n${text}`).not.toMatch(/\b0 |feeds? open/);
});

it('says that a check has not ended, while an earlier one is in Sync', async () => {
	oneMember(kit.senders.list.people);
	await use('any-list.json', { every: EVERY });
	// Sync's first request waits for 25 seconds.
	kit.sandbox.controls.addFaults({ kind: 'status', status: 429, retryAfter: 25 });
	const { subject, text } = await email();
	expect(subject).toMatch(/an earlier run has not ended/);
	expect(text).not.toMatch(/\b0\b/);
	await until('the report', () => kit.mailbox.mails.length === 2, 60_000);
	expect(kit.mailbox.mails[1]?.subject).toMatch(/1 feed opened/);
});
