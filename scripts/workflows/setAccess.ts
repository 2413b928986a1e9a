import { codeOf } from './code';
import { LOG, logTable, writeLog } from './log';
import {
	choice,
	code,
	COLOR,
	email,
	ID,
	setting,
	settings,
	subscriber,
	supercast,
	whenCalled,
	type Plan,
} from './parts';

const WELCOME = `Hello {name},

Welcome! This is the address of your private feed. It is for you alone, so please do not share it:

{feed}

To listen, add this address (URL) to your podcast app.`;

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
			text: `## 1. What it receives
The membership workflows pass these values:
- **access**: \`open\`, \`hold\` or \`close\`
- **email**, **customerId**, **name** of the member
- **sender** (the membership system), **event**, **reason** for the log
- **since**: when the payment failed, for \`hold\``,
			columns: [0, 0],
			color: COLOR.start,
		},
		{
			text: `## Fill in Settings last
- **mailFrom**: your sender address
- **tellWhom**: who gets an email when someone must decide
- **graceDays**: how long a feed stays open after a failed payment
- **welcomeSubject**, **welcomeText**: the email with the new feed`,
			columns: [1, 1],
			color: COLOR.settings,
		},
		{
			text: `## 2. Find the subscriber
Choose your Supercast credential in **Find by Email**. n8n puts it into the other four Supercast nodes.
The search by customer ID finds members who changed their email. It reads the list of subscribers, so it runs only when the email is unknown.`,
			columns: [2, 3],
			rows: [0, 1],
			color: COLOR.ask,
		},
		{
			text: `## 3. Decide
Nothing to fill in. Three rules protect people:
- This workflow doesn't change the feeds of people whom Supercast bills, because closing a feed may not stop the billing.
- It leaves suspended feeds closed, and emails the address in **tellWhom**.
- **hold** closes the feed only after **graceDays**.`,
			columns: [4, 5],
			// The Switch is taller than a node.
			rows: [0, 0.5],
			color: COLOR.ask,
		},
		{
			text: `## 4. Act, notify and log
Choose your SMTP credential in **Send Email**.
This workflow deactivates feeds but doesn't delete subscribers. If a member returns, the old feed address works again. The workflow logs each event in the Data Table **${LOG}**, and creates the table if it is missing.`,
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
