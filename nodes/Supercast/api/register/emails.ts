import { nameKey } from '../identity';

/** The names of subscribers in Supercast's paths, by email. */
export class NamesByEmail {
	/** The oldest first. */
	private readonly names = new Map<string, string>();

	/** @param most How many to remember. */
	constructor(private readonly most = Infinity) {}

	/** Undefined if no such subscriber is known. */
	get(email: string): string | undefined {
		return this.names.get(nameKey(email));
	}

	/** @param name Empty if it is unknown, as after a lost response. */
	set(email: string, name: string): void {
		const key = nameKey(email);
		this.names.delete(key);
		if (name !== '') this.names.set(key, name);
		const [oldest = ''] = this.names.keys();
		if (this.names.size > this.most) this.names.delete(oldest);
	}

	/** Forgets a subscriber that was deleted. */
	delete(name: string): void {
		this.names.delete(nameKey(name));
		for (const [key, one] of this.names) if (one === name) this.names.delete(key);
	}
}
