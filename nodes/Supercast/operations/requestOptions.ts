import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isBlank, requireNumber } from './validation';

const DEFAULT_MAX_WAIT_SECONDS = 600;

/** With this number, a burst of 100 requests takes 8 s if each response takes 2 s. */
const DEFAULT_PARALLEL_REQUESTS = 32;
const MOST_PARALLEL_REQUESTS = 50;

/** The request options, which are in the collection Options of every operation. */
export const requestOptions: INodeProperties[] = [
	{
		displayName: 'Max Wait (Seconds)',
		name: 'maxWaitSeconds',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: DEFAULT_MAX_WAIT_SECONDS,
		description:
			'How long to keep retrying one request while Supercast is rate limiting or unreachable. Time spent in the queue before the first try does not count.',
	},
	{
		displayName: 'Parallel Requests',
		name: 'parallelRequests',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MOST_PARALLEL_REQUESTS },
		default: DEFAULT_PARALLEL_REQUESTS,
		description:
			'How many items to process at the same time. This affects how long a burst takes, but not how many requests the node sends per minute.',
	},
];

/**
 * The collection Options of an operation. It contains the operation's own options and the request
 * options.
 */
export function optionsCollection(own: INodeProperties[] = []): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [...own, ...requestOptions].sort((a, b) => a.displayName.localeCompare(b.displayName)),
	};
}

/** How to send requests, for all items of a run. */
export interface RequestOptions {
	maxWaitMs: number;
	parallelRequests: number;
}

/**
 * Reads the request options.
 *
 * @throws InputError if a value is not a number.
 */
export function readRequestOptions({
	maxWaitSeconds,
	parallelRequests,
}: IDataObject): RequestOptions {
	const read = (typed: unknown, fallback: number, label: string): number =>
		isBlank(typed) ? fallback : requireNumber(typed, label, 0);
	const seconds = read(maxWaitSeconds, DEFAULT_MAX_WAIT_SECONDS, 'Max Wait (Seconds)');
	const parallel = read(parallelRequests, DEFAULT_PARALLEL_REQUESTS, 'Parallel Requests');
	return {
		maxWaitMs: Math.max(0, seconds * 1000),
		parallelRequests: Math.min(MOST_PARALLEL_REQUESTS, Math.max(1, Math.floor(parallel))),
	};
}
