import { asIs, fields, flag, oneOf, plain, text, type Check } from './checks';
import { own, row, type Boundary } from './rows';
import { TAIL } from './tail';

/** What hostile cells and calls never do. */
const changesNothing: Check = (value) =>
	value === 'open' || value === 'close' ? 'opens or closes a feed' : asIs(value);

const cells = {
	...{ email: 'ana@example.com', id: '17', firstName: 'Ana', lastName: 'Bell' },
	...{ status: 'active', until: '' },
};
const column = Object.fromEntries(Object.keys(cells).map((name) => [name, name]));
const rowOf = { row: cells, column, everyRow: 'undecided', access: { active: 'keep' } };
const cell = (name: string, gives: Check): Boundary =>
	row('a service', own(`row.${name}`), gives, { $json: [rowOf] });

const read = {
	...{ row: cells, column, email: cells.email, id: cells.id, status: 'active', until: '' },
	...{ ends: '', isPlain: false, verdict: 'keep' },
};
const made = (names: string[], gives: Check): Boundary =>
	row('another node', own(...names), gives, { $json: [read] });

const call = { body: { access: 'keep', email: 'ana@example.com', customerId: '17' } };
const named = {
	...{ kind: 'Subscription', email: 'ana@example.com', customerId: '17', firstName: 'Ana' },
	...{ lastName: 'Bell', access: { Subscription: 'keep' }, attention: 'Look at it', error: '' },
};
const entered = (reads: string[], gives: Check, more: object = {}): Boundary =>
	row('another node', own(...reads), gives, { $json: [{ ...named, ...more }] });
const yes: Check = (value) => (value === undefined ? undefined : flag(value));

/** The expressions of the workflows for a list in a file, and for calls of any system. */
export const LISTS: Record<string, Record<string, Boundary>> = {
	'any-list.json': {
		...TAIL,
		'Rows in Use: condition 1': row('a service', own('email', 'id'), flag, { $json: [cells] }),
		'Who Counts: row': row('a service', own('email'), asIs, { $json: [cells] }),
		'Each Row: email': cell('email', text),
		'Each Row: id': cell('id', text),
		'Each Row: status': cell('status', text),
		'Each Row: until': cell('until', text),
		'Each Row: ends': cell('until', oneOf('')),
		'Each Row: isPlain': cell('email', flag),
		'Each Row: verdict': cell('status', changesNothing),
		'The List: choices': row('a service', own('email'), text, { $json: [cells] }),
		'The List: hint': row('a service', ['Read the Rows.email'], text, { 'Read the Rows': [cells] }),
		'Who Is a Member: email': made(['email'], asIs),
		'Who Is a Member: customerId': made(['email', 'id'], asIs),
		'Who Is a Member: recordId': row('n8n', [], oneOf('0')),
		'Who Is a Member: access': made(['until', 'verdict'], changesNothing),
		'Who Is a Member: status': made(['until'], text),
		'Who Is a Member: firstName': made(['row.firstName'], asIs),
		'Who Is a Member: lastName': made(['row.lastName'], asIs),
	},
	'any-system.json': {
		'Call: kind': row('a service', own('body', 'body.access'), changesNothing, { $json: [call] }),
		...Object.fromEntries(
			['email', 'customerId', 'firstName', 'lastName'].map((name) => [
				`Call: ${name}`,
				row('a service', own('body', `body.${name}`), asIs, {
					$json: [{ body: { ...call.body, firstName: 'Ana', lastName: 'Bell' } }],
				}),
			]),
		),
		'Is It Named: condition 1': entered(['kind'], flag),
		'Is It Complete: condition 1': entered(['kind'], flag),
		'Is It Complete: condition 2': entered(['email', 'customerId'], yes),
		'Is It Complete: condition 3': entered(['email'], yes),
		'Set Access: access': entered(['kind'], changesNothing),
		'Set Access: email': entered(['email'], asIs),
		'Set Access: customerId': entered(['customerId'], asIs),
		'Set Access: status': entered(['kind'], asIs),
		'Set Access: additionalFields.firstName': entered(['firstName'], asIs),
		'Set Access: additionalFields.lastName': entered(['lastName'], asIs),
		'Answer: responseBody': entered(['email'], asIs),
		'Answer: Failed: responseBody': entered(['error'], fields('error', 'advice')),
		'Answer: Not Complete: responseBody': entered(['email'], fields('error', 'received')),
		'Answer: Not Named: responseBody': entered(['kind'], fields('action', 'reason')),
		'Needs a Decision: condition 1': entered(['attention'], asIs),
		'Needs a Decision: condition 2': entered(['error'], asIs),
		'Not Told Yet: dedupeValue': entered(['attention', 'error', 'kind'], text),
		'Email to You: subject': entered(['kind', 'email', 'customerId'], plain),
		'Email to You: text': entered(['kind', 'email', 'customerId', 'attention', 'error'], plain),
	},
};
