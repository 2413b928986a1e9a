import { asIs, between, flag, html, oneOf, plain, stored, text } from './checks';
import type { Items } from './evaluate';
import { of, own, row, type Boundary } from './rows';

/** What **Who Is a Member** gives, in all files. */
const FIELDS = ['email', 'customerId', 'access', 'status'];
const NAMES = ['firstName', 'lastName'];

const listed = {
	...{ email: 'ana@example.com', customerId: 'cus_1', recordId: 'sub_1', prefix: 'cus_' },
	...{ access: 'keep', status: 'active', firstName: 'Ana', lastName: 'Bell' },
};

/** What the nodes have returned after a run of Sync. */
const ran: Items = {
	$json: [{ ...listed, title: 'Everything in order' }],
	Sync: [{ title: 'Everything in order', text: 'All', html: '<p>All</p>', error: 'Refused' }],
	'The List': [{ expected: { system: 40 }, choices: 'Tiers: Gold (1)', hint: '' }],
	'Who Is a Member': [listed],
};

/** An execution that failed, as the Error Trigger shows it. */
const execution = {
	...{ lastNodeExecuted: 'Read All Members', url: 'https://n8n.example.com/1' },
	error: { message: 'No such host', description: 'Try again' },
};
const failed: Items = { $json: [{ execution }] };
const told = own(
	...['message', 'description'].map((name) => `execution.error.${name}`),
	...['lastNodeExecuted', 'url'].map((name) => `execution.${name}`),
);

const count = (value: unknown) =>
	value === '' || typeof value === 'number' ? undefined : 'is no number';

/** The expressions that every file with a list has in the nodes after **Who Is a Member**. */
export const TAIL: Record<string, Boundary> = {
	...Object.fromEntries(
		FIELDS.map((name) => [`Sync: ${name}`, row('another node', own(name), asIs, ran)]),
	),
	...Object.fromEntries(
		NAMES.map((name) => [
			`Sync: additionalFields.${name}`,
			row('another node', own(name), asIs, ran),
		]),
	),
	'Sync: options.customerIdPrefix': row('another node', [], oneOf('cus_'), ran),
	'Sync: options.output': row('n8n', [], oneOf('summary')),
	'Sync: options.recordId': row('another node', own('recordId'), asIs, ran),
	'Sync: options.recordsExpected': row(
		'another node',
		of('The List', 'expected.system', 'expected'),
		count,
		ran,
	),
	'Not Told Yet: dedupeValue': row(
		'a failure',
		own('execution.error.message', 'skipped'),
		(value) => text(value) ?? (String(value).length > 100 ? 'is long' : undefined),
		failed,
	),
	'Email to You: subject': row('another node', [], plain, ran),
	'Email to You: text': row(
		'a failure',
		[...told, ...of('The List', 'choices', 'hint'), ...of('Who Is a Member', 'access')],
		plain,
		{ ...ran, ...failed },
	),
	'Email to You: html': row(
		'a failure',
		[...told, ...of('The List', 'choices', 'hint'), ...of('Who Is a Member', 'access')],
		html,
		{ ...ran, ...failed },
	),
	'Stop: Not Everything Was Done: errorMessage': row(
		'another node',
		[...of('The List', 'choices', 'hint'), ...of('Who Is a Member', 'status')],
		plain,
		ran,
	),
};

/** The same of the nodes that open feeds of new members. */
export const NEW_MEMBERS: Record<string, Boundary> = {
	'All Records: maxItems': row('n8n', [], between(1e6, 1e6), { 'Every 5 Minutes': [{}] }),
	'New Records: maxItems': row('n8n', [], between(0, 0), { 'Every 5 Minutes': [{}] }),
	'Open Records: condition 1': row('another node', own('access'), flag, ran),
	'Not Seen Yet: dedupeValue': row('another node', own('recordId'), stored, ran),
	...Object.fromEntries(
		['email', 'customerId', 'status', ...NAMES.map((name) => `additionalFields.${name}`)].map(
			(name) => [
				`Set Access: ${name}`,
				row('another node', own(name.replace('additionalFields.', '')), asIs, ran),
			],
		),
	),
};
