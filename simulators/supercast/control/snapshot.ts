import type { Context } from '../context';
import type { LogEntry } from '../server/requestLog';
import type { OAuthCounters } from '../oauth/tokenStore';
import type { ChannelRecord, Subscriber } from '../data/records';
import { LIST_KEYS, type ListKey, type Lists } from '../data/lists';

/** The records of each list. */
export type Snapshot = { readonly [Key in ListKey]: ReadonlyArray<Readonly<Lists[Key]>> };

/** Read access to the records and the log for tests in the same process. */
class StateReader {
	constructor(private readonly context: Context) {}

	get channel(): Readonly<ChannelRecord> {
		return this.context.database.channel;
	}

	get requests(): readonly LogEntry[] {
		return this.context.log.list();
	}

	get oauth(): Readonly<OAuthCounters> {
		return this.context.tokens.counters;
	}

	/** Client secrets, tokens and codes, for tests that check whether any of them leaked. */
	get secrets(): readonly string[] {
		return this.context.tokens.secrets;
	}

	/** A subscriber by uuid or email. */
	subscriber(uuidOrEmail: string): Readonly<Subscriber> | undefined {
		return this.context.database.lists.subscribers.find(uuidOrEmail);
	}

	/** The address of a subscriber's private feed. */
	feedUrl(uuidOrEmail: string): string | undefined {
		const token = this.subscriber(uuidOrEmail)?.feed_token;
		return token === undefined ? undefined : `${this.context.origin}/feeds/${token}.xml`;
	}
}

export type SandboxState = Snapshot & StateReader;

/** A view that always shows the current records. */
export function stateOf(context: Context): SandboxState {
	const get = (name: ListKey) => ({ get: () => context.database.lists[name].rows() });
	const lists = Object.fromEntries(LIST_KEYS.map((name) => [name, get(name)]));
	return Object.defineProperties(new StateReader(context), lists) as SandboxState;
}
