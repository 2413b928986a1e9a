import {
	asIs,
	atMost,
	between,
	discord,
	fields,
	flag,
	html,
	oneOf,
	plain,
	slack,
	stored,
	text,
	texts,
} from './checks';
import { SUBSCRIBER_STATES } from '../../../nodes/Supercast/subscriber/states';
import { ann, error, NAMES, of, own, row, said, type Boundary } from './rows';

const STATES = SUBSCRIBER_STATES;
const change = oneOf('joined', 'came back', 'left');
const lines = [{ text: 'Ann Bell (ann@example.com) joined' }];
const leaving = { '1 for Kit': [{ email: ann.email, change: 'left' }] };

const week = { 'Get Subscribers': [ann], 'What Was Noted': [{ kind: 'joined', email: ann.email }] };
const noted = row('another node', of('What Was Noted', 'kind', 'email'), asIs, week);
const listed = row('Supercast', of('Get Subscribers', 'state', 'email'), asIs, week);
const counted = {
	$json: [
		{
			...{ joined: [ann.email], cameBack: [], left: [], deleted: [], suspended: [], unpaid: [] },
			...{ open: 1, total: 1, problem: '' },
		},
	],
};
const report = own('joined.0', 'problem');

const alert = of('One Alert', 'subscriber.email', 'message');
const decision = row('a form', own('data.Decision'), flag, { $json: [{ data: { Decision: '' } }] });
const alertId = row('Supercast', of('One Alert', 'id'), asIs);

const limit = row('a model', own('limit'), between(1, 100), { $json: [{ limit: 5 }] });
const filled = (name: string): Boundary =>
	row('a model', own(name), asIs, { $json: [{ [name]: 'Ann' }] });

