import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast, type RunOptions, type RunResult } from '../../../harness/engine';
import { type Answer, type Habit, MISSING } from '../../doubles/supercast';
import { useHttpSupercast } from '../../doubles/httpSupercast';
import { hintsOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useLaterDates } from '../../support/laterDates';

const http = useHttpSupercast();
const dates = useLaterDates();
useQuickRuntime({ backoffMs: 1, windowMs: 100, visibleMs: 5 });

const EVERYONE = Array.from({ length: 30 }, (_, index) => index);

/** Members long known to Supercast. */
function addMembers(fields: (index: number) => IDataObject = () => ({})): void {
	for (const index of EVERYONE) {
		const id = `c-${index}`;
		http.current.add({
			...{ email: `m${index}@a.com`, uuid: `u-${index}`, customer_id: id, first_name: 'Ann' },
			...fields(index),
		});
	}
}

const rowOf = (index: number): IDataObject => ({ email: `m${index}@a.com`, id: `c-${index}` });
const without = (...gone: number[]): IDataObject[] =>
	EVERYONE.filter((index) => !gone.includes(index)).map(rowOf);
const stateOf = (index: number): unknown => http.current.find(`u-${index}`)?.state;

/** A list five minutes after the one before. */
async function list(
	items: IDataObject[],
	parameters: INodeParameters = {},
	options: Partial<RunOptions> = {},
): Promise<RunResult> {
	dates.pass(5);
	return await runSupercast({
		parameters: {
			...{ resource: 'subscriber', operation: 'sync', dryRun: false },
			customerId: '={{ $json.id }}',
			...parameters,
			options: { output: 'changesAndSummary', ...(parameters.options as INodeParameters) },
		},
		credential: http.credential,
		items,
		onError: 'continueRegularOutput',
		...options,
	});
}

const summaryOf = ({ output }: RunResult): IDataObject =>
	output.map(({ json }) => json).find(({ action }) => action === 'summary') ?? {};
const titleOf = (result: RunResult): string => String(summaryOf(result).title);

const REFUSED: Answer = { status: 422, body: { message: 'Feed is locked' } };

const closingOf =
	(name: string, answer: Answer): Habit =>
	({ method, path }) =>
		method === 'PATCH' && path[0] === 'feeds' && path[1] === name ? answer : undefined;

describe('someone whose feed can never be closed', () => {
	const never: Record<string, Habit> = {
		'Supercast refuses it (422)': closingOf('u-0', REFUSED),
		'Supercast fails (500)': closingOf('u-0', { status: 500, body: { message: 'Oops' } }),
		'the list shows them, and a look-up does not (404)': ({ path }) =>
			path[1] === 'u-0' || path[1] === 'm0@a.com' ? MISSING : undefined,
		'each reading shows another customer ID': ({ method, path }, service) =>
			method === 'GET' && path[1] === 'u-0'
				? { status: 200, body: { ...service.find('u-0'), customer_id: 'another' } }
				: undefined,
	};

	it.each(Object.entries(never))(
		'keeps nobody else open, and is named from the second time on: %s',
		async (_, habit) => {
			addMembers();
			http.current.habit = habit;
			await list(without(0));
			const first = await list(without(0));
			expect(titleOf(first)).not.toContain('could not be closed');
			await list(without(0, 1));
			const last = await list(without(0, 1, 2));
			expect([stateOf(0), stateOf(1)]).toEqual(['available', 'deactivated']);
			expect(titleOf(last)).toContain('1 could not be closed');
			expect(hintsOf(last)).toMatch(/m0@a\.com \(since 20\d\d-/);
			expect(String(summaryOf(last).text)).toMatch(/m0@a\.com \(since 20\d\d-/);
			await list(without(0, 1, 2));
			expect(stateOf(2)).toBe('deactivated');
		},
	);

	it('with Close After 1, keeps nobody else open', async () => {
		addMembers();
		http.current.habit = closingOf('u-0', REFUSED);
		const options = { closeAfter: 1 };
		await list(without(0), { options });
		await list(without(0, 1), { options });
		expect(stateOf(1)).toBe('deactivated');
	});

	it('comes after those whose feeds close for the first time', async () => {
		addMembers();
		http.current.habit = closingOf('u-0', REFUSED);
		await list(without(0));
		await list(without(0));
		await list(without(0, 1));
		const before = http.current.received.length;
		await list(without(0, 1), { options: { parallelRequests: 1 } });
		const closings = http.current.received.slice(before).filter((one) => one.includes('feeds'));
		expect(closings[0]).toContain('u-1');
	});
});
