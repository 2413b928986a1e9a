import { throughSleep, type Runtime } from './clock';
import { nameKey } from './identity';
import { asRecord } from './json';
import { RecentDecisions, Turns } from './order';
import { CustomerIdRegister } from './register/customerIds';
import { NamedTogether } from './register/namedTogether';
import { Recent } from './register/recent';
import type { ApiRequest } from './types';

/** What all executions of this process share that use the same credential, host and channel. */
export class Channel {
	readonly turns = new Turns();

	readonly decisions: RecentDecisions;

	readonly customerIds: CustomerIdRegister;

	readonly namedTogether: NamedTogether;

	/** Whether Supercast finds subscribers by email. Undefined as long as nothing shows it. */
	findsEmails: boolean | undefined;

	/** The time until which a new or renamed record may be hidden, by its name. */
	private readonly hiddenUntil = new Recent<number>();

	constructor(private readonly runtime: Runtime) {
		const now = throughSleep(runtime);
		this.decisions = new RecentDecisions(() => runtime.clock.now());
		this.customerIds = new CustomerIdRegister(now);
		this.namedTogether = new NamedTogether(now);
	}

	/** How long a 404 may be temporary, in milliseconds. If this is 0 or less, a 404 is final. */
	hiddenMs({ path, mayBeHidden }: ApiRequest): number {
		const { clock, visibleMs } = this.runtime;
		const leftMs = (this.hiddenUntil.get(nameKey(path[1])) ?? 0) - clock.now();
		return mayBeHidden ? visibleMs : leftMs;
	}

	/** Notes what a request and the body of its response say about names and customer IDs. */
	note(request: ApiRequest, body: unknown): void {
		const { method, path, newName } = request;
		this.customerIds.note(request, body);
		if (method === 'DELETE') this.hiddenUntil.delete(nameKey(path[1]));
		if (newName === undefined) return;
		const now = this.runtime.clock.now();
		this.hiddenUntil.forget((until) => until <= now);
		for (const key of [newName, asRecord(body).uuid].map(nameKey)) {
			if (key !== '') this.hiddenUntil.set(key, now + this.runtime.visibleMs);
		}
	}
}

const channels = new Map<string, Channel>();

/**
 * Gets a channel, and frees memory that no channel needs.
 * @param key Names the credential, the host and the channel.
 */
export function channelOf(key: string, runtime: Runtime): Channel {
	const channel = channels.get(key) ?? new Channel(runtime);
	channels.set(key, channel);
	for (const { customerIds } of channels.values()) customerIds.forgetOld();
	return channel;
}
