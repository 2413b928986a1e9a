/** The sentences of the page that hold for every list, and how a run breaks them. */

import { isOpen, type Change, type Channel, type Held } from './channel';
import type { Outcome } from './n8n';
import {
	ALWAYS_CLOSES,
	MAX_CLOSE_PERCENT,
	MEANING,
	type Allowance,
	type Row,
	type Settings,
} from './settings';

const DAY_MS = 24 * 60 * 60_000;
const MINUTE_MS = 60_000;

export const PROMISES = {
	limit: 'Within 24 hours, Sync closes at most its limit',
	listed: 'Nobody closes who was on one of the last two lists',
	prefix: "Nobody closes whose customer ID lacks this Sync's prefix",
	plan: 'Nobody closes who has a plan at Supercast',
	neverClose: 'Nobody closes who is in Never Close',
	secondList: 'Whoever is missing from two complete lists closes, if nothing keeps the feed',
	opens: 'Whoever has Open on the list has an open feed, or is named in the report',
	maxOpen: 'One run opens at most its limit',
	failedClosesNothing: 'A run that fails has closed nothing',
	dry: 'A dry run changes nothing',
	deletes: 'Sync deletes nobody, and creates nobody twice',
} as const;

export type Promised = keyof typeof PROMISES;

/** One list that a Sync was given. */
export interface GivenList {
	at: number;
	rows: readonly Row[];
	settings: Settings;
	/** Whether the items are new, as far as n8n knows. */
	isFresh: boolean;
	/** Whether Supercast answers as usual. */
	isUsual: boolean;
	/** The subscribers when the list came. */
	before: readonly Held[];
	outcome: Outcome;
	changes: readonly Change[];
}

/** The customer IDs and emails of the records that may give access, by list. */
const names = new WeakMap<readonly Row[], Set<string>>();

/** Watches one Sync, list after list. */
export class Watch {
	private readonly lists: GivenList[] = [];

	private closings: number[] = [];

	/** What messages have allowed beside the limit, by the time at which someone entered it. */
	private readonly allowed = new Map<Allowance, number>();

	mostOfLimit = 0;

	constructor(
		private readonly channel: Channel,
		private readonly broke: (promise: Promised) => void,
	) {}

	/** Checks everything that a run has done. */
	note(list: GivenList): void {
		this.lists.push(list);
		if (this.lists.length > 20) this.lists.shift();
		const { changes, settings, outcome, isUsual } = list;
		if (settings.isDry === true) {
			if (changes.length > 0) this.broke('dry');
			return;
		}
		const closed = changes.filter(({ kind }) => kind === 'closed');
		for (const change of closed) this.noteClosing(change.before!, list);
		this.noteLimit(list);
		if (outcome.failure !== undefined && isUsual && closed.length > 0) {
			this.broke('failedClosesNothing');
		}
		this.noteOpenings(list);
		if (outcome.failure === undefined && isUsual) this.noteStillClosed(list);
		this.noteStillOpen(list);
		this.noteRecords(changes);
	}

	private noteClosing(subscriber: Held, list: GivenList): void {
		const { settings } = list;
		const id = subscriber.customer_id ?? '';
		if (!id.startsWith(settings.prefix)) this.broke('prefix');
		if (subscriber.plan_id !== null) this.broke('plan');
		if (settings.neverClose.includes(subscriber.email.toLowerCase())) this.broke('neverClose');
		if (!this.isMissingTwice(subscriber, list)) this.broke('listed');
	}

	/** Whether two complete lists, a minute apart, and all between lack the subscriber. */
	private isMissingTwice(subscriber: Held, list: GivenList): boolean {
		if (!isComplete(list) || isListed(subscriber, list)) return false;
		for (const earlier of this.lists.slice(0, -1).reverse()) {
			if (isListed(subscriber, earlier)) return false;
			if (isComplete(earlier) && list.at - earlier.at >= MINUTE_MS) return true;
		}
		return false;
	}

	private noteLimit({ changes, settings, before, at }: GivenList): void {
		const counted = changes.filter(
			({ kind, before: one }) => kind === 'closed' || (kind === 'renamed' && one && isOpen(one)),
		);
		// The 24 hours before the last closing, which comes some time after the list.
		const latest = Math.max(at, ...counted.map((one) => one.at));
		this.closings = this.closings.filter((time) => time > latest - DAY_MS);
		const own = before.filter((one) => isOpen(one) && isOwn(one, settings)).length;
		const percent = Math.floor(((own + this.closings.length) * MAX_CLOSE_PERCENT) / 100);
		const limit = Math.max(ALWAYS_CLOSES, percent) + this.allowedAt(at, settings);
		this.closings.push(...counted.map((one) => one.at));
		if (counted.length === 0) return;
		this.mostOfLimit = Math.max(this.mostOfLimit, (100 * this.closings.length) / limit);
		if (this.closings.length > limit) this.broke('limit');
	}

