import { codeOf } from './code';
import {
	call,
	choice,
	code,
	COLOR,
	email,
	ID,
	schedule,
	setting,
	settings,
	subscriber,
	supercast,
	toldOnError,
	whenCalled,
	type Part,
	type Plan,
} from './parts';

const LOG = 'Supercast access log';
const COLUMNS = [
	'sender',
	'event',
	'access',
	'email',
	'name',
	'customerId',
	'done',
	'why',
	'since',
] as const;

const WELCOME = `Hello {name},

welcome! This is the address of your private feed. It is yours alone, so please do not share it:

{feed}

Add it to your podcast app as a podcast by its address (URL).`;

function dataTable(name: string, at: Part['at'], parameters: Record<string, unknown>): Part {
	return { name, type: 'n8n-nodes-base.dataTable', version: 1.1, at, parameters };
}

const byName = { dataTableId: { __rl: true, mode: 'name', value: LOG } };

/** Rows of the log, the newest first. */
const rows = (conditions: Array<Record<string, unknown>>) => ({
	...byName,
	resource: 'row',
	operation: 'get',
	matchType: 'allConditions',
	filters: { conditions },
	returnAll: true,
	orderBy: true,
	orderByColumn: 'createdAt',
	orderByDirection: 'DESC',
});

const logTable = (at: Part['at']): Part =>
	dataTable('Log Table', at, {
		resource: 'table',
		operation: 'create',
		tableName: LOG,
		columns: { column: COLUMNS.map((name) => ({ name, type: 'string' })) },
		options: { createIfNotExists: true },
	});

/** What was done, in the words of the log. Two events at the same time can both mean to create. */
const DONE = `$('Create or Update').isExecuted && $('Create or Update').first().json.action === 'unchanged' ? 'nothing' : $('Decide').last().json.done`;

const writeLog = (at: Part['at']): Part => {
	const value = Object.fromEntries(
		COLUMNS.map((name) => [
			name,
			name === 'done' ? `={{ ${DONE} }}` : `={{ $('Decide').last().json.${name} }}`,
		]),
	);
	const schema = COLUMNS.map((id) => ({
		id,
		displayName: id,
		type: 'string',
		required: false,
		defaultMatch: false,
		display: true,
		canBeUsedToMatch: true,
	}));
	const columns = { mappingMode: 'defineBelow', value, matchingColumns: [], schema };
	return dataTable('Write to the Log', at, {
		...byName,
		resource: 'row',
		operation: 'insert',
		columns,
		options: {},
	});
};

