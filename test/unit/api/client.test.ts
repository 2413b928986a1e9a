import type { ApiRequest } from '../../../nodes/Supercast/api/types';
import { clientOf, freshClock } from '../../support/quarrel';

const CHANNEL: ApiRequest = {
	method: 'GET',
	path: ['channel'],
	subject: { text: 'channel', isRecord: true },
	expects: 'record',
};

/** When the first requests of a credential are sent, in whole seconds. */
async function sentAt(requestsPerMinute: unknown, count = 3): Promise<number[]> {
	const clock = freshClock();
	const start = clock.now();
	const times: number[] = [];
	const service = {
		answer: async () => {
			times.push(Math.floor((clock.now() - start) / 1000));
			return { statusCode: 200, headers: {}, body: { title: 'Mine' } };
		},
	};
	const client = await clientOf(service, { requestsPerMinute: requestsPerMinute as number });
	await clock.run(
		Promise.all(Array.from({ length: count }, async () => await client.request(CHANNEL))),
	);
	return times;
}

describe('Requests per Minute', () => {
	it.each([0.001, 0.5, 1, '0.5', 1.9])('of %p sends one a minute', async (typed) => {
		expect(await sentAt(typed)).toEqual([0, 60, 120]);
	});

	it.each([0, '0', -0])('of %p does not pace', async (typed) => {
		expect((await sentAt(typed, 300)).at(-1)).toBe(0);
	});

	it.each([undefined, null, '', ' ', 'many', -1, Number.NaN])(
		'of %p is 100, which is the limit of Supercast',
		async (typed) => {
			const times = await sentAt(typed, 101);
			expect([times[99]! < 60, times[100]! >= 60]).toEqual([true, true]);
		},
	);
});
