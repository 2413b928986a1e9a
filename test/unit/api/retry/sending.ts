import { runtime } from '../../../../nodes/Supercast/api/clock';
import { Channel } from '../../../../nodes/Supercast/api/sharedChannel';
import { sendOrFindEarlierTry } from '../../../../nodes/Supercast/api/earlierTry';
import {
	sendWithRetry,
	type RetryContext,
} from '../../../../nodes/Supercast/api/retry/sendWithRetry';
import type { ServiceError } from '../../../../nodes/Supercast/api/errors/errors';
import type { ApiRequest, ApiResponse } from '../../../../nodes/Supercast/api/types';
import { VirtualClock } from '../../../support/virtualClock';
import { type Fault, RetriedSupercast } from '../../../doubles/retriedSupercast';

export const MAX_WAIT = 600_000;
export const WAITS = { backoffMs: 500, visibleMs: 6_000, lateMs: 30_000 };

type Changes = Partial<RetryContext> & { hiddenMs?: number };
type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** Sends requests to a simulated Supercast, as the client does. */
function senderTo(service: RetriedSupercast, clock: VirtualClock, changes: Changes = {}): Send {
	const { hiddenMs = 0, ...rest } = changes;
	let keys = 0;
	const context: RetryContext = {
		...runtime,
		...WAITS,
		acquire: async () => ({ release: () => undefined }),
		send: async (sent, key) => await service.send(sent, key),
		newKey: () => `key ${++keys}`,
		clock,
		random: () => 0.5,
		maxWaitMs: MAX_WAIT,
		...rest,
	};
	const client = {
		request: async (sent: ApiRequest) => await sendWithRetry(sent, context, hiddenMs),
		channel: new Channel(runtime),
	};
	return async (sent) => await sendOrFindEarlierTry(client, sent);
}

/** A simulated Supercast with faults, with or without a record, and a client for it. */
export function start(fault: Fault[] = [], present = true, takesDuplicates = false) {
	const clock = new VirtualClock();
	const service = new RetriedSupercast(clock, fault);
	if (takesDuplicates) service.onExistingEmail = 'duplicate';
	if (present) service.add({ email: 'ann' });
	const withChanges = (changes: Changes) => senderTo(service, clock, changes);
	return { clock, service, send: withChanges({}), withChanges };
}

/** The error of a request that must fail. */
export async function failure(promise: Promise<unknown>): Promise<ServiceError> {
	return await promise.then(
		() => {
			throw new Error('it should have failed');
		},
		(error: unknown) => error as ServiceError,
	);
}
