import type { INodeProperties } from 'n8n-workflow';

import { CHANNEL_BASE_URL, SHARED_BASE_URL } from '../nodes/Supercast/api/http/address';

/** The base URL field, the same in each credential type. */
export const baseUrlField: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	required: true,
	default: SHARED_BASE_URL,
	placeholder: `e.g. ${CHANNEL_BASE_URL}`,
	description:
		"The full address of the Supercast API, including the version. Enter the shared address or your channel's own address. If the test rejects one, try the other.",
};

/** The requests per minute field, the same in each credential type. */
export const requestsPerMinuteField: INodeProperties = {
	displayName: 'Requests per Minute',
	name: 'requestsPerMinute',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 100,
	description:
		'The maximum number of requests that each n8n process sends per minute. Supercast allows 100 across all apps. Enter a lower number to leave room for other apps, or 0 to turn pacing off.',
};
