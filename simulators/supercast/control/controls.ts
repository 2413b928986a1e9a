import type { Context } from '../context';
import type { FaultSpec } from './faults';
import type { LogEntry, Stats } from '../server/requestLog';
import { settingsSchema, type GivenSettings, type Settings } from '../settings';
import { PROFILES, type ProfileName } from '../profiles';
import { LIST_KEYS, type ListKey } from '../data/lists';
import { grow, seedDatabase } from '../resources/seed';
import type { ChannelRecord, Subscriber, SubscriberState, UsageAlert } from '../data/records';
import type { OAuthCounters } from '../oauth/tokenStore';
import type { Snapshot } from './snapshot';

/** How tests control a sandbox in the same process. Most controls are also under `/_sandbox`. */
export class Controls {
	constructor(private readonly context: Context) {}

	stats(): Stats {
		return this.context.log.stats();
	}

	requests(): readonly LogEntry[] {
		return this.context.log.list();
	}

	/** Every stored record, and the counts of the OAuth side. */
	state(): Snapshot & { channel: ChannelRecord; oauth: OAuthCounters } {
		const { database, tokens } = this.context;
		const entries = LIST_KEYS.map((name) => [name, database.lists[name].rows()] as const);
		const lists = Object.fromEntries(entries) as unknown as Snapshot;
		return { channel: database.channel, ...lists, oauth: tokens.counters };
	}

	/** Restores the seeded state. Tokens stay valid, and settings don't change. */
	reset(): void {
		const { context } = this;
		context.database = seedDatabase(context.options, context.settings);
		context.log.reset();
		context.limiter.reset();
		context.faults.clear();
		context.idempotency.clear();
		context.tokens.restoreManual();
		context.tokens.resetCounters();
	}

	addUsageAlerts(count: number): UsageAlert[] {
		return this.addRecords('usageAlerts', count) as UsageAlert[];
	}

	addRecords(list: ListKey, count: number): object[] {
		return grow(this.context.database, list, count, this.context.time());
	}

	expireTokens(): number {
		return this.context.tokens.expireAccess();
	}

	revokeTokens(which: 'manual' | 'oauth' | 'all'): number {
		return this.context.tokens.revoke(which);
	}

	addFaults(specs: FaultSpec | FaultSpec[]): void {
		this.context.faults.add(specs);
	}

	faults() {
		return this.context.faults.list();
	}

	clearFaults(): void {
		this.context.faults.clear();
	}

	/** Changes settings. With a profile, all other settings take that profile's values. */
	changeSettings(values: GivenSettings, profile?: ProfileName): Settings {
		const { settings } = this.context;
		const before = profile === undefined ? settings : PROFILES[profile];
		return Object.assign(settings, settingsSchema.parse({ ...before, ...values }));
	}

	/** Gives a subscriber further subscriptions in these states, such as those to other shows. */
	addSubscriptions(uuidOrEmail: string, states: SubscriberState[]): Subscriber | undefined {
		const { subscribers } = this.context.database.lists;
		const row = subscribers.find(uuidOrEmail);
		return row && subscribers.change(row, { more_subscriptions: states });
	}

	/** Sets a subscriber to a state that the API cannot set, such as `charge_failure`. */
	setState(uuidOrEmail: string, state: SubscriberState): Subscriber | undefined {
		const { subscribers } = this.context.database.lists;
		const row = subscribers.find(uuidOrEmail);
		return row && subscribers.change(row, { state, updated_at: this.context.time() });
	}
}
