/** Two thousand members with `stripe.json`: joins, ends, outages, a crash and broken lists. */

import { setTimeout as sleep } from 'node:timers/promises';

import type { StripeSubscription } from '../../simulators/memberships/stripe';
import type { Subscriber } from '../../simulators/supercast';
import { ready, startFixture, until, type Fixture } from '../e2e/workflows/fixture';
import { watchMemory } from './memory';

const MEMBERS = 2_000;
const JOINS = 240;
/** The sizes of two groups that leave: one within the limit of closings, and one far beyond it. */
const FEW_ENDS = 100;
const MANY_ENDS = 1_700;
/** Supercast's own limit. */
export const PER_MINUTE = 100;
const LOOK_MS = 100;
/** How a sync run asks Stripe for its list. */
const WHOLE_LIST = 'subscriptions?status=all&limit=100';
/** The trigger of a sync run. */
const SYNC = 'Every 5 Minutes';

/** A member, and when things happened to them, in milliseconds since 1970. */
interface Member {
	email: string;
	joinedAt?: number;
	openedAt?: number;
	endedAt?: number;
	closedAt?: number;
	/** Whether their feed closed while they were paying. */
	isWronged?: boolean;
}

/** What was measured. Times are in simulated minutes, `speed` of which pass in a real minute. */
export interface SoakOutcome {
	joined: { open: number; medianMin: number; longestMin: number };
	wronged: string[];
	twice: number;
	/** For each group that ended: how many are closed, and after how many whole lists. */
	ended: Array<{ closed: number; fewestLists: number; mostLists: number; minutes: number }>;
	emails: string[];
	refusedBySupercast: number;
	memoryMb: number;
}

/**
 * Measures a period with `stripe.json` in a real n8n. Takes about 100 simulated minutes.
 * @param speed How many simulated minutes pass in a real minute.
 */
export async function measureSoak(speed: number): Promise<SoakOutcome> {
	const fixture = await startFixture({
		...{ rateLimit: PER_MINUTE * speed, subscribers: 0, logSize: 20_000 },
	});
	try {
		return await live(fixture, speed);
	} finally {
		await fixture.stop();
	}
}

async function live(fixture: Fixture, speed: number): Promise<SoakOutcome> {
	const { senders, sandbox } = fixture;
	const minutes = async (count: number): Promise<void> => await sleep((count * 60_000) / speed);
	const members = new Map<string, Member>();
	const subscriptions = addMembers(fixture, MEMBERS);
	for (const { customer } of subscriptions) {
		const email = customer.email ?? '';
		members.set(email, { email });
	}
	const memory = watchMemory(() => [fixture.pid()]);
	const stopWatching = watch(fixture, members);
	const note = (what: string): void => void process.stderr.write(`${clock()} ${what}\n`);

	const edit = ready({ every: 300 / speed, newEvery: 60 / speed, dryRun: false, closeAfter: 2 });
	const id = await fixture.use('stripe.json', edit);
	note('published');
	await minutes(5);

	note('240 join within five minutes');
	for (let number = 0; number < JOINS; number++) {
		const email = `new.${number}@example.com`;
		members.set(email, { email, joinedAt: Date.now() });
		senders.stripe.join(email, 'New Member');
		await minutes(5 / JOINS);
	}
	await minutes(3);

	note('Stripe is down for three minutes, then Supercast');
	senders.faults.push({ path: '/v1/subscriptions', status: 503 });
	await minutes(3);
	senders.faults.length = 0;
	await minutes(3);
	sandbox.controls.addFaults({ kind: 'status', status: 503, share: 1 });
	await minutes(3);
	sandbox.controls.clearFaults();
	await minutes(3);

	note('n8n is killed');
	await fixture.restart();
	await minutes(3);

	note('half a list for six minutes, then an empty one');
	const half = senders.stripe.list({ limit: '100' });
	const fault = { path: WHOLE_LIST, status: 200 };
	senders.faults.push({ ...fault, body: { ...half, has_more: false } });
	await minutes(6);
	senders.faults.length = 0;
	senders.faults.push({ ...fault, body: { ...half, has_more: false, data: [] } });
	await minutes(6);
	senders.faults.length = 0;
	await minutes(3);

	const groups: Member[][] = [];
	note('100 end');
	groups.push(end(fixture, subscriptions.splice(0, FEW_ENDS), members));
	await minutes(1);
	note('two sync runs by hand at the same time, beside the schedule');
	const byHand = await Promise.all([fixture.run(id, SYNC), fixture.run(id, SYNC)]);
	note(`the sync runs by hand: ${byHand.join(', ')}`);
	await minutes(17);
	note('1,700 end, which is more than the limit allows');
	groups.push(end(fixture, subscriptions.splice(0, MANY_ENDS), members));
	await minutes(10);
	note('the owner allows it');
	await fixture.edit(id, ({ name, parameters }) => {
		if (name === 'Sync') parameters.maxClosePercent = 100;
	});
	const isClosed = ({ closedAt }: Member): boolean => closedAt !== undefined;
	const haveBegun = () => groups.flat().filter(isClosed).length > FEW_ENDS + MANY_ENDS / 5;
	await until('a sync run closes feeds', haveBegun, 600_000);
	note(`someone stops ${await stopRunning(fixture, id)} sync runs in the middle`);
	await until('all are closed', () => groups.flat().every(isClosed), 1_500_000).catch(() =>
		note('not all are closed'),
	);
	await minutes(6);
	note('the end');
	stopWatching();
	return outcomeOf(fixture, members, groups, speed, memory());
}

