import type { INodeProperties } from 'n8n-workflow';

/** The API's address, the same in each credential type. */
export const baseUrlField: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	required: true,
	default: 'https://supercast.tech/api/v1',
	placeholder: 'e.g. https://your-channel.supercast.tech/api/v1',
	description:
		'The whole address of the API up to the version. The address of your own channel works as well as the shared one.',
};

/** How fast requests go, the same in each credential type. */
export const requestsPerMinuteField: INodeProperties = {
	displayName: 'Requests per Minute',
	name: 'requestsPerMinute',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 100,
	description:
		'How many requests this n8n may make in a minute. The service takes 100 from everybody together: choose fewer to leave room for others, or 0 for no limit on this side.',
};
