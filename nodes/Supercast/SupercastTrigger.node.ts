import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { simplifyProperty } from './operations/properties';
import { poll } from './trigger/poll';

/** The trigger node: starts a workflow when there is something new on Supercast. */
export class SupercastTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Supercast Trigger',
		name: 'supercastTrigger',
		icon: { light: 'file:supercast.svg', dark: 'file:supercast.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] }}',
		description: 'Starts the workflow when Supercast has a new usage alert, subscriber or the like',
		defaults: { name: 'Supercast Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'supercastApi',
				required: true,
				displayOptions: { show: { authentication: ['accessToken'] } },
			},
			{
				name: 'supercastOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		],
		properties: [
			{
				displayName: 'Authentication',
				name: 'authentication',
				type: 'options',
				options: [
					{ name: 'Access Token', value: 'accessToken' },
					{ name: 'OAuth2', value: 'oAuth2' },
				],
				default: 'accessToken',
			},
			{
				displayName: 'Trigger On',
				name: 'event',
				type: 'options',
				options: [
					{
						name: 'Episode Created',
						value: 'episodeCreated',
						description: 'When the channel has a new episode, published or not',
					},
					{
						name: 'Question Created',
						value: 'questionCreated',
						description: 'When there is a new question',
					},
					{
						name: 'Subscriber Created',
						value: 'subscriberCreated',
						description: 'When the channel has a new subscriber, from wherever they came',
					},
					{
						name: 'Usage Alert Created',
						value: 'usageAlertCreated',
						description:
							'When a private feed is fetched from many addresses or downloaded inordinately often',
					},
				],
				default: 'usageAlertCreated',
			},
			{
				...simplifyProperty,
				displayOptions: { show: { event: ['subscriberCreated'] } },
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				options: [
					{
						displayName: 'Include Existing',
						name: 'includeExisting',
						type: 'boolean',
						default: false,
						description:
							'Whether to start the workflow once with everything that is there already when it is activated for the first time',
					},
				],
			},
		],
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, { now: () => Date.now(), processStartedAt: performance.timeOrigin });
	}
}
