import { inWords, isAbsent, type Answer } from '../answer';
import type { Service } from '../service';
import { hasZone, momentOf, recordOf, type Fields } from '../shapes';
import { otherCapitals } from './reading';

/** The address seems to belong to someone. The probe sends no more requests about it. */
export class RealMember extends Error {}

/** Supercast refuses something that the probe needs. For example, the token may only read. */
export class CannotGoOn extends Error {}

/** Marks the probe's records. Its capitals show whether Supercast keeps capitals. */
export const CUSTOMER_ID = 'Supercast-Probe';
export const FIRST_NAME = 'Probe';

/** If a record is older than this when the probe starts, the probe did not create it. */
const OLD_MS = 120_000;

/** No time zone is further from UTC. */
const MOST_ZONE_MS = 14 * 3_600_000;

/** The only address that the probe writes to, and its state. */
export class ProbedPerson {
	/** Identifiers of created records that have not been deleted yet. */
	readonly uuids = new Set<string>();
	/** When the last create with an unknown outcome was sent. */
	unclearSince: number | undefined;
	/** Whether the probe may have changed anything. */
	hasWritten = false;
	/** Whether Supercast has found a created record by its email. */
	isFoundByEmail = false;
	/** Whether the address turned out to belong to someone. */
	isForeign = false;
	readonly path: string;
	/** The time by Supercast's clock when nobody had the address. */
	private since = -Infinity;

	constructor(
		private readonly service: Service,
		readonly email: string,
	) {
		this.path = `/subscribers/${encodeURIComponent(email)}`;
	}

	/**
	 * Makes sure that nobody has this address, without changing anything.
	 * @throws RealMember if someone has it, CannotGoOn if that is unclear.
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
			if (!isAbsent(answer)) {
				throw new CannotGoOn(`Supercast answered a look-up with ${inWords(answer)}`);
			}
		}
	}

	/**
	 * Creates the subscriber. Throws RealMember if the response shows someone who already existed.
	 */
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
		// A refused create request creates nothing. After a server error, the outcome is unknown.
		const isClear = isDone ? isNamed : answer.status < 500;
		if (isClear) this.unclearSince = before.unclearSince;
		if (isClear && !isDone) this.hasWritten = before.hasWritten;
		return answer;
	}

	/** Checks that the probe created a record. Throws RealMember if it did not. */
	beOurs(record: Fields): void {
		if (this.isOurs(record)) return;
		throw this.foreign('Supercast answered a create with an older subscriber');
	}

	/**
	 * Whether the probe created a record. If the record shows its age, it must be newer than the
	 * probe. Otherwise, it must contain only values from the probe, apart from those that Supercast
	 * adds.
	 */
	isOurs(record: Fields): boolean {
		const { email, customer_id: customerId, first_name: first, last_name: last } = record;
		const created = momentOf(record.created_at);
		if (isGiven(customerId) && !isProbe(customerId)) return false;
		if (created !== undefined) return this.since - created <= oldMs(record.created_at);
		if (isGiven(email) && String(email).toLowerCase() !== this.email) return false;
		return !isGiven(last) && (!isGiven(first) || first === FIRST_NAME);
	}

	/** Notes that the address belongs to someone, so that the probe leaves it alone. */
	foreign(reason: string): RealMember {
		this.isForeign = true;
		return new RealMember(reason);
	}
}

/** Supercast may store customer IDs in lower case. */
const isProbe = (value: unknown): boolean =>
	String(value).toLowerCase() === CUSTOMER_ID.toLowerCase();

/** A time without a zone may be the local time of any place. */
const oldMs = (time: unknown): number => (hasZone(time) ? OLD_MS : OLD_MS + MOST_ZONE_MS);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
