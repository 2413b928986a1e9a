import type { INodeParameters } from 'n8n-workflow';

import { hintsOf, SET_ACCESS } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useStrangeService } from '../../support/strangeService';

// A hundredth of the real waits.
useQuickRuntime({ backoffMs: 5, visibleMs: 60, lateMs: 300 });
const test = useStrangeService();

const email = 'ann@example.com';
const by = (mode: string, value: string) => ({ __rl: true, mode, value });
const feed = (operation: string, value: string, options: INodeParameters = {}) => ({
	...{ resource: 'feed', operation, subscriber: by('email', value), options },
});

describe('a service whose look-ups mind capitals', () => {
	const typed = 'Ann@Example.com';
	const succeed = { ifMissing: 'succeed' };

	it.each<[string, INodeParameters]>([
		['Feed: Deactivate', feed('deactivate', typed)],
		['Feed: Deactivate with If Missing', feed('deactivate', typed, succeed)],
		['Set Access: Close', { ...SET_ACCESS, access: 'close', email: typed }],
	])('%s closes the feed of the subscriber in lower case', async (_, parameters) => {
		test.current.mindsCapitals = true;
		test.current.add({ email });
		const { output, error } = await test.run(parameters);
		expect(error).toBeUndefined();
		expect(output[0]?.json.alreadyMissing).toBeUndefined();
		expect(test.current.find(email)?.state).toBe('deactivated');
	});

	it('Delete with If Missing deletes the subscriber in lower case', async () => {
		test.current.mindsCapitals = true;
		test.current.add({ email });
		const { output, error } = await test.run({
			...{ resource: 'subscriber', operation: 'delete', subscriber: by('email', typed) },
			options: succeed,
		});
		expect(error).toBeUndefined();
		expect(output[0]?.json).toMatchObject({ deleted: true });
		expect(test.current.subscribers).toEqual([]);
	});
});

describe.each<[string, unknown]>([
	['nothing', undefined],
	['null', null],
	['a list', []],
])('a service whose 404 has %s', (_, body) => {
	beforeEach(() => {
		test.current.habit = ({ path }, service) => {
			const isMissing = path[1] !== undefined && service.find(path[1]) === undefined;
			return isMissing ? { status: 404, body } : undefined;
		};
	});

	it('says that the subscriber is missing, and not that a web page came', async () => {
		const { output, error } = await test.run(feed('deactivate', email));
		expect(output).toEqual([]);
		expect(`${error?.message} ${error?.description}`).not.toMatch(/web ?page/);
		expect(error?.message).toContain(email);
	});

	it('has nothing to close for someone who is missing', async () => {
		const { output, error } = await test.run(feed('deactivate', email, { ifMissing: 'succeed' }));
		expect(error).toBeUndefined();
		expect(output[0]?.json).toMatchObject({ alreadyMissing: true });
	});

	it('creates a new member once', async () => {
		const { output, error } = await test.run({ ...SET_ACCESS, access: 'open', email });
		expect(error).toBeUndefined();
		expect(output[0]?.json).toMatchObject({ action: 'created' });
		expect(test.current.subscribers).toHaveLength(1);
	});
});

it('Feed: Get fails if the answer is about another person', async () => {
	test.current.add({ email });
	test.current.habit = () => ({
		status: 200,
		body: { email: 'bob@example.com', state: 'available' },
	});
	const { output, error } = await test.run(feed('get', email));
	expect(output).toEqual([]);
	expect(error?.message).toContain(email);
});

describe('a state that the node does not know', () => {
	it('is named in a hint of Create or Update, which does not say that the feed is open', async () => {
		test.current.add({ email, state: 'paused' });
		const result = await test.run({
			...{ resource: 'subscriber', operation: 'upsert', email, options: { reactivate: true } },
		});
		expect(result.error).toBeUndefined();
		expect(hintsOf(result)).toContain('"paused"');
		expect(test.current.changes).toEqual([]);
	});

	it('is not called closed by Set Access: Close, which leaves it to a person', async () => {
		test.current.add({ email, state: 'paused' });
		const { output } = await test.run({ ...SET_ACCESS, access: 'close', email });
		expect(output[0]?.json).toMatchObject({ action: 'kept', state: 'paused' });
		expect(output[0]?.json.attention).toContain('may still be open');
		expect(test.current.changes).toEqual([]);
	});
});

it('a publication date counts as accepted if Supercast shows it in another time zone', async () => {
	const episode = { id: 7, title: 'One', published_at: null };
	test.current.habit = ({ method }) => {
		const shown = method === 'PATCH' ? { published_at: '2026-12-01T08:00:00Z' } : {};
		return { status: 200, body: { ...episode, ...shown } };
	};
	const result = await test.run({
		...{ resource: 'episode', operation: 'update', episode: by('id', '7') },
		updateFields: { publishedAt: '2026-12-01T09:00+01:00' },
	});
	expect(result.error).toBeUndefined();
	expect(hintsOf(result)).toBe('');
	expect(test.current.received).toEqual(['PATCH episodes/7']);
});

describe('an ID that would change the address of a request', () => {
	const names: Array<[string, string, string, string]> = [
		['subscriber', 'delete', 'subscriber', 'uuid'],
		['feed', 'deactivate', 'subscriber', 'uuid'],
		['episode', 'delete', 'episode', 'id'],
		['creator', 'delete', 'creator', 'uuid'],
		['role', 'delete', 'role', 'id'],
		['invite', 'delete', 'invite', 'id'],
		['usageAlert', 'dismiss', 'usageAlert', 'id'],
	];
	const values = [
		...['../episodes/5', '..%2F5', '..%252F5', '..\\episodes\\5'],
		...['%2e%2e', '.', '..', '5/6', '5?x=1', '5#x', '5%3Fx', '5%23x', '5%5C6'],
	];

	it.each(names)('%s: %s refuses it before any request', async (resource, operation, key, mode) => {
		for (const value of values) {
			// n8n itself refuses some of them, before it starts the node.
			const refusal: unknown = await test.run({ resource, operation, [key]: by(mode, value) }).then(
				({ error }) => error,
				(error: unknown) => error,
			);
			expect([value, refusal]).toEqual([value, expect.anything()]);
		}
		expect(test.current.received).toEqual([]);
	});
});
