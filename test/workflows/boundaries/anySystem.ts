import { asIs, changesNothing, fields, flag, plain, text, type Check } from './checks';
import { own, row, type Boundary } from './rows';

const call = { body: { access: 'keep', email: 'ana@example.com', customerId: '17' } };
const named = {
	...{ kind: 'Subscription', email: 'ana@example.com', customerId: '17', firstName: 'Ana' },
	...{ lastName: 'Bell', access: { Subscription: 'keep' }, attention: 'Look at it', error: '' },
};
const entered = (reads: string[], gives: Check, more: object = {}): Boundary =>
	row('another node', own(...reads), gives, { $json: [{ ...named, ...more }] });
const yes: Check = (value) => (value === undefined ? undefined : flag(value));

/** The expressions of the workflow for calls of any system. */
export const SYSTEM_CALLS: Record<string, Record<string, Boundary>> = {
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
