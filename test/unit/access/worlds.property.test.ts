/** Safety and liveness of Sync with Set Access, over many lists of many worlds (decision 0015). */

import type { SyncResult } from '../../../nodes/Supercast/access/sync/report';
import { NOTHING_REMEMBERED, type ListMemory } from '../../../nodes/Supercast/access/sync/absences';
import { REASONS, type Reason } from '../../../nodes/Supercast/access/reasons';
import { runs } from '../../support/deep';
import type { Held } from './fakeService';
import { NOW, runAccess, runRows, type Row } from './running';
import { World, type Human } from './world';

const LISTS = 12;
const MINUTES_APART = 5;

type Json = SyncResult['records'][0]['json'];

/** How often something happened, by what it was. */
type Tally = Map<string, number>;

function add(tally: Tally, what: string): void {
	tally.set(what, (tally.get(what) ?? 0) + 1);
}

/** What a list said about the members. */
interface Said {
	members: ReadonlySet<Human>;
	named: ReadonlySet<Human>;
}

/** A world over time, and what went wrong in it. */
class Life {
	/** Members who lost their access, and others who must never lose it. */
	readonly wronged: Tally = new Map();

	/** Those who have not the access that they should have in the end, by what the output says. */
	readonly notAsWanted: Tally = new Map();

	closings = 0;

	private memory: ListMemory = NOTHING_REMEMBERED;
	private minutes = 0;
	private before: Said | undefined;

	constructor(readonly world: World) {}

	/** Events and lists, of which every tenth is misleading. */
	async pass(): Promise<void> {
		for (let number = 0; number < LISTS; number++) {
			const changed = this.world.live();
			for (const human of changed) if (this.world.chance(0.3)) await this.tell(human);
			const { rows, named } = this.world.list(this.world.nextMistake());
			await this.sync(rows, named);
		}
	}

	/** An event reaches Set Access. */
	private async tell(human: Human): Promise<void> {
		const { service } = this.world;
		await runAccess(service, human.isMember ? 'open' : 'close', this.world.eventOf(human));
		this.world.noteOwners();
	}

	/** Runs Sync, and finds out whom it has closed. */
	private async sync(rows: readonly Row[], named: Set<Human>): Promise<SyncResult | undefined> {
		const { world } = this;
		this.minutes += MINUTES_APART;
		const open = world.openSubscribers();
		const result = await this.runSync(rows);
		world.noteOwners();
		const members = new Set(world.humans.filter(({ isMember }) => isMember));
		for (const one of open) {
			if (world.service.find(one.uuid)?.state !== 'deactivated') continue;
			this.closings += 1;
			const wrong = this.whatIsWrong(one, rows, { members, named });
			if (wrong !== undefined) add(this.wronged, wrong);
		}
		// A list that Sync refuses does not count.
		if (result !== undefined) this.before = { members, named };
		return result;
	}

	private async runSync(rows: readonly Row[]): Promise<SyncResult | undefined> {
		const { close, graceHours, service } = this.world;
		const time = NOW + this.minutes * 60_000;
		const options = { closeAfter: 2, output: 'all', graceHours };
		const tools = {
			...{ now: () => time, receivedAt: time, memory: this.memory },
			remember: (memory: ListMemory) => void (this.memory = memory),
		};
		return await runRows(service, rows, { close, options }, { tools }).catch((error: Error) => {
			if (!/^Sync would |no valid members|^Most items/.test(error.message)) throw error;
			return undefined;
		});
	}

	private whatIsWrong(closed: Held, rows: readonly Row[], now: Said): string | undefined {
		const { world, before } = this;
		const human = world.owners.get(closed.uuid);
		if (world.foreign.some(({ uuid }) => uuid === closed.uuid)) return 'another system';
		if (rows.some(({ email }) => email === closed.email)) return 'the email is on the list';
		if (human === undefined || !now.members.has(human)) return undefined;
		if (world.hasAccess(human)) return undefined;
		if (world.hasLostRecord(human, closed)) return NEW_EMAIL;
		if (now.named.has(human)) return 'on the list';
		if (before === undefined || before.named.has(human)) return 'missing from one list only';
		return before.members.has(human) ? TWO_MISLEAD : RETURNED;
	}

