/** The runs to compare: the same work, with this package's node and with HTTP Request. */

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { NodeRun } from './nodes';
import type { BenchService } from './processes';

/** Supercast's minute, scaled: 100 requests in 2.5 s. */
export const LIMIT = 100;
export const WINDOW_MS = 2500;
export const SCALE = 60_000 / WINDOW_MS;
export const scale = { windowMs: WINDOW_MS, backoffMs: Math.round(500 / SCALE) };

const person = { __rl: true, mode: 'email', value: '={{ $json.email }}' };

function supercast(service: BenchService, parameters: INodeParameters, limit: number): NodeRun {
	const { baseUrl, accessToken } = service;
	return {
		node: 'supercast',
		parameters: { authentication: 'accessToken', resource: 'subscriber', ...parameters },
		credential: { type: 'supercastApi', data: { baseUrl, accessToken, requestsPerMinute: limit } },
		items: [],
	};
}

function httpRequest(service: BenchService, method: string, options: INodeParameters): NodeRun {
	return {
		node: 'httpRequest',
		parameters: {
			method,
			url: `={{ "${service.baseUrl}/subscribers/" + encodeURIComponent($json.email) }}`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpBearerAuth',
			options,
		},
		credential: { type: 'httpBearerAuth', data: { token: service.accessToken } },
		items: [],
	};
}

function withItems(run: NodeRun, emails: string[]): NodeRun {
	return { ...run, items: emails.map((email) => ({ email })) };
}

/** Deletes subscribers with this package's node. */
export function deletion(service: BenchService, emails: string[], limit = LIMIT): NodeRun {
	const parameters = { operation: 'delete', subscriber: person, options: {} };
	return withItems(supercast(service, parameters, limit), emails);
}

/** Opens the feeds of people whom Supercast does not know, with Set Access. */
export function opening(service: BenchService, emails: string[]): NodeRun {
	const parameters = {
		operation: 'setAccess',
		access: 'open',
		email: '={{ $json.email }}',
		customerId: '={{ "cus_" + $json.email.split("@")[0] }}',
	};
	return withItems(supercast(service, parameters, LIMIT), emails);
}

/** Makes Supercast match this list, with Sync and without pacing. */
export function syncing(service: BenchService, members: IDataObject[]): NodeRun {
	const parameters = {
		operation: 'sync',
		...{ dryRun: false, access: 'open', close: 'all' },
		email: '={{ $json.email }}',
		customerId: '={{ $json.id }}',
	};
	return { ...supercast(service, parameters, 0), items: members };
}

/** Deletes subscribers with HTTP Request. `options` are the node's options. */
export function httpDeletion(
	service: BenchService,
	emails: string[],
	options: INodeParameters = {},
	settings: NodeRun['settings'] = {},
): NodeRun {
	return { ...withItems(httpRequest(service, 'DELETE', options), emails), settings };
}

/** Reads subscribers one by one with this package's node, without pacing. */
export function reading(service: BenchService, emails: string[]): NodeRun {
	const parameters = { operation: 'get', subscriber: person, simplify: false };
	return withItems(supercast(service, parameters, 0), emails);
}

/** Reads subscribers one by one with HTTP Request. */
export function httpReading(service: BenchService, emails: string[]): NodeRun {
	return withItems(httpRequest(service, 'GET', {}), emails);
}

/** Reads the whole list with this package's node. */
export function listing(service: BenchService): NodeRun {
	const parameters = { operation: 'getAll', returnAll: true, simplify: false };
	return { ...supercast(service, parameters, 0), items: [{}] };
}
