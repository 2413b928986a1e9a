import type { IDataObject } from 'n8n-workflow';

import { PERSONALITIES, type PersonalityName } from '../../../sandbox';
import { addMembers, memberListOf, runSync, writesOf } from '../../support/members';
import { feedStatus, useSandbox } from '../../support/sandbox';

const personalities = Object.keys(PERSONALITIES) as PersonalityName[];

describe.each(personalities)('against a Supercast of the personality %s', (personality) => {
	let later = 0;
	const now = (): number => Date.now() + later;
	const sandbox = useSandbox({ personality, now, subscribers: 0 });
	beforeEach(() => (later = 0));

	it('Sync follows the table, and then has nothing to do', async () => {
		const [gone, back, moved, renamed, ...rest] = addMembers(sandbox.current, 30, (index) =>
			index === 1 ? { state: 'deactivated' } : {},
		);
		const feeds = [gone!, back!].map(({ email }) => sandbox.current.state.feedUrl(email));
		const items = memberListOf([back!, moved!, renamed!, ...rest]).map((item): IDataObject => ({
			...item,
			name: 'Ann',
		}));
		items[0]!.email = String(items[0]!.email).toUpperCase();
		items[1]!.email = 'moved@example.com';
		items[2]!.name = 'Anna';
		items.push({ email: 'New@Example.com', id: 'c-new', name: 'Nora' });
		const parameters = { additionalFields: { firstName: '={{ $json.name }}' } };

		const { output, error } = await runSync(sandbox.current, items, parameters);

		expect(error).toBeUndefined();
		expect(output.map(({ json }) => json.action).sort()).toEqual(
			['closed', 'created', 'reopened', 'updated', 'updated'].sort(),
		);
		expect(await Promise.all(feeds.map(feedStatus))).toEqual([403, 200]);
		const held = sandbox.current.state.subscribers;
		expect(held).toHaveLength(31);
		expect(held.find(({ uuid }) => uuid === moved!.uuid)?.email).toBe('moved@example.com');
		expect(held.find(({ uuid }) => uuid === renamed!.uuid)?.first_name).toBe('Anna');
		expect(held.find(({ customer_id: id }) => id === 'c-new')).toMatchObject({
			first_name: 'Nora',
			state: 'available',
		});

		later += 5_000;
		const writes = writesOf(sandbox.current).length;
		const second = await runSync(sandbox.current, items, parameters);
		expect(second.error).toBeUndefined();
		expect(second.output).toEqual([]);
		expect(writesOf(sandbox.current)).toHaveLength(writes);
	});
});
