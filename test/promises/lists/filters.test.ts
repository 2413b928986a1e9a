import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runSupercast } from '../../../harness/engine';
import { credentialOf, useSandbox } from '../../support/sandbox';

const sandbox = useSandbox({ subscribers: 240, episodes: 12 });

async function getMany(resource: string, filters: INodeParameters, more: INodeParameters = {}) {
	const { output, error, run } = await runSupercast({
		parameters: { resource, operation: 'getAll', returnAll: true, filters, ...more },
		credential: credentialOf(sandbox.current),
	});
	const [task] = run.data.resultData.runData.Supercast ?? [];
	const hints = (task?.hints ?? []).map(({ message }) => message);
	return { records: output.map(({ json }) => json), error, hints };
}

const subscribers = () => sandbox.current.state.subscribers;
const emails = (records: readonly IDataObject[]) => records.map(({ email }) => email);

/** Sets the fields of the subscriber at this place to what a filter finds. */
function change(index: number, values: object): string {
	return Object.assign(subscribers().at(index)!, values).email;
}

function pagesRead(): number {
	return sandbox.current.stats().requests;
}

describe('the filters of subscribers', () => {
	it('find by several states', async () => {
		const suspended = change(10, { state: 'suspended' });
		const pending = change(-1, { state: 'pending' });
		for (const state of [['suspended', 'pending'], 'suspended, pending']) {
			const { records } = await getMany('subscriber', { state });
			const expected = subscribers().filter((one) => ['suspended', 'pending'].includes(one.state));
			expect(emails(records)).toEqual(expected.map(({ email }) => email));
			expect(emails(records)).toEqual(expect.arrayContaining([suspended, pending]));
		}
	});

	it('find by customer ID and plan, number or text', async () => {
		const ann = change(200, { customer_id: 'c-1', plan_id: 77 });
		change(201, { customer_id: 'C-1', plan_id: 77 });
		change(202, { customer_id: 'c-1', plan_id: 78 });
		for (const planId of ['77', 77]) {
			const { records } = await getMany('subscriber', { customerId: ' c-1 ', planId });
			expect(emails(records)).toEqual([ann]);
		}
	});

	it('find by date, from that time on, in the time zone of the workflow', async () => {
		const before = { created_at: '2026-02-01T04:59:59Z', updated_at: '2026-02-01T04:59:59Z' };
		for (const index of subscribers().keys()) change(index, before);
		const ann = change(3, { created_at: '2026-02-01T05:00:00Z' });
		const bob = change(5, { updated_at: '2026-02-01T05:00:00Z' });
		const created = await getMany('subscriber', { createdAfter: '2026-02-01T00:00:00' });
		expect(emails(created.records)).toEqual([ann]);
		const updated = await getMany('subscriber', { updatedAfter: '2026-02-01T05:00:00Z' });
		expect(emails(updated.records)).toEqual([bob]);
	});

	it('leave no record that lacks the field', async () => {
		for (const index of subscribers().keys()) change(index, { updated_at: undefined });
		const { records } = await getMany('subscriber', { updatedAfter: '2000-01-01' });
		expect(records).toEqual([]);
	});

	it('read only as far as the limit needs, and count only matching records', async () => {
		const wanted = [3, 120, 130, 220].map((index) => change(index, { customer_id: 'c-1' }));
		const filters = { customerId: 'c-1' };
		const some = await getMany('subscriber', filters, { returnAll: false, limit: 2 });
		expect(emails(some.records)).toEqual(wanted.slice(0, 2));
		expect(pagesRead()).toBe(2);
		expect(some.hints).toEqual(['Of the first 121 of 240 subscribers, 2 match the filters.']);
		const all = await getMany('subscriber', filters);
		expect(emails(all.records)).toEqual(wanted);
		expect(all.hints).toEqual(['Of 240 subscribers, 4 match the filters.']);
	});

	it.each([
		['customerId', '', "The filter 'Customer ID' is empty"],
		['state', [], "The filter 'State' is empty"],
		['createdAfter', 'soon', "'Created After' is not a date"],
		['state', ['inactive'], '\'State\' cannot be "inactive"'],
	])('%s: %j is refused before anything is sent', async (name, typed, words) => {
		const { records, error } = await getMany('subscriber', { [name]: typed });
		expect(error?.message).toContain(words);
		expect(error?.description).toMatch(/\w/);
		expect(records).toEqual([]);
		expect(pagesRead()).toBe(0);
	});
});

describe('the filters of episodes', () => {
	it('separate published episodes from drafts and scheduled ones', async () => {
		const [draft, scheduled, ...rest] = sandbox.current.state.episodes;
		Object.assign(draft!, { published_at: null });
		Object.assign(scheduled!, { published_at: '2999-01-01T00:00:00Z' });
		for (const one of rest) Object.assign(one, { published_at: '2026-01-02T00:00:00Z' });
		const drafts = await getMany('episode', { status: 'draft' });
		expect(drafts.records.map(({ id }) => id)).toEqual([draft!.id, scheduled!.id]);
		const published = await getMany('episode', { status: 'published' });
		expect(published.records.map(({ id }) => id)).toEqual(rest.map(({ id }) => id));
		const late = await getMany('episode', { publishedAfter: '2026-01-03' });
		expect(late.records.map(({ id }) => id)).toEqual([scheduled!.id]);
	});
});

describe('the filter of usage alerts', () => {
	it('finds the alerts of one person, in any case of the email', async () => {
		const [alert] = sandbox.current.state.usageAlerts;
		const person = sandbox.current.state.subscriber(alert!.subscriber_uuid)!;
		const { records } = await getMany('usageAlert', { email: ` ${person.email.toUpperCase()}` });
		expect(records.length).toBeGreaterThan(0);
		for (const { subscriber } of records) {
			expect(subscriber).toMatchObject({ email: person.email });
		}
	});
});

describe('a list without filters', () => {
	it('says how many there are when the limit leaves some out', async () => {
		const { hints } = await getMany('subscriber', {}, { returnAll: false, limit: 50 });
		expect(hints).toEqual(['50 of 240 subscribers']);
		expect(pagesRead()).toBe(1);
	});

	it('says nothing when all are there, or Supercast sends no total', async () => {
		expect((await getMany('subscriber', {})).hints).toEqual([]);
		sandbox.current.controls.changeSettings({ headers: false });
		expect((await getMany('subscriber', {}, { returnAll: false, limit: 5 })).hints).toEqual([]);
		sandbox.current.controls.changeSettings({ headers: true });
	});
});
