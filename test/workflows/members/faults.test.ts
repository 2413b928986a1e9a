import { JOINED, SYSTEMS, systemNames, type SystemName } from '../../../simulators/memberships';
import { pageFaultFacts, type PageFaultKind } from '../../../simulators/memberships/pageFaults';
import type { ResponseFault } from '../../../simulators/memberships/server';
import type { Edit, Ran } from '../../harness/workflows/run';
import { shareOf } from '../../support/deep';
import {
	imported,
	listen,
	live,
	membersOf,
	mockServers,
	openFeeds,
	set,
	useMembers,
} from './support';

/** So many that each system has three pages. */
const COUNT = 220;
/** Those of two systems have fewer each. */
const OF_TWO = 420;

useMembers();

/** In `npm test`, each file meets some of the faults, and each fault some of the files. */
const SHARES = 16;

/** Everyone of the systems of a file, in turns, with an open feed. */
function joinAll(names: SystemName[]): string[] {
	mockServers().patreon.pageSize = 100;
	const count = names.length > 1 ? OF_TWO : COUNT;
	return Array.from({ length: count }, (_, at) => {
		const name = names[at % names.length]!;
		const email = `m${at}@example.com`;
		listen(email, SYSTEMS[name].members.customerId(membersOf(name).join(email, 'Ann Bell')));
		return email;
	}).sort();
}

/** A list without an end is read up to the limit of pages, which is lower here. */
const MOST_PAGES = 20;
const lowLimit: Edit = ({ parameters }) => {
	const options = parameters.options as { pagination?: { pagination: object } } | undefined;
	if (options?.pagination !== undefined)
		Object.assign(options.pagination.pagination, { maxRequests: MOST_PAGES });
};

/** What the list was, as the owner hears it. A run that failed tells that something is wrong. */
function listOf({ error, output }: Ran): { isLoud: boolean; people: number } {
	const { numbers } = output('Sync').at(-1) ?? {};
	const { incomplete = 0, listed = 0 } = (numbers ?? {}) as {
		incomplete?: number;
		listed?: number;
	};
	return { isLoud: error !== undefined || incomplete > 0, people: listed };
}

const single = systemNames.map((name): [string, SystemName[]] => [SYSTEMS[name].file, [name]]);
const all = [...single, ...Object.entries(JOINED)];

describe.each(all)('%s', (file, names) => {
	const applies = (name: SystemName, kind: PageFaultKind): boolean => {
		const { needsPages = false, needsTotal = false } = pageFaultFacts[kind];
		const { isOnePage = false, total, unknowable = [] } = SYSTEMS[name].list;
		if (unknowable.includes(kind)) return false;
		return !(isOnePage && needsPages) && !(total === undefined && needsTotal);
	};
	const kinds = Object.keys(pageFaultFacts) as PageFaultKind[];
	const cases = names.flatMap((name) =>
		kinds.filter((kind) => applies(name, kind)).map((kind) => ({ name, kind })),
	);

	const at = all.findIndex(([one]) => one === file);

	it.each(shareOf(cases, at, SHARES))(
		'a damaged page closes nobody, and a shorter list is told: $name, $kind',
		async (one) => {
			const everyone = joinAll(names);
			const { isOnePage = false } = SYSTEMS[one.name].list;
			// A system that counts its members does so on the first page.
			const isFirst = isOnePage || pageFaultFacts[one.kind].needsTotal === true;
			mockServers()[one.name].pageFaults.push({ kind: one.kind, ...(!isFirst && { page: 2 }) });
			const { isLoud, people } = listOf(await imported(file, live, lowLimit).run());
			// Memberful's workflow reads on, as far as the total says, after a page that claims to be the last.
			const isComplete = one.kind === 'endsEarly' && people === everyone.length;
			expect(isLoud).toBe(!isComplete);
			expect(openFeeds()).toEqual(everyone);
			expect(mockServers().requests(one.name)).toBeLessThanOrEqual(MOST_PAGES);
		},
	);

	const refusals: Array<[string, Omit<ResponseFault, 'system' | 'path'>]> = [
		['401 on the first page', { status: 401 }],
		['429 on the second page', { status: 429, after: 1 }],
		['500 on the last page', { status: 500, after: 2 }],
	];
	const first = names[0]!;

	it.each(shareOf(refusals, at, refusals.length))(
		'a refusal closes nobody, and stops the run: %s',
		async (_, fault) => {
			const everyone = joinAll(names);
			const { path, isOnePage = false } = SYSTEMS[first].list;
			const after = isOnePage ? { after: 0 } : undefined;
			mockServers().faults.push({ system: first, path, ...fault, ...after });
			const { error, failed } = await imported(file, live).run();
			expect([error?.message, failed]).toEqual([
				expect.stringContaining(String(fault.status)),
				expect.stringMatching(/^Read /),
			]);
			expect(openFeeds()).toEqual(everyone);
		},
	);

	it('an empty list closes nobody, and stops the run', async () => {
		const everyone = joinAll(names);
		for (const name of names) {
			const { path, empty } = SYSTEMS[name].list;
			mockServers().faults.push({ system: name, path, status: 200, body: empty });
		}
		expect((await imported(file, live).run()).failed).toBe('Sync');
		expect(openFeeds()).toEqual(everyone);
	});
});

it('an empty list of one of two systems closes more than the limit allows, so it closes nobody', async () => {
	const everyone = joinAll(['stripe', 'patreon']);
	const { path, empty } = SYSTEMS.patreon.list;
	mockServers().faults.push({ system: 'patreon', path, status: 200, body: empty });
	const limited = set('Sync', { maxClosePercent: 10 });
	const { failed } = await imported('stripe-and-patreon.json', live, limited).run();
	expect([failed, openFeeds()]).toEqual(['Sync', everyone]);
});

it('half of a file closes more than the limit allows, so it closes nobody', async () => {
	const everyone = joinAll(['list']);
	mockServers().list.pageFaults.push({ kind: 'cut' });
	const limited = set('Sync', { maxClosePercent: 10 });
	const { failed } = await imported('any-list.json', live, limited).run();
	expect([failed, openFeeds()]).toEqual(['Sync', everyone]);
});

it('two systems, of which one has nobody yet, are a complete list', async () => {
	const member = membersOf('patreon').join('ana@example.com', 'Ana Bell');
	listen('ana@example.com', SYSTEMS.patreon.members.customerId(member));
	listen('gone@example.com', 'cus_1');
	await imported('stripe-and-patreon.json', live).run();
	expect(openFeeds()).toEqual(['ana@example.com']);
});
