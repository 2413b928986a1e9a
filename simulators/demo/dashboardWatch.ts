import type { Mail, Mailbox } from '../../test/harness/mailbox';
import { ask } from '../../test/harness/system/http';
import type { StripeSubscription } from '../memberships/stripe';
import type { DeskWorld } from './dashboardActions';
import { checksAmong, newestRuns, type DeskN8n, type Run } from './dashboardRuns';
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
export interface DeskEvent {
	at: number;
	sentence: string;
	/** The execution that did it. */
	run?: Run;
}

/** What the page shows. The newest entry of each list is the first. */
export interface DeskView {
	isReady: boolean;
	/** Whether there is an editor to open. */
	hasEditor: boolean;
	down: DeskWorld['down'];
	members: SeenMember[];
	/** How many subscribers pay Supercast itself. */
	others: number;
	mails: SeenMail[];
	events: DeskEvent[];
	lastCheck?: Run;
}

interface Subscriber {
	email: string;
	state: string;
	plan_id: number | null;
	feed_token: string;
}

/** A check may have ended this long before the last look, and still be the cause of a change. */
const TOLERANCE_MS = 2_000;

const NOT_SEEN: Access = { stripe: '', feed: '' };

/** Looks at Stripe, Supercast, n8n and the mailbox, and notes what has changed since the last look. */
export class DeskWatch {
	private world?: DeskWorld;

	private n8n?: DeskN8n;

	private readonly members = new Map<string, SeenMember>();

	private readonly events: DeskEvent[] = [];

	private readonly mails: SeenMail[] = [];

	private readonly toldRuns = new Set<string>();

	private readonly chatted: Mail[] = [];

	private seenMails = 0;

	private seenChats = 0;

	private others = 0;

	private lastLook: number;

	private lastCheck?: Run;

	private looking?: Promise<void>;

	constructor(
		private readonly mailbox: Mailbox,
		private readonly now: () => number = Date.now,
	) {
		this.lastLook = now();
	}

	/** Connects the desk to what it shows. Before that, the page says that n8n is not ready. */
	connect(world: DeskWorld, n8n?: DeskN8n): void {
		this.world = world;
		this.n8n = n8n;
	}

	get connected(): DeskWorld | undefined {
		return this.world;
	}

	/** The n8n that the desk is connected to. */
	get editor(): DeskN8n | undefined {
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

	view(): DeskView {
		const members = [...this.members.values()].reverse();
		return {
			isReady: this.world !== undefined,
			hasEditor: this.n8n !== undefined,
			down: this.world?.down ?? { stripe: false, supercast: false },
			members: members.sort((one, other) => other.changedAt - one.changedAt),
			others: this.others,
			mails: this.mails,
			events: this.events,
			lastCheck: this.lastCheck,
		};
	}

	private async lookNow(): Promise<void> {
		const { world } = this;
		if (world === undefined) return;
		const startedAt = this.now();
		const subscribers = await subscribersOf(world);
		const runs = await newestRuns(this.n8n, startedAt);
		const checks = this.n8n ? checksAmong(runs, this.n8n) : [];
		this.lastCheck = checks.find(({ status }) => status === 'success') ?? this.lastCheck;
		// The last of these notes is at the top of the page, so the most important ones come last.
		this.readMails();
		this.tellFailures(runs, world);
		const since = this.lastLook - TOLERANCE_MS;
		const recent = checks.filter(({ stoppedAt }) => stoppedAt >= since);
		const from = Math.min(since, ...recent.map(({ startedAt }) => startedAt));
		for (const sentence of feedSentences(this.compare(world, subscribers, from))) {
			this.note(sentence, recent[0]);
		}
		this.lastLook = startedAt;
	}

	/**
	 * Brings the members up to date.
	 *
	 * @param from When the checks began that may have changed a feed since the last look.
	 * @returns Whose feed has changed.
	 */
	private compare(world: DeskWorld, subscribers: Subscriber[], from: number): StoryChange[] {
		this.others = subscribers.filter(({ plan_id: plan }) => plan !== null).length;
		const changes: StoryChange[] = [];
		const byEmail = new Map(subscribers.map((one) => [one.email, one]));
		for (const { id, email: address } of world.stripe.customers.values()) {
			const email = address ?? '';
			const seen = this.members.get(id);
			const before = seen ?? NOT_SEEN;
			const after = accessOf(world, id, byEmail.get(email));
			if (before.stripe === after.stripe && before.feed === after.feed) continue;
			this.members.set(id, { id, email, changedAt: this.now(), ...after });
			const isOld = seen === undefined && world.existing?.has(id) === true;
			if (isOld || before.feed === after.feed) continue;
			changes.push({ email, before, after, said: saidSince(from, termsOf(world, id)) });
		}
		return changes;
	}

	/** Notes each failed run once. */
	private tellFailures(runs: Run[], { down }: DeskWorld): void {
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
	world: DeskWorld,
	customer: string,
	subscriber: Subscriber | undefined,
): Access & { feedUrl?: string } {
	const stripe = stripeStatus(world, customer);
	if (subscriber === undefined) return { stripe, feed: '' };
	return { stripe, feed: subscriber.state, feedUrl: feedUrlOf(world, subscriber) };
}

function isFailure(status: string): boolean {
	return status === 'error' || status === 'crashed';
}

/** Bypasses the API, so that the desk uses up none of the requests that Supercast allows. */
async function subscribersOf({ sandbox }: DeskWorld): Promise<Subscriber[]> {
	const { body } = await ask(new URL('/_sandbox/state', sandbox.baseUrl).href);
	return (body as { subscribers: Subscriber[] }).subscribers;
}

function feedUrlOf({ sandbox }: DeskWorld, { feed_token: token }: Subscriber): string {
	return new URL(`/feeds/${token}.xml`, sandbox.baseUrl).href;
}

function stripeStatus(world: DeskWorld, customer: string): string {
	return termsOf(world, customer).at(-1)?.status ?? '';
}

function termsOf({ stripe }: DeskWorld, customer: string): StripeSubscription[] {
	return stripe.subscriptions.filter((one) => one.customer.id === customer);
}
