import type { IDataObject } from 'n8n-workflow';

import type { FaultSpec, Subscriber } from '../../../simulators/supercast';
import { addMembers, memberListOf, runSync, writesOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';

/** Members of a long list. */
const MANY = 10_000;

const sandbox = useSandbox({ subscribers: 0, logSize: 100_000 });
useQuickRuntime({ backoffMs: 1, windowMs: 300, visibleMs: 60 });

describe('a long list', () => {
	it('costs one request per page when there is nothing to do', async () => {
		const members = addMembers(sandbox.current, MANY);
		const { output, error } = await runSync(sandbox.current, memberListOf(members));
		expect(error).toBeUndefined();
		expect(output).toHaveLength(1);
		// One more asks which channel it is, and one proves that nobody follows a full last page.
		expect(sandbox.current.stats().requests).toBe(MANY / 100 + 2);
		expect(writesOf(sandbox.current)).toEqual([]);
	});

	it('costs at most two more requests for each change', async () => {
		const members = addMembers(sandbox.current, MANY, (index) =>
			index < 150 ? { state: 'deactivated' } : {},
		);
		const items = memberListOf(members.slice(0, -150)).map((item, index) =>
			index >= 300 && index < 400 ? { ...item, email: `moved.${index}@example.com` } : item,
		);
		const fresh = Array.from({ length: 100 }, (_, index) => ({
			email: `new.${index}@example.com`,
			id: `c-new-${index}`,
		}));
		const { output, error } = await runSync(sandbox.current, [...items, ...fresh], {
			maxClosePercent: 100,
		});
		expect(error).toBeUndefined();
		expect(output).toHaveLength(500 + 1);
		expect(sandbox.current.stats().requests).toBeLessThanOrEqual(MANY / 100 + 2 * 500);
		expect(writesOf(sandbox.current)).toHaveLength(500);
	});
});

/** A sandbox with 60 people, and a list with work of each kind. */
function arrange(): IDataObject[] {
	const members = addMembers(sandbox.current, 60, (index) =>
		index % 6 === 0 ? { state: 'deactivated' } : {},
	);
	const listed = memberListOf(members.filter((_, index) => index % 6 !== 1));
	const moved = listed.map((item, index) =>
		index % 9 === 2 ? { ...item, email: `moved.${index}@example.com` } : item,
	);
	return [
		...moved,
		...Array.from({ length: 8 }, (_, index) => ({
			email: `new.${index}@example.com`,
			id: `c-n-${index}`,
		})),
	];
}

const all = { maxClosePercent: 100 };

function reached(): Array<Pick<Subscriber, 'email' | 'state'>> {
	return sandbox.current.state.subscribers
		.map(({ email, state, customer_id: id }) => ({ email, state, id }))
		.sort((one, other) => (one.email < other.email ? -1 : 1));
}

describe('a server that fails', () => {
	const faults: Array<[string, FaultSpec]> = (['before', 'after'] as const).flatMap((when) =>
		[
			{ kind: 'status' as const, status: 503 },
			{ kind: 'status' as const, status: 500 },
			{ kind: 'status' as const, status: 403 },
			{ kind: 'status' as const, status: 429 },
			{ kind: 'reset' as const },
			{ kind: 'truncated' as const },
			{ kind: 'html' as const, status: 502 },
		].map((fault): [string, FaultSpec] => [
			`${fault.kind} ${fault.status ?? ''} ${when}`,
			// If one page fails, the run ends before its first change. So the faults come after the
			// pages.
			{ ...fault, when, share: 0.2, skip: 1, seed: 7 },
		]),
	);

	it.each(faults)('reaches the right state with one more run: %s at 20 %%', async (_, fault) => {
		const items = arrange();
		await runSync(sandbox.current, items, all);
		const expected = reached();

		sandbox.reset();
		arrange();
		sandbox.current.controls.addFaults(fault);
		await runSync(sandbox.current, items, { ...all, options: { maxWaitSeconds: 1 } });
		sandbox.current.controls.clearFaults();
		await runSync(sandbox.current, items, all);
		expect(reached()).toEqual(expected);
		const writes = writesOf(sandbox.current).length;
		await runSync(sandbox.current, items, all);
		expect(writesOf(sandbox.current)).toHaveLength(writes);
	});
});

describe('a run that is stopped', () => {
	it.each([1, 2, 10, 20, 35, 50])('after %i requests is completed by the next', async (last) => {
		const items = arrange();
		await runSync(sandbox.current, items, all);
		const expected = reached();

		sandbox.reset();
		arrange();
		let stop = (): void => undefined;
		const running = runSync(
			sandbox.current,
			items,
			{ ...all, options: { parallelRequests: 1 } },
			{ onStart: (given) => (stop = given) },
		);
		while (sandbox.current.stats().requests < last) {
			await new Promise((resolve) => setTimeout(resolve, 1));
		}
		stop();
		await running.catch(() => undefined);
		expect(reached()).not.toEqual(expected);
		await new Promise((resolve) => setTimeout(resolve, 100));
		const after = await runSync(sandbox.current, items, all);
		expect(after.error).toBeUndefined();
		expect(reached()).toEqual(expected);
	});
});
