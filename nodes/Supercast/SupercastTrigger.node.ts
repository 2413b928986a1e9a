import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { testAccessToken } from '../../credentials/testAccessToken';
import { authenticationProperty, simplifyProperty } from './operations/options';
import { poll } from './trigger/poll';

/**
 * The trigger node. It starts a workflow when a record is created, changed or deleted in Supercast.
 */
export class SupercastTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Supercast Trigger',
		name: 'supercastTrigger',
		icon: { light: 'file:supercast.svg', dark: 'file:supercast.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"].replace(/[A-Z]/g, " $&").toLowerCase() }}',
		description:
			'Starts the workflow for new usage alerts, episodes and questions, and when subscribers are created, change state or are deleted',
		defaults: { name: 'Supercast Trigger' },
		polling: true,
		builderHint: {
			searchHint:
				'Checks Supercast for changes at an interval, at least every minute. To react to ended memberships, start with the trigger of the system that sells them, such as Stripe Trigger. Use this one for usage alerts, failed payments, episodes and questions.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-supercast.supercast',
					relationHint: 'Opens and closes private feeds, and dismisses usage alerts',
				},
			],
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'supercastApi',
				required: true,
				testedBy: 'testAccessToken',
				displayOptions: { show: { authentication: ['accessToken'] } },
			},
			{
				name: 'supercastOAuth2Api',
				required: true,
				displayOptions: { show: { authentication: ['oAuth2'] } },
			},
		],
		properties: [
			authenticationProperty,
			{
				displayName: 'Trigger On',
				name: 'event',
				type: 'options',
				options: [
					{
						name: 'Episode Created',
						value: 'episodeCreated',
						description: 'When an episode is created, even if it is not published',
					},
					{
						name: 'Episode Published',
						value: 'episodePublished',
						description: 'When the publication date of an episode is reached',
					},
					{
						name: 'Question Created',
						value: 'questionCreated',
						description: 'When a question is created',
					},
					{
						name: 'Subscriber Created',
						value: 'subscriberCreated',
						description: 'When a subscriber is created, in n8n or in any other app',
					},
					{
						name: 'Subscriber Deleted',
						value: 'subscriberDeleted',
						description: 'When a subscriber is deleted. Returns their UUID, email and customer ID.',
					},
					{
						name: 'Subscriber State Changed',
						value: 'subscriberStateChanged',
						description:
							'When a subscriber is suspended, deactivated or reactivated, or a payment fails',
					},
					{
						name: 'Usage Alert Created',
						value: 'usageAlertCreated',
						description:
							'When Supercast flags a private feed as shared or downloaded unusually often',
					},
				],
				default: 'usageAlertCreated',
			},
			{
				displayName:
					"With this event, every poll reads the whole list, usually 100 records per request. Then a list of 10,000 records takes 100 requests, which is all that Supercast allows per minute. If your list is long, choose a longer interval in 'Poll Times'.",
				name: 'readsAllNotice',
				type: 'notice',
				default: '',
				displayOptions: {
					show: { event: ['subscriberStateChanged', 'subscriberDeleted', 'episodePublished'] },
				},
			},
			{
				displayName:
					"While n8n restarts, the trigger may miss a change of a subscriber who joined after its last output. With n8n's durable cursors, it misses none.",
				name: 'restartNotice',
				type: 'notice',
				default: '',
				displayOptions: { show: { event: ['subscriberStateChanged', 'subscriberDeleted'] } },
			},
			{
				displayName: 'States',
				name: 'states',
				type: 'multiOptions',
				options: [
					{ name: 'Available', value: 'available', description: 'The private feeds are open' },
					{
						name: 'Charge Failure',
						value: 'charge_failure',
						description: 'A payment has failed, and the private feeds are closed temporarily',
					},
					{
						name: 'Deactivated',
						value: 'deactivated',
						description: 'The membership has ended, and the private feeds are closed',
					},
					{ name: 'Pending', value: 'pending', description: 'The checkout is not complete' },
					{
						name: 'Suspended',
						value: 'suspended',
						description: 'The private feeds are closed temporarily',
					},
				],
				default: [],
				description:
					'The new states that start the workflow. If you choose none, every state change starts it.',
				displayOptions: { show: { event: ['subscriberStateChanged'] } },
			},
			{
				...simplifyProperty,
				displayOptions: { show: { event: ['subscriberCreated', 'subscriberStateChanged'] } },
			},
			{
				displayName: 'Filters',
				name: 'filters',
				type: 'collection',
				placeholder: 'Add Filter',
				default: {},
				displayOptions: { show: { event: ['usageAlertCreated'] } },
				options: [
					{
						displayName: 'Email',
						name: 'email',
						type: 'string',
						placeholder: 'e.g. nathan@example.com',
						default: '',
						description: 'Return only the usage alerts of the subscriber with this email',
					},
				],
			},
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				displayOptions: { hide: { event: ['subscriberStateChanged', 'subscriberDeleted'] } },
				options: [
					{
						displayName: 'Include Existing',
						name: 'includeExisting',
						type: 'boolean',
						default: false,
						description:
							'Whether the first poll after you publish the workflow also returns the records that already exist',
					},
				],
			},
		],
	};

	methods = { credentialTest: { testAccessToken } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, { now: () => Date.now(), processStartedAt: performance.timeOrigin });
	}
}
