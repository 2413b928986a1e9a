import type { IExecuteFunctions } from 'n8n-workflow';

import { ListOfMembers } from '../../../nodes/Supercast/access/sync/list/members';
import { laterSystems, vanishedSystems } from '../../../nodes/Supercast/access/sync/memory/systems';
import {
	NOTHING_REMEMBERED,
	type ListMemory,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import { isMadeByN8n } from '../../../nodes/Supercast/execution/emptyItems';
import { DirectSupercast, held, type Held } from '../../doubles/directSupercast';
import { NOW, parametersOf, runRows, type Row } from './running';

const crowd = (count: number, idOf = (number: number) => `c-${number}`): Held[] =>
	Array.from({ length: count }, (_, number) => held(number, { customer_id: idOf(number) }));
const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });

/** Runs lists one after the other, as one Sync that remembers. Returns the hints of each run. */
async function runLists(service: DirectSupercast, lists: Row[][], options = {}): Promise<string[]> {
	let memory: ListMemory = NOTHING_REMEMBERED;
	const hints: string[] = [];
	for (const [number, rows] of lists.entries()) {
		const receivedAt = NOW + number * 5 * 60_000;
		const tools = {
			...{ memory, receivedAt, readAt: receivedAt, now: () => receivedAt },
			remember: (next: ListMemory) => void (memory = next),
		};
		const result = await runRows(service, rows, { options }, { tools });
		hints.push(result.hints.map(({ message }) => message).join('\n'));
	}
	return hints;
}

const closed = ({ subscribers }: DirectSupercast): string[] =>
	subscribers.filter(({ state }) => state === 'deactivated').map(({ email }) => email);

describe('an empty item in the place of a member', () => {
	const damaged = {} as Row;

	it('is told with its number each time, and the first list closes nobody', async () => {
		const service = new DirectSupercast(crowd(6), NOW);
		const list = [damaged, ...crowd(6).slice(1).map(rowOf)];
		const [first, second] = await runLists(service, [list, list], { closeAfter: 2 });
		expect(first).toContain('each may have been a member: item 0, counted from 0.');
		expect(first).toContain('Sync closes no feeds in this run');
		expect(second).toContain('item 0, counted from 0. The list before had as many');
		expect(closed(service)).toEqual([]);
	});

	it('that comes with each list keeps nobody open for ever', async () => {
		const service = new DirectSupercast(crowd(6), NOW);
		const list = [...crowd(5).map(rowOf), damaged];
		const hints = await runLists(service, [list, list, list], { closeAfter: 2 });
		expect(closed(service)).toEqual(['m5@a.com']);
		for (const hint of hints) expect(hint).toContain('item 5');
	});

	it('is a branch without items if n8n has made it, however many there are', () => {
		const list = new ListOfMembers(6);
		for (let index = 0; index < 5; index++) list.add(index, parametersOf({}), {}, true);
		expect(list.damaged).toEqual([]);
		list.add(5, parametersOf({}), {});
		expect(list.damaged).toEqual([5]);
	});
});

describe('whether n8n has made an empty item', () => {
	const from = (previousNode: string) => ({ previousNode });
	/** Two sources, which a Merge node joins: the items of the first, and an empty one of the second. */
	const contextOf = (second: object, alwaysOutputData?: boolean): IExecuteFunctions => {
		const merged = [{ json: { email: 'a@a.com' }, pairedItem: { item: 0 } }];
		const empty = { json: {}, pairedItem: { item: 0, input: 1 } };
		const runData = {
			Second: [{ data: { main: [[second]] }, source: [from('Start')] }],
			Merge: [{ data: { main: [[...merged, empty]] }, source: [from('First'), from('Second')] }],
		};
		return {
			runExecutionData: { resultData: { runData } },
			workflow: { nodes: { Second: { alwaysOutputData } } },
			getExecuteData: () => ({ source: { main: [from('Merge')] } }),
		} as never;
	};
	const n8ns = { json: {}, pairedItem: [{ item: 0, input: 0 }] };

	it.each<[string, IExecuteFunctions, boolean]>([
		['with Always Output Data', contextOf(n8ns, true), true],
		['without the setting', contextOf(n8ns), false],
		['if a node made it of an item', contextOf({ json: {}, pairedItem: { item: 0 } }, true), false],
		['if it had fields before', contextOf({ ...n8ns, json: { email: 'b@a.com' } }, true), false],
	])('%s', (_, context, expected) => {
		expect(isMadeByN8n(context, 1)).toBe(expected);
		expect(isMadeByN8n(context, 0)).toBe(false);
	});
});

describe('a list of exactly 50', () => {
	it.each([
		[52, 50, true],
		[51, 49, false],
		[50, 50, false],
	])('of %d open feeds, with %d items: says so is %s', async (all, count, isTold) => {
		const service = new DirectSupercast(crowd(all), NOW);
		const [hint] = await runLists(service, [crowd(count).map(rowOf)]);
		expect(hint!.includes('exactly 50 items')).toBe(isTold);
	});
});

describe('a membership system that vanishes from a joined list', () => {
	const idOf = (number: number): string => `${number < 6 ? 'cus_' : 'patreon_'}${number}`;
	const people = crowd(8, idOf);

	it('is told, from the first list without it until its feeds are closed', async () => {
		const service = new DirectSupercast(people, NOW);
		const [whole, part] = [people.map(rowOf), people.slice(0, 6).map(rowOf)];
		const hints = await runLists(service, [whole, part, part, part], { closeAfter: 3 });
		expect(hints.map((hint) => hint.includes('Earlier lists had members with "patreon_"'))).toEqual(
			[false, true, true, true],
		);
	});

	it('is not told if each ID begins differently, or nobody of it has an open feed', () => {
		const ids = ['JD-1', 'AB-2', 'CD-3', 'EF-4', 'GH-5', 'IJ-6'];
		expect(laterSystems([], ids, ids)).toEqual([]);
		expect(vanishedSystems(['wp-'], ids, ids)).toEqual([]);
		expect(laterSystems(['wp-'], ['cus_1'], ['wp-9', 'cus_1'])).toEqual(['cus_', 'wp-']);
	});
});