	/** What was allowed may be used within a day, and what it closed is forgotten a day later. */
	private allowedAt(at: number, { allowed }: Settings): number {
		if (allowed !== undefined && !this.allowed.has(allowed)) this.allowed.set(allowed, at);
		const lately = [...this.allowed].filter(([, since]) => since > at - 2 * DAY_MS);
		return lately.reduce((all, [{ closings }]) => all + closings, 0);
	}

	private noteOpenings({ changes, before, settings }: GivenList): void {
		const opened = changes.filter(({ kind }) => kind === 'created' || kind === 'opened').length;
		const limit = Math.max(50, Math.floor(before.filter(isOpen).length / 4));
		if (opened > limit && settings.allowed === undefined) this.broke('maxOpen');
	}

	/** The report names each payer without an open feed. */
	private noteStillClosed({ rows, outcome }: GivenList): void {
		const open = new Set(this.channel.open.flatMap(keysOf));
		for (const { status, email, customerId } of rows) {
			const keys = keysOf({ email, customer_id: customerId });
			if (MEANING[status] !== 'open' || keys.length === 0) continue;
			if (!keys.some((key) => open.has(key)) && !outcome.names(keys)) this.broke('opens');
		}
	}

	private noteStillOpen(list: GivenList): void {
		const earlier = this.lists.at(-2) ?? list;
		const isCounted = (one: GivenList): boolean =>
			isComplete(one) && one.isUsual && one.outcome.failure === undefined && this.isLater(one);
		if (earlier === list || !isCounted(earlier) || !isCounted(list)) return;
		for (const one of earlier.before) {
			if (!isOpen(one) || !isOwn(one, list.settings)) continue;
			if (isListed(one, earlier) || isListed(one, list)) continue;
			const now = this.channel.byUuid(one.uuid);
			const isSame = now && isOpen(now) && now.updated_at === one.updated_at;
			if (isSame && now.customer_id === one.customer_id) this.broke('secondList');
		}
	}

	/** Whether it came a minute after the list before, as a separate reading. */
	private isLater(list: GivenList): boolean {
		const before = this.lists[this.lists.indexOf(list) - 1];
		return before === undefined || list.at - before.at >= MINUTE_MS;
	}

	private noteRecords(changes: readonly Change[]): void {
		for (const { kind, after } of changes) {
			const hasSame = ({ email }: Held): boolean =>
				email.toLowerCase() === after?.email.toLowerCase();
			const isSecond = kind === 'created' && this.channel.subscribers.filter(hasSame).length > 1;
			if (kind === 'deleted' || isSecond) this.broke('deletes');
		}
	}
}

/** The feeds that this Sync may close. */
function isOwn({ customer_id: id, plan_id: plan, email }: Held, settings: Settings): boolean {
	const isFree = plan === null && !settings.neverClose.includes(email.toLowerCase());
	return isFree && (id ?? '').startsWith(settings.prefix);
}

function keysOf({ email, customer_id: id }: Pick<Held, 'customer_id' | 'email'>): string[] {
	return [email.toLowerCase(), id ?? ''].filter((key) => key !== '');
}

/** Whether a record that may give access has the subscriber's customer ID or email. */
function isListed(subscriber: Held, { rows }: GivenList): boolean {
	const known = names.get(rows) ?? new Set(rows.flatMap(keysOfRow));
	names.set(rows, known);
	return keysOf(subscriber).some((key) => known.has(key));
}

function keysOfRow({ status, email, customerId }: Row): string[] {
	return MEANING[status] === 'close' ? [] : keysOf({ email, customer_id: customerId });
}

/** Whether a list counts, by the page. */
function isComplete({ rows, settings, isFresh }: GivenList): boolean {
	const { expected, prefix } = settings;
	if (expected !== undefined) {
		const ids = new Set(rows.map(({ recordId }) => recordId));
		if (ids.size < rows.length || expected === '' || ids.size < expected || ids.has(''))
			return false;
	}
	return (
		isFresh &&
		rows.every(
			({ status, email, customerId: id }) =>
				MEANING[status] === 'close' ||
				(email + id !== '' && (id === '' || (id.startsWith(prefix) && !id.endsWith('undefined')))),
		)
	);
}
