import type { IDataObject } from 'n8n-workflow';

import { StripeStandIn, type StripeSubscription } from '../../harness/senders/stripe';
import { runtime } from '../../nodes/Supercast/api/clock';
import { isDeep, scaled } from '../support/deep';
import { runSupercast } from '../../harness/engine';
import { useQuickRuntime } from '../support/quickRuntime';
import { credentialOf, useSandbox } from '../support/sandbox';
import { nodeNamed } from './files';

/**
 * Days of random joins, cancellations, plan switches and outages. Stripe's stand-in gives its list in
 * pages, and Sync and Set Access run on n8n's engine with the parameters of `stripe.json`. Simulated
 * time passes instantly. Each 100 requests of a step take one simulated minute. The end-to-end tests
 * run n8n's own nodes, which are not tested here.
 */
const MEMBERS = scaled(40, 2_000);
const HOURS = isDeep ? 48 : 4;
const INTERVAL = 15;
const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 5);

let minute = 0;
const now = () => START + minute * MINUTE;
const sandbox = useSandbox({ subscribers: 0, logSize: 10_000, now });
useQuickRuntime({
	backoffMs: 1,
	visibleMs: 1,
	clock: { ...runtime.clock, date: now },
});
jest.setTimeout(isDeep ? 3_600_000 : 60_000);

