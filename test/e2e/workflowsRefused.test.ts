import { all, type Fixture, startFixture, until } from './workflows/fixture';
import { addListener, asOwner, person, setFeed } from './workflows/people';
import { tellMembers } from './workflows/tellMembers';
import { failure, filledIn, quick, retry } from './workflows/tries';

/** How long a refused email waits here. In the files, it is 15 minutes, and then longer. */
const WAIT = 4;

let fixture: Fixture;
let id: string;

beforeAll(async () => (fixture = await startFixture({ subscribers: 12, rateLimit: 0 })));
afterAll(async () => await fixture?.stop());
beforeEach(() => {
	fixture.sandbox.reset();
	fixture.mailbox.mails.length = 0;
	fixture.mailbox.refusing = false;
	fixture.mailbox.unknown.clear();
	fixture.mailbox.refused.length = 0;
});
afterEach(async () => await fixture.unuse(id));

const seconds = async (count: number): Promise<void> =>
	await new Promise((resolve) => setTimeout(resolve, count * 1000));
const emailsTo = (email: string): number =>
	fixture.mailbox.mails.filter(({ to }) => to === email).length;

/** Whether an execution says that someone got no email. */
const isNamed = async (email: string): Promise<boolean> =>
	(await fixture.failures(id)).some(
		(said) => said.includes(email) && said.includes('got no email'),
	);

describe('tell-members.json, when the email server refuses an address', () => {
	it('sends the others immediately, says who got none, and sends it after Retry', async () => {
		id = await fixture.use('tell-members.json', tellMembers(WAIT, 1));
		const [bad, other, ...good] = ['bad', 'other', 'ann', 'bea', 'cal'].map(
			(name) => `${name}@example.com`,
		) as [string, string, ...string[]];
		fixture.mailbox.unknown.add(bad).add(other);
		for (const email of [bad, ...good, other]) await addListener(fixture, email);
		await until('the others have their email', () => good.every((one) => emailsTo(one) === 1));
		for (const one of [bad, other])
			await until(`${one} is named`, async () => await isNamed(one), 60_000);
		expect((await fixture.failures(id)).join('\n')).toContain('No such user here');
		fixture.mailbox.unknown.delete(bad);
		await retry(fixture, id);
		await until('the email after Retry', () => emailsTo(bad) === 1);
		await seconds(8);
		expect([bad, other, ...good].map(emailsTo)).toEqual([1, 0, 1, 1, 1]);
	});

	it('looks at the feed again: a corrected address gets the email, and who left gets none', async () => {
		id = await fixture.use('tell-members.json', tellMembers(12));
		fixture.mailbox.unknown.add('typo@example.com').add('left@example.com').add('gone@example.com');
		for (const name of ['typo', 'left', 'gone']) await addListener(fixture, `${name}@example.com`);
		await until('all are refused', () => fixture.mailbox.refused.length === 3);
		await seconds(1);
		fixture.mailbox.unknown.clear();
		const typo = person(fixture, 'typo@example.com');
		Object.assign(typo ?? {}, { email: 'right@example.com' });
		await setFeed(fixture, 'left@example.com', 'inactive');
		await asOwner(fixture, 'DELETE', '/subscribers/gone@example.com');
		await until('the corrected address', () => emailsTo('right@example.com') === 1, 60_000);
		await seconds(15);
		expect(fixture.mailbox.mails.map(({ to }) => to)).toEqual(['right@example.com']);
		expect(await fixture.failures(id)).toEqual([]);
	});
});

describe('payment-failed.json', () => {
	const use = async (tries?: number): Promise<string> =>
		await fixture.use(
			'payment-failed.json',
			all(quick(tries), filledIn({ 'Email the Member': { fromEmail: 'podcast@example.com' } })),
		);
	/** Payments of so many people fail. */
	function fail(count: number) {
		const people = fixture.sandbox.state.subscribers.slice(0, count);
		for (const { uuid } of people) fixture.sandbox.controls.setState(uuid, 'charge_failure');
		return people;
	}

	it('emails ten members once, also after an outage of the email server', async () => {
		id = await use();
		fixture.mailbox.refusing = true;
		const people = fail(10);
		const isWaiting = async () =>
			(await fixture.executions(id)).some(({ status }) => ['running', 'waiting'].includes(status));
		await until('an execution tries again', isWaiting, 60_000);
		await seconds(3);
		fixture.mailbox.refusing = false;
		const isDone = () => people.every(({ email }) => emailsTo(email) > 0);
		await until('all emails', isDone, 60_000);
		await seconds(6);
		expect(people.map(({ email }) => emailsTo(email))).toEqual(people.map(() => 1));
		expect(await fixture.failures(id)).toEqual([]);
	});

	it('names whom it could not email, and emails only them after Retry', async () => {
		id = await use(1);
		const people = fixture.sandbox.state.subscribers.slice(0, 5).map(({ email }) => email);
		const [, , bad = ''] = people;
		fixture.mailbox.unknown.add(bad);
		fail(5);
		expect(await failure(fixture, id)).toContain(`${bad} got no email: `);
		expect(people.map(emailsTo)).toEqual([1, 1, 0, 1, 1]);
		fixture.mailbox.unknown.clear();
		await retry(fixture, id);
		await until('the email after Retry', () => emailsTo(bad) === 1);
		await seconds(6);
		expect(people.map(emailsTo)).toEqual([1, 1, 1, 1, 1]);
	});

	it('says at the first try that someone has no email', async () => {
		id = await use();
		const [one] = fail(1);
		Object.assign(one ?? {}, { email: null });
		expect(await failure(fixture, id)).toContain(`${String(one?.uuid)} got no email: `);
		expect(fixture.mailbox.mails).toEqual([]);
	});
});
