import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

import { type GhostAdmin, type AdminTier, setUpGhost } from '../harness/ghost/admin';
import { ensureGhost, whyNoGhost } from '../harness/ghost/install';
import { type GhostServer, startGhost } from '../harness/ghost/server';
import { runFolder } from '../harness/system/runFolder';
import { all, type Edit, type Fixture, ready, startFixture } from './workflows/fixture';
import { counting } from './workflows/lists';
import { person } from './workflows/people';

/** How many members Ghost imports: five pages. */
const COUNT = 450;
// cspell:ignore josé müller bcher afmkfd
/** Addresses that people have, as Ghost's own signup and its API store them. */
const INTERNATIONAL = [
	'josé@example.com',
	'post@müller.example',
	'post@xn--bcher-kva.example',
	'ivan@xn--e1afmkfd.xn--p1ai',
	"ann.o'hara+pod@example.co.uk",
];
const reason = whyNoGhost();

if (reason !== undefined) process.stdout.write(`Skipped, because ${reason}.\n`);

(reason === undefined ? describe : describe.skip)('ghost.json with a real Ghost', () => {
	let fixture: Fixture;
	let ghost: GhostServer;
	let admin: GhostAdmin;
	let gold: AdminTier;
	let folder: string;
	let credential: string;

	const imported = Array.from({ length: COUNT }, (_, at) => ({
		email: `member${at}@example.com`,
		name: `Ann Bell ${at}`,
		tier: at % 3 === 0 ? 'Silver' : 'Gold',
	}));
	const golden = imported.filter(({ tier }) => tier === 'Gold');

	beforeAll(async () => {
		folder = runFolder('ghost');
		ghost = await startGhost(await ensureGhost(), folder);
		admin = await setUpGhost(ghost);
		gold = await admin.addTier('Gold');
		await admin.addTier('Silver');
		await admin.importMembers([...imported, { email: 'free@example.com', name: 'Fay Free' }]);
		fixture = await startFixture({ subscribers: 0, rateLimit: 0 });
		const data = { url: ghost.url, apiKey: admin.apiKey };
		const created = await fixture.environment.client.request('POST', '/credentials', {
			...{ name: 'Real Ghost', type: 'ghostAdminApi', data },
		});
		credential = (created as { id: string }).id;
	});
	afterAll(async () => {
		await fixture?.stop();
		await ghost?.stop();
		rmSync(folder, { recursive: true, force: true });
	});

	/** Enters the address and the key of the real Ghost, as a person does. */
	const withRealGhost: Edit = ({ type, parameters, credentials }) => {
		if (type !== 'n8n-nodes-base.httpRequest' || credentials?.ghostAdminApi === undefined) return;
		Object.assign(credentials.ghostAdminApi, { id: credential });
		const url = String(parameters.url);
		const simulated = fixture.senders.addressOf('ghost');
		if (!url.startsWith('=')) parameters.url = url.replace(simulated, ghost.url);
	};

	const use = async (...edits: Edit[]) =>
		await fixture.use('ghost.json', all(ready(), withRealGhost, ...edits));
	const syncRun = async (id: string) => await fixture.run(id, 'Every 5 Minutes');
	const stateOf = (email: string) => person(fixture, email)?.state ?? 'nobody';
	const withoutFeed = (people: Array<{ email: string }>) =>
		people.map(({ email }) => email).filter((email) => stateOf(email) !== 'available');

	describe('members of one tier', () => {
		it('get a feed, and others get none', async () => {
			fixture.sandbox.reset();
			const id = await use(counting('Gold', 'Silver'));
			expect([await syncRun(id), await fixture.failures(id)]).toEqual(['success', []]);
			expect(withoutFeed(golden)).toEqual([]);
			expect(fixture.sandbox.state.subscribers).toHaveLength(golden.length);
			await fixture.unuse(id);
		});
	});

	describe('members of all tiers', () => {
		let workflow: string;
		let first: string;

		beforeAll(async () => {
			fixture.sandbox.reset();
			workflow = await use();
			first = await syncRun(workflow);
		});
		afterAll(async () => await fixture.unuse(workflow));

		it(`get a feed each after an import of ${COUNT}, with nobody missing or twice`, async () => {
			expect([first, await fixture.failures(workflow)]).toEqual(['success', []]);
			expect(withoutFeed(imported)).toEqual([]);
			expect(fixture.sandbox.state.subscribers).toHaveLength(COUNT);
			const { id } = await admin.member('member7@example.com');
			expect(person(fixture, 'member7@example.com')).toMatchObject({
				customer_id: `ghost-${id}`,
				first_name: 'Ann',
				last_name: 'Bell 7',
			});
		});

		it('lose it when their tier ends, and when they are deleted, and nobody else does', async () => {
			const ends = await admin.member('member1@example.com');
			const deleted = await admin.member('member2@example.com');
			expect((await admin.endMember(ends)).status).toBe('free');
			await admin.deleteMember(deleted);
			expect(await syncRun(workflow)).toBe('success');
			expect([stateOf(ends.email), stateOf(deleted.email)]).toEqual(['deactivated', 'deactivated']);
			expect(withoutFeed(imported.slice(3))).toEqual([]);
		});

		it.each(INTERNATIONAL)('get it at their own address: %s', async (email) => {
			const member = await admin.addMember(email, 'Ivan', gold);
			expect(await syncRun(workflow)).toBe('success');
			const subscriber = fixture.sandbox.state.subscribers.find(
				({ customer_id }) => customer_id === `ghost-${member.id}`,
			);
			expect(subscriber).toMatchObject({ email: member.email, state: 'available' });
			await admin.deleteMember(member);
		});

		it('get it within a minute when they are new, without a sync run', async () => {
			const { email, id } = await admin.addMember('new@example.com', 'Nora New', gold);
			const others = fixture.sandbox.state.subscribers.length;
			expect(await fixture.run(workflow, 'Every Minute')).toBe('success');
			expect(person(fixture, email)).toMatchObject({
				customer_id: `ghost-${id}`,
				state: 'available',
			});
			expect(fixture.sandbox.state.subscribers).toHaveLength(others + 1);
		});

		/** Ghost logs each request with its page when it has answered. */
		const pagesRead = () => readFileSync(ghost.logFile, 'utf8').match(/[?&]page=\d+/g) ?? [];

		it('keep it when n8n restarts in the middle of a sync run', async () => {
			const ends = await admin.member('member5@example.com');
			await admin.endMember(ends);
			const before = pagesRead().length;
			const running = syncRun(workflow).catch(() => 'n8n was killed');
			while (!pagesRead().slice(before).includes('&page=2')) await sleep(5);
			await fixture.restart();
			await running;
			expect(withoutFeed(imported.slice(6))).toEqual([]);
			expect(await syncRun(workflow)).toBe('success');
			expect(withoutFeed(imported.slice(6))).toEqual([]);
			expect(stateOf(ends.email)).toBe('deactivated');
		});
	});
});
