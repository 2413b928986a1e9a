import { asIs, between, flag, html, name, oneOf, plain, recipient, stored, text } from './checks';
import { TAG } from './hostile';
import { ann, error, given, NAMES, of, own, row, said, type Boundary } from './rows';

/** What a workflow does with what failed: it tries again, or fails with a sentence that says whom. */
export const failed = (node: string, reads: string[], more: object = {}) => ({
	[node]: row('a failure', reads, text, {
		$json: [{ ...ann, ...error, execution: '77', ...more }],
		...given.lastTry,
	}),
});

const written = {
	...ann,
	...{ subject: 'Your feed', text: 'Hello [name],\n\n[address]', name: ' Ann', apps: '', tries: 1 },
	address: ann.feed_urls[0],
};
const later = row('n8n', [], between(0, 15), { $json: [{ execution: '77' }] });
const letter = { Text: [{ ...written, letter: 'Hello,\n\n[address]', email: ann.email }] };
const emailed: Record<string, Boundary> = {
	'Email the Address: text': row('Supercast', [], plain, letter),
	'Email the Address: html': row('Supercast', own('feed_urls.0'), html, letter),
};

const page = {
	...{ Text: [{ sent: 'Sent', notDone: 'Not done', reopened: 'Open' }] },
	'Set Access': [{ action: 'kept', attention: null }],
};

/** The expressions of the workflows that send members an email or their address. */
export const EMAILS: Record<string, Record<string, Boundary>> = {
	'payment-failed.json': {
		'Text: name': row('Supercast', own('first_name'), name),
		'Text: execution': row('n8n', [], oneOf('77')),
		'Email the Member: toEmail': row('Supercast', own('email'), recipient),
		'Email the Member: subject': row('another node', own('subject'), asIs),
		'Email the Member: text': row('Supercast', [], plain, { $json: [written] }),
		...failed('Not Sent: condition 1', [...said, ...own('email')]),
		'Try Again Later: amount': later,
	},
	'support.json': {
		'Get Subscriber: subscriber.value': row('a form', own('Email'), asIs),
		'Text: details': row(
			'Supercast',
			own(...NAMES, 'state', 'plan_name', 'customer_id', 'created_at', 'updated_at'),
			plain,
		),
		'Text: isOpen': row('Supercast', own('state'), flag),
		'Page: What to Do: jsonOutput': row('another node', own('isOpen'), text),
		'Page: What to Do: options.formTitle': row('Supercast', own('email'), asIs),
		'Page: What to Do: options.formDescription': row('Supercast', own('details'), html, {
			$json: [{ details: 'Name: Ann', open: 'Open', closed: 'Closed', isOpen: true }],
		}),
		'Page: What to Do: options.buttonLabel': row('another node', own('isOpen'), asIs, {
			$json: [{ isOpen: true, sendButton: 'Send', openButton: 'Open' }],
		}),
		'Set Access: access': row('a form', own('access'), oneOf('open', 'keep')),
		'Set Access: email': row('Supercast', of('Text', 'email'), asIs, letter),
		'Look Again: subscriber.value': row('Supercast', of('Text', 'uuid'), asIs, letter),
		'Is It Open: condition 1': row('a form', of('Page: What to Do', 'access'), asIs, {
			'Page: What to Do': [{ access: 'open' }],
		}),
		'Is It Open: condition 2': row('Supercast', own('state'), asIs),
		'Is It Open: condition 3': row('Supercast', own('feed_urls'), asIs),
		'Email the Address: toEmail': row('Supercast', own('email'), recipient),
		'Email the Address: subject': row('another node', [], plain, letter),
		...emailed,
		'Page: Result: completionTitle': row('a form', of('Page for Support', 'Email'), asIs),
		'Page: Result: completionMessage': row(
			'a failure',
			[...said, 'Set Access.attention', 'Set Access.action'],
			html,
			page,
		),
	},
	'tell-members.json': {
		'Who Gets an Email: condition 1': row('Supercast', own('wasOpen', 'isOpen'), flag),
		'Who Gets an Email: condition 2': row('Supercast', own('plan_name'), asIs),
		'Who Gets an Email: condition 3': row('Supercast', own('email'), asIs),
		'One at a Time: options.reset': row('n8n', [], flag),
		'Look at the Feed: subscriber.value': row('Supercast', own('uuid'), asIs),
		'Text: name': row('Supercast', own('first_name'), name),
		'Text: address': row('Supercast', own('subscriptions', 'feed_url'), text),
		'Text: apps': row('Supercast', own('player_links', 'player_links.overcast'), text, {
			$json: [{ player_links: { overcast: 'overcast://x' } }],
		}),
		'Text: state': row('Supercast', own('state'), stored),
		'Text: reason': row('a failure', said, asIs),
		'Text: email': row('Supercast', own('email'), stored),
		'Text: uuid': row('another node', of('One at a Time', 'uuid'), stored),
		'Text: eventId': row('n8n', of('One at a Time', 'eventId'), stored),
		'Text: tries': row('n8n', [], oneOf(0)),
		'Text: restarts': row('n8n', [], between(0, 5)),
		'Text: execution': row('n8n', [], oneOf('77')),
		'Not Sent Yet: dedupeValue': row('n8n', own('eventId'), asIs),
		'Has an Open Feed: condition 1': row('Supercast', own('state'), asIs),
		'Send Email: toEmail': row('Supercast', own('email', 'address'), recipient),
		'Send Email: subject': row('another node', own('subject'), asIs),
		'Send Email: text': row('another node', [], plain, { $json: [written] }),
		'Send Email: html': row('another node', [], html, {
			$json: [{ ...written, text: `${TAG} [address]` }],
		}),
		'Notes: notes': row('n8n', of('Not Sent Yet', 'eventId'), asIs, {
			'Not Sent Yet': [{ eventId: 'e1' }],
		}),
		'Note as Sent: dedupeValue': row('another node', own('notes'), asIs, {
			$json: [{ notes: '1 e1' }],
		}),
		'Not Sent: condition 1': row('a failure', own('error', 'reason'), asIs),
		'Not Sent: condition 2': row('a failure', own('error', 'reason'), asIs),
		...failed('Not Sent: condition 3', own('email')),
		'Try Again Later: amount': later,
	},
	'feed-link.json': {
		'Text: execution': row('n8n', [], oneOf('77')),
		'Get Subscriber: subscriber.value': row('a form', of('Page With One Field', 'Email'), asIs),
		'Has an Open Feed: condition 1': row('Supercast', own('state'), asIs),
		'Has an Open Feed: condition 2': row('Supercast', own('feed_urls'), asIs),
		'Not Sent This Hour: dedupeValue': row('Supercast', own('uuid'), asIs),
		'Wait a Moment: amount': row('n8n', [], between(0, 10)),
		'Nor in the Next: dedupeValue': row('Supercast', own('uuid'), asIs),
		'Email the Address: toEmail': row('Supercast', own('email'), recipient),
		'Email the Address: subject': row('another node', [], plain, letter),
		...emailed,
		'Not Sent: condition 1': row('a failure', said, asIs),
		'Not Sent: condition 2': row(
			'a failure',
			[...said, ...of('Page With One Field', 'Email')],
			asIs,
			{ Text: [{ execution: '77' }], ...given.lastTry },
		),
		'Try Again Later: amount': later,
	},
};
