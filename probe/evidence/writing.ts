import { randomUUID } from 'node:crypto';

import type { Answer, Service } from '../service';
import { recordOf, type Row } from '../shapes';
import { cleanUp } from './cleanUp';
import { CannotGoOn, FIRST_NAME, type ProbedPerson } from './subject';

/** States that the probe sets a feed to. */
export type ProbedFeedState = 'available' | 'inactive' | 'suspended';

/** What writing showed. Steps that were not reached are missing. */
export interface Writing {
	created?: Answer;
	/** Milliseconds until the new subscriber could be read. Infinity if that took too long. */
	visibleAfterMs?: number;
	/** The same create again, once with the same Idempotency-Key and once with another. */
	repeated?: Answer;
	createdAgain?: Answer;
	changed?: Answer;
	/** The new subscriber, as first read, and after the change. Compared, but never shown. */
	first?: Row;
	afterChange?: Row;
	feeds: Partial<Record<ProbedFeedState, { answer: Answer; before?: Row; after?: Row }>>;
	/** A create for someone whose feed was closed, with the states before and afterwards. */
	reactivated?: { answer: Answer; before?: unknown; state?: unknown };
	deleted?: Answer;
	afterDelete?: Answer;
	deletedAgain?: Answer;
	/** The subscriber after a second creation. */
	second?: Row;
}

const MOST_WAIT_MS = 30_000;
const LOOK_EVERY_MS = 500;

/**
 * Creates, changes and deletes the one subscriber, and notes the results. The caller cleans up.
 *
 * @throws Interrupted, RealMember, CannotGoOn or Unreachable. `seen` holds the results until then.
 */
export async function write(service: Service, subject: ProbedPerson, seen: Writing): Promise<void> {
	const first = await createFirst(service, subject, seen);
	// By uuid, since another create may create another subscriber with the same email.
	const name = typeof first.uuid === 'string' ? first.uuid : subject.email;
	const own = new Own(service, name);
	seen.first = first;
	seen.createdAgain = await subject.create(randomUUID());
	await change(own, seen);
	await openAndClose(own, seen);
	seen.reactivated = {
		before: seen.feeds.inactive?.after?.state,
		answer: await subject.create(randomUUID()),
		state: (await own.read())?.state,
	};
	await remove(service, subject, own, seen);
	const left = await cleanUp(service, subject);
	if (left !== undefined) return;
	const { status } = await subject.create(randomUUID());
	if (status < 300) seen.second = (await readWhenVisible(service, subject)).record ?? {};
}

async function createFirst(service: Service, subject: ProbedPerson, seen: Writing): Promise<Row> {
	const key = randomUUID();
	const created = await subject.create(key);
	seen.created = created;
	if ([409, 422].includes(created.status)) {
		throw subject.foreign(`Supercast refused a create with ${created.status}`);
	}
	if (created.status >= 300)
		throw new CannotGoOn(`Supercast answered a create with ${created.status}`);
	const { record, afterMs } = await readWhenVisible(service, subject);
	seen.visibleAfterMs = afterMs;
	if (record === undefined) throw new CannotGoOn('Supercast does not show the new subscriber');
	seen.repeated = await subject.create(key);
	return record;
}

/** Reads the new subscriber as soon as it appears. */
async function readWhenVisible(
	service: Service,
	subject: ProbedPerson,
): Promise<{ record?: Row; afterMs: number }> {
	const since = service.now();
	for (let look = 0; ; look++) {
		const answer = await service.ask(subject.path);
		const record = answer.status === 200 ? recordOf(answer, 'subscriber') : undefined;
		if (record !== undefined) {
			subject.beOurs(record);
			if (typeof record.uuid === 'string') subject.uuids.add(record.uuid);
			return { record, afterMs: look === 0 ? 0 : service.now() - since };
		}
		if (service.now() - since > MOST_WAIT_MS) return { afterMs: Infinity };
		await service.sleep(LOOK_EVERY_MS);
	}
}

/** The subscriber that the probe works on. */
class Own {
	readonly path: string;

	constructor(
		private readonly service: Service,
		readonly name: string,
	) {
		this.path = `/subscribers/${encodeURIComponent(name)}`;
	}

	async read(): Promise<Row | undefined> {
		const answer = await this.service.ask(this.path);
		return answer.status === 200 ? recordOf(answer, 'subscriber') : undefined;
	}

	async change(path: string, body: object): Promise<Answer> {
		return await this.service.ask(path, { method: 'PATCH', body });
	}
}

async function change(own: Own, seen: Writing): Promise<void> {
	const fields = { first_name: FIRST_NAME, ignore_usage_alerts: true, time_zone: 'Europe/Berlin' };
	seen.changed = await own.change(own.path, { subscriber: fields });
	seen.afterChange = await own.read();
}

async function setFeed(own: Own, seen: Writing, state: ProbedFeedState): Promise<void> {
	const path = `/feeds/${encodeURIComponent(own.name)}`;
	const before = await own.read();
	const answer = await own.change(path, { feed_token: { state } });
	seen.feeds[state] = { before, answer, after: await own.read() };
}

async function openAndClose(own: Own, seen: Writing): Promise<void> {
	await setFeed(own, seen, 'suspended');
	await setFeed(own, seen, 'available');
	await setFeed(own, seen, 'inactive');
}

async function remove(
	service: Service,
	subject: ProbedPerson,
	{ path, name }: Own,
	seen: Writing,
): Promise<void> {
	seen.deleted = await service.ask(path, { method: 'DELETE' });
	seen.afterDelete = await service.ask(path);
	if (seen.afterDelete.status !== 404) return;
	seen.deletedAgain = await service.ask(path, { method: 'DELETE' });
	subject.uuids.delete(name);
}

/** The feed address of a subscriber, in any field. */
export function addressOf({ subscriptions, feed_url: older }: Row): string | undefined {
	const first = Array.isArray(subscriptions) ? (subscriptions as unknown[])[0] : undefined;
	const found = [(first as Row | undefined)?.feed_url, older].flat();
	return found.find((value): value is string => typeof value === 'string');
}
