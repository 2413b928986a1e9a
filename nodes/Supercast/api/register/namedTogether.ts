import { nameKey } from '../identity';
import { Recent } from './recent';

/** Within this time, two emails with one customer ID are rather two people than a new email. */
const SOON_MS = 10 * 60_000;

/** Which email came last with a customer ID. */
export class NamedTogether {
	/** By customer ID. */
	private readonly emails = new Recent<{ key: string; at: number }>();

	/** @param now In milliseconds. Never goes backward. */
	constructor(private readonly now: () => number) {}

	/** Whether the ID has just come with another email. */
	isWithOther(email: string, customerId: string): boolean {
		this.forgetOld();
		const key = this.emails.get(customerId)?.key;
		return key !== undefined && email !== '' && key !== nameKey(email);
	}

	/** Notes that an event has named a person by both. */
	note(email: string, customerId: string): void {
		this.emails.set(customerId, { key: nameKey(email), at: this.now() });
		this.forgetOld();
	}

	private forgetOld(): void {
		const since = this.now() - SOON_MS;
		this.emails.forget(({ at }) => at < since);
	}
}
