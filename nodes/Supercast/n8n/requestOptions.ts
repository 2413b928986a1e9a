import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { DEFAULT_MAX_WAIT_MS } from '../api/client';

const DEFAULT_MAX_WAIT_SECONDS = DEFAULT_MAX_WAIT_MS / 1000;

/** A burst of 100 is over in 8 s while each answer takes 2 s. */
const DEFAULT_PARALLEL_REQUESTS = 32;
const MOST_PARALLEL_REQUESTS = 50;

/** How requests are sent, whatever the operation. */
export const requestOptionsProperty: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Max Wait (Seconds)',
			name: 'maxWaitSeconds',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: DEFAULT_MAX_WAIT_SECONDS,
			description:
				'How long one request is repeated while Supercast refuses it for its limit or cannot be reached, before the item fails. Waiting for a turn before the first try does not count.',
		},
		{
			displayName: 'Parallel Requests',
			name: 'parallelRequests',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MOST_PARALLEL_REQUESTS },
			default: DEFAULT_PARALLEL_REQUESTS,
			description:
				'How many items are worked on at the same time. It changes how long a burst takes, and not how many requests are made in a minute.',
		},
	],
};

/** What the parameter Request Options says, for all items of a run. */
export interface RequestOptions {
	maxWaitMs: number;
	parallelRequests: number;
}

/** Reads the parameter Request Options; what is not a number counts as not given. */
export function readRequestOptions(context: IExecuteFunctions): RequestOptions {
	const options = context.getNodeParameter('requestOptions', 0, {});
	const { maxWaitSeconds, parallelRequests } = options as Record<string, unknown>;
	const maxWaitMs = numberOr(DEFAULT_MAX_WAIT_SECONDS, maxWaitSeconds) * 1000;
	const parallel = Math.floor(numberOr(DEFAULT_PARALLEL_REQUESTS, parallelRequests));
	return {
		maxWaitMs: Math.max(0, maxWaitMs),
		parallelRequests: Math.min(MOST_PARALLEL_REQUESTS, Math.max(1, parallel)),
	};
}

function numberOr(fallback: number, value: unknown): number {
	const isGiven = value !== undefined && value !== null && value !== '';
	const number = isGiven ? Number(value) : fallback;
	return Number.isFinite(number) ? number : fallback;
}
