import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { StripeSubscription } from '../../simulators/memberships/stripe';
import { root } from '../harness/system/paths';
import { minutesUntil, useLaterDates } from '../support/laterDates';
import { type Fixture, ready, startFixture, until } from './workflows/fixture';

/** What really happened on a day. */
interface TrueDay {
	opened: string[];
	closed: string[];
}

/** Five days of a channel in a real n8n, whose clock a test moves. */
describe('the morning email', () => {
	/** A sync run every so many seconds, and as often a question for new members. */
	const EVERY = 5;
	const MEMBERS = 20;

	const dates = useLaterDates();
	const laterFile = join(mkdtempSync(join(tmpdir(), 'later-')), 'minutes');
	let minutes = 0;
	let fixture: Fixture;

	beforeAll(async () => {
		writeFileSync(laterFile, '0');
		fixture = await startFixture(
			{ subscribers: 0, rateLimit: 0 },
			{
				LATER_FILE: laterFile,
				// The expressions of n8n's other engines have a separate clock.
				N8N_EXPRESSION_ENGINE: 'legacy',
				NODE_OPTIONS: `--require ${join(root, 'test', 'harness', 'n8n', 'later.cjs')}`,
			},
		);
	});
	afterAll(async () => await fixture?.stop());

	/** Lets time pass for n8n, Stripe and Supercast. */
	function pass(more: number): void {
		minutes += more;
		dates.pass(more);
		writeFileSync(laterFile, String(minutes));
	}

	const openEmails = (): Set<string> =>
		new Set(
			fixture.sandbox.state.subscribers
				.filter(({ state }) => state === 'available')
				.map(({ email }) => email),
		);

	let before = new Set<string>();
	let day: TrueDay = { opened: [], closed: [] };

	/** Adds to the true daily log what has happened since the last time. */
	function note(): void {
		const now = openEmails();
		day.opened.push(...[...now].filter((email) => !before.has(email)));
		day.closed.push(...[...before].filter((email) => !now.has(email)));
		before = now;
	}

	/** Checks follow each other, five minutes apart, until something is so. */
	async function syncRuns(what: string, isDone: () => boolean, most = 8): Promise<void> {
		const asked = () => fixture.senders.asked.filter(({ url }) => !url.includes('created')).length;
		for (let number = 0; number < most && !isDone(); number++) {
			const since = asked();
			await until('the next sync run', () => asked() > since + 1);
			pass(5);
		}
		await until(what, isDone);
		note();
	}

	const isOpen = ({ customer }: StripeSubscription) => openEmails().has(customer.email ?? '');

	/** The next morning. Its email must be as the true daily log of the day before. */
	async function morning(): Promise<void> {
		note();
		const from = fixture.mailbox.mails.length;
		pass(minutesUntil(7) + 5);
		const mail = await fixture.mailbox.next(/\d joined/, from, 60_000);
		const { opened, closed } = day;
		expect(mail.subject).toContain(
			`${opened.length} joined, ${closed.length} left, ${before.size} open`,
		);
		for (const page of [mail.text, mail.html])
			for (const email of [...opened, ...closed]) expect(page).toContain(email);
		day = { opened: [], closed: [] };
	}

	it('is as the true daily log, with joins by both lanes, a refused list, Supercast down, and n8n killed', async () => {
		const { stripe } = fixture.senders;
		const join = (name: string) => stripe.join(`${name}@example.com`, 'Ann Bell');
		for (let number = 1; number <= MEMBERS; number++) join(`member.${number}`);
		const members = [...stripe.subscriptions];
		const [one, two, three, ...others] = members as [
			StripeSubscription,
			StripeSubscription,
			StripeSubscription,
			...StripeSubscription[],
		];
		// As with any real list, the first sync run opens these feeds, and not Set Access.
		const id = await fixture.use('stripe.json', ready({ every: EVERY, closeAfter: 2 }));
		const first = await fixture.mailbox.next(/\d opened/, 0, 60_000);
		expect(first.subject).toContain(`${MEMBERS} opened, 0 closed, ${MEMBERS} open`);
		await syncRuns('the first run', () => openEmails().size === MEMBERS);
		day = { opened: [], closed: [] };
		await fixture.edit(id, ready({ every: EVERY, newEvery: EVERY, closeAfter: 2 }));
		await morning();

		// Two join and one leaves.
		const joined = [join('anna'), join('berta')];
		stripe.end(one);
		await syncRuns('the first day', () => joined.every(isOpen) && !isOpen(one));
		await morning();

		// A list without ten members is refused, and n8n is killed after someone joined.
		const statuses = others.slice(0, 10).map((member) => [member, member.status] as const);
		for (const [member] of statuses) member.status = 'canceled';
		const refused = fixture.mailbox.mails.length;
		await syncRuns('the email about it', () => fixture.mailbox.mails.length > refused);
		expect(fixture.mailbox.mails.at(-1)?.text).toContain('Allow Once');
		for (const [member, status] of statuses) member.status = status;
		const dora = join('dora');
		await syncRuns('the second day', () => isOpen(dora));
		await fixture.restart();
		stripe.end(two);
		await syncRuns('the second day', () => !isOpen(two));
		await morning();

		// Supercast is down, and n8n is killed meanwhile.
		fixture.sandbox.controls.addFaults({ kind: 'status', status: 500, share: 1 });
		const emil = join('emil');
		stripe.end(three);
		pass(5);
		await fixture.restart();
		pass(5);
		fixture.sandbox.controls.clearFaults();
		await syncRuns('the third day', () => isOpen(emil) && !isOpen(three));
		await morning();

		// Nothing happens.
		await morning();
	});
});
