import { startMockServers, SYSTEMS, systemNames, type MockServers, type SystemName } from '.';
import { PAGE_FAULTS, pageFaultFacts, type Left, type PageFaultKind } from './pageFaults';
import { TOO_MANY } from './pages';
import type { MockAnswer } from './requests';

/** Someone who reads on after this many pages would never stop. */
const MOST = 12;
const PER_PAGE = 4;
const COUNT = 5 * PER_PAGE - 3;

let servers: MockServers;

beforeAll(async () => {
	servers = await startMockServers();
});
afterAll(async () => await servers.close());
beforeEach(() => servers.clear());

/** Asks for a page of a list, after the response before it. */
async function ask(name: SystemName, number = 1, before?: unknown): Promise<MockAnswer> {
	const { path, ...request } = SYSTEMS[name].list.request(servers[name], {
		...{ number, size: PER_PAGE, before },
	});
	return await servers.ask(name, path, request);
}

/** Adds the members of a system. */
function joinAll(name: SystemName): void {
	const members = SYSTEMS[name].members.of(servers[name]);
	for (let index = 0; index < COUNT; index++) members.join(`m${index}@example.com`, 'Ann Bell');
}

/** Reads a list as someone does who believes each page. */
async function read(name: SystemName): Promise<{ left: Left | 'refused'; answers: MockAnswer[] }> {
	const { list } = SYSTEMS[name];
	const answers: MockAnswer[] = [];
	const emails = new Set<unknown>();
	for (let number = 1; number <= MOST; number++) {
		const answer = await ask(name, number, answers.at(-1)?.json);
		answers.push(answer);
		if (answer.status !== 200) return { left: 'refused', answers };
		const records = list.records(answer);
		if (records === undefined) return { left: 'nothing', answers };
		for (const record of records) emails.add(list.email(record));
		if (!list.goesOn(answer, PER_PAGE))
			return { left: emails.size < COUNT ? 'fewer' : 'everyone', answers };
	}
	return { left: 'no end', answers };
}

const kinds = Object.keys(PAGE_FAULTS) as PageFaultKind[];

describe.each(systemNames)('%s', (name) => {
	const { list, file, credential } = SYSTEMS[name];

	it('lists everyone, once each, without an injected fault', async () => {
		joinAll(name);
		const { left, answers } = await read(name);
		expect(left).toBe('everyone');
		expect(servers.requests(name)).toBe(answers.length);
		const total = list.total?.(answers[0]!) ?? COUNT;
		expect(total).toBe(COUNT);
		const records = answers.flatMap((answer) => list.records(answer) ?? []);
		expect(records).toHaveLength(COUNT);
	});

	it('refuses a request without its credential', async () => {
		const { path, query, body } = list.request(servers[name], {
			...{ number: 1, size: PER_PAGE, before: undefined },
		});
		const answer = await servers.ask(name, path, { query, body });
		const isRefused = answer.status !== 200 || list.records(answer) === undefined;
		expect([file, isRefused]).toEqual([file, credential !== undefined]);
	});

	const possible = kinds
		.filter((kind) => list.isOnePage !== true || pageFaultFacts[kind].needsPages !== true)
		.filter((kind) => list.total !== undefined || pageFaultFacts[kind].needsTotal !== true);

	it.each(possible)('leaves what the table says, or what the system says: %s', async (kind) => {
		joinAll(name);
		const page = list.isOnePage === true ? 1 : 2;
		servers[name].pageFaults.push({ kind, page });
		const { left, answers } = await read(name);
		expect(left).toBe(list.leaves?.[kind] ?? pageFaultFacts[kind].leaves);
		for (const { status } of answers.slice(0, -1)) expect(status).toBe(200);
		const damaged = answers[1] ?? answers[0]!;
		const total = list.total?.(damaged);
		if (kind === 'totalAbove') expect(total).toBe(COUNT + TOO_MANY);
		if (kind === 'totalMissing') expect(total ?? undefined).toBeUndefined();
		// A file and a bare array have no place for errors.
		if (kind === 'errorsWithData' && damaged.json !== undefined && !Array.isArray(damaged.json))
			expect(damaged.json).toHaveProperty('errors');
		if (kind === 'nonce') expect(answers[1]?.text).not.toBe(answers[2]?.text);
		servers[name].pageFaults.length = 0;
		expect((await read(name)).left).toBe('everyone');
	});
});

it('a fault affects as many responses as a test says', async () => {
	joinAll('ghost');
	servers.ghost.pageFaults.push({ kind: 'html', page: 2, times: 1 });
	expect((await read('ghost')).left).toBe('nothing');
	expect((await read('ghost')).left).toBe('everyone');
});
