import type { Context } from '../context';
import type { FaultSpec } from './faults';
import type { LogEntry, Stats } from '../server/requestLog';
import type { Settings } from '../options';
import { grow, raiseAlerts, seedDatabase, type Growing } from '../data/seed';
import type { UsageAlert } from '../data/records';

/** What tests can do to a sandbox, in the process or through `/_sandbox`. */
export class Controls {
	constructor(private readonly context: Context) {}

	stats(): Stats {
		return this.context.log.stats();
	}

	requests(): readonly LogEntry[] {
		return this.context.log.list();
	}

	/** Every record as it is stored, and what the OAuth side counted. */
	state() {
		const { database, tokens } = this.context;
		return {
			channel: database.channel,
			subscribers: database.subscribers.rows(),
			episodes: database.episodes.rows(),
			usageAlerts: database.usageAlerts.rows(),
			creators: database.creators.rows(),
			roles: database.roles.rows(),
			invites: database.invites.rows(),
			questions: database.questions.rows(),
			oauth: tokens.counters,
		};
	}

	/** Back to the seeded state; tokens stay valid, settings stay as they are. */
	reset(): void {
		const { context } = this;
		context.database = seedDatabase(context.options);
		context.log.reset();
		context.limiter.reset();
		context.faults.clear();
		context.idempotency.reset();
		context.tokens.restoreManual();
		context.tokens.resetCounters();
	}

	addUsageAlerts(count: number): UsageAlert[] {
		return raiseAlerts(this.context.database, count, this.context.time());
	}

	addRecords(resource: Growing, count: number): object[] {
		return grow(this.context.database, resource, count, this.context.time());
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

	changeSettings(values: Partial<Settings>): Settings {
		return Object.assign(this.context.settings, values);
	}
}
