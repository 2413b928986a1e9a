/** One sentence about each thing that happened, and why. */

/** How a member's access looks from both sides. */
export interface Access {
	/** Stripe's status of the newest subscription. */
	stripe: string;
	/** Supercast's state of the subscriber. Empty if there is none. */
	feed: string;
}

/** What Stripe has said about a member at any time since the sync run that changed the feed began. */
export interface StripeSaid {
	/** That the membership runs. */
	paid: boolean;
	/** That a membership has ended, and no other one runs. */
	ended: boolean;
}

/** A member whose feed has changed since the last look. */
export interface StoryChange {
	email: string;
	before: Access;
	after: Access;
	said: StripeSaid;
}

const ENDED = ['canceled', 'incomplete_expired', 'unpaid'];

/** Whether Stripe counts the membership as running. A late payment does not end it. */
export function isPaying({ stripe }: Access): boolean {
	return stripe !== '' && !ENDED.includes(stripe);
}

/** The times of a subscription, in milliseconds since 1970. */
interface Term {
	status: string;
	created: number;
	endedAt?: number;
}

/**
 * What a sync run can have read about a member at Stripe, if it began at this time. A sync run reads first
 * and changes feeds later. So what it read can differ from what Stripe says now.
 */
export function saidSince(from: number, terms: Term[]): StripeSaid {
	const ends = terms.map((term) => endOf(term, from));
	const runsAt = (at: number) =>
		terms.some(({ created }, index) => created <= at && at < (ends[index] ?? Infinity));
	return {
		paid: ends.some((end) => end === undefined || end > from),
		ended: ends.some((end) => end !== undefined && !runsAt(Math.max(end, from))),
	};
}

/** When a subscription ended. Without a time, it had ended before. */
function endOf({ status, endedAt }: Term, from: number): number | undefined {
	if (!ENDED.includes(status)) return undefined;
	return endedAt ?? from;
}

/** What changed in the feeds, one sentence for each kind of change. */
export function feedSentences(changes: StoryChange[]): string[] {
	const kinds = new Map<string, StoryChange[]>();
	for (const change of changes) {
		const kind = `${verbFor(change)} ${reasonFor(change, true)}`;
		kinds.set(kind, [...(kinds.get(kind) ?? []), change]);
	}
	return [...kinds.values()].map(sentenceFor);
}

function sentenceFor(changes: StoryChange[]): string {
	const [first] = changes;
	if (first === undefined) return '';
	const isOne = changes.length === 1;
	const what = isOne ? `The feed of ${first.email}` : `${changes.length} feeds`;
	return `${what} ${verbFor(first)}, ${reasonFor(first, isOne)}.`;
}

function verbFor({ before, after }: StoryChange): string {
	if (after.feed === 'available') return before.feed === '' ? 'opened' : 'opened again';
	if (after.feed === '') return 'was deleted';
	return after.feed === 'deactivated' ? 'closed' : `changed to "${after.feed}"`;
}

function reasonFor({ after, said }: StoryChange, isOne: boolean): string {
	const paysNow = isPaying(after);
	const who = isOne ? 'this member' : 'these members';
	const pay = isOne ? 'pays' : 'pay';
	const membership = isOne ? 'the membership' : 'their memberships';
	if (after.feed === 'available' && said.paid) {
		return paysNow
			? `because ${who} ${pay} at Stripe`
			: `because ${who} paid at Stripe. ${isOne ? 'The membership has' : 'Their memberships have'} ended since`;
	}
	if (['deactivated', ''].includes(after.feed) && said.ended) {
		return paysNow
			? `because ${membership} at Stripe had ended. ${isOne ? 'This member pays' : 'These members pay'} again`
			: `because ${membership} at Stripe ended`;
	}
	return 'although Stripe does not say so. A person or another workflow did it';
}

/** A failed run of a workflow. */
export function failureSentence(
	workflow: string,
	down: { stripe: boolean; supercast: boolean },
): string {
	if (down.stripe) return `${workflow} could not read Stripe's list, so it changed nothing.`;
	const cause = down.supercast ? ', because Supercast is down' : '';
	return `${workflow} failed${cause}. The run shows the reason.`;
}

/** The address to which the demo's workflows write about themselves. */
const YOU = 'you@example.com';

/** Emails, or chat messages, which have no recipient. There is at least one. */
export function mailSentence(mails: Array<{ to: string; subject: string }>): string {
	const { to, subject } = mails[mails.length - 1] ?? { to: '', subject: '' };
	const isChat = to === '';
	const kind = isChat ? 'messages came to the chat' : 'emails were sent';
	if (mails.length > 1) return `${mails.length} ${kind}. The last one: "${subject}".`;
	if (isChat) return `The chat has a message: "${subject}".`;
	return `${to === YOU ? 'You have' : `${to} has`} an email: "${subject}".`;
}
