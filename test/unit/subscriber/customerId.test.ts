import type { IDataObject } from 'n8n-workflow';

import type { SupercastClient } from '../../../nodes/Supercast/api/client';
import { CustomerIdRegister } from '../../../nodes/Supercast/api/customerIdRegister';
import { RecentDecisions } from '../../../nodes/Supercast/api/recentDecisions';
import { KeyedMutex } from '../../../nodes/Supercast/api/clock';
import { NoSuchRecordError } from '../../../nodes/Supercast/operations/kinds';
import { customerIdentifier } from '../../../nodes/Supercast/subscriber/customerId';
import { subscribers as kind } from '../../../nodes/Supercast/subscriber/kind';

/** Two records per page. `before` is called before each response, and may change the list. */
function clientOf(people: IDataObject[], before: (page: number) => void = () => undefined) {
	const pages: number[] = [];
	const turns = new KeyedMutex();
	const client: SupercastClient = {
		inTurn: async (_, work) => (await turns.run(['list'], work)) as never,
		customerIds: new CustomerIdRegister(() => 0),
		decisions: new RecentDecisions(() => 0),
		request: async ({ query = {} }) => {
			const page = Number(query.page);
			pages.push(page);
			before(page);
			return {
				status: 200,
				headers: { 'x-per-page': '2', 'x-total': String(people.length) },
				body: people.slice((page - 1) * 2, page * 2),
			};
		},
	};
	return { client, pages };
}

const people = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ uuid: `u${index}`, customer_id: `c${index}` }));

describe('a customer ID', () => {
	it('is found although the list moved up during the reading, by reading it again', async () => {
		const rows = people(5);
		let isFirst = true;
		// u2 moves from page 2 to page 1 after page 1 was read.
		const { client } = clientOf(rows, (page) => {
			if (page === 2 && isFirst) {
				isFirst = false;
				rows.shift();
			}
		});
		expect(await customerIdentifier('c2', kind).resolve(client)).toBe('u2');
	});

	it('is not reported as missing when the list changed in every reading', async () => {
		const rows = people(30);
		let isDue = true;
		// Someone is deleted once in each reading.
		const { client, pages } = clientOf(rows, (page) => {
			if (page === 5 && isDue) rows.shift();
			isDue = page !== 5 && (isDue || page === 1);
		});
		const failed = customerIdentifier('x', kind).resolve(client);
		await expect(failed).rejects.toThrow('could not determine whether a subscriber has');
		await expect(failed).rejects.not.toThrow(NoSuchRecordError);
		expect(pages.filter((page) => page === 1)).toHaveLength(3);
	});

	it('is missing when the list did not change, which was read once for all items', async () => {
		const { client, pages } = clientOf(people(5));
		const asked = ['x', 'y', 'z'].map((id) => customerIdentifier(id, kind).resolve(client));
		for (const failed of asked) await expect(failed).rejects.toThrow(NoSuchRecordError);
		expect(pages).toEqual([1, 2, 3]);
	});

	it('leads to the email of someone without a uuid, and may be a number', async () => {
		const { client } = clientOf([{ email: 'ann@example.com', customer_id: 42 }]);
		expect(await customerIdentifier(' 42 ', kind).resolve(client)).toBe('ann@example.com');
	});
});
