import { SYSTEMS, systemNames, type SystemName } from '../../../simulators/memberships';
import { nodeNamed } from '../files';
import { tableOf } from '../tables';
import {
	imported,
	listen,
	live,
	membersOf,
	mockServers,
	openFeeds,
	statusesOf,
	useMembers,
} from './support';

/** Statuses that nobody has documented. */
const INVENTED = [
	...['active-trial', 'activ', 'paid.up', 'open', 'close', 'keep', '#N/A', '__proto__', '0'],
	...['gekünd. "2.0" (€ 4,99)', 'constructor', 'x'.repeat(300)],
];

const LISTS = { openFor: 'open', keepFor: 'keep', closeFor: 'close' };

/** The words in **Sync**, each with its access. */
function wordsOf(file: string): string[][] {
	const parameters = nodeNamed(file, 'Sync')?.parameters ?? {};
	return Object.entries(LISTS).flatMap(([name, access]) =>
		String(parameters[name])
			.split(/[\n,]/)
			.map((word) => word.trim())
			.filter((word) => word !== '')
			.map((word) => [word, access]),
	);
}

const files = systemNames
	.map((name) => SYSTEMS[name])
	.filter(({ title }) => title !== 'A CSV file');

it.each(files)('the page has the words of $file, and no other', ({ title, file }) => {
	const rows = tableOf(title).map(([status, access]) => [status, access]);
	expect(rows.length).toBeGreaterThan(2);
	expect(rows.sort()).toEqual(wordsOf(file).sort());
});

it('the file for two systems has the words of both', () => {
	const both = ['stripe', 'patreon'].flatMap((name) => wordsOf(`${name}.json`));
	expect(wordsOf('stripe-and-patreon.json').sort()).toEqual(both.sort());
});

useMembers();

const withStatuses = systemNames.filter((name) => SYSTEMS[name].members.setStatus !== undefined);

describe.each(withStatuses)('%s', (name: SystemName) => {
	const { title, file, members } = SYSTEMS[name];

	/** What a mock server calls the statuses. A tier is no part of it. */
	const documented = tableOf(title)
		.map(([word = '', access = '']) => ({ word, access }))
		.filter(({ word }) => !word.endsWith('+tier'))
		.map(({ word, access }) => ({ status: word === '(empty)' ? '' : word, access }));

	/** Someone with a status, with an open feed or without a subscriber. */
	function join(status: string, at: number, hasFeed: boolean): string {
		const email = `${hasFeed ? 'old' : 'new'}.${at}@example.com`;
		const member = membersOf(name).join(email, 'Ann Bell');
		members.setStatus?.(mockServers()[name], member, status);
		if (hasFeed) listen(email, members.customerId(member));
		return email;
	}

	it('each documented status does what the page says, and no other changes anything', async () => {
		const cases = [...documented, ...INVENTED.map((status) => ({ status, access: 'unclear' }))];
		const people = cases.map(({ status, access }, at) => {
			return { access, old: join(status, at, true), new: join(status, at, false) };
		});
		const ran = await imported(file, live).run();
		expect(ran.error).toBeUndefined();
		const open = openFeeds();
		const seen = people.map((one, at) => {
			const { status, access } = cases[at]!;
			return { status, access, old: open.includes(one.old), new: open.includes(one.new) };
		});
		expect(seen).toEqual(
			cases.map(({ status, access }) => ({
				...{ status, access, old: access !== 'close', new: access === 'open' },
			})),
		);
		const unclear = statusesOf(ran).filter(({ access }) => access === 'unclear');
		expect(unclear.map(({ status }) => status.replace(/ \+tier$/, '')).sort()).toEqual(
			[...INVENTED].sort(),
		);
	});
});