/** Stops the sync runs that are running, as a person does in the list of executions. */
async function stopRunning(fixture: Fixture, workflowId: string): Promise<number> {
	const running = (await fixture.executions(workflowId)).filter(
		({ status }) => status === 'running',
	);
	for (const { id } of running) {
		await fixture.environment.client.request('POST', `/executions/${id}/stop`, {});
	}
	return running.length;
}

/** Adds members who joined long ago. They pay at Stripe, and their feeds are open. */
export function addMembers({ sandbox, senders }: Fixture, count: number): StripeSubscription[] {
	const old = '2025-06-01T00:00:00.000Z';
	const people = sandbox.controls.addRecords('subscribers', count) as Subscriber[];
	return people.map((one) => {
		const subscription = senders.stripe.join(one.email, `${one.first_name} ${one.last_name}`);
		subscription.created = Date.parse(old);
		const { id } = subscription.customer;
		Object.assign(one, { customer_id: id, plan_id: null, plan_name: null, state: 'available' });
		Object.assign(one, { created_at: old, updated_at: old });
		return subscription;
	});
}

function end(
	{ senders }: Fixture,
	subscriptions: StripeSubscription[],
	members: Map<string, Member>,
): Member[] {
	const endedAt = Date.now();
	return subscriptions.map((subscription) => {
		senders.stripe.end(subscription);
		const member = members.get(subscription.customer.email ?? '') ?? { email: '' };
		return Object.assign(member, { endedAt });
	});
}

/** Notes what happens to each member until the returned function is called. */
function watch({ sandbox }: Fixture, members: ReadonlyMap<string, Member>): () => void {
	const look = (): void => {
		const now = Date.now();
		for (const { email, state } of sandbox.state.subscribers) {
			const member = members.get(email);
			if (member === undefined) continue;
			if (state === 'available') member.openedAt ??= now;
			else if (member.endedAt === undefined) member.isWronged = true;
			else member.closedAt ??= now;
		}
	};
	const timer = setInterval(look, LOOK_MS);
	return () => {
		clearInterval(timer);
		look();
	};
}

/** When the sync runs began to read Stripe's whole list, in milliseconds since 1970. */
export function listStarts({ asked }: Fixture['senders']): number[] {
	return asked
		.filter(({ url }) => url.includes(WHOLE_LIST) && !url.includes('starting_after'))
		.map(({ at }) => at);
}

function outcomeOf(
	{ sandbox, senders, mailbox }: Fixture,
	members: ReadonlyMap<string, Member>,
	groups: readonly Member[][],
	speed: number,
	memoryMb: number,
): SoakOutcome {
	const inMinutes = (ms: number): number => Math.round((ms * speed) / 600) / 100;
	const delays = [...members.values()]
		.flatMap(({ joinedAt, openedAt }) => (joinedAt && openedAt ? [openedAt - joinedAt] : []))
		.sort((one, other) => one - other);
	const starts = listStarts(senders);
	const listsOf = ({ endedAt = 0, closedAt = Infinity }: Member): number =>
		starts.filter((at) => at > endedAt && at < closedAt).length;
	const names = sandbox.state.subscribers.flatMap(({ email, customer_id: id }) => [email, id]);
	return {
		joined: {
			open: delays.length,
			medianMin: inMinutes(delays[Math.floor(delays.length / 2)] ?? Infinity),
			longestMin: inMinutes(delays.at(-1) ?? Infinity),
		},
		wronged: [...members.values()].filter(({ isWronged }) => isWronged).map(({ email }) => email),
		twice: names.length - new Set(names).size,
		ended: groups.map((group) => {
			const closed = group.filter(({ closedAt }) => closedAt !== undefined);
			const took = closed.map(({ endedAt = 0, closedAt = 0 }) => closedAt - endedAt);
			return {
				closed: closed.length,
				fewestLists: Math.min(...closed.map(listsOf)),
				mostLists: Math.max(...closed.map(listsOf)),
				minutes: inMinutes(Math.max(...took)),
			};
		}),
		emails: mailbox.mails.map(({ subject }) => subject),
		refusedBySupercast: sandbox.stats().byStatus['429'] ?? 0,
		memoryMb,
	};
}

const clock = (): string => new Date().toISOString().slice(11, 19);
