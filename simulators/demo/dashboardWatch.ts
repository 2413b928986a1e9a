import type { Mail, Mailbox } from '../../test/harness/mailbox';
import { ask } from '../../test/harness/system/http';
import type { StripeSubscription } from '../memberships/stripe';
import type { DemoServices } from './dashboardActions';
import { syncRunsAmong, newestRuns, type DashboardN8n, type Run } from './dashboardRuns';
import {
	failureSentence,
	feedSentences,
	mailSentence,
	saidSince,
	type Access,
	type StoryChange,
} from './dashboardStory';

/** A member at Stripe, and their feed. */
export interface SeenMember extends Access {
	id: string;
	email: string;
	feedUrl?: string;
	/** When the member or the feed last changed. */
	changedAt: number;
}

/** An email, or a message in the chat, which has no recipient. */
export interface SeenMail extends Mail {
	at: number;
}

/** Something that happened, in one sentence. */
export interface DashboardEvent {
	at: number;
	sentence: string;
	/** The execution that did it. */
	run?: Run;
}

/** What the page shows. The newest entry of each list is the first. */
export interface DashboardView {
	isReady: boolean;
	/** Whether there is an editor to open. */
	hasEditor: boolean;
	down: DemoServices['down'];
	members: SeenMember[];
	/** How many subscribers pay Supercast itself. */
	others: number;
	mails: SeenMail[];
	events: DashboardEvent[];
	lastSyncRun?: Run;
}

interface Subscriber {
	email: string;
	state: string;
	plan_id: number | null;
	feed_token: string;
}

/** A sync run may have ended this long before the last look, and still be the cause of a change. */
const TOLERANCE_MS = 2_000;

const NOT_SEEN: Access = { stripe: '', feed: '' };

/** Looks at Stripe, Supercast, n8n and the mailbox, and notes what has changed since the last look. */
export class DashboardWatch {
	private services?: DemoServices;

	private n8n?: DashboardN8n;

	private readonly members = new Map<string, SeenMember>();

	private readonly events: DashboardEvent[] = [];

	private readonly mails: SeenMail[] = [];

	private readonly toldRuns = new Set<string>();

	private readonly chatted: Mail[] = [];

	private seenMails = 0;

	private seenChats = 0;

	private others = 0;

	private lastLook: number;

	private lastSyncRun?: Run;

	private looking?: Promise<void>;

	constructor(
		private readonly mailbox: Mailbox,
		private readonly now: () => number = Date.now,
	) {
		this.lastLook = now();
	}

	/** Connects the dashboard to what it shows. Before that, the page says that n8n is not ready. */
	connect(services: DemoServices, n8n?: DashboardN8n): void {
		this.services = services;
		this.n8n = n8n;
	}

	get connected(): DemoServices | undefined {
		return this.services;
	}

	/** The n8n that the dashboard is connected to. */
	get editor(): DashboardN8n | undefined {
		return this.n8n;
	}

	/** Notes a sentence about something that happened now. */
	note(sentence: string, run?: Run): void {
		this.events.unshift({ at: this.now(), sentence, run });
	}

	/** Takes a message for the chat. The next look notes it. */
	chat(text: string): void {
		this.chatted.push({ to: '', subject: text.split('\n')[0] ?? '', text });
	}

	/** Looks once. If a look is in progress, waits for it. */
	async look(): Promise<void> {
		this.looking ??= this.lookNow().finally(() => (this.looking = undefined));
		await this.looking;
	}

	view(): DashboardView {
		const members = [...this.members.values()].reverse();
		return {
			isReady: this.services !== undefined,
			hasEditor: this.n8n !== undefined,
			down: this.services?.down ?? { stripe: false, supercast: false },
			members: members.sort((one, other) => other.changedAt - one.changedAt),
			others: this.others,
			mails: this.mails,
			events: this.events,
			lastSyncRun: this.lastSyncRun,
		};
	}

