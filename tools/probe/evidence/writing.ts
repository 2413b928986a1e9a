import { isAbsent, type Answer } from '../answer';
import type { Service } from '../service';
import { recordOf, type Fields } from '../shapes';
import { cleanUp } from './cleanUp';
import { CannotGoOn, FIRST_NAME, type ProbedPerson } from './subject';

/** States that the probe sets a feed to. */
export type ProbedFeedState = 'available' | 'inactive' | 'suspended';

/** What the probe learned from write requests. Steps that it did not reach are missing. */
export interface Writing {
	created?: Answer;
	/** The milliseconds until the new subscriber could be read. Infinity if that took too long. */
	visibleAfterMs?: number;
	/** The same create request again. */
	createdAgain?: Answer;
	changed?: Answer;
	/**
	 * The new subscriber when first read, and after the change. The probe compares them, but never
	 * shows them.
	 */
	first?: Fields;
	afterChange?: Fields;
	feeds: Partial<Record<ProbedFeedState, ProbedFeedChange>>;
	deleted?: Answer;
	afterDelete?: Answer;
	deletedAgain?: Answer;
	/** The subscriber after the probe created them a second time. */
	second?: Fields;
}

/** One change of a feed, with the subscriber before and after it. */
export interface ProbedFeedChange {
	answer: Answer;
	before?: Fields;
	after?: Fields;
	/** The milliseconds until the subscriber had another state. Infinity if that took too long. */
	afterMs: number;
}

const MOST_WAIT_MS = 30_000;
const LOOK_EVERY_MS = 500;

const CHANGES = { first_name: FIRST_NAME, ignore_usage_alerts: true, time_zone: 'Europe/Berlin' };

/**
 * Creates, changes and deletes the probe's subscriber, and notes the results. The caller cleans up.
 * @throws Interrupted, RealMember, CannotGoOn or Unreachable. `seen` contains the results up to
 * that point.
 */
export async function write(service: Service, subject: ProbedPerson, seen: Writing): Promise<void> {
	const first = await createFirst(service, subject, seen);
	// The UUID is unique. A second create request may create a subscriber with the same email.
	const name = encodeURIComponent(typeof first.uuid === 'string' ? first.uuid : subject.email);
	const path = `/subscribers/${name}`;
	const change = async (at: string, body: object): Promise<Answer> =>
		await service.ask(at, { method: 'PATCH', body });
	const read = async (): Promise<Fields | undefined> => {
		const answer = await service.ask(path);
		return answer.status === 200 ? recordOf(answer, 'subscriber') : undefined;
	};
	seen.first = first;
	seen.createdAgain = await subject.create();
	seen.changed = await change(path, { subscriber: CHANGES });
	seen.afterChange = await read();
	for (const state of ['suspended', 'available', 'inactive'] as const) {
		const before = await read();
		const answer = await change(`/feeds/${name}`, { feed_token: { state } });
		const changed = await readWhenChanged(service, read, before);
		seen.feeds[state] = { before, answer, ...changed };
	}
	seen.deleted = await service.ask(path, { method: 'DELETE' });
	seen.afterDelete = await service.ask(path);
	if (isAbsent(seen.afterDelete)) {
		seen.deletedAgain = await service.ask(path, { method: 'DELETE' });
		subject.uuids.delete(String(first.uuid));
	}
	if ((await cleanUp(service, subject)) !== undefined) return;
	const { status } = await subject.create();
	if (status < 300) seen.second = (await readWhenVisible(service, subject)).record ?? {};
}

async function createFirst(
	service: Service,
	subject: ProbedPerson,
	seen: Writing,
): Promise<Fields> {
	const created = await subject.create();
	seen.created = created;
	if ([409, 422].includes(created.status)) {
		throw subject.foreign(
			`Supercast refused a create with ${created.status}, which may also mean that it needs another body`,
		);
	}
	if (created.status >= 300)
		throw new CannotGoOn(`Supercast answered a create with ${created.status}`);
	const { record, afterMs } = await readWhenVisible(service, subject);
	seen.visibleAfterMs = afterMs;
	if (record === undefined) throw new CannotGoOn('Supercast does not show the new subscriber');
	return record;
}

/** Reads the new subscriber as soon as it appears. */
async function readWhenVisible(
	service: Service,
	subject: ProbedPerson,
): Promise<{ record?: Fields; afterMs: number }> {
	const since = service.now();
	for (let look = 0; ; look++) {
		const answer = await service.ask(subject.path);
		const record = answer.status === 200 ? recordOf(answer, 'subscriber') : undefined;
		if (record !== undefined) {
			subject.beOurs(record);
			subject.isFoundByEmail = true;
			if (typeof record.uuid === 'string') subject.uuids.add(record.uuid);
			return { record, afterMs: look === 0 ? 0 : service.now() - since };
		}
		if (service.now() - since > MOST_WAIT_MS) return { afterMs: Infinity };
		await service.sleep(LOOK_EVERY_MS);
	}
}

/** Reads the subscriber as soon as their state differs from the one before. */
async function readWhenChanged(
	service: Service,
	read: () => Promise<Fields | undefined>,
	before: Fields | undefined,
): Promise<{ after?: Fields; afterMs: number }> {
	const since = service.now();
	for (let look = 0; ; look++) {
		const after = await read();
		const isChanged = after !== undefined && after.state !== before?.state;
		if (isChanged) return { after, afterMs: look === 0 ? 0 : service.now() - since };
		if (service.now() - since > MOST_WAIT_MS) return { after, afterMs: Infinity };
		await service.sleep(LOOK_EVERY_MS);
	}
}

/** The feed address of a subscriber, in any field. */
export function addressOf({ subscriptions, feed_url: older }: Fields): string | undefined {
	const first = Array.isArray(subscriptions) ? (subscriptions as unknown[])[0] : undefined;
	const found = [(first as Fields | undefined)?.feed_url, older].flat();
	return found.find((value): value is string => typeof value === 'string');
}
