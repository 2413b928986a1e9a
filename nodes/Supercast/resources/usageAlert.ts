import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../api/client';
import { emailsOf, hasIdentifier, isSameIdentifier } from '../api/identity';
import { runInQueue } from '../api/queue';
import { recordKind } from '../operations/kinds';
import type { ListFilter } from '../operations/filters';
import { getManyOperation } from '../operations/getMany';
import { textField } from '../operations/properties';
import { recordOperation, removal, type Texts } from '../operations/record';
import type { Path, Subject } from '../api/types';
import type { Operation } from '../operations/types';
import type { Resource } from './resource';

const kind = recordKind('Usage Alert', {
	isListOnly: true,
	locatorText: 'The usage alert to act on. Choose from the list, or enter an ID.',
});

const aboutPerson: ListFilter = {
	property: textField('email', 'Email', {
		example: 'nathan@example.com',
		description: 'Return only alerts about the subscriber with this email',
	}),
	matches: (record, wanted) => emailsOf(record).some((email) => isSameIdentifier(email, wanted)),
};

/** The Supercast help center describes the effect of each action. */
function alertOperation(action: string, output: string, texts: Texts): Operation {
	return recordOperation(kind, {
		...texts,
		run: async (client, { key, value, name, subject }) => {
			const path: Path = [kind.path, name, action];
			// An alert disappears from the list once someone has acted on it.
			const act = async () =>
				await removal(client, kind, { method: 'PATCH', path, subject }, hasIdentifier);
			const alert = await (action === 'suspend' ? suspendInQueue(client, subject, act) : act());
			const done = { action: output };
			return { ...done, ...(alert ?? { [key]: value }), ...done };
		},
	});
}

/** Only the response tells whose alert it is. */
async function suspendInQueue(
	client: SupercastClient,
	subject: Subject,
	work: () => Promise<IDataObject | undefined>,
): Promise<IDataObject | undefined> {
	return await runInQueue(client, {
		named: {},
		subject: { method: 'PATCH', path: [kind.path], subject },
		find: async () => await Promise.resolve({ found: undefined }),
		work,
		outcome: (alert = {}) => ({ isChange: true, names: { email: emailsOf(alert)[0] } }),
	});
}

export const usageAlert = {
	kind,
	description: 'A warning that a private feed may be shared, or is downloaded unusually often',
	operations: {
		dismiss: alertOperation('dismiss', 'dismissed', {
			name: 'Dismiss',
			description:
				'Dismiss only this usage alert. If the unusual activity happens again, Supercast raises a new alert.',
			verb: 'dismissing',
		}),
		getAll: getManyOperation(kind, 'List the usage alerts of the channel', {
			filters: [aboutPerson],
		}),
		ignore: alertOperation('ignore', 'ignored', {
			name: 'Ignore',
			description: 'Ignore this usage alert and all later alerts about the same subscriber',
			verb: 'ignoring',
		}),
		suspend: alertOperation('suspend', 'suspended', {
			name: 'Suspend Listener and Stop Billing',
			action: 'Suspend listener and stop billing',
			description:
				'This ends a paid subscription: it closes the feed and stops the billing. Let a person decide first.',
			notice:
				"This ends a paid subscription. Supercast closes the subscriber's feed, stops the billing, and unlinks the billing from the subscriber. The node cannot restart the billing. Let a person decide first.",
			verb: 'suspending the subscriber of',
		}),
	},
} satisfies Resource;
