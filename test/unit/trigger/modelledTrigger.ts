import type { Change, EventKind } from '../../../nodes/Supercast/trigger/eventKind';
import { eventIdOf, keptFields } from '../../../nodes/Supercast/trigger/events';
import type { Announcement, PollStep, Setup } from './steps';

/** The n8n that a trigger runs in. */
interface Host {
	setup: Setup;
	/** Its clock, in milliseconds since 1970. */
	clock: number;
	eventKind(): EventKind;
}

/** One trigger of a workflow, and what reached an execution. */
export class ModelledTrigger {
	readonly announced: Announcement[] = [];

	/** IDs that may be announced again, since a crash or a restart came in between. */
	readonly excused = new Set<string>();

	/** What it has returned, and when by its clock. */
	private readonly emissions: Array<{ ids: string[]; at: number }> = [];

	constructor(readonly name: string) {}

	/** A poll has returned changes. */
	emit(changes: Change[], end: PollStep['end'], host: Host): void {
		const found = changes.map((change) => announcementOf(change, host));
		if (end === 'dropped') return;
		// With cursors, the execution and the cursor are saved together or not at all.
		const isAtomic = host.setup.memory === 'cursors' && end !== 'saved';
		if (end !== 'crash before execution' && !isAtomic) this.announced.push(...found);
		this.emissions.push({ ids: found.map(({ id }) => id), at: host.clock });
		if (end === 'saved') return;
		// After a crash, the trigger may announce this news again, whether or not it was saved.
		for (const { id } of found) this.excused.add(id);
	}

	/** n8n has started again, so what was announced after this time may be announced again. */
	excuseSince(time: number): void {
		const recent = this.emissions.filter(({ at }) => at > time);
		for (const id of recent.flatMap(({ ids }) => ids)) this.excused.add(id);
	}
}

function announcementOf(change: Change, host: Host): Announcement {
	const { record, before = '' } = change;
	const { setup, clock } = host;
	const eventKind = host.eventKind();
	const eventId = eventIdOf(change, eventKind, setup.event);
	if (record === undefined) return { id: String(keptFields(before).uuid).slice(2), eventId };
	const { previousState } = eventKind.fieldsOf(change);
	return {
		id: String(record.id),
		eventId,
		updatedAt: String(record.updated_at),
		state: String(record.state),
		isEarly: !(Date.parse(String(record.published_at)) <= clock),
		...(previousState === undefined ? {} : { before: String(previousState) }),
	};
}
