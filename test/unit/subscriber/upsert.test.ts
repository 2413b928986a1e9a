import type { IDataObject } from 'n8n-workflow';
import { upsert } from '../../../nodes/Supercast/subscriber/upsert';
import { CustomerIdRegister } from '../../../nodes/Supercast/api/customerIdRegister';
import { RecentDecisions } from '../../../nodes/Supercast/api/recentDecisions';
import type { SupercastClient } from '../../../nodes/Supercast/api/client';
import { ServiceError } from '../../../nodes/Supercast/api/errors/errors';
import type { ApiRequest, ApiResponse } from '../../../nodes/Supercast/api/types';
import type { ItemParameters } from '../../../nodes/Supercast/operations/types';

const email = 'ann@example.com';
const record = { uuid: 'u-1', email, state: 'available', feed_url: 'https://example.com/feed' };

const answer = (body: unknown): ApiResponse => ({ status: 200, headers: {}, body });
const missing = new ServiceError('missing', '', { kind: 'status', status: 404, body: {} });

/** Runs the operation for one item, against a server that sends these responses in turn. */
async function run(answers: Array<ApiResponse | Error>, options: IDataObject = {}) {
	const asked: ApiRequest[] = [];
	const given = [...answers];
	const client: SupercastClient = {
		request: async (request) => {
			asked.push(request);
			const next = given.shift() ?? new Error(`one request too many: ${request.method}`);
			if (next instanceof Error) throw next;
			return await Promise.resolve(next);
		},
		inTurn: async (_, work) => await work(),
		customerIds: new CustomerIdRegister(() => 0),
		decisions: new RecentDecisions(() => 0),
	};
	const item: ItemParameters = {
		timezone: 'UTC',
		parameter: (name) => ({ email, simplify: true })[name],
		collection: (name) => (name === 'options' ? options : {}),
		locator: () => ({ mode: '', value: '' }),
	};
	const output = (async () => await upsert.prepare(item).run(client))();
	return { output, methods: () => asked.map(({ method }) => method) };
}

describe('create or update', () => {
	it('reads a created subscriber if the response does not show them', async () => {
		const { output, methods } = await run([missing, answer(undefined), answer(record)]);
		const [created] = await output;
		expect(created).toMatchObject({ action: 'created', feed_urls: ['https://example.com/feed'] });
		expect(methods()).toEqual(['GET', 'POST', 'GET']);
	});

	it.each([true, 'true', ' TRUE '])(
		'opens the feed again with Reactivate %j',
		async (reactivate) => {
			const closed = answer({ ...record, state: 'deactivated' });
			const { output, methods } = await run([closed, answer(undefined), answer(record)], {
				reactivate,
			});
			expect((await output)[0]).toMatchObject({ action: 'updated', state: 'available' });
			expect(methods()).toEqual(['GET', 'PATCH', 'GET']);
		},
	);

	it('refuses a Reactivate that is neither on nor off, before any request', async () => {
		const { output, methods } = await run([], { reactivate: 'maybe' });
		await expect(output).rejects.toThrow("'Reactivate' is neither true nor false");
		expect(methods()).toEqual([]);
	});
});