/** The expressions of the workflows that tell what happens, or ask someone. */
export const EVENTS: Record<string, Record<string, Boundary>> = {
	'joined-or-left.json': {
		'Really Changed: condition 1': row('Supercast', own('state', 'previousState'), flag),
		'What Happened: email': row('Supercast', own('email'), stored),
		'What Happened: firstName': row('Supercast', own('first_name'), stored),
		'What Happened: change': row('Supercast', own('state', 'previousState'), change),
		'What Happened: text': row('Supercast', own('email', ...NAMES, 'state'), atMost(175)),
		'What Happened: at': row('n8n', [], text),
		'Slack: jsonBody': row('another node', of('10 for Slack', 'text'), slack, {
			'10 for Slack': lines,
		}),
		'Discord: jsonBody': row('another node', [], discord, {
			'10 for Discord': Array.from({ length: 10 }, () => ({ text: 'x'.repeat(175) })),
		}),
		'A Moment: amount': row('another node', own('change'), oneOf(0, 0.5)),
		'Is a Member: condition 1': row('another node', own('change'), asIs),
		'Kit: jsonBody': row(
			'another node',
			own('email', 'firstName'),
			fields('email_address', 'first_name'),
		),
		'Kit Tag: method': row(
			'another node',
			of('1 for Kit', 'change'),
			oneOf('DELETE', 'POST'),
			leaving,
		),
		'Kit Tag: jsonBody': row('another node', of('1 for Kit', 'email'), asIs, leaving),
		'Left and Unknown: condition 1': row('another node', of('1 for Kit', 'change'), asIs, leaving),
		'Left and Unknown: condition 2': row('a service', said, text),
		'Not Told: condition 1': row('a service', said, flag),
		'Stop: Not Told: errorMessage': row('a service', said, text, { 'Not Told': [error] }),
	},
	'weekly-report.json': {
		'Table of the Week: tableName': row('n8n', [], text),
		'Table: tableName': row('n8n', [], text),
		'What Was Noted: dataTableId.value': row('n8n', [], text),
		'Note It: dataTableId.value': row('n8n', [], text),
		'Forget Old Notes: dataTableId.value': row('n8n', [], text),
		'What Was Noted: filters.conditions.0.keyValue': row('n8n', [], text),
		'Count: total': { ...listed, gives: between(0, 1) },
		'Count: open': { ...listed, gives: between(0, 1) },
		'Count: joined': noted,
		'Count: cameBack': noted,
		'Count: left': noted,
		'Count: deleted': noted,
		'Count: suspended': listed,
		'Count: unpaid': listed,
		'Count: problem': row('a failure', of('Get Subscribers', 'error'), text, week),
		'Email the Report: subject': row('another node', report, atMost(120), counted),
		'Email the Report: text': row('another node', report, plain, counted),
		'Email the Report: html': row('another node', report, html, counted),
		'Forget Old Notes: filters.conditions.0.keyValue': row('n8n', [], text),
		'What Happened: kind': row(
			'Supercast',
			own('state', 'previousState', 'eventId'),
			oneOf('joined', 'came back', 'left', 'deleted', ''),
			{ $json: [{ ...ann, eventId: 'subscriberStateChanged:1', previousState: 'deactivated' }] },
		),
		'What Happened: email': row('Supercast', own('email'), stored),
		'Worth Noting: condition 1': row('another node', own('kind'), asIs),
		'Note It: columns.value.kind': row('another node', own('kind'), stored),
		'Note It: columns.value.email': row('another node', own('email'), stored),
	},
	'chat.json': {
		'Message: parts': row('Supercast', own('title', 'body', 'summary'), texts(1900, false)),
		'Post It: jsonBody': row('another node', own('text'), slack, { $json: [{ text: 'Hi' }] }),
		'Not Posted: condition 1': row('a service', said, flag),
		'Stop: Not Posted: errorMessage': row('a service', said, text, {
			'Not Posted': [error],
			'One Item per Part': [{}],
		}),
	},
	'usage-alerts.json': {
		'One Execution Each: workflowId.value': row('n8n', [], oneOf('w1')),
		'Is a VIP: condition 1': row(
			'Supercast',
			own('subscriber.email'),
			(value) => (value === '' ? 'counts as a VIP' : asIs(value)),
			{ $json: [{ subscriber: { email: ann.email } }] },
		),
		'Get Subscriber: subscriber.value': row('Supercast', of('One Alert', 'subscriber.uuid'), asIs),
		'Ask a Person: subject': row('Supercast', alert, atMost(300)),
		'Ask a Person: message': row(
			'Supercast',
			[...alert, ...own(...NAMES, 'state', 'plan_name', 'created_at')],
			html,
		),
		'What Was Decided: Dismiss': decision,
		'What Was Decided: Ignore': decision,
		'What Was Decided: Suspend': decision,
		'Dismiss Alert: usageAlert.value': alertId,
		'Ignore Alert: usageAlert.value': alertId,
		'Suspend Listener and Stop Billing: usageAlert.value': alertId,
		'Tell the Person: fromEmail': row('n8n', [], oneOf('')),
		'Tell the Person: toEmail': row('n8n', [], oneOf('')),
		'Tell the Person: subject': row('Supercast', of('One Alert', 'subscriber.email'), atMost(300)),
		'Tell the Person: text': row('a failure', said, plain, {
			'Ask a Person': [{ data: { Decision: 'Dismiss: close only this alert' } }],
		}),
		'Is It to Be Asked Again: condition 1': row('n8n', [], between(0, 0)),
		'Ask Again Later: amount': row('n8n', [], between(30, 39)),
		'Stop: Nobody Asked: errorMessage': row('a failure', [...alert, ...said], text),
		'Keep the Link: amount': row('n8n', [], oneOf(0, 3)),
	},
	'mcp-server.json': {
		'Get Subscriber: subscriber.value': filled('email'),
		'List Subscribers: limit': limit,
		'List Subscribers: filters.state': row(
			'a model',
			own('states'),
			(value) => (value === '' || value === null ? 'is an empty filter' : asIs(value)),
			{ $json: [{ states: STATES.join(',') }] },
		),
		'Find Subscribers: limit': limit,
		'Find Subscribers: filters.nameContains': filled('name'),
		'Get Feed: subscriber.value': filled('email'),
		'List Usage Alerts: limit': limit,
		'List Episodes: limit': limit,
		'Get Episode: episode.value': filled('id'),
		'List Questions: limit': limit,
		'Create or Update Subscriber: email': filled('email'),
		'Create or Update Subscriber: additionalFields.firstName': filled('first_name'),
		'Create or Update Subscriber: additionalFields.lastName': filled('last_name'),
		'Suspend Feed: subscriber.value': filled('email'),
		'Activate Feed: subscriber.value': filled('email'),
		'Delete Subscriber: subscriber.value': filled('email'),
		'Dismiss Usage Alert: usageAlert.value': filled('id'),
	},
};
