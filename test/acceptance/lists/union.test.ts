import type { IDataObject } from 'n8n-workflow';

import { useHttpSupercast } from '../../doubles/httpSupercast';
import type { Answer, Request } from '../../doubles/supercast';

const test = useHttpSupercast();

/** The page number that a request asks for. The double does not pass on the query. */
let page = 0;
beforeEach(() => (page = 0));

const people = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, number) => ({
		...{ uuid: `u-${number}`, email: `m${number}@example.com`, customer_id: `c-${number}` },
		...{ state: 'available', feed_url: 'https://feeds.example.com/1' },
	}));

const getAll = { resource: 'subscriber', operation: 'getAll', returnAll: true };
const closeById = {
	...{ resource: 'subscriber', operation: 'setAccess', access: 'close' },
	...{ email: '', customerId: 'c-150' },
};

function answerLists(answer: (page: number) => Answer): void {
	test.current.habit = ({ method, path }: Request) => {
		if (method !== 'GET' || path.length > 1) return undefined;
		return answer(++page);
	};
}

describe('a list that ignores the page number, and has no total', () => {
	const all = people(250);
	beforeEach(() => {
		test.current.subscribers.push(...all.map((one) => ({ ...one })));
		answerLists(() => ({ status: 200, body: all.slice(0, 100) }));
	});

	it('is told to be perhaps incomplete', async () => {
		const { output, run } = await test.run(getAll);
		expect(output).toHaveLength(100);
		const [task] = run.data.resultData.runData.Supercast ?? [];
		expect(JSON.stringify(task?.hints)).toContain('there may be more of them');
	});

	it('does not prove that a subscriber is missing whom a look-up does not find', async () => {
		const subscriber = { __rl: true, mode: 'email', value: 'hidden@example.com' };
		const options = { ifMissing: 'succeed' };
		const { output, error } = await test.run({
			...{ resource: 'subscriber', operation: 'delete', subscriber, options },
		});
		expect([output, error?.message]).toEqual([
			[],
			expect.stringContaining('could not determine whether Supercast has the subscriber'),
		]);
	});

	it('does not prove that nobody has a customer ID', async () => {
		const { error } = await test.run(closeById);
		expect(error?.message).toContain('could not determine');
	});
});

it('a list that has everyone on one page is complete', async () => {
	const all = people(250);
	answerLists(() => ({ status: 200, body: all }));
	const { output, run } = await test.run(getAll);
	expect(output).toHaveLength(250);
	const [task] = run.data.resultData.runData.Supercast ?? [];
	expect(JSON.stringify(task?.hints ?? [])).not.toContain('may be more');
});

describe('fetches that are incomplete in different places', () => {
	/** Each reading shows one record on two pages, and leaves out another. */
	function shuffled(shift: number): void {
		const all = people(200);
		answerLists((number) => {
			const reading = Math.floor((number - 1) / 2);
			const isFirst = number % 2 === 1;
			const left = [...all];
			const out = 100 + reading * shift;
			left.splice(out, 1, all[99]!);
			const body = isFirst ? left.slice(0, 100) : left.slice(100);
			return { status: 200, headers: { 'x-total': '200', 'x-per-page': '100' }, body };
		});
		test.current.subscribers.push(...all.map((one) => ({ ...one })));
	}

	it('are not complete together if someone was deleted between them', async () => {
		const all = people(195);
		answerLists((number) => {
			const isFirst = number % 2 === 1;
			const left = number <= 2 ? [...all] : all.filter((one) => one !== all[10]);
			// Each reading leaves out the same one, and shows another one twice.
			left.splice(left.indexOf(all[150]!), 1, all[99]!);
			const body = isFirst ? left.slice(0, 100) : left.slice(100);
			return { status: 200, headers: { 'x-total': String(left.length) }, body };
		});
		const { output, error } = await test.run(getAll);
		expect([output, error?.message]).toEqual([[], 'Supercast sent only 193 of 194 subscribers']);
	});

	it('are complete together', async () => {
		shuffled(1);
		const { output, error } = await test.run(getAll);
		expect(error).toBeUndefined();
		expect(new Set(output.map(({ json }) => json.email)).size).toBe(200);
	});

	it('prove that nobody has a customer ID', async () => {
		shuffled(1);
		const { output, error } = await test.run({ ...closeById, customerId: 'c-9999' });
		expect(error).toBeUndefined();
		expect(output[0]!.json.action).toBe('kept');
	});

	it('are not complete if all of them lack the same record', async () => {
		shuffled(0);
		const { error } = await test.run({ ...closeById, customerId: 'c-9999' });
		expect(error?.message).toContain('could not determine');
	});
});

describe('a total that is too low by one, at the end of a full page', () => {
	const all = people(101);
	beforeEach(() => {
		test.current.subscribers.push(...all.map((one) => ({ ...one })));
		// Each reading takes a full page, one with the last record, and an empty one.
		answerLists((number) => {
			const first = ((number - 1) % 3) * 100;
			const body = all.slice(first, first + 100);
			return { status: 200, body, headers: { 'X-Total': '100' } };
		});
	});

	const close = async (customerId: string) => await test.run({ ...closeById, customerId });

	it('hides nobody', async () => {
		const { output } = await close('c-100');
		expect(output.map(({ json }) => json.action)).toEqual(['closed']);
	});

	it('does not prove that nobody has a customer ID', async () => {
		const { error } = await close('c-999');
		expect(error?.message).toContain('could not determine');
	});
});
