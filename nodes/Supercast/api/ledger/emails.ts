import { isSameIdentifier, identifierKey } from '../identity';
import { Recent } from './recent';

/** The names of subscribers in Supercast's paths, by email. */
export class IdentifiersByEmail {
	private readonly names = new Recent<string>();

	/** @param most How many to remember. */
	constructor(private readonly most = Infinity) {}

	/** Undefined if no such subscriber is known. */
	get(email: string): string | undefined {
		return this.names.get(identifierKey(email));
	}

	/** Finds a subscriber by email, or by the name in Supercast's paths. */
	find(name: string): string | undefined {
		const isIt = (one: string): boolean => isSameIdentifier(one, name);
		return this.get(name) ?? [...this.names.values()].find(isIt);
	}

	/** @param name Empty if it is unknown, as after a lost response. */
	set(email: string, name: string): void {
		this.setByKey(identifierKey(email), name);
	}

	/** @param emailKey The email in the form in which emails are compared. */
	setByKey(emailKey: string, name: string): void {
		if (name === '') this.names.delete(emailKey);
		else this.names.set(emailKey, name);
		this.names.forget(() => this.names.size > this.most);
	}

	/** Forgets a subscriber that was deleted. */
	delete(name: string): void {
		this.names.delete(identifierKey(name));
		for (const [key, one] of this.names) if (one === name) this.names.delete(key);
	}
}
