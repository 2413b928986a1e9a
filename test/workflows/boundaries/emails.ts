import { asIs, between, flag, html, oneOf, plain, recipient, stored, text, texts } from './checks';
import { ann, NAMES, of, own, row, said, type Boundary } from './rows';

/** A refused email that has its own execution, in two workflows. */
const ownExecution = (look: string): Record<string, Boundary> => ({
	'Count: uuid': row('another node', of('One at a Time', 'uuid'), stored),
	'Count: email': row('another node', of('One at a Time', 'email'), stored),
	'Count: tries': row('another node', [], between(1, 1)),
	'Count: execution': row('n8n', [], oneOf('77')),
	'One More Try: condition 1': row('another node', own('tries'), asIs),
	'Try Again Later: workflowId.value': row('n8n', [], oneOf('w1')),
	'Wait: amount': row('another node', [], between(10, 250), { $json: [{ tries: 1 }] }),
	[`${look}: subscriber.value`]: row('another node', of('One Person', 'uuid'), asIs),
	'Not Gone: condition 1': row('a failure', said, text),
	'Not Looked: email': row('another node', of('One Person', 'email'), stored),
	'Not Looked: reason': row('a failure', said, text),
	'Not Looked: execution': row('n8n', [], oneOf('77')),
	'Not Sent: sent': row('another node', own('email', 'reason'), text, {
		$json: [{ email: ann.email, reason: 'No such user', execution: '77' }],
	}),
});

const feed = own('subscriptions', 'feed_url');
const welcome = (node: string): Record<string, Boundary> => ({
	[`${node}: text`]: row('Supercast', own('first_name'), plain),
	[`${node}: feed_urls`]: row('Supercast', feed, texts(10_000)),
	[`${node}: apps`]: row('Supercast', own('player_links', 'player_links.overcast'), asIs, {
		$json: [{ player_links: { overcast: 'overcast://x' } }],
	}),
	[`${node}: at`]: row('n8n', [], between(1e12, 1e13)),
});
const letter = {
	...ann,
	...{ subject: 'Your feed', text: 'Hello', apps: [{ name: 'overcast', url: 'overcast://x' }] },
};

const who = (node: string): string[] =>
	of(node, 'email', ...NAMES, 'plan_name', 'customer_id', 'created_at', 'state');
const emailed = (node: string): Record<string, Boundary> => ({
	'Email the Address: toEmail': row('Supercast', of(node, 'email', 'feed_urls'), recipient),
	'Email the Address: text': row('Supercast', of(node, 'first_name'), plain),
	'Email the Address: html': row('Supercast', of(node, 'first_name'), html),
});

/** The expressions of the workflows that send members an email or their address. */
export const EMAILS: Record<string, Record<string, Boundary>> = {
	'payment-failed.json': {
		'One at a Time: options.reset': row('n8n', [], flag),
		'Email the Member: toEmail': row('Supercast', own('email'), recipient),
		'Email the Member: text': row('Supercast', own('first_name'), plain),
		...ownExecution('Get Subscriber'),
		'Count: reason': row('a failure', said, text),
		'Same Person: jsonOutput': row('another node', own('email'), asIs),
		'Still Not Paid: condition 1': row('Supercast', own('state'), asIs),
	},
	'support.json': {
		'Get Subscriber: subscriber.value': row('a form', own('Email'), asIs),
		'Can Something Be Done: condition 1': row('Supercast', own('state', 'feed_urls'), flag),
		'Page: What to Do: jsonOutput': row('Supercast', of('Get Subscriber', 'state'), text),
		'Page: What to Do: options.formTitle': row('Supercast', of('Get Subscriber', 'email'), plain),
		'Page: What to Do: options.formDescription': row('Supercast', who('Get Subscriber'), html),
		'Page: What to Do: options.buttonLabel': row(
			'Supercast',
			of('Get Subscriber', 'state'),
			oneOf('Send the address', 'Open the feed and send the address'),
		),
		'Page: What to Do: options.customCss': row('Supercast', of('Get Subscriber', 'state'), html),
		'Someone Chose: condition 1': row('a form', own('What to Do'), flag),
		'Look Again: subscriber.value': row('Supercast', of('Get Subscriber', 'uuid'), asIs),
		'What to Do: Open': row('a form', ['Page: What to Do.What to Do', '$json.state'], flag, {
			'Page: What to Do': [{ 'What to Do': 'Open' }],
		}),
		'What to Do: Send': row('Supercast', own('state'), flag),
		'Activate Feed: subscriber.value': row('Supercast', own('uuid'), asIs),
		...emailed('Look Again'),
		'Page: Done: responseText': row('Supercast', who('Look Again'), html),
		'Page: Nothing to Do: responseText': row('Supercast', who('Get Subscriber'), html),
		'Page: Not Found: responseText': row('a form', ['Page for Support.Email', ...said], html),
		'Page: Not Done: responseText': row(
			'a failure',
			['Page for Support.Email', ...said, '$json.state'],
			html,
		),
	},
	'tell-members.json': {
		...welcome('Welcome'),
		...welcome('Welcome Back'),
		'Who Gets an Email: condition 1': row('another node', own('text'), asIs),
		'Who Gets an Email: condition 2': row('Supercast', own('state'), asIs),
		'Who Gets an Email: condition 3': row('Supercast', own('plan_name'), asIs),
		'One at a Time: options.reset': row('n8n', [], flag),
		'Not Tried Yet: dedupeValue': row('n8n', own('eventId'), asIs),
		'Is It to Be Sent Now: condition 1': row('n8n', own('eventId'), asIs),
		'Is It to Be Sent Now: condition 2': row('n8n', own('at'), asIs),
		'Send Email: toEmail': row('Supercast', own('email', 'feed_urls'), recipient),
		'Send Email: subject': row('another node', own('subject'), asIs),
		'Send Email: text': row('another node', own('text'), plain, { $json: [letter] }),
		'Send Email: html': row('another node', own('text'), html, { $json: [letter] }),
		'Note as Sent: dedupeValue': row('n8n', of('One at a Time', 'eventId'), asIs),
		...ownExecution('Look at the Feed'),
		'Count: eventId': row('n8n', of('One at a Time', 'eventId'), stored),
		'Count: kind': row('another node', of('One at a Time', 'kind'), stored),
		'Count: reason': row('a failure', said, text),
		'Not Sent Yet: dedupeValue': row('n8n', own('eventId'), asIs),
		'Same Person: jsonOutput': row('Supercast', own('email'), asIs),
		'Was It a Welcome: condition 1': row('another node', own('kind'), asIs),
	},
	'feed-link.json': {
		'Get Subscriber: subscriber.value': row('a form', of('Page With One Field', 'Email'), asIs),
		'Has an Open Feed: condition 1': row('Supercast', own('state'), asIs),
		'Has an Open Feed: condition 2': row('Supercast', own('feed_urls'), asIs),
		'Not Sent This Hour: dedupeValue': row('Supercast', own('uuid'), asIs),
		'Wait a Moment: amount': row('n8n', [], between(0, 10)),
		'Nor in the Next: dedupeValue': row('Supercast', own('uuid'), asIs),
		...emailed('$json'),
		'One More Try: condition 1': row('n8n', [], between(0, 0)),
		'Try Again Later: amount': row('n8n', [], between(61, 70)),
		'Stop: Not Sent: errorMessage': row(
			'a failure',
			[...of('Nor in the Next', 'email'), ...said],
			text,
		),
		'More Than Unknown: condition 1': row('a failure', said, asIs),
		'Stop: Look-Up Failed: errorMessage': row('a failure', said, text),
	},
};
