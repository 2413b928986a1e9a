import {
	choice,
	COLOR,
	settings,
	subscriber,
	supercast,
	toldOnError,
	whenCalled,
	type Part,
	type Plan,
} from './parts';
import { supercastTrigger } from './supercastEvents';

const ALERT = "$('One Alert').first().json";

const clean = (expression: string): string => `String(${expression}).replace(/[<>&]/g, ' ')`;

const CHOICES = {
	Dismiss: 'Dismiss: close only this alert',
	Ignore: 'Ignore: raise no more alerts for this subscriber',
	Suspend: 'Suspend Listener and Stop Billing: end a paid subscription and close the feed',
};

const MESSAGE = [
	`{{ ${clean(`${ALERT}.message ?? 'A private feed is used unusually often.'`)} }}`,
	'',
	`Subscriber: {{ ${clean(`[$json.first_name, $json.last_name, ${ALERT}.subscriber?.email].filter(Boolean).join(' ')`)} }}`,
	"State: {{ $json.state ?? 'unknown' }}",
	`Plan: {{ ${clean("$json.plan_name ?? 'none'")} }}`,
	"Subscriber since: {{ $json.created_at ?? 'unknown' }}",
].join('<br>');

const askAPerson = (at: Part['at']): Part => ({
	name: 'Ask a Person',
	type: 'n8n-nodes-base.emailSend',
	version: 2.1,
	at,
	parameters: {
		operation: 'sendAndWait',
		fromEmail: `={{ ${ALERT}.mailFrom }}`,
		toEmail: `={{ ${ALERT}.tellWhom }}`,
		subject: `=Usage alert: {{ ${ALERT}.subscriber?.email ?? 'a subscriber' }}`,
		message: `=${MESSAGE}`,
		responseType: 'customForm',
		formFields: {
			values: [
				{
					fieldLabel: 'Decision',
					fieldType: 'dropdown',
					fieldOptions: { values: Object.values(CHOICES).map((option) => ({ option })) },
					requiredField: true,
				},
			],
		},
		options: {
			messageButtonLabel: 'Decide',
			responseFormTitle: 'Usage alert',
			limitWaitTime: {
				values: { limitType: 'afterTimeInterval', resumeAmount: 3, resumeUnit: 'days' },
			},
			appendAttribution: false,
		},
	},
	more: { webhookId: 'ask-a-person', retryOnFail: true, maxTries: 5, waitBetweenTries: 5_000 },
});

const answer = (name: string, at: Part['at'], operation: string): Part =>
	supercast(name, at, {
		resource: 'usageAlert',
		operation,
		usageAlert: { __rl: true, mode: 'id', value: `={{ ${ALERT}.id }}` },
	});

const decided = (choice: string): string => `($json.data?.Decision ?? '').startsWith('${choice}')`;

/** Lets a person decide about each alert. No alert waits for the decision on another. */
export const usageAlerts: Plan = {
	file: 'usage-alerts',
	id: 'supercastUsageAlerts',
	name: 'Usage Alerts',
	parts: [
		supercastTrigger('Alert Raised', [0, 0], 'usageAlertCreated'),
		settings({ mailFrom: 'n8n@example.com', tellWhom: 'you@example.com' }, [1, 0]),
		{
			name: 'One Execution Each',
			type: 'n8n-nodes-base.executeWorkflow',
			version: 1.2,
			at: [2, 0],
			parameters: {
				workflowId: { __rl: true, mode: 'id', value: '={{ $workflow.id }}' },
				workflowInputs: { mappingMode: 'defineBelow', value: {} },
				mode: 'each',
				options: { waitForSubWorkflow: false },
			},
		},
		whenCalled('One Alert', [0, 2]),
		supercast(
			'Get Subscriber',
			[1, 2],
			{
				resource: 'subscriber',
				operation: 'get',
				...subscriber('uuid', '={{ $json.subscriber?.uuid }}'),
			},
			{ onError: 'continueRegularOutput' },
		),
		askAPerson([2, 2]),
		choice('What Was Decided?', [3, 2], {
			Dismiss: decided('Dismiss'),
			Ignore: decided('Ignore'),
			Suspend: decided('Suspend'),
		}),
		answer('Dismiss Alert', [5, 1], 'dismiss'),
		answer('Ignore Alert', [5, 2], 'ignore'),
		answer('Suspend Listener and Stop Billing', [5, 3], 'suspend'),
	],
	notes: [
		{
			text: '## 1. A feed is used unusually often\nChoose your Supercast credential in **Alert Raised**.\nThis workflow calls itself once for each alert, so no alert waits for the decision on another.',
			columns: [0, 0],
			color: COLOR.start,
		},
		{
			text: '## Fill in Settings\n- **mailFrom**: your sender address\n- **tellWhom**: who decides',
			columns: [1, 2],
			color: COLOR.settings,
		},
		{
			text: '## 2. A person decides\nChoose your Supercast credential in **Get Subscriber** and your SMTP credential in **Ask a Person**.\nn8n emails a form and waits for three days. If nobody responds, the workflow does nothing, and the alert stays in Supercast.',
			columns: [0, 3],
			// The Switch is taller than a node.
			rows: [2, 2.2],
			color: COLOR.ask,
		},
		{
			text: '## 3. Act\nChoose your Supercast credential in all three nodes.\n**Suspend Listener and Stop Billing** closes the feed and ends a paid subscription.',
			columns: [5, 5],
			rows: [1, 3],
			color: COLOR.act,
		},
	],
	wires: [
		['Alert Raised', 'Settings'],
		['Settings', 'One Execution Each'],
		['One Alert', 'Get Subscriber'],
		['Get Subscriber', 'Ask a Person'],
		['Ask a Person', 'What Was Decided?'],
		[['What Was Decided?', 0], 'Dismiss Alert'],
		[['What Was Decided?', 1], 'Ignore Alert'],
		[['What Was Decided?', 2], 'Suspend Listener and Stop Billing'],
	],
	settings: toldOnError,
};
