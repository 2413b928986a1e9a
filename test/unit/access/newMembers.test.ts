import fc from 'fast-check';

import type { ApiRequest } from '../../../nodes/Supercast/api/types';
import { runs } from '../../support/deep';
import { crowd, FakeService, held } from './fakeService';
import { NOW, runRows, type Row } from './running';

const rowsOf = (count: number): Row[] =>
	Array.from({ length: count }, (_, index) => ({ email: `new${index}@a.com`, id: `n-${index}` }));

const lookUps = (requests: readonly ApiRequest[]): number =>
	requests.filter(({ method, path }) => method === 'GET' && path.length === 2).length;

const isCount = ({ query }: ApiRequest): boolean => query?.per_page === 1;

async function createMembers(count: number, change: (service: FakeService) => void) {
	const service = new FakeService(crowd(250), NOW);
	service.takesDuplicates = true;
	change(service);
	await runRows(service, rowsOf(count), { close: 'none' });
	return service;
}

const emailsOf = ({ subscribers }: FakeService): string[] => subscribers.map(({ email }) => email);

describe('members who are not on the list are looked up before they are created', () => {
	it('if they are the first 20, and after that not if a count shows that nobody was added', async () => {
		const { requests } = await createMembers(200, () => undefined);
		expect(lookUps(requests)).toBe(20);
		expect(requests.filter(isCount)).toHaveLength(4);
		// 3 pages, 20 look-ups, 4 counts and 200 creations.
		expect(requests).toHaveLength(3 + 20 + 4 + 200);
	});

	it.each<[string, (service: FakeService) => void]>([
		['the list has no total', (service) => (service.total = () => undefined)],
		['the list is shorter than its total', (service) => (service.total = () => 1_000)],
		[
			'someone else is added',
			(service) => {
				service.meanwhile = (number) => {
					if (number === 10) service.subscribers.push(held(999));
				};
			},
		],
		[
			'a look-up finds someone whom the list did not show',
			(service) => {
				const hidden = held(999, { email: 'new5@a.com' });
				service.meanwhile = (number) => {
					if (number === 4) service.subscribers.push(hidden);
				};
				service.total = () =>
					service.subscribers.length - Number(emailsOf(service).includes(hidden.email));
			},
		],
	])('if %s', async (_, change) => {
		const { requests } = await createMembers(200, change);
		expect(lookUps(requests)).toBeGreaterThanOrEqual(200);
	});

	it('if this process has created them since the count', async () => {
		const service = await createMembers(60, (one) => {
			one.meanwhile = () => {
				const latest = one.requests.at(-1);
				if (latest === undefined || !isCount(latest)) return;
				const body = { subscriber: { email: 'new40@a.com' } };
				one.customerIds.note({ ...latest, method: 'POST', path: ['subscribers'], body }, {});
			};
		});
		expect(service.requests.map(({ path }) => path[1])).toContain('new40@a.com');
		expect(lookUps(service.requests)).toBe(21);
	});
});

it('nobody is created twice whom someone else added before the last count', async () => {
	const additions = fc.array(fc.record({ at: fc.nat({ max: 180 }), who: fc.nat({ max: 99 }) }));
	await fc.assert(
		fc.asyncProperty(additions, async (added) => {
			const addedAt = new Map<string, number>();
			const service = await createMembers(100, (one) => {
				one.meanwhile = (number) => {
					for (const { at, who } of added) {
						const email = `new${who}@a.com`;
						if (at !== number || one.find(email) !== undefined) continue;
						one.subscribers.push(held(1_000 + who, { email }));
						addedAt.set(email, number);
					}
				};
			});
			const { requests } = service;
			for (const [email, at] of addedAt) {
				const created = requests.findIndex(
					({ method, body }) => method === 'POST' && JSON.stringify(body).includes(`"${email}"`),
				);
				const before = requests.slice(0, Math.max(0, created));
				const lastCount = before.map(isCount).lastIndexOf(true) + 1;
				if (created >= 0 && lastCount > 0) expect(at).toBeGreaterThan(lastCount);
			}
		}),
		runs(100),
	);
});
