import { TAG } from '../boundaries/hostile';
import type { Edit, ImportedWorkflow } from '../../harness/workflows/run';
import {
	imported,
	listen,
	live,
	membersOf,
	mockServers,
	openFeeds,
	useMembers,
	withEmail,
} from './support';

/** The nodes after Sync are the same in all files. */
const FILE = 'ghost.json';

useMembers();

const workflow = (...edits: Edit[]): ImportedWorkflow => imported(FILE, live, withEmail, ...edits);
const subjects = ({ emails }: ImportedWorkflow): string[] =>
	emails.map(({ subject }) => String(subject));
const refuse = (status: number, body: object = {}): void => {
	mockServers().faults.splice(0, Infinity, { path: '/ghost/api/admin/members/', status, body });
};

beforeEach(() => void membersOf('ghost').join('ana@example.com', 'Ana Bell'));

it('an email tells what happened, once a day', async () => {
	const ghost = workflow();
	for (let time = 0; time < 3; time++) await ghost.run();
	expect(subjects(ghost)).toHaveLength(1);
});

it('a run that fails stops, and is told once for each reason', async () => {
	const ghost = workflow();
	refuse(401);
	for (let time = 0; time < 3; time++) expect((await ghost.run()).error).toBeDefined();
	refuse(500);
	for (let time = 0; time < 3; time++) await ghost.run();
	expect(subjects(ghost)).toEqual([
		expect.stringMatching(/answered with 401.*\(Ghost Members\)$/),
		expect.stringMatching(/answered with 500.*\(Ghost Members\)$/),
	]);
	expect(ghost.emails[0]?.text).toContain('Node: Read All Members');
});

it('a run by hand that fails sends no email, because n8n shows it', async () => {
	const ghost = workflow();
	refuse(401);
	expect((await ghost.run('Every 5 Minutes', 'manual')).error).toBeDefined();
	expect(ghost.emails).toEqual([]);
});

it('what a run by hand has told does not silence the schedule', async () => {
	const ghost = workflow();
	await ghost.run('Every 5 Minutes', 'manual');
	await ghost.run();
	expect(subjects(ghost)).toHaveLength(2);
});

it('an email server that is down loses no alert', async () => {
	const ghost = workflow();
	ghost.takesEmails = false;
	for (let time = 0; time < 3; time++) await ghost.run();
	ghost.takesEmails = true;
	for (let time = 0; time < 3; time++) await ghost.run();
	expect(subjects(ghost)).toHaveLength(1);
});

it('an alert that could not be sent does not open feeds of new members again', async () => {
	const ghost = workflow();
	await ghost.run('Every Minute');
	const member = membersOf('ghost').all[0] as { email: string };
	expect(openFeeds()).toEqual([member.email]);
	ghost.takesEmails = false;
	await ghost.run();
	const again = await ghost.run('Every Minute');
	expect(again.output('Set Access')).toEqual([]);
});

it('an email shows HTML of others as text, once', async () => {
	const ghost = workflow();
	refuse(403, { errors: [{ message: `${TAG} & more` }] });
	await ghost.run();
	const [email] = ghost.emails;
	expect(email?.text).toContain('<img src=x');
	expect(email?.html).not.toContain('<img');
	expect(email?.html).toContain('&lt;img src=x');
	expect(email?.html).not.toContain('&amp;lt;');
});

it('without Email to You, nothing is sent, and nothing fails', async () => {
	const ghost = imported(FILE, live);
	const { error } = await ghost.run();
	expect([error, ghost.emails]).toEqual([undefined, []]);
});

it('a refused list is told by the report of Sync, and closes nobody', async () => {
	const ghost = workflow();
	for (let at = 0; at < 40; at++) {
		const { id } = membersOf('ghost').join(`m${at}@example.com`);
		listen(`m${at}@example.com`, `ghost-${id}`);
	}
	const limit: Edit = ({ name, parameters }) => {
		if (name === 'Sync') parameters.maxClosePercent = 10;
	};
	ghost.edit(limit);
	await ghost.run();
	const all = mockServers().ghost.people.all;
	for (const one of all.slice(0, 20)) one.status = 'free';
	for (let time = 0; time < 2; time++) expect((await ghost.run()).failed).toBe('Sync');
	expect(openFeeds()).toHaveLength(41);
	expect(subjects(ghost)).toEqual([
		expect.any(String),
		expect.stringMatching(/^Sync stopped: 20 feeds would close.*\(Ghost Members\)$/),
	]);
	expect(ghost.emails[1]?.text).toMatch(/close 20 until /);
	expect(ghost.emails[1]?.html).toContain('<');
});

it('names an unclear person within the same run, and again the next day only', async () => {
	const ghost = workflow();
	await ghost.run();
	Object.assign(membersOf('ghost').join('odd@example.com'), { status: 'odd' });
	for (let time = 0; time < 3; time++) await ghost.run();
	expect(ghost.emails).toHaveLength(2);
	expect(ghost.emails[1]?.text).toMatch(/status "odd" is in no list.*odd@example\.com/);
});
