import type { IDataObject } from 'n8n-workflow';

import { setAccess } from '../../../nodes/Supercast/access/setAccess';
import { FakeService, held, type Held } from './fakeService';
import { NOW, parametersOf, runAccess, type Row } from './running';

const rowOf = ({ email, customer_id: id }: Held): Row => ({ email, id: id ?? '' });

const [ann, bob] = [held(1), held(2)];

/** What happens to these people, with Set Access for a person. */
async function outcome(
	people: Held[],
	what: 'close' | 'open',
	person: Row,
	options?: IDataObject,
): Promise<IDataObject> {
	return await runAccess(new FakeService(people, NOW), what, person, options);
}

describe('the output', () => {
	const change = (from: string, to: string) => ({ state: { from, to } });
	it.each<[string, Held[], 'close' | 'open', Row, IDataObject]>([
		[
			'someone new',
			[],
			'open',
			{ email: 'new@a.com', id: 'c-3' },
			{
				...{ action: 'created', email: 'new@a.com', state: 'available', previousState: null },
				...{
					uuid: expect.stringContaining('new-'),
					customer_id: 'c-3',
					feed_urls: [expect.any(String)],
				},
				changes: { email: { from: null, to: 'new@a.com' }, customer_id: { from: null, to: 'c-3' } },
			},
		],
		[
			'someone who returns',
			[held(1, { state: 'deactivated' })],
			'open',
			{ email: ann.email },
			{
				...{ action: 'reopened', state: 'available', previousState: 'deactivated' },
				...{ uuid: 'u-1', changes: change('deactivated', 'available') },
				feed_urls: ['https://feeds.example.com/u-1'],
			},
		],
		[
			'someone with a new email',
			[ann],
			'open',
			{ email: 'ann@new.com', id: 'c-1' },
			{
				...{ action: 'updated', email: 'ann@new.com', state: 'available', uuid: 'u-1' },
				changes: { email: { from: ann.email, to: 'ann@new.com' } },
			},
		],
		[
			'someone with a new customer ID',
			[ann],
			'open',
			{ email: ann.email, id: 'c-7' },
			{ action: 'updated', customer_id: 'c-7' },
		],
		[
			'someone who leaves',
			[ann],
			'close',
			{ email: '', id: 'c-1' },
			{
				...{ action: 'closed', email: ann.email, state: 'deactivated', previousState: 'available' },
				...{ customer_id: 'c-1', changes: change('available', 'deactivated') },
			},
		],
	])('%s', async (_, people, what, person, expected) => {
		const nothing = { reason: null, attention: null, access: what };
		const output = await outcome(people, what, person);
		expect(output).toMatchObject({ ...nothing, ...expected });
		expect('feed_urls' in output).toBe('feed_urls' in expected);
	});

	it('is empty where nothing is known', async () => {
		expect(await outcome([], 'close', { email: 'no@a.com' })).toMatchObject({
			...{ action: 'kept', email: 'no@a.com', state: null, previousState: null },
			...{ uuid: null, customer_id: null, changes: {} },
		});
		expect(await outcome([], 'open', { email: '', id: 'c-1' })).toMatchObject({ email: null });
	});

	it('holds back the feed addresses from tools, and passes the advice on as a hint', async () => {
		const hints: string[] = [];
		const item = { ...parametersOf({ email: 'new@a.com', id: 'c-1' }), isTool: true };
		const parameter = (name: string) => (name === 'access' ? 'open' : item.parameter(name));
		const task = setAccess.prepare({ ...item, parameter });
		expect(task.record).toEqual(['new@a.com', 'c-1']);
		const service = new FakeService([], NOW);
		const [output] = await task.run(service, (hint) => hints.push(hint));
		expect([output!.action, 'feed_urls' in output!, hints]).toEqual(['created', false, []]);
		Object.assign(service.subscribers[0]!, { state: 'suspended' });
		const [kept] = await task.run(service, (hint) => hints.push(hint));
		expect(hints).toEqual([kept!.attention]);
	});

	it('is refused without a name', async () => {
		const failed = outcome([], 'open', { email: ' ', id: '' });
		await expect(failed).rejects.toMatchObject({
			message: "'Email' and 'Customer ID' are both empty",
			description: expect.stringMatching(/^Fill in at least one of them. If you use/),
		});
	});
});

