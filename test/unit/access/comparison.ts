/** Lets the node and the page of rules live through the same world, and compares them after each step. */

import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { SimulatedSupercast } from '../../doubles/supercast';
import {
	newStaticData,
	QuickNode,
	restartProcess,
	errorTexts,
	type QuickRun,
} from '../../support/quickNode';
import type { VirtualClock } from '../../support/virtualClock';
import { feedOf } from './lives';
import { setAccess, type Feed } from './model';
import { NOTHING, type Memory, type Settings } from './modelClosing';
import { sync } from './modelRuns';
import { accessParameters, syncParameters } from './worldParameters';
import { arrivalOf, BY_HAND, Members, worlds, type Event, type Step, type World } from './worlds';

const MINUTE_MS = 60_000;

/** The customer IDs that a process knows count for six minutes. */
const KNOWN_MINUTES = 7;

/** One Sync, and what the page says that it remembers. */
interface Lane {
	node: QuickNode;
	members: Members;
	memory: Memory;
	/** What n8n has saved. */
	saved: Memory;
	settings: Settings;
	message: string;
}

/** What the two said about a step, in the same form. */
interface Told {
	step: number;
	fails: boolean;
	done: string[];
	feeds: Feed[];
}

class Comparison {
	private readonly service: SimulatedSupercast;
	private readonly lanes: Lane[];
	private readonly accessNode: QuickNode;
	private events: Array<{ at: number; names: string[] }> = [];

	constructor(
		private readonly world: World,
		private readonly clock: VirtualClock,
	) {
		restartProcess();
		this.service = new SimulatedSupercast(clock);
		this.service.perPage = 100;
		for (const [who, kind] of world.feeds.entries()) {
			const feed = feedOf(who, kind);
			if (feed !== undefined) this.service.add(recordOf(feed));
		}
		this.lanes = ['a-', 'b-'].map((letter) => ({
			node: new QuickNode(this.service, clock, `sync ${letter}`),
			members: new Members(
				letter === 'a-' ? world.listed : world.listed.map((one) => !one),
				letter,
			),
			...{ memory: NOTHING, saved: NOTHING, message: '' },
			settings: {
				...world.settings,
				prefixes: letter === 'a-' ? world.settings.prefixes : [letter],
			},
		}));
		this.accessNode = new QuickNode(this.service, clock, 'set access');
	}

	/** Goes through all steps. Returns what the node did, and what the page says. */
	async *compare(): AsyncGenerator<{ node: Told; page: Told }> {
		for (const [index, step] of this.world.steps.entries()) {
			await this.clock.pass(step.minutes * MINUTE_MS);
			this.restart(step.process);
			const lane = this.lanes[step.isOfOther ? 1 : 0]!;
			for (const life of step.lives) lane.members.live(life);
			if (step.hand !== undefined) await this.byHand(step.hand);
			const readAt = this.clock.date();
			await this.clock.pass((arrivalOf(step).ageMinutes ?? 0) * MINUTE_MS);
			if (step.event !== undefined) yield await this.event(step.event, index);
			yield await this.list(step, lane, readAt, index);
		}
	}

	private get feeds(): Feed[] {
		return this.service.subscribers.map((one) => feedIn(one));
	}

	private restart(process: Step['process']): void {
		if (process === 'goes on') return;
		restartProcess();
		this.events = [];
		for (const lane of this.lanes) {
			if (process !== 'restarts') {
				lane.saved = NOTHING;
				lane.node.staticData = newStaticData();
			}
			lane.memory = lane.saved;
		}
	}

	/** Someone changes a subscriber in Supercast. The index of this process may not know it at first. */
	private async byHand({ who, what }: { who: number; what: string }): Promise<void> {
		const { subscribers } = this.service;
		const one = subscribers[who % subscribers.length];
		Object.assign(one ?? {}, BY_HAND[what], {
			updated_at: new Date(this.clock.date()).toISOString(),
		});
		await this.clock.pass(KNOWN_MINUTES * MINUTE_MS);
	}

