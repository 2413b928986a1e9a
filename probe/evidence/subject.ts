import type { Answer, Service } from '../service';
import { inWords } from '../finding';
import { momentOf, recordOf, type Fields } from '../shapes';
import { otherCapitals } from './reading';

/** The address seems to belong to someone. The probe does nothing more to it. */
export class RealMember extends Error {}

/** Supercast does not do what the probe needs to continue. For example, the token may only read. */
export class CannotGoOn extends Error {}

/** Marks the probe's records. */
export const CUSTOMER_ID = 'supercast-probe';
export const FIRST_NAME = 'Probe';

/** A record that is older than this when the probe creates it existed before. */
const OLD_MS = 120_000;

/** The only address that the probe writes to, and its state. */
export class ProbedPerson {
	/** Identifiers from creates that were not deleted since. */
	readonly uuids = new Set<string>();
	/** When the last create with an unknown outcome was sent. */
	unclearSince: number | undefined;
	/** Whether the probe may have written anything. */
	hasWritten = false;
	/** Whether the address turned out to be someone's. */
	isForeign = false;
	readonly path: string;
	/** Supercast's own time when nobody had the address. */
	private since = -Infinity;

	constructor(
		private readonly service: Service,
		readonly email: string,
	) {
		this.path = `/subscribers/${encodeURIComponent(email)}`;
	}

	/**
	 * Makes sure, without writing, that nobody has this address.
	 *
	 * @throws RealMember when someone has it, CannotGoOn when that is unclear.
	 */
	async beSureItIsNobody(rows: readonly Fields[]): Promise<void> {
		this.since = this.service.serviceTime();
		const isListed = rows.some(({ email }) => String(email).toLowerCase() === this.email);
		if (isListed) throw this.foreign('it is in the list of subscribers');
		const encoded = encodeURIComponent(this.email);
		const capitals = encodeURIComponent(otherCapitals(this.email));
		const places = [
			this.path,
			`/subscribers/${capitals}`,
			`/feeds/${encoded}`,
			`/creators/${encoded}`,
		];
		for (const place of places) {
			const answer = await this.service.ask(place);
			if (answer.status === 200) throw this.foreign('Supercast finds a record with it');
			if (answer.status !== 404) {
				throw new CannotGoOn(`Supercast answered a look-up with ${inWords(answer)}`);
			}
		}
	}

	/** Creates the subscriber. Throws RealMember when the response shows someone from before. */
	async create(): Promise<Answer> {
		this.service.throwIfStopped();
		const before = { unclearSince: this.unclearSince, hasWritten: this.hasWritten };
		this.hasWritten = true;
		this.unclearSince = this.service.now();
		const answer = await this.service.ask('/subscribers', {
			method: 'POST',
			body: { subscriber: { email: this.email, customer_id: CUSTOMER_ID } },
		});
		const isDone = answer.status < 300;
		const record = isDone ? recordOf(answer, 'subscriber') : undefined;
		if (record !== undefined) this.beOurs(record);
		const isNamed = typeof record?.uuid === 'string';
		if (isNamed) this.uuids.add(record.uuid as string);
		// A refused create creates nothing. After a server error, that is unknown.
		const isClear = isDone ? isNamed : answer.status < 500;
		if (isClear) this.unclearSince = before.unclearSince;
		if (isClear && !isDone) this.hasWritten = before.hasWritten;
		return answer;
	}

	/** Checks that the probe created a record. Throws RealMember when it did not. */
	beOurs(record: Fields): void {
		if (this.isOurs(record)) return;
		throw this.foreign('Supercast answered a create with an older subscriber');
	}

	/**
	 * Whether the probe created a record: it is as new as the probe. If it does not show its age, it
	 * must hold only values from the probe, since Supercast may fill in others.
	 */
	isOurs(record: Fields): boolean {
		const { email, customer_id: customerId, first_name: first, last_name: last } = record;
		const created = momentOf(record.created_at);
		if (isGiven(customerId) && customerId !== CUSTOMER_ID) return false;
		if (created !== undefined) return this.since - created <= OLD_MS;
		if (isGiven(email) && String(email).toLowerCase() !== this.email) return false;
		return !isGiven(last) && (!isGiven(first) || first === FIRST_NAME);
	}

	/** Notes that the address is someone's, so the probe does nothing more to it. */
	foreign(reason: string): RealMember {
		this.isForeign = true;
		return new RealMember(reason);
	}
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
