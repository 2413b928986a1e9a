import { codeOf } from './code';
import {
	code,
	COLOR,
	email,
	setting,
	settings,
	toldOnError,
	type Note,
	type Part,
	type Plan,
} from './parts';
import { ask } from './senders/request';

const mail = { mailFrom: 'n8n@example.com' };

/** A trigger that polls Supercast every minute. */
export function supercastTrigger(
	name: string,
	at: Part['at'],
	event: string,
	more: Record<string, unknown> = {},
): Part {
	const pollTimes = { item: [{ mode: 'everyMinute' }] };
	const parameters = { pollTimes, authentication: 'accessToken', event, ...more, options: {} };
	return { name, type: 'n8n-nodes-supercast.supercastTrigger', version: 1, at, parameters };
}

/** Posts JSON to an address in Settings, such as the incoming webhook of a chat. */
function post(name: string, at: Part['at'], address: string, body: string, disabled = true): Part {
	const request = ask(name, at, `={{ ${setting(address)} }}`, {
		method: 'POST',
		sendBody: true,
		specifyBody: 'json',
		jsonBody: `={{ ${body} }}`,
		options: {},
	});
	return { ...request, more: disabled ? { disabled } : {} };
}

const sheet = (at: Part['at']): Part => ({
	name: 'Google Sheets',
	type: 'n8n-nodes-base.googleSheets',
	version: 4.5,
	at,
	parameters: {
		operation: 'append',
		documentId: { __rl: true, mode: 'url', value: `={{ ${setting('sheetUrl')} }}` },
		sheetName: { __rl: true, mode: 'name', value: 'Sheet1' },
		columns: { mappingMode: 'autoMapInputData', value: {}, matchingColumns: [], schema: [] },
		options: {},
	},
	more: { disabled: true },
});

const kit = (at: Part['at']): Part => ({
	...ask('Kit', at, 'https://api.kit.com/v4/subscribers', {
		method: 'POST',
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		specifyBody: 'json',
		jsonBody:
			"={{ { email_address: $json.email, first_name: $json.firstName, state: $json.change === 'left' ? 'inactive' : 'active' } }}",
		options: {},
	}),
	more: { disabled: true },
});

const chooseTrigger = (columns: Note['columns'], rows?: Note['rows']): Note => ({
	text: '## 1. What happens in Supercast\nChoose your Supercast credential. n8n checks Supercast every minute.',
	columns,
	rows,
	color: COLOR.start,
});

/** Reports who got a feed, and who lost one, to a mailing list, a chat or a table. */
export const joinedOrLeft: Plan = {
	file: 'joined-or-left',
	id: 'supercastJoinedOrLeft',
	name: 'Joined or Left',
	parts: [
		supercastTrigger('Subscriber Created', [0, 0], 'subscriberCreated'),
		supercastTrigger('State Changed', [0, 1], 'subscriberStateChanged', {
			states: ['available', 'deactivated', 'suspended'],
		}),
		settings({ slackUrl: '', discordUrl: '', sheetUrl: '' }, [1, 0]),
		code('What Happened', [2, 0], codeOf('joinedOrLeft')),
		post('Slack', [4, 0], 'slackUrl', '{ text: $json.text }'),
		post('Discord', [4, 1], 'discordUrl', '{ content: $json.text }'),
		kit([5, 0]),
		sheet([5, 1]),
	],
	notes: [
		chooseTrigger([0, 0], [0, 1]),
		{
			text: '## Fill in Settings\n- **slackUrl**, **discordUrl**: the incoming webhook of your channel\n- **sheetUrl**: the address of your Google Sheet',
			columns: [1, 1],
			rows: [0, 1],
			color: COLOR.settings,
		},
		{
			text: '## 2. Joined or left\nNothing to fill in.',
			columns: [2, 2],
			rows: [0, 1],
			color: COLOR.ask,
		},
		{
			text: '## 3. Post it where you want\nTo enable a node, select it and press **D**.\n**Kit**: create a Header Auth credential with the name `X-Kit-Api-Key` and your key. **Google Sheets**: choose your credential. The first row of the sheet must contain **email**, **change** and **at**.',
			columns: [4, 5],
			rows: [0, 1],
			color: COLOR.act,
		},
	],
	wires: [
		['Subscriber Created', 'Settings'],
		['State Changed', 'Settings'],
		['Settings', 'What Happened'],
		['What Happened', 'Slack'],
		['What Happened', 'Discord'],
		['What Happened', 'Kit'],
		['What Happened', 'Google Sheets'],
	],
	settings: toldOnError,
};

/** Emails members whom Supercast bills when a charge fails. */
export const paymentFailed: Plan = {
	file: 'payment-failed',
	id: 'supercastPaymentFailed',
	name: 'Payment Failed at Supercast',
	parts: [
		supercastTrigger('Payment Failed', [0, 0], 'subscriberStateChanged', {
			states: ['charge_failure'],
		}),
		settings(
			{
				...mail,
				subject: 'Your podcast membership: the payment failed',
				text: 'Hello {name},\n\nThe last payment for your podcast membership failed. Please check your card in your account:\n\nhttps://example.supercast.com/account\n\nIf you have done so already, you can ignore this email.',
			},
			[1, 0],
		),
		email('Email the Member', [2, 0], {
			to: "={{ $('Payment Failed').item.json.email }}",
			subject: `={{ ${setting('subject')} }}`,
			text: `={{ ${setting('text')}.replaceAll('{name}', $('Payment Failed').item.json.first_name || 'there') }}`,
		}),
	],
	notes: [
		chooseTrigger([0, 0]),
		{
			text: '## Fill in Settings\n- **mailFrom**: your sender address\n- **subject**, **text**: the email. Include the address of your account page.',
			columns: [1, 1],
			color: COLOR.settings,
		},
		{
			text: '## 2. Email the member\nChoose your SMTP credential.',
			columns: [2, 2],
			color: COLOR.act,
		},
	],
	wires: [
		['Payment Failed', 'Settings'],
		['Settings', 'Email the Member'],
	],
	settings: toldOnError,
};

/** Sends new questions of subscribers to a chat. */
export const questions: Plan = {
	file: 'questions',
	id: 'supercastQuestions',
	name: 'Questions to a Chat',
	parts: [
		supercastTrigger('Question Asked', [0, 0], 'questionCreated'),
		settings({ chatUrl: 'https://hooks.slack.com/services/…' }, [1, 0]),
		post(
			'Post It',
			[2, 0],
			'chatUrl',
			"(() => { const text = [$json.title, $json.body].filter(Boolean).join('\\n'); return $json.chatUrl.includes('discord') ? { content: text } : { text } })()",
			false,
		),
	],
	notes: [
		chooseTrigger([0, 0]),
		{
			text: '## Fill in Settings\n- **chatUrl**: the incoming webhook of your Slack or Discord channel',
			columns: [1, 1],
			color: COLOR.settings,
		},
		{
			text: '## 2. Post it\nNothing to fill in. Subscribers write the texts, so be careful with links in them.',
			columns: [2, 2],
			color: COLOR.act,
		},
	],
	wires: [
		['Question Asked', 'Settings'],
		['Settings', 'Post It'],
	],
	settings: toldOnError,
};
