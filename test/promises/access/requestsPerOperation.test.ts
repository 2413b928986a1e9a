import type { INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { addMembers, SET_ACCESS } from '../../support/members';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 0, usageAlerts: 0, episodes: 0 });

const by = (mode: string, value: string) => ({ __rl: true, mode, value });
const ann = by('email', '={{ $json.known }}');
const first = by('id', '={{ $json.first }}');
const of = (resource: string, operation: string, more: INodeParameters = {}): INodeParameters => ({
	...{ resource, operation },
	...more,
});
const updateFields = { firstName: 'Bea' };
const email = 'new@example.com';

/**
 * How many requests each operation takes if Supercast's response shows the change. The numbers were
 * the same before changes were confirmed (decision 0013).
 */
const TABLE: Array<[string, INodeParameters, number]> = [
	['Subscriber: Create', of('subscriber', 'create', { email }), 1],
	['Subscriber: Create or Update, new', of('subscriber', 'upsert', { email }), 2],
	[
		'Subscriber: Create or Update, known',
		of('subscriber', 'upsert', { email: '={{ $json.known }}', additionalFields: updateFields }),
		3,
	],
	['Subscriber: Get', of('subscriber', 'get', { subscriber: ann }), 1],
	['Subscriber: Update', of('subscriber', 'update', { subscriber: ann, updateFields }), 1],
	['Subscriber: Delete', of('subscriber', 'delete', { subscriber: ann }), 1],
	[
		'Set Access: Open, known',
		{ ...SET_ACCESS, access: 'open', email: '={{ $json.known }}', customerId: '' },
		1,
	],
	[
		'Set Access: Close, known',
		{ ...SET_ACCESS, access: 'close', email: '={{ $json.known }}', customerId: '' },
		3,
	],
	['Feed: Get', of('feed', 'get', { subscriber: ann }), 1],
	['Feed: Activate', of('feed', 'activate', { subscriber: ann }), 1],
	['Feed: Deactivate', of('feed', 'deactivate', { subscriber: ann }), 1],
	['Feed: Suspend', of('feed', 'suspend', { subscriber: ann }), 1],
	['Usage Alert: Dismiss', of('usageAlert', 'dismiss', { usageAlert: first }), 1],
	['Usage Alert: Ignore', of('usageAlert', 'ignore', { usageAlert: first }), 1],
	['Usage Alert: Suspend', of('usageAlert', 'suspend', { usageAlert: first }), 1],
	['Episode: Create', of('episode', 'create', { title: 'One' }), 1],
	['Creator: Create', of('creator', 'create', { email }), 1],
	['Role: Create', of('role', 'create', { name: 'Editors' }), 1],
];

it.each(TABLE)('%s takes as few requests as it can', async (_, parameters, count) => {
	const [known] = addMembers(sandbox.current, 3);
	const [alert] = sandbox.current.controls.addUsageAlerts(1);
	const items = [{ known: known?.email, first: alert?.id }];
	const credential = credentialOf(sandbox.current);
	const { error } = await runSupercast({ parameters, credential, items });
	expect(error).toBeUndefined();
	expect(sandbox.current.stats().requests).toBe(count);
});
