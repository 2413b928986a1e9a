import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { isDeep } from '../../support/deep';
import { SET_ACCESS, actionsOf, addMembers, runSetAccess, runSync } from '../../support/members';
import { credentialOf, useSandbox } from '../../support/sandbox';
import { runSupercast } from '../../../harness/engine';

describe('requests for an event', () => {
	const sandbox = useSandbox({ subscribers: 0, logSize: 100_000 });

	const sizes = isDeep ? [100, 2_000, 10_000, 50_000] : [100, 2_000];

	const requests = (): number => sandbox.current.stats().requests;

	const pagesOf = (size: number): number => Math.ceil(size / 100);

	/** Runs one event in an execution. Returns what was done, and how many requests it took. */
	async function costOf(item: IDataObject): Promise<[unknown, number]> {
		const before = requests();
		const [action] = actionsOf(await runSetAccess(sandbox.current, [item]));
		return [action, requests() - before];
	}

	describe.each(sizes)('with %d subscribers, an event takes', (size) => {
		it('as few requests as with any other number, once the list has been read', async () => {
			const members = addMembers(sandbox.current, size - 1);
			const [known, back, changed, leaver, named, idOnly] = members;
			for (const one of [back, changed]) one!.state = 'deactivated';
			const open = (person = known!): IDataObject => ({
				...{ access: 'open', email: person.email, id: person.customer_id },
			});
			const join = { access: 'open', email: 'new@example.com', id: 'c-new' };
			expect(await costOf(join)).toEqual(['created', 2 + pagesOf(size)]);
			const table = [
				await costOf({ ...join, email: 'newer@example.com', id: 'c-newer' }),
				await costOf({ ...join, email: 'newest@example.com', id: '' }),
				await costOf(open()),
				await costOf({ ...open(), email: '' }),
				await costOf(open(back)),
				await costOf({ ...open(changed), id: 'c-changed' }),
				await costOf({ ...open(leaver), access: 'close' }),
				await costOf({ ...open(named), access: 'close', email: '' }),
				await costOf({ access: 'open', id: 'c-unknown' }),
				await costOf({ ...open(idOnly), email: 'moved@example.com' }),
			];
			expect(table).toEqual([
				['created', 2],
				['created', 2],
				['unchanged', 1],
				['unchanged', 1],
				['reopened', 3],
				['reopened', 4],
				['closed', 3],
				['closed', 3],
				['kept', 0],
				['updated', 3],
			]);
		});

		it('no reading of the list, if Sync has read it', async () => {
			const members = addMembers(sandbox.current, size);
			await runSync(sandbox.current, [{ email: members[0]!.email, id: members[0]!.customer_id }], {
				close: 'none',
			});
			const join = { access: 'open', email: 'new@example.com', id: 'c-new' };
			expect(await costOf(join)).toEqual(['created', 2]);
		});
	});

	it('many events at the same time share one reading of the list', async () => {
		const count = isDeep ? 240 : 40;
		addMembers(sandbox.current, 2_000);
		const events = Array.from({ length: count }, (_, number) => ({
			...{ access: 'open', email: `new.${number}@example.com`, id: `c-new-${number}` },
		}));
		const results = await Promise.all(
			events.map(async (item) => await runSetAccess(sandbox.current, [item])),
		);
		expect(results.flatMap(actionsOf)).toEqual(events.map(() => 'created'));
		expect(requests()).toBe(20 + 2 * count);
	});
});

describe('requests for an operation', () => {
	const sandbox = useSandbox({ subscribers: 0, usageAlerts: 0, episodes: 0 });

	const by = (mode: string, value: string) => ({ __rl: true, mode, value });
	const ann = by('email', '={{ $json.known }}');
	const first = by('id', '={{ $json.first }}');
	const of = (
		resource: string,
		operation: string,
		more: INodeParameters = {},
	): INodeParameters => ({
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
});
