import type { IDataObject } from 'n8n-workflow';

import { type FaultSpec, PERSONALITIES, type PersonalityName } from '../../../sandbox';
import { type RunOptions, type RunResult, runSupercast } from '../../../harness/engine';
import { NEW, TABLE, THEIRS } from '../../support/accessTable';
import { someOf } from '../../support/deep';
import { accessItem, actionsOf, addMembers, runSetAccess, writesOf } from '../../support/members';
import { quickPersonality, useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';
import { testFaults, useFaultySandbox } from '../../support/faultMatrix';

describe('the table of decisions', () => {
	const personalities = Object.keys(PERSONALITIES) as PersonalityName[];

	const parameters = {
		resource: 'subscriber',
		operation: 'setAccess',
		access: '={{ $json.access }}',
		email: '={{ $json.email }}',
		customerId: '={{ $json.id }}',
		additionalFields: { firstName: '={{ $json.name }}' },
	};

	useQuickRuntime({ backoffMs: 5, visibleMs: 60 });

	// One personality suffices in each run of `npm test`: the table is the same.
	describe.each(someOf([undefined, 'hostile' as const, ...personalities], 2))(
		'against the personality %s',
		(personality) => {
			let later = 0;
			const now = (): number => Date.now() + later;
			const sandbox = useSandbox({ ...quickPersonality(personality), now, subscribers: 0 });
			beforeEach(() => (later = 0));

			const run = async (items: IDataObject[], more: Partial<RunOptions> = {}) =>
				await runSupercast({
					parameters,
					credential: credentialOf(sandbox.current),
					items,
					...more,
				});

			it.each(Object.entries(TABLE))('%s', async (_, row) => {
				const people = [row.there, row.second].filter((fields) => fields !== undefined);
				const [ann, other] = addMembers(sandbox.current, people.length, (index) => people[index]!);
				const before = other && { ...other };
				const theirs = ann?.email ?? NEW;
				const emails: IDataObject = { [THEIRS]: theirs, CAPITALS: ` ${theirs.toUpperCase()} ` };
				const item = { ...row.item, email: emails[String(row.item.email)] ?? row.item.email };
				const runOptions = { parameters: { ...parameters, options: row.options ?? {} } };

				const { output, error } = await run([item], runOptions);

				expect(error).toBeUndefined();
				const [{ json }] = output as [{ json: IDataObject }];
				expect(output).toEqual([{ json: expect.anything(), pairedItem: { item: 0 } }]);
				expect(json).toMatchObject({ access: row.item.access, action: row.action });
				const [held] = sandbox.current.state.subscribers;
				expect(held?.state).toBe(row.state);
				expect(json.state).toBe(row.state ?? null);
				expect(json.previousState).toBe(row.there ? (row.there.state ?? 'available') : null);
				if (row.attention === undefined)
					expect([json.reason, json.attention]).toEqual([null, null]);
				else expect(json.attention).toContain(row.attention.replace('SECOND', other?.email ?? ''));
				if (row.changes) expect(json.changes).toEqual(row.changes);
				if (['kept', 'unchanged'].includes(row.action)) {
					expect(json.changes).toEqual({});
					expect(writesOf(sandbox.current)).toEqual([]);
				}
				if (row.state !== undefined && row.action !== 'kept') {
					expect([json.email, json.uuid, json.customer_id]).toEqual([
						expect.stringMatching(new RegExp(held!.email, 'i')),
						held!.uuid,
						held!.customer_id,
					]);
				}
				const opened = ['created', 'reopened'].includes(row.action);
				expect('feed_urls' in json).toBe(opened);
				if (opened) {
					const [url] = json.feed_urls as string[];
					expect(await feedStatus(url)).toBe(200);
				}
				if (other) expect(other).toEqual(before);

				// The same item again changes nothing more.
				later += 5_000;
				const writes = writesOf(sandbox.current).length;
				const again = await run([item], runOptions);
				expect(again.error).toBeUndefined();
				expect(['kept', 'unchanged']).toContain(again.output[0]!.json.action);
				expect(writesOf(sandbox.current)).toHaveLength(writes);
				if (ann && !['suspended', 'mystery'].includes(row.state ?? '')) {
					expect(await feedStatus(sandbox.current.state.feedUrl(held!.email))).toBe(
						row.state === 'available' ? 200 : 403,
					);
				}
			});
		},
	);
});

describe('a second feed', () => {
	const sandbox = useSandbox({ subscribers: 0 });

	it('Close tells of another feed with the customer ID, if the list has been read lately', async () => {
		const [ann, second, bob] = addMembers(sandbox.current, 40);
		second!.customer_id = ann!.customer_id;
		const idOnly = { access: 'close', id: bob!.customer_id };
		await runSetAccess(sandbox.current, [idOnly]);
		const { output } = await runSetAccess(sandbox.current, [accessItem('close', ann!)]);
		expect(output[0]?.json).toMatchObject({
			action: 'closed',
			attention: expect.stringContaining(second!.email),
		});
		expect(second!.state).toBe('available');
		second!.state = 'deactivated';
		const again = await runSetAccess(sandbox.current, [accessItem('close', ann!)]);
		expect(again.output[0]?.json).toMatchObject({ action: 'unchanged', attention: null });
	});
});

describe('faults of Supercast', () => {
	const sandbox = useSandbox({ subscribers: 0, logSize: 100_000 });
	useQuickRuntime({ backoffMs: 1, visibleMs: 60, windowMs: 100, lateMs: 300 });

	jest.setTimeout(120_000);

	const run = async (items: IDataObject[], more: Partial<RunOptions> = {}): Promise<RunResult> =>
		await runSetAccess(sandbox.current, items, more);

	describe('faults', () => {
		const faults: Array<[string, FaultSpec]> = (['before', 'after'] as const).flatMap((when) =>
			[
				{ kind: 'status' as const, status: 503 },
				{ kind: 'status' as const, status: 429 },
				{ kind: 'reset' as const },
				{ kind: 'truncated' as const },
				{ kind: 'html' as const, status: 502 },
			].map((fault): [string, FaultSpec] => [
				`${fault.kind} ${fault.status ?? ''} ${when}`,
				{ ...fault, when, share: 0.2, seed: 7 },
			]),
		);

		it.each(
			someOf(
				faults.filter(([name]) => name !== 'status 429 after'),
				2,
			),
		)('change nothing of the result: %s at 20 %%', async (_, fault) => {
			const members = addMembers(sandbox.current, 30, (index) =>
				index % 3 === 0 ? { state: 'deactivated' } : {},
			);
			const items = [
				...members.map((one, index) => accessItem(index % 3 === 1 ? 'close' : 'open', one)),
				...Array.from({ length: 10 }, (_, index) => ({
					access: 'open',
					email: `new.${index}@example.com`,
					id: `n-${index}`,
				})),
			];
			sandbox.current.controls.addFaults(fault);
			const { output, error } = await run(items);
			sandbox.current.controls.clearFaults();
			expect(error).toBeUndefined();
			expect(output).toHaveLength(40);
			for (const [index, { access, email }] of items.entries()) {
				const state = sandbox.current.state.subscriber(String(email))?.state;
				expect([index, state]).toEqual([index, access === 'open' ? 'available' : 'deactivated']);
			}
			expect(sandbox.current.state.subscribers).toHaveLength(40);
			const again = await run(items);
			expect(new Set(actionsOf(again))).toEqual(new Set(['unchanged']));
		});
	});
});

describe('changes whose response is lost', () => {
	testFaults(useFaultySandbox(), ['change', 'suspend']);
});
