import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { testAccessToken } from './execution/credentialTest';
import { execute } from './execution/execute';
import { listSearch } from './execution/search';
import { toolOutputProperties } from './operations/output';
import { authenticationProperty } from './operations/properties';
import { resourceProperties, subtitle } from './resources';

export class Supercast implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Supercast',
		name: 'supercast',
		icon: { light: 'file:supercast.svg', dark: 'file:supercast.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: subtitle(),
		description:
			'Manage subscribers and private podcast feeds in Supercast, and start workflows when something changes there',
		defaults: { name: 'Supercast' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Supercast hosts members-only podcasts. To give someone access or end it, use Subscriber: Set Access. When a membership ends, you can also close the feeds with Feed: Deactivate (keeps the subscriber) or Subscriber: Delete (permanent). When someone joins or pays again, use Subscriber: Create or Update with the option Reactivate. Select subscribers by email, or by their customer ID in the membership system. Usage Alert: Suspend Listener and Stop Billing ends a paid subscription, so put a human approval before it. To start a workflow when something changes, use Supercast Trigger.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-supercast.supercastTrigger',
					relationHint: 'Starts a workflow when something changes in Supercast',
				},
				{
					nodeType: 'n8n-nodes-base.stripeTrigger',
					relationHint:
						'Reports memberships that end, so that Feed: Deactivate can close the feeds',
				},
				{
					nodeType: 'n8n-nodes-base.scheduleTrigger',
					relationHint: 'Runs Subscriber: Sync regularly with the list of all members',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
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
		properties: [authenticationProperty, ...resourceProperties(), ...toolOutputProperties],
	};

	methods = { listSearch, credentialTest: { testAccessToken } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await execute(this)];
	}
}
