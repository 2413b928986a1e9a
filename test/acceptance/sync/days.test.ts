import type { IDataObject } from 'n8n-workflow';

import type { RunOptions } from '../../harness/engine';
import { seededRandom } from '../../../simulators/supercast/data/random';
import { isDeep } from '../../support/deep';
import { minutesUntil, today, useLaterDates } from '../../support/laterDates';
import { accessItem, addMembers, memberListOf, runSetAccess, runSync } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();
const dates = useLaterDates();
useQuickRuntime({ backoffMs: 1, windowMs: 100, visibleMs: 5 });

/** What really happened on a day. */
interface TrueDay {
	opened: string[];
	closed: string[];
	open: number;
}

const COLUMNS = { email: '={{ $json.email }}', customerId: '={{ $json.id }}' };
const SETTINGS = { ...COLUMNS, maxClosePercent: 10 };

/** A membership system with both lanes, its Sync, and a true daily log beside it. */
class Channel {
	members: IDataObject[];
	readonly truth = new Map<string, TrueDay>();
	/** What n8n stores. Undefined once it stores nothing. */
	staticData: IDataObject | undefined = {};
	process = 1;
	private joined = 0;

	constructor() {
		this.members = memberListOf(addMembers(sandbox.current, 40));
	}

	get day(): TrueDay {
		const date = today();
		const day = this.truth.get(date) ?? { opened: [], closed: [], open: 0 };
		this.truth.set(date, day);
		return day;
	}

	/** Someone becomes a member. The next list or the other lane opens the feed. */
	join(): IDataObject {
		this.joined += 1;
		const member = { email: `new.${this.joined}@example.com`, id: `n-${this.joined}` };
		this.members.push(member);
		return member;
	}

	leave(): IDataObject {
		return this.members.shift()!;
	}

	private openEmails(): Set<string> {
		const all = sandbox.current.state.subscribers;
		return new Set(all.filter(({ state }) => state === 'available').map(({ email }) => email));
	}

	/** Does something, and notes in the true daily log which feeds it opened and closed. */
	async observe<T>(work: () => Promise<T>): Promise<T> {
		const before = this.openEmails();
		const result = await work();
		const after = this.openEmails();
		const { day } = this;
		day.opened.push(...[...after].filter((email) => !before.has(email)));
		day.closed.push(...[...before].filter((email) => !after.has(email)));
		day.open = after.size;
		return result;
	}

	/** The lane that opens one feed within a minute. */
	async setAccess(access: 'close' | 'open', one: IDataObject): Promise<void> {
		const item = accessItem(access, { email: one.email, customer_id: one.id } as never);
		await this.observe(async () => await runSetAccess(sandbox.current, [item]));
	}

	/** A check, five minutes after the one before. Returns the summary. */
	async check(members = this.members, options: Partial<RunOptions> = {}): Promise<IDataObject> {
		dates.pass(5);
		const { staticData, process } = this;
		const how = {
			staticData,
			workflowId: `p${process}`,
			onError: 'continueRegularOutput' as const,
		};
		const parameters = {
			...SETTINGS,
			options: { closeAfter: 2, output: 'summary', maxWaitSeconds: 1 },
		};
		const { output } = await this.observe(
			async () => await runSync(sandbox.current, members, parameters, { ...how, ...options }),
		);
		return output.map(({ json }) => json).find(({ action }) => action === 'summary') ?? {};
	}

	/** n8n starts again, with what it has stored. */
	restart(): void {
		this.process += 1;
		this.staticData = JSON.parse(JSON.stringify(this.staticData)) as IDataObject;
	}
}

/** What the summary must say about a day. */
function expectDay(summary: IDataObject, { opened, closed, open }: TrueDay): void {
	expect(summary.title).toContain(
		`Yesterday: ${opened.length} joined, ${closed.length} left, ${open} open`,
	);
	for (const page of [summary.text, summary.html]) {
		for (const email of [...opened, ...closed]) expect(page).toContain(email);
	}
}

/** The emails in a part of the text, such as "Left". */
function identifiersIn({ text }: IDataObject, part: string): string[] {
	const paragraph =
		String(text)
			.split('\n\n')
			.find((one) => one.startsWith(`${part}:`)) ?? '';
	return [...paragraph.matchAll(/\S+@\S+/g)].map(([email]) => email);
}

/** Replaces the daily log in what n8n has stored. */
function store({ staticData = {} }: Channel, dailyLog: IDataObject): void {
	const node = staticData['node:Supercast'];
	if (typeof node === 'object' && node !== null) Object.assign(node, { dailyLog });
}

describe('what n8n does with its memory costs the daily log only', () => {
	it.each<[string, (channel: Channel) => void]>([
		['n8n stores nothing', (channel) => void (channel.staticData = undefined)],
		['n8n has lost everything', (channel) => void (channel.staticData = {})],
		[
			'the daily log is damaged',
			(channel) => store(channel, { credential: 'test-1', days: 7, open: 3 }),
		],
		[
			'the daily log is from an old copy',
			(channel) => {
				const days = [{ date: '2020-01-01', opened: 9 }];
				store(channel, { credential: 'test-1', checkedAt: 1, open: 'abcde', days });
			},
		],
	])('%s: feeds open and close as before', async (_, damage) => {
		const channel = new Channel();
		await channel.check();
		const joined = channel.join();
		const left = channel.leave();
		await channel.check();
		damage(channel);
		for (let check = 0; check < 3; check++) {
			channel.process += 1;
			if (channel.staticData === undefined) channel.process = 1;
			await channel.check();
		}
		const { state } = sandbox.current;
		expect(state.subscriber(String(joined.email))?.state).toBe('available');
		expect(state.subscriber(String(left.email))?.state).toBe('deactivated');
	});
});

describe('each morning, the summary says the day before as it was', () => {
	it('with both lanes, leaving members, a refused list, an outage, restarts and changes by hand', async () => {
		const channel = new Channel();
		const random = seededRandom(7);
		dates.pass(minutesUntil(8));
		await channel.check();
		for (let day = 1; day <= (isDeep ? 6 : 3); day++) {
			const { date, yesterday } = { date: today(), yesterday: channel.day };
			for (let step = 0; step < 8; step++) {
				const chance = random();
				if (chance < 0.4) await channel.setAccess('open', channel.join());
				else if (chance < 0.6) channel.join();
				else if (chance < 0.8) channel.leave();
				else if (chance < 0.9) await channel.setAccess('close', channel.leave());
				// Half of the list is missing.
				if (day === 2 && step === 4) await channel.check(channel.members.slice(0, 20));
				if (day === 3 && step === 4) {
					sandbox.current.controls.addFaults({ kind: 'status', status: 503, times: 200 });
					await channel.check();
					sandbox.current.controls.clearFaults();
				}
				if (step === 6) channel.restart();
				await channel.check();
			}
			await channel.check();
			await channel.check();
			expect(today()).toBe(date);
			dates.pass(minutesUntil(7));
			expect(today()).not.toBe(date);
			const truth = { ...yesterday };
			const summary = await channel.check();
			expectDay(summary, truth);
			expect(identifiersIn(summary, 'Left').sort()).toEqual([...truth.closed].sort());
			expect(identifiersIn(summary, 'Joined').sort()).toEqual([...truth.opened].sort());
			expect(String(summary.text).includes('Sync runs that stopped')).toBe(day === 2 || day === 3);
		}
	});
});
