import type { Context } from '../context';
import type { LogEntry } from '../server/requestLog';
import type { OAuthCounters } from '../oauth/tokenStore';
import type {
	Channel,
	Creator,
	Episode,
	Invite,
	Question,
	Role,
	Subscriber,
	UsageAlert,
} from '../data/records';

/** Read access to the records and the log for tests in the same process. */
export class SandboxState {
	constructor(private readonly context: Context) {}

	get channel(): Readonly<Channel> {
		return this.context.database.channel;
	}

	get subscribers(): ReadonlyArray<Readonly<Subscriber>> {
		return this.context.database.subscribers.rows();
	}

	get episodes(): ReadonlyArray<Readonly<Episode>> {
		return this.context.database.episodes.rows();
	}

	get usageAlerts(): ReadonlyArray<Readonly<UsageAlert>> {
		return this.context.database.usageAlerts.rows();
	}

	get creators(): ReadonlyArray<Readonly<Creator>> {
		return this.context.database.creators.rows();
	}

	get roles(): ReadonlyArray<Readonly<Role>> {
		return this.context.database.roles.rows();
	}

	get invites(): ReadonlyArray<Readonly<Invite>> {
		return this.context.database.invites.rows();
	}

	get questions(): ReadonlyArray<Readonly<Question>> {
		return this.context.database.questions.rows();
	}

	get requests(): readonly LogEntry[] {
		return this.context.log.list();
	}

	get oauth(): Readonly<OAuthCounters> {
		return this.context.tokens.counters;
	}

	/** Client secrets, tokens and codes, for tests that check whether any leaked. */
	get secrets(): readonly string[] {
		return this.context.tokens.secrets;
	}

	/** A subscriber by uuid or email. */
	subscriber(uuidOrEmail: string): Readonly<Subscriber> | undefined {
		return this.context.database.subscribers.find(uuidOrEmail);
	}

	/** The address of a subscriber's private feed. */
	feedUrl(uuidOrEmail: string): string | undefined {
		const token = this.subscriber(uuidOrEmail)?.feed_token;
		return token === undefined ? undefined : `${this.context.origin}/feeds/${token}.xml`;
	}
}