describe('requests', () => {
	const sent = ({ requests }: FakeService): string[] =>
		requests.map(({ method, path }) => `${method} ${path.join('/')}`);

	it('read the list only if the email does not lead to the customer ID', async () => {
		const service = new FakeService([ann, bob], NOW);
		await runAccess(service, 'open', rowOf(ann));
		await runAccess(service, 'open', { email: ann.email });
		expect(sent(service)).toEqual(Array(2).fill('GET subscribers/m1@a.com'));
		await runAccess(service, 'close', { email: 'no@a.com', id: 'c-2' });
		expect(sent(service).slice(2)).toEqual([
			'GET subscribers/no@a.com',
			'GET subscribers',
			'GET subscribers/u-2',
			'GET subscribers/u-2',
			'PATCH feeds/u-2',
		]);
	});

	it('read someone once whom both the email and the list name', async () => {
		const service = new FakeService([ann], NOW);
		await runAccess(service, 'open', { email: ann.email, id: 'c-7' });
		await runAccess(service, 'open', { email: ann.email, id: 'c-1' });
		expect(sent(service)).toEqual([
			...['GET subscribers/m1@a.com', 'GET subscribers', 'PATCH subscribers/u-1'],
			...['GET subscribers/m1@a.com', 'PATCH subscribers/u-1'],
		]);
	});

	it('write the fields before they open the feed, and open it even if a field is refused', async () => {
		const service = new FakeService([held(1, { state: 'deactivated' }), bob], NOW);
		const person = { email: 'm2@a.com', id: 'c-1', firstName: 'Anna' };
		service.subscribers.pop();
		service.meanwhile = (number) => {
			if (number === 4) service.subscribers.push({ ...bob });
		};
		await expect(runAccess(service, 'open', person)).rejects.toThrow('gave 422');
		expect(sent(service).slice(-2)).toEqual(['PATCH subscribers/u-1', 'PATCH feeds/u-1']);
		expect(service.subscribers[0]!.state).toBe('available');
	});

	it('look again before each try of a closing', async () => {
		const service = new FakeService([ann], NOW);
		const { request } = FakeService.prototype;
		service.request = async (given) => {
			if (given.path[0] === 'feeds') {
				Object.assign(service.subscribers[0]!, { plan_id: 3 });
				await given.beforeRetry?.();
			}
			return await request.call(service, given);
		};
		const output = await runAccess(service, 'close', rowOf(ann));
		expect(output).toMatchObject({ action: 'kept', attention: expect.stringContaining('a plan') });
		expect(service.writes).toEqual([]);
	});

	it('count a closing whose response was lost', async () => {
		const service = new FakeService([ann], NOW);
		const { request } = FakeService.prototype;
		service.request = async (given) => {
			const response = await request.call(service, given);
			if (given.path[0] === 'feeds') await given.beforeRetry?.();
			return response;
		};
		expect((await runAccess(service, 'close', rowOf(ann))).action).toBe('closed');
	});
});

describe('a list of subscribers that cannot be read', () => {
	it('fails the item that needs it, and no other one', async () => {
		const unhandled: unknown[] = [];
		const note = (error: unknown) => unhandled.push(error);
		process.on('unhandledRejection', note);
		const service = new FakeService([ann, bob], NOW);
		service.trouble = (_, { query }) => (query === undefined ? undefined : 'before');
		await expect(runAccess(service, 'open', { email: '', id: 'c-2' })).rejects.toThrow('gave 502');
		const output = await runAccess(service, 'open', { email: ann.email, id: 'c-1' });
		expect(output.action).toBe('unchanged');
		await new Promise((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', note);
		expect(unhandled).toEqual([]);
	});
});
