import type { IDataObject } from 'n8n-workflow';

import { runtime } from '../../../nodes/Supercast/api/clock';
import { actionsOf, addMembers, hintsOf, runSetAccess, writesOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';

let minutes = 0;
const real = runtime.clock;
const laterMs = (): number => minutes * 60_000;
useQuickRuntime({
	clock: {
		...real,
		now: () => real.now() + laterMs(),
		date: () => real.date() + laterMs(),
	},
});
beforeEach(() => (minutes = 0));

const sandbox = useSandbox({ subscribers: 0 });

const event = (access: string, email: string): IDataObject => ({ access, email, id: 'c-1' });
const ANN = 'ann@example.com';
const BOB = 'bob@example.com';

describe('one customer ID that comes with two emails within minutes', () => {
	it.each([
		['open', [event('open', ANN), event('open', BOB)]],
		['close', [event('open', ANN), event('close', BOB)]],
	])('changes nothing for the second (%s), and says so', async (_, [first, second]) => {
		addMembers(sandbox.current, 3);
		await runSetAccess(sandbox.current, [first!]);
		minutes = 4;
		const result = await runSetAccess(sandbox.current, [second!]);
		expect(actionsOf(result)).toEqual(['kept']);
		expect(hintsOf(result)).toContain(ANN);
		expect(writesOf(sandbox.current)).toHaveLength(1);
		expect(sandbox.current.state.subscriber(ANN)).toMatchObject({
			...{ state: 'available', customer_id: 'c-1' },
		});
	});

	it('also in one execution', async () => {
		const items = [event('open', ANN), event('open', BOB), event('open', ANN)];
		const result = await runSetAccess(sandbox.current, items);
		expect(actionsOf(result)).toEqual(['created', 'kept', 'unchanged']);
	});

	it('is a new email later, or if the email came without the ID', async () => {
		const [cy] = addMembers(sandbox.current, 1, () => ({ customer_id: 'c-2' }));
		await runSetAccess(sandbox.current, [event('open', ANN)]);
		minutes = 20;
		const later = await runSetAccess(sandbox.current, [event('open', BOB)]);
		expect(actionsOf(later)).toEqual(['updated']);
		await runSetAccess(sandbox.current, [{ access: 'open', email: cy!.email }]);
		const moved = { access: 'open', email: 'cy@example.com', id: 'c-2' };
		expect(actionsOf(await runSetAccess(sandbox.current, [moved]))).toEqual(['updated']);
	});
});
