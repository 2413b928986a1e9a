/** Which subscribers have which email, as far as this process knows. */

import { nameKey, nameOf, type Names } from '../identity';

/** How many emails of new subscribers to remember. Between two counts, a Sync creates fewer. */
const MOST_CREATED = 10_000;

/** The names of subscribers in Supercast's paths, by email. */
export class NamesByEmail {
	private readonly names: Map<string, string>;

	constructor(list: readonly Names[]) {
		this.names = new Map(list.map((one) => [nameKey(one.email), nameOf(one)]));
	}

	/** Undefined if no such subscriber is known. */
	get(email: string): string | undefined {
		return this.names.get(nameKey(email));
	}

	/** Forgets a subscriber that was deleted. */
	delete(name: string): void {
		this.names.delete(nameKey(name));
		for (const [key, one] of this.names) if (one === name) this.names.delete(key);
	}
}

/** The subscribers that this process has created. */
export class CreatedSubscribers {
	private creations = 0;

	/** The place and the name of each, by email, oldest first. */
	private readonly created = new Map<string, { place: number; name?: string }>();

	/** How many it may have created so far. */
	get count(): number {
		return this.creations;
	}

	/** Whether it may have created one with the email since `count` was `afterCount`. */
	has(email: string, afterCount: number): boolean {
		return (this.created.get(nameKey(email))?.place ?? 0) > afterCount;
	}

	/** The name in Supercast's paths. Undefined if no such subscriber is known. */
	nameOf(email: string): string | undefined {
		return this.created.get(nameKey(email))?.name;
	}

	/** @param name In Supercast's paths. Empty if it is unknown, as after a lost response. */
	note(email: string, name: string): void {
		const key = nameKey(email);
		this.created.delete(key);
		this.created.set(key, { place: ++this.creations, name: name || undefined });
		const [oldest = ''] = this.created.keys();
		if (this.created.size > MOST_CREATED) this.created.delete(oldest);
	}

	/** Forgets the name of a subscriber that was deleted. */
	delete(name: string): void {
		for (const [key, one] of this.created) {
			if (one.name === name || key === nameKey(name)) one.name = undefined;
		}
	}
}
