/** One sentence about each thing that happened, and why. */

/** How a member's access looks from both sides. */
export interface Access {
	/** Stripe's status of the newest subscription. */
	stripe: string;
	/** Supercast's state of the subscriber. Empty if there is none. */
	feed: string;
}

/** A member whose feed has changed since the last look. */
export interface FeedChange {
	email: string;
	before: Access;
	after: Access;
}

const ENDED = ['canceled', 'incomplete_expired', 'unpaid'];

/** Whether Stripe counts the membership as running. A late payment does not end it. */
export function isPaying({ stripe }: Access): boolean {
	return stripe !== '' && !ENDED.includes(stripe);
}

/** What changed in the feeds, one sentence for each kind of change. */
export function feedSentences(changes: FeedChange[]): string[] {
	const kinds = new Map<string, FeedChange[]>();
	for (const change of changes) {
		const { feed } = change.after;
		const kind = `${feed} ${isPaying(change.after)}`;
		kinds.set(kind, [...(kinds.get(kind) ?? []), change]);
	}
	return [...kinds.values()].map(sentenceFor);
}

function sentenceFor(changes: FeedChange[]): string {
	const [first] = changes;
	if (first === undefined) return '';
	const isOne = changes.length === 1;
	const what = isOne ? `The feed of ${first.email}` : `${changes.length} feeds`;
	return `${what} ${verbFor(first)}, ${reasonFor(first, isOne)}.`;
}

function verbFor({ before, after }: FeedChange): string {
	if (after.feed === 'available') return before.feed === '' ? 'opened' : 'opened again';
	if (after.feed === '') return 'was deleted';
	return after.feed === 'deactivated' ? 'closed' : `changed to "${after.feed}"`;
}

function reasonFor({ after }: FeedChange, isOne: boolean): string {
	const isOpen = after.feed === 'available';
	const who = isOne ? 'this member' : 'these members';
	if (isOpen === isPaying(after)) {
		return isOpen
			? `because ${who} ${isOne ? 'pays' : 'pay'} at Stripe`
			: `because ${isOne ? 'the membership' : 'their memberships'} at Stripe ended`;
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
