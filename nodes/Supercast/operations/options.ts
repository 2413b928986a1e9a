import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { RecordKind } from './kinds';
import { collectionField, numberField, switchField } from './properties';
import { toolOutput } from './toolOutput';
import type { ItemParameters } from './types';
import { isBlank, isOn, requireNumber } from './validation';

const DEFAULT_MAX_WAIT_SECONDS = 600;

/** With this number, a burst of 100 requests takes 8 s if each response takes 2 s. */
const DEFAULT_PARALLEL_REQUESTS = 32;
const MOST_PARALLEL_REQUESTS = 50;

/** The request options, which are in the collection Options of every operation. */
const requestOptions: INodeProperties[] = [
	numberField('maxWaitSeconds', 'Max Wait (Seconds)', {
		default: DEFAULT_MAX_WAIT_SECONDS,
		typeOptions: { minValue: 0 },
		description:
			'How long to keep retrying one request while Supercast is rate limiting or unreachable. Time spent in the queue before the first try does not count.',
	}),
	numberField('parallelRequests', 'Parallel Requests', {
		default: DEFAULT_PARALLEL_REQUESTS,
		typeOptions: { minValue: 1, maxValue: MOST_PARALLEL_REQUESTS },
		description:
			'How many items to process at the same time. If one fails and On Error is Stop Workflow, the node still completes the others in progress. The number of requests per minute does not change.',
	}),
];

/** The collection Options: the operation's own options, and the request options. */
export function optionsCollection(own: INodeProperties[] = []): INodeProperties {
	const all = [...own, ...requestOptions];
	const sorted = all.sort((a, b) => a.displayName.localeCompare(b.displayName));
	return collectionField('options', 'Options', 'Add Option', sorted);
}

/** How to send requests, for all items of a run. */
export interface RequestOptions {
	maxWaitMs: number;
	parallelRequests: number;
}

/** Reads the request options. Throws InputError if a value is not a number. */
export function readRequestOptions({
	maxWaitSeconds,
	parallelRequests,
}: IDataObject): RequestOptions {
	const read = (typed: unknown, fallback: number, label: string): number =>
		isBlank(typed) ? fallback : requireNumber(typed, label, { minValue: 0 });
	const seconds = read(maxWaitSeconds, DEFAULT_MAX_WAIT_SECONDS, 'Max Wait (Seconds)');
	const parallel = read(parallelRequests, DEFAULT_PARALLEL_REQUESTS, 'Parallel Requests');
	return {
		maxWaitMs: Math.max(0, seconds * 1000),
		parallelRequests: Math.min(MOST_PARALLEL_REQUESTS, Math.max(1, Math.floor(parallel))),
	};
}

/** The parameter `authentication`. */
export const authenticationProperty: INodeProperties = {
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	options: [
		{ name: 'Access Token', value: 'accessToken' },
		{ name: 'OAuth2', value: 'oAuth2' },
	],
	default: 'accessToken',
};

/** The parameters Return All and Limit of a Get Many operation. */
export const listProperties: INodeProperties[] = [
	switchField('returnAll', 'Return All', {
		description: 'Whether to return all results or only up to a given limit',
	}),
	numberField('limit', 'Limit', {
		default: 50,
		typeOptions: { minValue: 1 },
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	}),
];

/**
 * The number of records that Return All and Limit request; Infinity for all.
 *
 * @throws InputError if Return All is not a boolean, or Limit is not a number of at least 1.
 */
export function wantedCount(item: ItemParameters): number {
	if (isOn(item.parameter('returnAll'), 'Return All')) return Infinity;
	return Math.floor(requireNumber(item.parameter('limit'), 'Limit', { minValue: 1 }));
}

/** The parameter Simplify, for an operation whose records have more than ten fields. */
export const simplifyProperty: INodeProperties = switchField('simplify', 'Simplify', {
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	displayOptions: { hide: { '@tool': [true] } },
});

/** The parameter Simplify, if records of this kind can be simplified. */
export function simplifyProperties(kind: RecordKind): INodeProperties[] {
	return kind.simplify === undefined ? [] : [simplifyProperty];
}

function isSimplified(item: ItemParameters): boolean {
	if (item.isTool) return toolOutput(item).isSimplified;
	return isOn(item.parameter('simplify'), 'Simplify');
}

/**
 * Returns a function that converts the records of an item for the output.
 *
 * @param keep The names of further fields to keep, such as the fields that were just set.
 */
export function simplifier(
	{ simplify }: RecordKind,
	item: ItemParameters,
	keep: string[] = [],
): (record: IDataObject) => IDataObject {
	if (simplify === undefined || !isSimplified(item)) return (record) => record;
	return (record) => {
		const kept = keep.filter((name) => Object.hasOwn(record, name));
		return { ...simplify(record), ...Object.fromEntries(kept.map((name) => [name, record[name]])) };
	};
}
