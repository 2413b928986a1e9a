import {
	sendWithRetry,
	type RetryContext,
	type Search,
} from '../../../../nodes/Supercast/api/retry/sendWithRetry';
import type { ServiceError } from '../../../../nodes/Supercast/api/errors/errors';
import type { ApiRequest, ApiResponse } from '../../../../nodes/Supercast/api/types';
import { VirtualClock } from '../../../support/virtualClock';
import { Service, type Fault } from './simulatedService';

export const MAX_WAIT = 600_000;
export const WAITS = { backoffMs: 500, visibleMs: 6_000, lateMs: 30_000 };

type Changes = Partial<RetryContext>;
type Send = (request: ApiRequest, search?: Search) => Promise<ApiResponse>;

/** Sends requests to a simulated Supercast, as the client does. */
function senderTo(service: Service, clock: VirtualClock, changes: Changes = {}): Send {
	let keys = 0;
	const send: Send = async (sent, search) => {
		const context: RetryContext = {
			acquire: async () => ({ release: () => undefined }),
			send: async (key) => await service.send(sent, key),
			lookUp: send,
			newKey: () => `key ${++keys}`,
			clock,
			random: () => 0.5,
			maxWaitMs: MAX_WAIT,
			patienceMs: 0,
			waits: WAITS,
			search,
			...changes,
		};
		return await sendWithRetry(sent, context);
	};
	return send;
}

/** A simulated Supercast with faults, with or without a record, and a client for it. */
export function start(fault: Fault[] = [], present = true, takesDuplicates = false) {
	const clock = new VirtualClock();
	const service = new Service(clock, fault, takesDuplicates);
	if (present) service.records.set('ann', [service.newRecord()]);
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
