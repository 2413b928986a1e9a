import type { WorkflowNode } from '../harness/n8n/setup';
import { everyFiveSeconds } from './support/triggerInstance';
import { type Fixture, startFixture, until } from './workflows/fixture';
import { addListener, asOwner, person, setFeed } from './workflows/people';
import { tellMembers } from './workflows/tellMembers';

/** How long a refused email waits here. In the files, it is 10 to 20 minutes, and then longer. */
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

/** Gives up after the second try, so that a test needs no 13 hours. */
function impatient(node: WorkflowNode): void {
	if (node.name !== 'One More Try') return;
	const { conditions } = node.parameters as {
		conditions: { conditions: Array<{ rightValue: number }> };
	};
	for (const condition of conditions.conditions) condition.rightValue = 1;
}

/** Waits for someone's failed execution, and returns its ID. */
async function failureOf(email: string): Promise<string> {
	let found: string | undefined;
	await until(
		`an execution says that ${email} got no email`,
		async () => {
			const failed = (await fixture.executions(id)).filter(({ status }) => status === 'error');
			const said = await fixture.failures(id);
			found = failed.find((_, at) => said[at]?.includes(`${email} got no email`))?.id;
			return found !== undefined;
		},
		60_000,
	);
	return String(found);
}

/** Selects Retry for an execution. */
const retry = async (execution: string): Promise<unknown> =>
	await fixture.environment.client.request('POST', `/executions/${execution}/retry`, {
		loadWorkflow: true,
	});

describe('tell-members.json, when the email server refuses an address', () => {
	it('sends the others immediately, says who got none, and sends it after Retry', async () => {
		id = await fixture.use('tell-members.json', (node) => {
			tellMembers(WAIT)(node);
			impatient(node);
		});
		const [bad, other, ...good] = ['bad', 'other', 'ann', 'bea', 'cal'].map(
			(name) => `${name}@example.com`,
		) as [string, string, ...string[]];
		fixture.mailbox.unknown.add(bad).add(other);
		for (const email of [bad, ...good, other]) await addListener(fixture, email);
		await until('the others have their email', () => good.every((one) => emailsTo(one) === 1));
		const execution = await failureOf(bad);
		await failureOf(other);
		expect((await fixture.failures(id)).join('\n')).toContain('No such user here');
		fixture.mailbox.unknown.clear();
		await retry(execution);
		await until('the email after Retry', () => emailsTo(bad) === 1);
		await seconds(8);
		expect([bad, other, ...good].map(emailsTo)).toEqual([1, 0, 1, 1, 1]);
	});

	it('looks at the feed again: a corrected address gets the email, and who left gets none', async () => {
		id = await fixture.use('tell-members.json', tellMembers(12));
		fixture.mailbox.unknown.add('typo@example.com').add('left@example.com').add('gone@example.com');
		for (const name of ['typo', 'left', 'gone']) await addListener(fixture, `${name}@example.com`);
		// Three tries in the first execution. Then each of them has its own.
		const refused = () => fixture.mailbox.refused.length;
		await until('all are refused', () => refused() === 9);
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

describe('payment-failed.json, when the email server refuses one address of five', () => {
	it('sends the other four one email each, says who got none, and sends it after Retry', async () => {
		id = await fixture.use('payment-failed.json', (node) => {
			impatient(node);
			if (node.type.endsWith('supercastTrigger'))
				node.parameters.pollTimes = { item: everyFiveSeconds };
			if (node.name === 'Wait') Object.assign(node.parameters, { amount: WAIT, unit: 'seconds' });
			if (node.name !== 'Email the Member') return;
			delete node.disabled;
			Object.assign(node, { waitBetweenTries: 100 });
			node.parameters.fromEmail = 'podcast@example.com';
		});
		const people = fixture.sandbox.state.subscribers.slice(0, 5).map(({ email, uuid }) => ({
			email,
			uuid,
		}));
		const [, , bad = { email: '', uuid: '' }] = people;
		fixture.mailbox.unknown.add(bad.email);
		for (const { uuid } of people) fixture.sandbox.controls.setState(uuid, 'charge_failure');
		const execution = await failureOf(bad.email);
		expect(people.map(({ email }) => emailsTo(email))).toEqual([1, 1, 0, 1, 1]);
		fixture.mailbox.unknown.clear();
		await retry(execution);
		await until('the email after Retry', () => emailsTo(bad.email) === 1);
		await seconds(8);
		expect(people.map(({ email }) => emailsTo(email))).toEqual([1, 1, 1, 1, 1]);
	});
});