/** The sub-workflow that every sender calls. */
export const setAccess: Plan = {
	file: 'set-access',
	id: ID.setAccess,
	name: 'Set Access',
	parts: [
		whenCalled('When Called', [0, 0]),
		settings(
			{
				mailFrom: 'n8n@example.com',
				tellWhom: 'you@example.com',
				graceDays: 7,
				welcomeSubject: 'Your private podcast feed',
				welcomeText: WELCOME,
			},
			[1, 0],
		),
		supercast(
			'Find by Email',
			[2, 0],
			{
				resource: 'subscriber',
				operation: 'get',
				...subscriber('email', "={{ $('When Called').first().json.email }}"),
				simplify: false,
			},
			{ onError: 'continueErrorOutput' },
		),
		supercast(
			'Find by Customer ID',
			[3, 1],
			{
				resource: 'subscriber',
				operation: 'get',
				...subscriber('customerId', "={{ $('When Called').first().json.customerId }}"),
				simplify: false,
			},
			{ onError: 'continueRegularOutput' },
		),
		code('Decide', [4, 0], codeOf('decide')),
		choice('Next Step', [5, 0], {
			Update: "$json.step === 'update'",
			Open: "$json.step === 'open'",
			Close: "$json.step === 'close'",
			Email: "$json.step === 'mail' || ['created', 'updated'].includes($json.action)",
			Log: "$json.step === 'log'",
		}),
		supercast('Update Subscriber', [7, -2], {
			resource: 'subscriber',
			operation: 'update',
			...subscriber('uuid', '={{ $json.uuid }}'),
			updateFields: {
				email: '={{ $json.email }}',
				customerId: '={{ $json.customerId || undefined }}',
			},
		}),
		supercast('Create or Update', [7, -1], {
			resource: 'subscriber',
			operation: 'upsert',
			email: '={{ $json.email }}',
			additionalFields: {
				customerId: '={{ $json.customerId || undefined }}',
				firstName: '={{ $json.firstName || undefined }}',
				lastName: '={{ $json.lastName || undefined }}',
			},
			options: { reactivate: true },
		}),
		supercast('Deactivate Feed', [7, 0], {
			resource: 'feed',
			operation: 'deactivate',
			...subscriber('email', '={{ $json.email }}'),
			options: { ifMissing: 'succeed' },
		}),
		email('Send Email', [7, 1], {
			to: "={{ $json.step === 'mail' ? $json.to : $json.email }}",
			subject: `={{ $json.step === 'mail' ? $json.subject : ${setting('welcomeSubject')} }}`,
			text: `={{ $json.step === 'mail' ? $json.text : ${setting('welcomeText')}.replaceAll('{name}', $json.first_name || 'there').replaceAll('{feed}', ($json.feed_urls ?? []).join('\\n')) }}`,
		}),
		logTable([7, 2]),
		writeLog([8, 2]),
	],
	notes: [
		{
			text: `## 1. What it is told
The workflows of the senders call this one with:
- **access**: \`open\`, \`hold\` or \`close\`
- **email**, **customerId**, **name** of the member
- **sender**, **event**, **reason** for the log
- **since**: when the payment failed, for \`hold\``,
			columns: [0, 0],
			color: COLOR.start,
		},
		{
			text: `## Fill in Settings
- **mailFrom**: your sender address
- **tellWhom**: who gets a mail when a person is needed
- **graceDays**: how long a feed stays open after a failed payment
- **welcomeSubject**, **welcomeText**: the mail with the new feed`,
			columns: [1, 1],
			color: COLOR.settings,
		},
		{
			text: `## 2. Find the person
Choose your Supercast credential in both nodes.
A search by customer ID reads the list of subscribers, so it runs only when Supercast does not know the email. It finds members who changed their email.`,
			columns: [2, 3],
			rows: [0, 1],
			color: COLOR.ask,
		},
		{
			text: `## 3. Decide
Nothing to fill in. Three rules protect people:
- Nobody whom Supercast bills is touched.
- A suspended feed stays closed: a person gets a mail.
- **hold** closes the feed after **graceDays** only.`,
			columns: [4, 5],
			rows: [0, 0],
			color: COLOR.ask,
		},
		{
			text: `## 4. Do it, tell, and log
Choose your Supercast credential in the three Supercast nodes, and your SMTP credential in **Send Email**.
The feed is deactivated, not deleted: its address works again when the member comes back. The log is the Data Table **${LOG}**. This workflow creates it.`,
			columns: [7, 8],
			rows: [-2, 2],
			color: COLOR.act,
		},
	],
	wires: [
		['When Called', 'Settings'],
		['Settings', 'Find by Email'],
		['Find by Email', 'Decide'],
		[['Find by Email', 1], 'Find by Customer ID'],
		['Find by Customer ID', 'Decide'],
		['Decide', 'Next Step'],
		['Next Step', 'Update Subscriber'],
		[['Next Step', 1], 'Create or Update'],
		['Create or Update', 'Next Step'],
		[['Next Step', 2], 'Deactivate Feed'],
		[['Next Step', 3], 'Send Email'],
		[['Next Step', 4], 'Log Table'],
		['Log Table', 'Write to the Log'],
	],
};

/** Where every failure is told. */
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

Reason: {{ ($('When a Workflow Fails').first().json.execution ?? $('When a Workflow Fails').first().json.trigger)?.error?.message ?? 'not known' }}
Node: {{ $('When a Workflow Fails').first().json.execution?.lastNodeExecuted ?? 'not known' }}
Execution: {{ $('When a Workflow Fails').first().json.execution?.url ?? 'it did not start' }}

Open the execution. When the reason is settled, click Retry there.`,
		}),
	],
	notes: [
		{
			text: `## Fill in Settings
- **mailFrom**: your sender address
- **tellWhom**: who gets a mail about each failure
Choose your SMTP credential in **Tell a Person**, and publish.
Then, in each other workflow: **⋯** → **Settings** → **Error Workflow** → **On Error**.`,
			columns: [0, 2],
			color: COLOR.settings,
		},
	],
	wires: [
		['When a Workflow Fails', 'Settings'],
		['Settings', 'Tell a Person'],
	],
};

/** What ends a hold that no event ends, and keeps the log small. */
export const gracePeriod: Plan = {
	file: 'grace-period',
	id: 'supercastGracePeriod',
	name: 'Grace Period',
	parts: [
		schedule('Every Night', [0, 0], { triggerAtHour: 4 }),
		settings({ keepLogDays: 400 }, [1, 0]),
		dataTable('Read the Log', [2, 0], rows([])),
		code('Who Is on Hold', [3, 0], codeOf('onHold')),
		call('Set Access', [4, 0], { id: ID.setAccess, name: 'Set Access' }, { mode: 'each' }),
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
In **Settings**, **keepLogDays** says how long the log keeps its rows. There is nothing else to fill in.`,
			columns: [0, 1],
			color: COLOR.settings,
		},
		{
			text: `## 2. Members on hold
A payment failed, and no event has come since. **Set Access** closes the feed when the days of grace are over.`,
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
