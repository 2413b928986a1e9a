import type { IDataObject } from 'n8n-workflow';

import { PERSONALITIES, type PersonalityName } from '../../../sandbox';
import { runSupercast, type RunOptions } from '../../../harness/engine';
import { NEW, TABLE, THEIRS } from '../../support/accessTable';
import { someOf } from '../../support/deep';
import { addMembers, writesOf } from '../../support/members';
import { quickPersonality, useQuickRuntime } from '../../support/quickRuntime';
import { credentialOf, feedStatus, useSandbox } from '../../support/sandbox';

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
			await runSupercast({ parameters, credential: credentialOf(sandbox.current), items, ...more });

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
			if (row.attention === undefined) expect([json.reason, json.attention]).toEqual([null, null]);
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
