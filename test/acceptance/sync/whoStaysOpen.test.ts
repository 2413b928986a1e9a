import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Subscriber } from '../../../simulators/supercast';
import { addMembers, memberListOf, runSync, writesOf } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';

describe('who stays open', () => {
	let later = 0;
	const sandbox = useSandbox({ subscribers: 0, now: () => Date.now() + later });
	useQuickRuntime({ backoffMs: 1, windowMs: 100, visibleMs: 5 });
	beforeEach(() => (later = 0));

	let members: Subscriber[];
	beforeEach(() => (members = addMembers(sandbox.current, 40)));

	const stateOf = (one: Subscriber | undefined) =>
		sandbox.current.state.subscriber(one!.email)?.state;
	const closings = (): number =>
		writesOf(sandbox.current).filter((write) => write.includes('/feeds/')).length;

	it('the members of another system are not closed, nor counted as its own', async () => {
		const patrons = members.slice(0, 8);
		for (const one of patrons) one.customer_id = `patreon-${one.id}`;
		const result = await runSync(sandbox.current, memberListOf(members.slice(8)));
		expect(closings()).toBe(0);
		expect(result.output.at(-1)!.json.numbers).toMatchObject({ notOwn: { otherPrefix: 8 } });
	});

	describe('closings', () => {
		it.each([429, 503])('look again before a retry after %i', async (status) => {
			const [ann, ...others] = members;
			sandbox.current.controls.addFaults({ kind: 'status', status, method: 'PATCH', times: 1 });
			const timer = setInterval(() => {
				if (!sandbox.current.state.requests.some(({ method }) => method === 'PATCH')) return;
				Object.assign(ann!, { plan_id: 2, plan_name: 'Yearly' });
				clearInterval(timer);
			}, 1);
			await runSync(sandbox.current, memberListOf(others));
			expect(stateOf(ann)).toBe('available');
		});
	});

	describe('a feed that someone suspends during the run', () => {
		it('is not opened again', async () => {
			const [ann] = members;
			ann!.state = 'deactivated';
			const running = runSync(sandbox.current, memberListOf(members));
			while (sandbox.current.stats().requests < 1) await new Promise((done) => setTimeout(done, 0));
			sandbox.current.controls.setState(ann!.uuid, 'suspended');
			await running;
			expect(stateOf(ann)).toBe('suspended');
			expect(writesOf(sandbox.current)).toEqual([]);
		});
	});
});

describe('who is who', () => {
	const sandbox = useSandbox({ subscribers: 0, latencyMs: 5 });
	useQuickRuntime({ backoffMs: 1, visibleMs: 60 });

	let members: Subscriber[];
	let gone: Subscriber;

	beforeEach(() => {
		members = addMembers(sandbox.current, 40);
		gone = members[7]!;
	});

	const everyoneElse = (): IDataObject[] => memberListOf(members.filter((one) => one !== gone));

	async function sync(
		list: IDataObject[],
		parameters: INodeParameters = {},
	): ReturnType<typeof runSync> {
		return await runSync(sandbox.current, list, {
			close: 'withCustomerId',
			customerIdPrefix: '',
			...parameters,
		});
	}

	describe('a member who has left is closed', () => {
		const initials = (index: number) => String.fromCharCode(65 + (index % 26), 65 + index / 26);

		it.each<[string, (index: number) => string]>([
			['initials', (index) => `${initials(index)}-${1000 + index}`],
			['names', (index) => `${initials(index)}.smith${index}`],
			['emails', (index) => `${initials(index)}-smith@example.com`],
			['random text', (index) => `${initials(index)}_8_Z5jdHi${index}`],
		])('if customer IDs are %s', async (_, idOf) => {
			for (const [index, one] of members.entries()) one.customer_id = idOf(index);
			await sync(everyoneElse());
			expect(gone.state).toBe('deactivated');
		});
	});

	describe('a member who pays is not closed', () => {
		it.each([
			['@münchen.de', 'ann@münchen.de'],
			['@münchen.de', 'ann@xn--mnchen-3ya.de'],
			['@xn--mnchen-3ya.de', 'ann@münchen.de'],
			['jose\u0301@example.com', 'jos\u00e9@example.com'],
			['JOS\u00c9@example.com', 'jose\u0301@example.com'],
		])('if Never Close has %s, and the email is %s', async (neverClose, email) => {
			gone.email = email;
			await sync(everyoneElse(), { options: { neverClose } });
			expect(gone.state).toBe('available');
		});
	});
});
