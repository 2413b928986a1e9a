/** Lists that go wrong little by little, so that no single one looks wrong. */

import { inVirtualTime } from './n8n';
import { MINUTE_MS, World } from './world';
import { wrongList, type Kind } from './wrongLists';

export interface Gradual {
	members: number;
	/** After how many lists. */
	lists: number;
	closed: number;
	opened: number;
	/** The number of the first list whose run failed, and whether it named someone whose feed was due. */
	firstStop?: number;
	namesSomeone?: boolean;
	/** Within 24 hours. */
	closedInADay: number;
}

/** Gives 25 or 12 lists five minutes apart, and then the last one each hour until a day is over. */
export async function goWrongGradually(kind: Kind, members: number): Promise<Gradual> {
	return await inVirtualTime(async (clock) => {
		const world = new World(clock, { seed: 1, members, isPlain: true });
		const { people, channel } = world;
		const first = people.list();
		await world.sync({ rows: first });
		const { spoil = (rows) => rows, lists = 1 } = wrongList(kind);
		const result: Gradual = { members, lists, closed: 0, opened: 0, closedInADay: 0 };
		const count = (some: string[]): number =>
			channel.journal.filter((one) => some.includes(one.kind)).length;
		const give = async (step: number, minutes: number): Promise<void> => {
			await clock.pass(minutes * MINUTE_MS);
			const facts = { people, step, share: 0, place: 0.5, first, before: first };
			const outcome = await world.sync({ rows: spoil(people.list(), facts) });
			if (outcome.failure === undefined || result.firstStop !== undefined) return;
			result.firstStop = step + 1;
			const feeds = channel.open.flatMap(({ email }) => email);
			result.namesSomeone = feeds.some((email) => outcome.names([email]));
		};
		for (let step = 0; step < lists; step++) await give(step, 5);
		result.closed = count(['closed']);
		result.opened = count(['created', 'opened']);
		for (let hour = 2; hour < 24; hour++) await give(lists - 1, 59);
		result.closedInADay = count(['closed']);
		return result;
	});
}
