import type { IDataObject } from 'n8n-workflow';

import { setAccess } from '../../../nodes/Supercast/access/setAccess';
import { FakeService, type Held } from './fakeService';
import { NOW, parametersOf, type Row } from './running';

const OLD = '2025-06-01T00:00:00.000Z';

function held(number: number, fields: Partial<Held> = {}): Held {
	return {
		uuid: `u-${number}`,
		email: `member.${number}@example.com`,
		customer_id: `c-${number}`,
		first_name: 'Ann',
		state: 'available',
		plan_id: null,
		created_at: OLD,
		updated_at: OLD,
		...fields,
	};
}

async function access(
	service: FakeService,
	what: 'close' | 'open',
	person: Row,
	options: IDataObject = {},
): Promise<IDataObject> {
	const item = parametersOf({ ...person }, { options });
	const parameter = (name: string) => (name === 'access' ? what : item.parameter(name));
	const [output] = await setAccess.prepare({ ...item, parameter }).run(service);
	return output!;
}

const [ann, bob] = [held(1), held(2)];

describe('a list of subscribers that cannot be read', () => {
	it('fails the item that needs it, and no other one', async () => {
		const unhandled: unknown[] = [];
		const note = (error: unknown) => unhandled.push(error);
		process.on('unhandledRejection', note);
		const service = new FakeService([ann, bob], NOW);
		service.trouble = (_, { query }) => (query === undefined ? undefined : 'before');
		await expect(access(service, 'open', { email: '', id: 'c-2' })).rejects.toThrow('gave 502');
		const output = await access(service, 'open', { email: ann.email, id: 'c-1' });
		expect(output.action).toBe('unchanged');
		await new Promise((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', note);
		expect(unhandled).toEqual([]);
	});
});
