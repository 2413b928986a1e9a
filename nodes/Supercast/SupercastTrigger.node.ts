import {
	NodeConnectionTypes,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
} from 'n8n-workflow';

import { testAccessToken } from './execution/credentialTest';
import { simplifyProperty } from './operations/output';
import {
	authenticationProperty,
	choiceField,
	choices,
	collectionField,
	multiChoiceField,
	noticeField,
	numberField,
	switchField,
	textField,
} from './operations/properties';
import { STATE_CHOICES } from './subscriber/kind';
import { EVENT_TEXTS } from './trigger/events';
import { poll } from './trigger/poll';

/** Starts a workflow when a record is created, changed or deleted in Supercast. */
export class SupercastTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Supercast Trigger',
		name: 'supercastTrigger',
		icon: { light: 'file:supercast.svg', dark: 'file:supercast.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"].replace(/[A-Z]/g, " $&").toLowerCase() }}',
		description:
			'Manage subscribers and private podcast feeds in Supercast, and start workflows when something changes there',
		defaults: { name: 'Supercast Trigger' },
		polling: true,
		builderHint: {
			searchHint:
				'Checks Supercast for changes at an interval of one minute or more. To react to ended memberships, start with the trigger of the system that sells them, such as Stripe Trigger. Use this one for usage alerts, failed payments, episodes and questions.',
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
			choiceField('event', 'Trigger On', {
				options: choices(EVENT_TEXTS),
				default: 'usageAlertCreated',
			}),
			{
				...noticeField(
					"With this event, every poll reads the complete list, usually 100 records per request. Then a list of 10,000 records takes 100 requests, which is all that Supercast allows per minute. If your list is long, choose a longer interval in 'Poll Times'.",
					'readsAllNotice',
				),
				displayOptions: {
					show: { event: ['subscriberStateChanged', 'subscriberDeleted', 'episodePublished'] },
				},
			},
			{
				...noticeField(
					'While n8n restarts, the trigger may miss a change to a subscriber who joined after its last output.',
					'restartNotice',
				),
				displayOptions: { show: { event: ['subscriberStateChanged', 'subscriberDeleted'] } },
			},
			multiChoiceField('states', 'States', {
				options: STATE_CHOICES,
				description:
					'The new states that start the workflow. If you choose none, every state change starts it.',
				displayOptions: { show: { event: ['subscriberStateChanged'] } },
			}),
			{
				...simplifyProperty,
				displayOptions: { show: { event: ['subscriberCreated', 'subscriberStateChanged'] } },
			},
			{
				...collectionField('filters', 'Filters', 'Add Filter', [
					textField('email', 'Email', {
						example: 'nathan@example.com',
						description: 'Return only the usage alerts of the subscriber with this email',
					}),
				]),
				displayOptions: { show: { event: ['usageAlertCreated'] } },
			},
			collectionField('options', 'Options', 'Add Option', [
				{
					...switchField('includeExisting', 'Include Existing', {
						description:
							'Whether the first poll of a new trigger also returns the records that already exist',
					}),
					displayOptions: { hide: { '/event': ['subscriberStateChanged', 'subscriberDeleted'] } },
				},
				numberField('repeatAfterRestart', 'Repeat After Restart (Minutes)', {
					default: 60,
					typeOptions: { minValue: 0 },
					description:
						"How far back to return items again when n8n starts, because n8n may have cut off their executions. These items keep their eventId. Their field 'repeats' shows how often the trigger has returned them again.",
				}),
			]),
		],
	};

	methods = { credentialTest: { testAccessToken } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, { now: () => Date.now(), processStartedAt: performance.timeOrigin });
	}
}
