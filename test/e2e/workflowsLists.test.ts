import type { WorkflowNode } from '../harness/n8n/setup';
import type { Subscriber } from '../../simulators/supercast';
import { all, type Edit, type Fixture, ready, startFixture } from './workflows/fixture';
import { inSync, type Listed, type MemberExport, type Reading } from './workflows/lists';
import { damagedLists, ownLists, systemExports } from './workflows/ownLists';
import { asOwner } from './workflows/people';

const LONG_AGO = '2025-06-01T00:00:00.000Z';

describe('any-list.json, with lists as people have them', () => {
	let fixture: Fixture;
	let people: Listed[];

	beforeAll(async () => (fixture = await startFixture({ subscribers: 0, rateLimit: 0 })));
	afterAll(async () => await fixture?.stop());

	/** Supercast keeps an email as it was typed. */
	const isOpen = ({ email }: Listed) =>
		fixture.sandbox.state.subscribers.some(
			(one) => one.email.trim().toLowerCase() === email && one.state === 'available',
		);

	/** Eight members, of whom the first has no subscriber yet, and someone who has left. */
	async function begin({ name, id = ({ email }) => email, text }: MemberExport): Promise<void> {
		// After a reset, others would have the UUIDs of those whose feeds the same n8n has just changed.
		for (const { uuid } of [...fixture.sandbox.state.subscribers])
			await asOwner(fixture, 'DELETE', `/subscribers/${uuid}`);
		fixture.mailbox.mails.length = 0;
		people = Array.from({ length: 9 }, (_, at) => {
			// n8n would look up someone whom an earlier test has created.
			const domain = `${name
				.toLowerCase()
				.replace(/[^a-z]+/g, '-')
				.replace(/^-|-$/g, '')}.example.com`;
			const isMember = at < 8;
			return { at, isMember, name: 'Ann Bell', email: `${isMember ? `p${at}` : 'left'}@${domain}` };
		});
		const subscribers = fixture.sandbox.controls.addRecords('subscribers', 8) as Subscriber[];
		for (const [at, subscriber] of subscribers.entries()) {
			const one = people[at + 1] as Listed;
			Object.assign(subscriber, { email: one.email, customer_id: `list-${id(one)}` });
			Object.assign(subscriber, { state: 'available', plan_id: null, plan_name: null });
			Object.assign(subscriber, { created_at: LONG_AGO, updated_at: LONG_AGO });
		}
		serve(text);
	}

	function serve(text: MemberExport['text']): void {
		const file = { path: '/members.csv', status: 200, body: text(people) };
		fixture.senders.faults.splice(0, Infinity, file);
	}

	/** Whether the owner is told, and whether exactly the members have open feeds. */
	async function syncRun(edit: Edit = () => undefined) {
		fixture.mailbox.mails.length = 0;
		const id = await fixture.use('any-list.json', all(ready(), edit));
		const status = await fixture.run(id, 'Every 5 Minutes');
		await fixture.unuse(id);
		const isTold = fixture.mailbox.mails.some(({ text }) => /^Unclear|incomplete/m.test(text));
		return {
			isLoud: status === 'error' || isTold,
			isRight: people.every((one) => isOpen(one) === one.isMember),
			closed: people.filter((one) => one.isMember && one.at > 0 && !isOpen(one)),
		};
	}

	it.each([...systemExports, ...ownLists, ...damagedLists])('$name: $outcome', async (list) => {
		await begin(list);
		const first = await syncRun();
		expect(first.closed).toEqual([]);
		if (list.outcome === 'right') return expect(first.isRight).toBe(true);
		expect(first.isLoud).toBe(true);
		if (list.reading === undefined) return;
		expect(await syncRun(read(list.reading))).toMatchObject({ isRight: true, isLoud: false });
	});

	it('a member without an ID has an open feed until they leave', async () => {
		const own = ownLists[0]!;
		const text: MemberExport['text'] = (some) => String(own.text(some)).replace(',m-0,', ',,');
		await begin({ ...own, name: 'no id', text });
		expect(await syncRun()).toMatchObject({ isRight: true, isLoud: false });
		people[0]!.isMember = false;
		serve(text);
		expect(await syncRun()).toMatchObject({ isRight: true, isLoud: false });
	});

	/** What a person does after reading the note or the message. */
	function read({ sync = {}, rows }: Reading): Edit {
		const inRows = ({ name, parameters }: WorkflowNode) => {
			if (name === 'Read the Rows') Object.assign(parameters.options as object, rows);
		};
		return all(inRows, inSync(sync));
	}
});