/** Random numbers from a seed (a linear congruential generator). */
function random(seed: number): () => number {
	let state = seed;
	return () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

/** The rows of the list lane: the pages, the filter and the fields of `stripe.json`. */
function readList(stripe: StripeStandIn): IDataObject[] {
	const rows: IDataObject[] = [];
	for (let after: string | undefined; ;) {
		const page = stripe.list({ limit: '100', starting_after: after });
		rows.push(...page.data.filter(isMember).map(({ customer: { email, id } }) => ({ email, id })));
		if (!page.has_more) return rows;
		after = page.data.at(-1)?.id;
	}
}

const isMember = ({ status }: { status: string }) =>
	['active', 'trialing', 'past_due'].includes(status);

const fill = (text: unknown) =>
	typeof text === 'string' && text.includes("$('Settings')") ? false : text;

/** The parameters of a node of `stripe.json`, with Dry Run off. */
function parametersOf(name: string): IDataObject {
	const all = structuredClone(nodeNamed('stripe.json', name)?.parameters ?? {}) as IDataObject;
	const entries = Object.entries(all).map(([key, value]) => [key, fill(value)]);
	// Of few members, 5% are too few for chance.
	const maxClosePercent = isDeep ? 5 : 50;
	const given = { customerId: '={{ $json.id }}', additionalFields: {} };
	return {
		...(Object.fromEntries(entries) as IDataObject),
		...given,
		...('dryRun' in all ? { maxClosePercent } : {}),
	};
}

async function run(name: string, items: IDataObject[]): Promise<IDataObject[]> {
	const before = sandbox.current.stats().requests;
	const { output } = await runSupercast({
		parameters: parametersOf(name) as never,
		credential: credentialOf(sandbox.current),
		items,
		onError: 'continueErrorOutput',
	});
	// The limit of Supercast.
	minute += Math.floor((sandbox.current.stats().requests - before) / 100);
	return output.map(({ json }) => json);
}

it(`${HOURS} hours with ${MEMBERS} members close nobody who pays, and keep nobody who left`, async () => {
	minute = 0;
	const stripe = new StripeStandIn();
	const chance = random(7);
	const people: StripeSubscription[] = [];
	const emails = new Map<string, string[]>();
	const join = () => people.push(stripe.join(`m${people.length}@example.com`, 'Ann Bell')) - 1;
	for (let at = 0; at < MEMBERS; at++) join();
	/** A plan switch is no end. */
	const paying = (at: number) => isMember(people[at] as StripeSubscription);
	const email = (at: number) => people[at]?.customer.email ?? '';
	const note = (items: IDataObject[]) => {
		for (const { action, email: whose } of items) {
			if (action !== 'created' && action !== 'reopened') continue;
			emails.set(String(whose), [...(emails.get(String(whose)) ?? []), String(action)]);
		}
	};
	/** People whose access is wrong, and how many good checks they have seen. */
	const wrong = new Map<number, number>();
	const counts = { checks: 0, failed: 0, joins: 0, ends: 0, switches: 0, returns: 0, worst: 0 };
	let lastOutage = 0;
	let outageUntil = -1;
	let supercastDown = false;
	let lateSwitches: number[] = [];
	const closedWhilePaying: string[] = [];

	const compare = () => {
		const states = new Map(
			sandbox.current.state.subscribers.map((one) => [one.email, one.state] as const),
		);
		for (let at = 0; at < people.length; at++) {
			const isOpen = states.get(email(at)) === 'available';
			const isWrong = isOpen !== (paying(at) || lateSwitches.includes(at));
			if (!isWrong) wrong.delete(at);
			else {
				const seen = (wrong.get(at) ?? 0) + 1;
				wrong.set(at, seen);
				counts.worst = Math.max(counts.worst, seen);
			}
		}
	};

	const switchNow = (at: number) => {
		const next = stripe.subscribe((people[at] as StripeSubscription).customer);
		people[at] = next;
	};

	for (let due = 0; minute < HOURS * 60;) {
		const isCheck = minute >= due;
		// What happens in this minute.
		const events: number[] = [];
		const times = Math.max(1, MEMBERS / 400);
		for (let i = 0; i < times; i++) {
			const at = Math.floor(chance() * people.length);
			const what = chance();
			if (what < 0.05) {
				counts.joins++;
				events.push(join());
			} else if (what < 0.1 && paying(at)) {
				counts.ends++;
				stripe.end(people[at] as StripeSubscription);
			} else if (what < 0.3 && paying(at)) {
				// The new subscription starts before or after the first reading of a check.
				counts.switches++;
				stripe.end(people[at] as StripeSubscription);
				if (isCheck && chance() < 0.5) lateSwitches.push(at);
				else switchNow(at);
			} else if (what < 0.4 && !paying(at)) {
				counts.returns++;
				switchNow(at);
				events.push(at);
			}
		}
		if (chance() < 0.004 && minute - lastOutage > 120) {
			lastOutage = minute;
			outageUntil = minute + Math.floor(chance() * 40);
			supercastDown = chance() < 0.5;
			if (supercastDown)
				sandbox.current.controls.addFaults({ kind: 'status', status: 403, share: 1 });
		}
		if (minute >= outageUntil && supercastDown) {
			sandbox.current.controls.clearFaults();
			supercastDown = false;
		}
		const isAway = minute < outageUntil;
		const before = new Set(
			sandbox.current.state.subscribers
				.filter((one) => one.state === 'available')
				.map((one) => one.email),
		);
		// One event in five is lost, and none opens during an outage.
		for (const at of events) {
			if (isAway || chance() < 0.2 || !paying(at)) continue;
			note(await run('Give Access', [{ email: email(at), id: people[at]?.customer.id }]));
		}
		if (isCheck) {
			due = minute + INTERVAL;
			const first = readList(stripe);
			for (const at of lateSwitches) switchNow(at);
			lateSwitches = [];
			minute += 1;
			const second = readList(stripe);
			if (isAway) counts.failed++;
			if (!isAway || supercastDown) {
				const union = [...new Map([...first, ...second].map((row) => [row.id, row])).values()];
				const output = await run('Sync', union);
				note(output);
				counts.checks++;
			}
			const states = new Map(
				sandbox.current.state.subscribers.map((one) => [one.email, one.state] as const),
			);
			for (let at = 0; at < people.length; at++) {
				if (paying(at) && before.has(email(at)) && states.get(email(at)) !== 'available')
					closedWhilePaying.push(email(at));
			}
			if (!isAway) compare();
			else for (let at = 0; at < people.length; at++) if (!paying(at)) wrong.delete(at);
		} else minute += 1;
	}
	const doubled = [...emails].filter(
		([, list]) => list.filter((one) => one === 'created').length > 1,
	);
	const summary = { ...counts, minutes: minute, emails: emails.size, people: people.length };
	process.stdout.write(`${JSON.stringify(summary)}\n`);
	expect(closedWhilePaying).toEqual([]);
	expect(counts.worst).toBeLessThanOrEqual(2);
	expect(doubled).toEqual([]);
	expect(counts.switches).toBeGreaterThan(0);
});
