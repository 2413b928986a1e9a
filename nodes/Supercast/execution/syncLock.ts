/** Lets one Sync at a time work in a channel. */

import type { IExecuteFunctions } from 'n8n-workflow';

import type { MemberList } from '../access/sync/list';
import type { Channel } from '../api/sharedChannel';
import { runtime, withinTime } from '../api/clock';
import { InputError } from '../api/errors/errors';

/** How long a Sync waits for another one in the same channel. */
const LONGEST_WAIT_MS = 30 * 60_000;

/** A Sync that is running in this process. */
interface Running {
	node: string;
	ended: Promise<unknown>;
	/** The lists that came meanwhile, and did nothing. */
	skipped: MemberList[];
}

/** By channel, because several credentials may open the same one. */
const running = new Map<Channel, Running>();

/** A Sync that is about to work. */
interface LockedSync<Result> {
	context: IExecuteFunctions;
	channel: Channel;
	list: MemberList;
	work: () => Promise<Result>;
	/** What a Sync returns that does nothing. */
	skip: () => Result;
	/** Forgets those who are on a list that did nothing, once the work is done. */
	forget: (skipped: MemberList) => void;
}

/**
 * Waits until no other Sync in the same channel runs in this process. If the other one is an earlier
 * run of this node, does nothing, because the next execution will have a newer list. But a manual
 * execution waits.
 */
export async function afterOtherSyncs<Result>({
	context,
	channel,
	list,
	work,
	skip,
	forget,
}: LockedSync<Result>): Promise<Result> {
	const node = `${context.getWorkflow().id} ${context.getNode().id}`;
	const signal = context.getExecutionCancelSignal?.();
	const limit = { clock: runtime.clock, ms: LONGEST_WAIT_MS, signal };
	for (let other = running.get(channel); other; other = running.get(channel)) {
		if (other.node === node && context.getMode() !== 'manual') {
			other.skipped.push(list);
			return skip();
		}
		const { ended } = other;
		const outcome = await withinTime(limit, async () => await ended);
		if (outcome !== 'late' && outcome !== 'stopped') continue;
		throw new InputError(
			'Another Sync in the same channel is still running',
			'Wait until the other Sync ends, then run this one again. Schedule the two Syncs at different times.',
		);
	}
	const skipped: MemberList[] = [];
	const done = work().finally(() => {
		running.delete(channel);
		skipped.forEach(forget);
	});
	running.set(channel, { node, ended: Promise.allSettled([done]), skipped });
	return await done;
}
