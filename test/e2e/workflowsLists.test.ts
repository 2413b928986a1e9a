import type { WorkflowNode } from '../harness/n8n/setup';
import { JOINED, SYSTEMS, systemNames, type SystemName } from '../../simulators/memberships';
import { pageFaultFacts, type PageFaultKind } from '../../simulators/memberships/pageFaults';
import type { Subscriber } from '../../simulators/supercast';
import { systemExports } from './workflows/exports';
import { all, type Edit, type Fixture, ready, startFixture } from './workflows/fixture';
import { counts, type Listed, type MemberExport, type Reading } from './workflows/lists';
import { damagedLists, ownLists } from './workflows/ownLists';

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
	function begin({ name, id = ({ email }) => email, text }: MemberExport): void {
		fixture.sandbox.reset();
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
		fixture.senders.faults.splice(0, Infinity, {
			path: '/members.csv',
			status: 200,
			body: text(people),
		});
	}

	/** Whether the owner is told, and whether exactly the members have open feeds. */
	async function syncRun(
		{ told = /Nobody counts/, hasNoNew = false }: MemberExport,
		edit: Edit = () => undefined,
	) {
		fixture.mailbox.mails.length = 0;
		const id = await fixture.use('any-list.json', all(ready(), edit));
		const status = await fixture.run(id, 'Every 5 Minutes');
		await fixture.unuse(id);
		const isTold = fixture.mailbox.mails.some(({ text }) => told.test(text));
		return {
			isLoud: status === 'error' || isTold,
			isRight: people.every((one) => isOpen(one) === (one.isMember && !(one.at === 0 && hasNoNew))),
			closed: people.filter((one) => one.isMember && one.at > 0 && !isOpen(one)),
		};
	}

	it.each([...systemExports, ...ownLists, ...damagedLists])('$name: $outcome', async (list) => {
		begin(list);
		const first = await syncRun(list);
		expect(first.closed).toEqual([]);
		if (list.outcome === 'right') return expect(first.isRight).toBe(true);
		expect(first.isLoud).toBe(true);
		if (list.reading === undefined) return;
		expect(await syncRun(list, read(list.reading))).toMatchObject({ isRight: true, isLoud: false });
	});

	/** What a person does after reading the note or the message. */
	function read({ counts: fields = {}, rows }: Reading): Edit {
		const inRows = ({ name, parameters }: WorkflowNode) => {
			if (name === 'Read the Rows') Object.assign(parameters.options as object, rows);
		};
		return all(inRows, counts(fields));
	}
});

describe('injected faults of pages, with status 200', () => {
	/** So many that the second page of each of two joined systems is not the last. */
	const COUNT = 420;

	const kinds = Object.keys(pageFaultFacts) as PageFaultKind[];
	const applies = (name: SystemName, kind: PageFaultKind) => {
		const { needsPages = false, needsTotal = false } = pageFaultFacts[kind];
		const { isOnePage = false, total, unknowable = [] } = SYSTEMS[name].list;
		if (unknowable.includes(kind)) return false;
		return !(isOnePage && needsPages) && !(total === undefined && needsTotal);
	};

	let fixture: Fixture;

	beforeAll(async () => (fixture = await startFixture({ subscribers: COUNT, rateLimit: 0 })));
	afterAll(async () => await fixture?.stop());

	const single = systemNames.map((name): [string, SystemName[]] => [SYSTEMS[name].file, [name]]);

	describe.each([...single, ...Object.entries(JOINED)])('%s', (file, names) => {
		let workflow: string;

		beforeAll(async () => {
			workflow = await fixture.use(file, ready());
		});
		afterAll(async () => await fixture.unuse(workflow));
		beforeEach(() => {
			const { senders, sandbox, mailbox } = fixture;
			sandbox.reset();
			mailbox.mails.length = 0;
			senders.clear();
			senders.patreon.pageSize = 100;
			for (const [at, one] of sandbox.controls.state().subscribers.entries()) {
				const name = names[at % names.length]!;
				const { members } = SYSTEMS[name];
				const customer_id = members.customerId(members.of(senders[name]).join(one.email));
				Object.assign(one, { customer_id, plan_id: null, plan_name: null });
				Object.assign(one, { state: 'available' });
			}
		});

		const cases = names.flatMap((name) =>
			kinds.filter((kind) => applies(name, kind)).map((kind) => ({ name, kind })),
		);
		it.each(cases)('$name, $kind', async ({ name, kind }) => {
			const { isOnePage = false, mostRequests = 60 } = SYSTEMS[name].list;
			// A system that counts its members does so on the first page.
			const onPage = isOnePage || pageFaultFacts[kind].needsTotal === true ? {} : { page: 2 };
			fixture.senders[name].pageFaults.push({ kind, ...onPage });
			const summary = (await fixture.look(workflow, 'Every 5 Minutes', 'Sync')).at(-1);
			const [execution] = await fixture.executions(workflow);
			const closed = fixture.sandbox.state.subscribers.filter(({ state }) => state !== 'available');
			expect(closed.map(({ email }) => email)).toEqual([]);
			const isLoud = execution?.status === 'error' || /the list lacks/.test(String(summary?.title));
			expect(isLoud).toBe(true);
			expect(fixture.senders.asked.length).toBeLessThanOrEqual(mostRequests);
		});
	});
});