	private async event(event: Event, step: number): Promise<{ node: Told; page: Told }> {
		const words = {
			...this.lanes[0]!.settings,
			...{ onlyOpen: event.onlyOpen, prefixes: event.isPrefixed ? ['a-'] : [], isOld: false },
		};
		const row = this.lanes[0]!.members.recordOf(event);
		const page = setAccess(row, this.feeds, words, this.today);
		if (page.event.length > 0) this.events.push({ at: this.clock.date(), names: page.event });
		const ran = await this.accessNode.run({
			parameters: accessParameters(words),
			items: [{ ...row }],
		});
		return {
			node: this.told(step, ran, []),
			page: { step, fails: false, done: [], feeds: comparable(page.feeds) },
		};
	}

	private async list(
		step: Step,
		lane: Lane,
		readAt: number,
		index: number,
	): Promise<{ node: Told; page: Told }> {
		const { rows, expected } = lane.members.list(step.list);
		if (!step.follows) lane.settings.allowOnce = [];
		else if (lane.message !== '') lane.settings.allowOnce = [lane.message];
		const isDryRun = step.start.endsWith('dry');
		const recordsExpected = this.world.isCounted ? expected : undefined;
		const settings = { ...lane.settings, isDryRun, recordsExpected };
		const isByHand = step.start.startsWith('by hand');
		const { isPinned = false, isMoreDue = false } = arrivalOf(step);
		const page = sync({
			...{ rows, settings, memory: lane.memory, feeds: this.feeds, events: this.events },
			...{ readAt, now: this.clock.date(), isByHand, isPinned, isMoreDue },
		});
		lane.memory = page.memory;
		if (!isByHand) lane.saved = page.memory;
		const ran = await lane.node.run({
			parameters: syncParameters(settings),
			items: rows.length > 0 ? rows.map((row) => ({ ...row })) : [{}],
			...{ readAt, isPinned, isMoreDue, mode: isByHand ? 'manual' : 'trigger' },
		});
		lane.message = /(?:close|open) \d+ until [-\d]+ [:\d]+ UTC/.exec(errorTexts(ran))?.[0] ?? '';
		// A run that fails returns no items.
		const isTold = ran.error === undefined && !isDryRun;
		return {
			node: this.told(index, ran, isTold ? doneIn(ran) : []),
			page: {
				...{ step: index, fails: page.fails, done: isTold ? page.done.sort() : [] },
				feeds: comparable(page.feeds),
			},
		};
	}

	private get today(): string {
		return new Date(this.clock.date()).toISOString().slice(0, 10);
	}

	private told(step: number, ran: QuickRun, done: string[]): Told {
		return { step, fails: ran.error !== undefined, done, feeds: comparable(this.feeds) };
	}
}

function doneIn({ items }: QuickRun): string[] {
	const actions = items.map(({ action }) => String(action));
	return actions.filter((one) => ['created', 'reopened', 'closed'].includes(one)).sort();
}

function recordOf({ email, customerId, state, hasPlan, name }: Feed): IDataObject {
	const plan = hasPlan ? 3 : null;
	return { email, customer_id: customerId || null, state, plan_id: plan, first_name: name };
}

function feedIn({
	email,
	customer_id: id,
	state,
	plan_id: plan,
	first_name: name,
}: IDataObject): Feed {
	return {
		...{ email: String(email), customerId: String(id ?? ''), state: String(state) },
		...{ hasPlan: plan !== null, name: String(name ?? '') },
	};
}

/** Supercast may write an email in its own capitals. */
function comparable(feeds: readonly Feed[]): Feed[] {
	return feeds
		.map((feed) => ({ ...feed, email: feed.email.trim().toLowerCase() }))
		.sort((one, other) => (one.email < other.email ? -1 : 1));
}

/** Lets the node live through so many worlds, and finds the smallest in which it does something else. */
export async function everyWorld(
	clock: VirtualClock,
	settings: { numRuns: number; seed?: number },
): Promise<void> {
	const holds = async (world: World): Promise<void> => {
		for await (const { node, page } of new Comparison(world, clock).compare()) {
			expect(node).toEqual(page);
		}
	};
	await fc.assert(fc.asyncProperty(worlds, holds), settings);
}
