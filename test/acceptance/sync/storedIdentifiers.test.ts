import type { IDataObject } from 'n8n-workflow';

import { useLaterDates } from '../../support/laterDates';
import { addMembers, memberListOf, runSync } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();
const dates = useLaterDates();
useQuickRuntime({ backoffMs: 1, windowMs: 100, visibleMs: 5 });

const DAY = 24 * 60;

describe('what n8n stores of people whom Sync no longer has to know', () => {
	it.each([1, 5])('has no name after two days, with a check each %i days', async (gap) => {
		const all = memberListOf(addMembers(sandbox.current, 30));
		const staticData: IDataObject = {};
		const check = async (members: IDataObject[], minutes: number): Promise<string> => {
			dates.pass(minutes);
			const how = {
				staticData,
				workflowId: `names-${gap}`,
				onError: 'continueRegularOutput' as const,
			};
			await runSync(
				sandbox.current,
				members,
				{ maxClosePercent: 20, options: { maxWaitSeconds: 1 } },
				how,
			);
			return JSON.stringify(staticData);
		};
		const identifiersIn = (stored: string): number =>
			(stored.match(/@example|"c-\w/g) ?? []).length;
		await check(all, 5);
		// Someone joins, someone leaves, and a feed cannot be closed.
		const joined = [...all.slice(2), { email: 'new@example.com', id: 'n-1' }];
		const closing = { method: 'PATCH', path: '/feeds', times: 20 };
		sandbox.current.controls.addFaults({ kind: 'status', status: 422, skip: 1, ...closing });
		expect(identifiersIn(await check(joined, 5))).toBeGreaterThan(2);
		sandbox.current.controls.clearFaults();
		expect(await check(joined.slice(1), 5)).toContain('changes could not be made');
		await check(joined.slice(1), 5);
		let stored = '';
		for (let days = 0; days < 3; days += gap) stored = await check(joined.slice(1), gap * DAY);
		expect(identifiersIn(stored)).toBe(0);
		expect(stored).toContain('"opened":1,"closed":3');
		expect(stored).toContain('"stops"');
	});
});
