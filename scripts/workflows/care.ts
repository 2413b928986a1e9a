import { codeOf } from './code';
import { byName, dataTable, rows } from './log';
import {
	callSetAccess,
	code,
	COLOR,
	email,
	ID,
	schedule,
	setting,
	settings,
	toldOnError,
	type Plan,
} from './parts';

/** Reports every failed execution. */
export const onError: Plan = {
	file: 'on-error',
	id: ID.onError,
	name: 'On Error',
	parts: [
		{ name: 'When a Workflow Fails', type: 'n8n-nodes-base.errorTrigger', version: 1, at: [0, 0] },
		settings({ mailFrom: 'n8n@example.com', tellWhom: 'you@example.com' }, [1, 0]),
		email('Tell a Person', [2, 0], {
			subject: "=Failed: {{ $('When a Workflow Fails').first().json.workflow.name }}",
			text: `=The workflow "{{ $('When a Workflow Fails').first().json.workflow.name }}" failed.

Reason: {{ ($('When a Workflow Fails').first().json.execution ?? $('When a Workflow Fails').first().json.trigger)?.error?.message ?? 'unknown' }}
Node: {{ $('When a Workflow Fails').first().json.execution?.lastNodeExecuted ?? 'unknown' }}
Execution: {{ $('When a Workflow Fails').first().json.execution?.url ?? 'it did not start' }}

Open the execution and fix the cause. Then select Retry.`,
		}),
	],
	notes: [
		{
			text: `## Fill in Settings
- **mailFrom**: your sender address
- **tellWhom**: who gets an email about each failure
Choose your SMTP credential in **Tell a Person**, and publish this workflow.
Then open every other workflow, select **⋯** > **Settings**, and choose **On Error** as **Error Workflow**.`,
			columns: [0, 2],
			color: COLOR.settings,
		},
	],
	wires: [
		['When a Workflow Fails', 'Settings'],
		['Settings', 'Tell a Person'],
	],
};

/** Closes feeds whose grace period is over, and deletes old rows of the log. */
export const gracePeriod: Plan = {
	file: 'grace-period',
	id: 'supercastGracePeriod',
	name: 'Grace Period',
	parts: [
		schedule('Every Night', [0, 0], { triggerAtHour: 4 }),
		settings({ keepLogDays: 400 }, [1, 0]),
		dataTable('Read the Log', [2, 0], rows([])),
		code('Who Is on Hold', [3, 0], codeOf('onHold')),
		callSetAccess([4, 0], { mode: 'each' }),
		dataTable('Delete Old Rows', [2, 1], {
			...byName,
			resource: 'row',
			operation: 'deleteRows',
			matchType: 'allConditions',
			filters: {
				conditions: [
					{
						keyName: 'createdAt',
						condition: 'lt',
						keyValue: `={{ $now.minus({ days: ${setting('keepLogDays')} }).toISO() }}`,
					},
				],
			},
			options: {},
		}),
	],
	notes: [
		{
			text: `## 1. Every night
In **Settings**, **keepLogDays** is the number of days that the workflow keeps each row of the log.`,
			columns: [0, 1],
			color: COLOR.settings,
		},
		{
			text: `## 2. Members on hold
In the **Set Access** node, select your **Set Access** workflow.
These are members whose payment failed and who have had no other event since. The first run after the grace period closes their feeds. This workflow reads only the log, so keep your membership workflow published. Otherwise, the log misses events.`,
			columns: [2, 4],
			rows: [0, 1],
			color: COLOR.act,
		},
	],
	wires: [
		['Every Night', 'Settings'],
		['Settings', 'Read the Log'],
		['Settings', 'Delete Old Rows'],
		['Read the Log', 'Who Is on Hold'],
		['Who Is on Hold', 'Set Access'],
	],
	settings: toldOnError,
};
