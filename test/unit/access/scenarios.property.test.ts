import type { IDataObject } from 'n8n-workflow';

import { type Reason, REASONS } from '../../../nodes/Supercast/access/reasons';
import { isSameIdentifier } from '../../../nodes/Supercast/api/identity';
import {
	type ListMemory,
	NOTHING_REMEMBERED,
} from '../../../nodes/Supercast/access/sync/memory/absences';
import type { SyncReport } from '../../../nodes/Supercast/report/report';
import type { Held } from '../../doubles/directSupercast';
import { runs, seed } from '../../support/deep';
import { NOW, type Row, runAccess, runRows } from './running';
import { type Human, isOnList } from './humans';
import { Scenario } from './scenario';

/** Safety and liveness of Sync with Set Access, over many lists of many scenarios (decision 0015). */
describe('any generated scenario', () => {
	const LISTS = 12;
	const MINUTES_APART = 5;

	type Json = SyncReport['records'][0]['json'];

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

	/** A cancellation whose execution failed, so that someone may press Retry. */
	interface FailedClose {
		human: Human;
		row: Row;
		firstTried: { date: number; time: number };
		/** Whether an event that names the same person has said since that they are a member again. */
		isBack: boolean;
	}

	const isSamePerson = (one: Row, other: Row): boolean =>
		one.id === undefined ? isSameIdentifier(one.email, other.email) : one.id === other.id;

	/** A scenario over time, and what went wrong in it. */
	class History {
		/** How many people wrongly lost their access: members, and others who must never lose it. */
		readonly wronged: Tally = new Map();

		/** How many people have the wrong access in the end, by the reason in the output. */
		readonly notAsWanted: Tally = new Map();

		closings = 0;

		private memory: ListMemory = NOTHING_REMEMBERED;
		private readonly memories: ListMemory[] = [NOTHING_REMEMBERED];
		private minutes = 0;
		private readonly failed: FailedClose[] = [];
		private before: Said | undefined;
		/** How many lists came twice, with an old memory, or while an event came. */
		readonly odd: Tally = new Map();

		constructor(readonly scenario: Scenario) {}

		private get time(): number {
			return NOW + this.minutes * 60_000;
		}

		/** Lets time pass, in Supercast too. */
		private wait(minutes: number): void {
			this.minutes += minutes;
			this.scenario.service.aheadMs = this.minutes * 60_000;
		}

		/** Events and lists, of which every tenth is misleading. */
		async pass(): Promise<void> {
			for (let number = 0; number < LISTS; number++) {
				const changed = this.scenario.live();
				for (const human of changed) if (this.scenario.chance(0.3)) await this.tell(human);
				if (this.scenario.chance(0.2)) await this.retry();
				const { rows, named } = this.scenario.list(this.scenario.nextMistake());
				if (this.scenario.chance(0.1)) this.restore();
				const before = this.before;
				if (this.scenario.chance(0.2)) await this.syncWithEvent(rows, named);
				else await this.sync(rows, named);
				if (this.scenario.chance(0.1)) await this.repeat(rows, { named, before });
			}
		}

		/** n8n begins with an older copy of its data, more than 30 hours later. */
		private restore(): void {
			add(this.odd, 'old memory');
			this.memory = this.memories[this.scenario.below(this.memories.length)] ?? this.memory;
			this.wait(31 * 60);
			this.before = undefined;
		}

		/** Sync runs once more with the items of the same reading. So it is no second list. */
		private async repeat(
			rows: readonly Row[],
			{ named, before }: { named: Set<Human>; before: Said | undefined },
		): Promise<void> {
			add(this.odd, 'same reading');
			const since = this.before;
			this.before = before;
			await this.sync(rows, named, 0);
			this.before = since;
		}

		/** Someone joins or leaves after the list was read, and the event comes while Sync runs. */
		private async syncWithEvent(rows: readonly Row[], named: Set<Human>): Promise<void> {
			const { scenario } = this;
			const { service } = scenario;
			const first = service.requests.length + 1 + scenario.below(12);
			let human: Human | undefined;
			let event: Promise<IDataObject> | undefined;
			service.meanwhile = (number) => {
				if (number !== first) return;
				human = scenario.turnOne();
				service.passed += 1;
				event = runAccess(service, human.isMember ? 'open' : 'close', scenario.eventOf(human));
			};
			await this.sync(rows, named, MINUTES_APART, async () => {
				const result = await event;
				return result?.action === 'closed' ? String(result.uuid) : '';
			});
			service.meanwhile = () => undefined;
			const result = await event;
			if (human === undefined || result === undefined) return;
			add(this.odd, 'event during Sync');
			scenario.noteOwners();
			const isDone = ['closed', 'created', 'reopened', 'unchanged'].includes(String(result.action));
			const record = service.find(String(result.uuid));
			if (!isDone || record === undefined) return;
			if ((record.state === 'available') === human.isMember) return;
			add(this.wronged, human.isMember ? LOST_EVENT : UNDONE_EVENT);
		}

		/** An event reaches Set Access. Some cancellations fail. */
		private async tell(human: Human): Promise<void> {
			const { service } = this.scenario;
			const row = this.scenario.eventOf(human);
			service.passed += 1;
			if (human.pause !== undefined) {
				const { writes } = service;
				const count = writes.length;
				const { action } = await runAccess(service, row.access, row);
				if (action !== 'kept' || writes.length > count) add(this.wronged, CHANGED);
			} else if (human.isMember) {
				for (const one of this.failed) one.isBack ||= isSamePerson(one.row, row);
				await runAccess(service, 'open', row);
			} else if (this.scenario.chance(0.3)) {
				const firstTried = { date: this.time, time: service.passed };
				this.failed.push({ human, row, firstTried, isBack: false });
			} else {
				await runAccess(service, 'close', row);
			}
			this.scenario.noteOwners();
		}

		/** Someone retries an old cancellation. Its member may have returned. */
		private async retry(): Promise<void> {
			const failed = this.failed.shift();
			if (failed === undefined) return;
			const { human, row, firstTried, isBack } = failed;
			add(this.odd, 'retry');
			const { service } = this.scenario;
			service.passed += 1;
			const result = await runAccess(service, 'close', row, {}, firstTried);
			this.scenario.noteOwners();
			if (result.action !== 'closed' || !human.isMember) return;
			add(this.wronged, isBack ? RETRIED : RETRIED_WITHOUT_EVENT);
		}

		/** Runs Sync, and finds out whom it has closed. */
		private async sync(
			rows: readonly Row[],
			named: Set<Human>,
			minutes = MINUTES_APART,
			until: () => Promise<string> = async () => await Promise.resolve(''),
		): Promise<SyncReport | undefined> {
			const { scenario } = this;
			this.wait(minutes);
			const open = scenario.openSubscribers();
			const paused = scenario.paused();
			const result = await this.runSync(rows);
			const closedByEvent = await until();
			this.memories.push(this.memory);
			scenario.noteOwners();
			const now = scenario.paused();
			for (const [human, before] of paused) {
				if (!named.has(human) || !now.has(human)) continue;
				if (now.get(human) !== before) add(this.wronged, CHANGED);
			}
			const members = new Set(scenario.humans.filter(isOnList));
			for (const one of open) {
				if (scenario.service.find(one.uuid)?.state !== 'deactivated') continue;
				if (one.uuid === closedByEvent) continue;
				this.closings += 1;
				const wrong = this.whatIsWrong(one, rows, { members, named });
				if (wrong !== undefined) add(this.wronged, wrong);
			}
			// A list that Sync refuses does not count.
			if (result !== undefined) this.before = { members, named };
			return result;
		}

		private async runSync(rows: readonly Row[]): Promise<SyncReport | undefined> {
			const { close, graceHours, service } = this.scenario;
			const { time } = this;
			const options = { closeAfter: 2, output: 'all', graceHours };
			const tools = {
				...{ now: () => time, receivedAt: time, memory: this.memory },
				cameAt: (service.passed += 1),
				remember: (memory: ListMemory) => void (this.memory = memory),
			};
			return await runRows(service, rows, { close, options }, { tools }).catch((error: Error) => {
				if (
					!/^Sync (?:would|found) |no valid members|^Most items|have no email, and/.test(
						error.message,
					)
				)
					throw error;
				return undefined;
			});
		}

		private whatIsWrong(closed: Held, rows: readonly Row[], now: Said): string | undefined {
			const { scenario, before } = this;
			const human = scenario.owners.get(closed.uuid);
			if (scenario.foreign.some(({ uuid }) => uuid === closed.uuid)) return 'another system';
			const isNamed = ({ email, access }: Row): boolean =>
				email === closed.email && access !== 'close';
			if (rows.some(isNamed)) return 'the email is on the list';
			if (human === undefined || !now.members.has(human)) return undefined;
			if (scenario.hasAccess(human)) return undefined;
			if (scenario.hasLostRecord(human, closed)) return NEW_EMAIL;
			if (now.named.has(human)) return 'on the list';
			if (before === undefined || before.named.has(human)) return 'missing from one list only';
			return before.members.has(human) ? TWO_MISLEAD : RETURNED;
		}

		/** Lists without mistakes, while nothing else happens. Then all access should be as wanted. */
		async settle(): Promise<void> {
			this.wait(25 * 60);
			const { scenario } = this;
			const run = async () => {
				const { rows, named } = scenario.list();
				return await this.sync(rows, named);
			};
			await run();
			const last = await run();
			for (const one of scenario.openSubscribers()) {
				const isForeign = scenario.foreign.some(({ uuid }) => uuid === one.uuid);
				const owner = scenario.owners.get(one.uuid);
				if (isForeign || (owner && isOnList(owner))) continue;
				const said = reasonFor(last, ({ uuid }) => uuid === one.uuid);
				add(
					this.notAsWanted,
					scenario.isEmailOfMember(one.email) ? EMAIL_OF_MEMBER : `open: ${said}`,
				);
			}
			for (const human of scenario.humans) {
				if (!human.isMember || human.pause || scenario.hasAccess(human)) continue;
				// Someone else may have had the email before.
				const isTheirs = last?.records.some(({ json }) => json.customer_id === human.id)
					? (json: Json) => json.customer_id === human.id
					: (json: Json) => json.email === human.email;
				add(this.notAsWanted, `closed: ${reasonFor(last, isTheirs)}`);
			}
		}
	}

	const CHANGED = 'someone whose records say keep, or are unclear, was changed';
	const NEW_EMAIL = 'the email changed, and nothing else ties the record to the member';
	const TWO_MISLEAD = 'two lists in a row mislead';
	const RETURNED = 'the member returned, and the next list misleads';

	const LOST_EVENT = 'an event opened the feed during Sync, and it is closed';
	const UNDONE_EVENT = 'an event closed the feed during Sync, and it is open';

	const RETRIED = 'a retry closed someone who has returned';
	const RETRIED_WITHOUT_EVENT =
		'a retry closed someone who returned without an event, and the next list opens their feed';

	const EXPLAINED = [RETRIED_WITHOUT_EVENT, NEW_EMAIL, TWO_MISLEAD, RETURNED];

	/** Someone left, and a member has their email now. Sync never closes an email on the list. */
	const EMAIL_OF_MEMBER = 'open: the email is of a member';

	/** The kind of reason that the output names. */
	function reasonFor(result: SyncReport | undefined, isTheirs: (json: Json) => boolean): string {
		const items = result?.records.filter(({ json }) => isTheirs(json)) ?? [];
		const text = items.map(({ json }) => json.reason).find((reason) => reason !== null);
		const kinds = Object.entries(REASONS) as Array<[Reason, { text: string }]>;
		const fixedPart = (form: string): string => form.split('{')[0] ?? '';
		const begins = ([, { text: form }]: [Reason, { text: string }]): boolean =>
			String(text).startsWith(fixedPart(form));
		// One reason begins with the text of another one.
		const [kind] = kinds
			.filter(begins)
			.sort(([, one], [, other]) => fixedPart(other.text).length - fixedPart(one.text).length);
		return kind?.[0] ?? `nothing says why (${items.map(({ json }) => json.action).join(', ')})`;
	}

	/** Wrong access that the output explains, and that does not go away by itself. */
	const LASTING: readonly string[] = [
		EMAIL_OF_MEMBER,
		...['noCustomerId', 'mayBeListed', 'otherEmail', 'otherForm', 'plan', 'severalSubscribers'].map(
			(reason) => `open: ${reason}`,
		),
		// The record of someone who left has a name of someone whose access must stay as it is.
		...['open: keep', 'open: unclear'],
		...['noEmail', 'planClosed', 'otherEmail', 'otherId', 'emailTaken', 'severalSubscribers'].map(
			(reason) => `closed: ${reason}`,
		),
	];

	const [wronged, notAsWanted, odd]: [Tally, Tally, Tally] = [new Map(), new Map(), new Map()];
	let closings = 0;
	let scenarios = 0;

	describe.each([1, 2, 3, 4])('in part %i of the scenarios', (part) => {
		it('nobody loses access wrongly, and in the end everyone has the right access', async () => {
			const { numRuns } = runs(12);
			// 20,000 scenarios in all in a deep run with its usual number of tries.
			const count = numRuns >= 300 ? Math.max(numRuns, 5_000) : numRuns;
			for (let number = 0; number < count; number++) {
				const history = new History(new Scenario((seed * 4 + part) * 100_003 + number));
				await history.pass();
				await history.settle();
				for (const what of history.wronged.keys()) expect(EXPLAINED).toContain(what);
				for (const what of history.notAsWanted.keys()) expect(LASTING).toContain(what);
				for (const [what, times] of history.wronged)
					wronged.set(what, (wronged.get(what) ?? 0) + times);
				for (const [what, times] of history.notAsWanted) {
					notAsWanted.set(what, (notAsWanted.get(what) ?? 0) + times);
				}
				for (const [what, times] of history.odd) odd.set(what, (odd.get(what) ?? 0) + times);
				closings += history.closings;
				scenarios += 1;
			}
			expect(closings).toBeGreaterThan(count);
		});
	});

	afterAll(() => {
		const told = {
			scenarios,
			closings,
			odd: [...odd],
			wronged: [...wronged],
			notAsWanted: [...notAsWanted],
		};
		if (scenarios > 1_000) process.stderr.write(`${JSON.stringify(told)}\n`);
	});
});
