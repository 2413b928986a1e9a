import {
	asIs,
	atMost,
	between,
	fields,
	flag,
	html,
	name,
	oneOf,
	plain,
	slack,
	stored,
	text,
} from './checks';
import { failed } from './emails';
import { TAG } from './hostile';
import { ann, given, NAMES, of, own, row, said, type Boundary } from './rows';

const alert = of('One Alert', 'subscriber.email', 'message');
const asked = { Text: [{ subject: 'Usage alert', question: `Shared ${TAG}`, execution: '77' }] };
const decision = row('a form', own('data.Decision'), flag, { $json: [{ data: { Decision: '' } }] });
const alertId = row('Supercast', of('One Alert', 'id'), asIs);

const limit = row('a model', own('limit'), between(1, 100), { $json: [{ limit: 5 }] });
const filled = (field: string): Boundary =>
	row('a model', own(field), asIs, { $json: [{ [field]: 'Ann' }] });

const person = { ...ann, isOpen: true, wasOpen: false };
const later = row('n8n', [], between(0, 15), { $json: [{ execution: '77' }] });
const member = { Access: [person] };
const lines = { Text: Array.from({ length: 20 }, () => ({ ...ann, name: 'Ann', change: 'left' })) };

/** The expressions of the workflows that tell what happens, or ask someone. */
export const EVENTS: Record<string, Record<string, Boundary>> = {
	'tell-team.json': {
		'Opened or Closed: condition 1': row('Supercast', own('wasOpen', 'isOpen'), flag, {
			$json: [person],
		}),
		'Text: change': row(
			'Supercast',
			own('isOpen'),
			oneOf('can listen now', 'can no longer listen'),
		),
		'Text: email': row('Supercast', own('email'), atMost(80)),
		'Text: name': row('Supercast', own(...NAMES), name),
		'Text: at': row('n8n', [], text),
		'Message: text': row('another node', [], atMost(1900), lines),
		'Message: execution': row('n8n', [], oneOf('77')),
		'Chat: jsonBody': row('another node', [], slack, { $json: [{ text: 'Ann' }] }),
		...failed('Not Told: condition 1', said, { text: 'Ann' }),
	},
	'mailing-list.json': {
		'Access: Open': row('Supercast', own('isOpen'), flag),
		'Access: condition 2 of Open': row('Supercast', own('email'), asIs),
		'Access: Closed': row('Supercast', own('isOpen'), flag),
		'Access: condition 2 of Closed': row('Supercast', own('email'), asIs),
		'Access: condition 3 of Closed': row('a failure', said, asIs),
		'Kit: jsonBody': row(
			'Supercast',
			own('email', 'first_name'),
			fields('email_address', 'first_name'),
		),
		'Kit Tag: method': row('another node', of('Access', 'isOpen'), oneOf('DELETE', 'POST'), member),
		'Kit Tag: jsonBody': row('another node', of('Access', 'email'), asIs, member),
		'Not Done: email': row('another node', of('Access', 'email'), stored, member),
		'Not Done: first_name': row('another node', of('Access', 'first_name'), stored, member),
		'Not Done: isOpen': row('another node', of('Access', 'isOpen'), asIs, member),
		'Not Done: error': row('a service', said, asIs),
		'Not Done: execution': row('n8n', [], oneOf('77')),
		'Not Done: done': row('a service', said, asIs, {
			Access: [{ ...person, execution: '77' }],
			...given.lastTry,
		}),
		'Try Again Later: amount': later,
	},
	'chat.json': {
		'Text: text': row('Supercast', own('title', 'body', 'summary'), atMost(1908)),
		'Text: execution': row('n8n', [], oneOf('77')),
		'Post It: jsonBody': row('another node', [], slack, {
			$json: [{ text: '@everyone <!channel> & <@U1>' }],
		}),
		...failed('Not Posted: condition 1', said, { text: 'Why?' }),
		'Try Again Later: amount': later,
	},
	'usage-alerts.json': {
		'One Execution Each: workflowId.value': row('n8n', [], oneOf('w1')),
		'Get Subscriber: subscriber.value': row('Supercast', of('One Alert', 'subscriber.uuid'), asIs),
		'Text: subject': row('Supercast', alert, atMost(300)),
		'Text: question': row(
			'Supercast',
			[...alert, ...own(...NAMES, 'state', 'plan_name', 'created_at')],
			plain,
		),
		'Text: execution': row('n8n', [], oneOf('77')),
		'Is a VIP: condition 1': row('Supercast', of('One Alert', 'subscriber.email'), (value) =>
			value === '' ? 'counts as a VIP' : asIs(value),
		),
		'Ask a Person: subject': row('another node', own('subject'), asIs),
		'Ask a Person: message': row('Supercast', [], html, asked),
		'What Was Decided: Dismiss': decision,
		'What Was Decided: Ignore': decision,
		'What Was Decided: Suspend': decision,
		'Dismiss Alert: usageAlert.value': alertId,
		'Ignore Alert: usageAlert.value': alertId,
		'Suspend Listener and Stop Billing: usageAlert.value': alertId,
		'Tell the Person: fromEmail': row('n8n', [], oneOf('')),
		'Tell the Person: toEmail': row('n8n', [], oneOf('')),
		'Tell the Person: subject': row('another node', of('Text', 'subject'), asIs, asked),
		'Tell the Person: text': row('a failure', said, plain, {
			'Ask a Person': [{ data: { Decision: 'Dismiss: close only this alert' } }],
		}),
		...failed('Not Asked: condition 1', said, { subject: 'Usage alert' }),
	},
	'mcp-server.json': {
		'Get Subscriber: subscriber.value': filled('email'),
		'List Subscribers: limit': limit,
		'List Subscribers: filters.state': row(
			'a model',
			own('states'),
			(value) => (value === '' ? 'is an empty filter' : asIs(value)),
			{ $json: [{ states: 'open, closed' }] },
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