	private async lookNow(): Promise<void> {
		const { services } = this;
		if (services === undefined) return;
		const startedAt = this.now();
		const subscribers = await subscribersOf(services);
		const runs = await newestRuns(this.n8n, startedAt);
		const syncRuns = this.n8n ? syncRunsAmong(runs, this.n8n) : [];
		this.lastSyncRun = syncRuns.find(({ status }) => status === 'success') ?? this.lastSyncRun;
		// The last of these notes is at the top of the page, so the most important ones come last.
		this.readMails();
		this.tellFailures(runs, services);
		const since = this.lastLook - TOLERANCE_MS;
		const recent = syncRuns.filter(({ stoppedAt }) => stoppedAt >= since);
		const from = Math.min(since, ...recent.map(({ startedAt }) => startedAt));
		for (const sentence of feedSentences(this.compare(services, subscribers, from))) {
			this.note(sentence, recent[0]);
		}
		this.lastLook = startedAt;
	}

	/**
	 * Brings the members up to date.
	 *
	 * @param from When the sync runs began that may have changed a feed since the last look.
	 * @returns Whose feed has changed.
	 */
	private compare(services: DemoServices, subscribers: Subscriber[], from: number): StoryChange[] {
		this.others = subscribers.filter(({ plan_id: plan }) => plan !== null).length;
		const changes: StoryChange[] = [];
		const byEmail = new Map(subscribers.map((one) => [one.email, one]));
		for (const { id, email: address } of services.stripe.customers.values()) {
			const email = address ?? '';
			const seen = this.members.get(id);
			const before = seen ?? NOT_SEEN;
			const after = accessOf(services, id, byEmail.get(email));
			if (before.stripe === after.stripe && before.feed === after.feed) continue;
			this.members.set(id, { id, email, changedAt: this.now(), ...after });
			const isOld = seen === undefined && services.existing?.has(id) === true;
			if (isOld || before.feed === after.feed) continue;
			changes.push({ email, before, after, said: saidSince(from, termsOf(services, id)) });
		}
		return changes;
	}

	/** Notes each failed run once. */
	private tellFailures(runs: Run[], { down }: DemoServices): void {
		const failed = runs.filter(({ id, status }) => isFailure(status) && !this.toldRuns.has(id));
		for (const run of failed.reverse()) {
			this.toldRuns.add(run.id);
			this.note(failureSentence(run.workflow, down), run);
		}
	}

	private readMails(): void {
		const { mails } = this.mailbox;
		const lists = [this.chatted.slice(this.seenChats), mails.slice(this.seenMails)];
		this.seenChats = this.chatted.length;
		this.seenMails = mails.length;
		for (const list of lists) {
			for (const mail of list) this.mails.unshift({ ...mail, at: this.now() });
			if (list.length > 0) this.note(mailSentence(list));
		}
	}
}

/** What Stripe and Supercast show about a customer now. */
function accessOf(
	services: DemoServices,
	customer: string,
	subscriber: Subscriber | undefined,
): Access & { feedUrl?: string } {
	const stripe = stripeStatus(services, customer);
	if (subscriber === undefined) return { stripe, feed: '' };
	return { stripe, feed: subscriber.state, feedUrl: feedUrlOf(services, subscriber) };
}

function isFailure(status: string): boolean {
	return status === 'error' || status === 'crashed';
}

/** Bypasses the API, so that the dashboard uses up none of the requests that Supercast allows. */
async function subscribersOf({ sandbox }: DemoServices): Promise<Subscriber[]> {
	const { body } = await ask(new URL('/_sandbox/state', sandbox.baseUrl).href);
	return (body as { subscribers: Subscriber[] }).subscribers;
}

function feedUrlOf({ sandbox }: DemoServices, { feed_token: token }: Subscriber): string {
	return new URL(`/feeds/${token}.xml`, sandbox.baseUrl).href;
}

function stripeStatus(services: DemoServices, customer: string): string {
	return termsOf(services, customer).at(-1)?.status ?? '';
}

function termsOf({ stripe }: DemoServices, customer: string): StripeSubscription[] {
	return stripe.subscriptions.filter((one) => one.customer.id === customer);
}