	/** Lists without mistakes, while nothing else happens. Then all access should be as wanted. */
	async settle(): Promise<void> {
		this.minutes += 25 * 60;
		const { world } = this;
		const run = async () => {
			const { rows, named } = world.list();
			return await this.sync(rows, named);
		};
		await run();
		const last = await run();
		for (const one of world.openSubscribers()) {
			const isForeign = world.foreign.some(({ uuid }) => uuid === one.uuid);
			if (isForeign || world.owners.get(one.uuid)?.isMember === true) continue;
			const said = reasonFor(last, ({ uuid }) => uuid === one.uuid);
			add(this.notAsWanted, world.isEmailOfMember(one.email) ? EMAIL_OF_MEMBER : `open: ${said}`);
		}
		for (const human of world.humans) {
			if (!human.isMember || world.hasAccess(human)) continue;
			// Someone else may have had the email before.
			const isTheirs = last?.records.some(({ json }) => json.customer_id === human.id)
				? (json: Json) => json.customer_id === human.id
				: (json: Json) => json.email === human.email;
			add(this.notAsWanted, `closed: ${reasonFor(last, isTheirs)}`);
		}
	}
}

const NEW_EMAIL = 'the email changed, and nothing else ties the record to the member';
const TWO_MISLEAD = 'two lists in a row mislead';
const RETURNED = 'the member returned, and the next list misleads';

const EXPLAINED = [NEW_EMAIL, TWO_MISLEAD, RETURNED];

/** Someone left, and a member has their email now. Sync never closes an email on the list. */
const EMAIL_OF_MEMBER = 'open: the email is of a member';

/** The kind of reason that the output names. */
function reasonFor(result: SyncResult | undefined, isTheirs: (json: Json) => boolean): string {
	const items = result?.records.filter(({ json }) => isTheirs(json)) ?? [];
	const text = items.map(({ json }) => json.reason).find((reason) => reason !== null);
	const kinds = Object.entries(REASONS) as Array<[Reason, string]>;
	const fixedPart = (form: string): string => form.split('{')[0] ?? '';
	const begins = ([, form]: [Reason, string]): boolean => String(text).startsWith(fixedPart(form));
	// One reason begins like another one.
	const [kind] = kinds
		.filter(begins)
		.sort(([, one], [, other]) => fixedPart(other).length - fixedPart(one).length);
	return kind?.[0] ?? `nothing says why (${items.map(({ json }) => json.action).join(', ')})`;
}

/** What the output names, and time does not change. */
const LASTING: readonly string[] = [
	EMAIL_OF_MEMBER,
	...['noCustomerId', 'mayBeListed', 'otherEmail', 'otherForm', 'plan', 'severalSubscribers'].map(
		(reason) => `open: ${reason}`,
	),
	...['noEmail', 'planClosed', 'otherEmail', 'otherId', 'emailTaken', 'severalSubscribers'].map(
		(reason) => `closed: ${reason}`,
	),
];

const [wronged, notAsWanted]: [Tally, Tally] = [new Map(), new Map()];
let closings = 0;
let worlds = 0;

describe.each([1, 2, 3, 4])('in part %i of the worlds', (part) => {
	it('nobody loses access wrongly, and in the end everyone has the right access', async () => {
		const { numRuns, seed } = runs(40);
		// 20,000 worlds in all in a deep run with its usual number of tries.
		const count = numRuns >= 1_000 ? Math.max(numRuns, 5_000) : numRuns;
		for (let number = 0; number < count; number++) {
			const life = new Life(new World((seed * 4 + part) * 100_003 + number));
			await life.pass();
			await life.settle();
			for (const what of life.wronged.keys()) expect(EXPLAINED).toContain(what);
			for (const what of life.notAsWanted.keys()) expect(LASTING).toContain(what);
			for (const [what, times] of life.wronged) wronged.set(what, (wronged.get(what) ?? 0) + times);
			for (const [what, times] of life.notAsWanted) {
				notAsWanted.set(what, (notAsWanted.get(what) ?? 0) + times);
			}
			closings += life.closings;
			worlds += 1;
		}
		expect(closings).toBeGreaterThan(count);
	});
});

afterAll(() => {
	const told = { worlds, closings, wronged: [...wronged], notAsWanted: [...notAsWanted] };
	if (worlds > 1_000) process.stderr.write(`${JSON.stringify(told)}\n`);
});
