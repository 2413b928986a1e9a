import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { runtime } from '../../nodes/Supercast/api/clock';
import { decide } from '../../nodes/Supercast/api/retry/retryPolicy';
import { optionsCollection } from '../../nodes/Supercast/operations/properties';
import { EVENTS } from '../../nodes/Supercast/trigger/events';
import { listRequest } from '../../nodes/Supercast/operations/kinds';
import { subscribers } from '../../nodes/Supercast/subscriber/kind';

const page = (name: string): string => readFileSync(join(__dirname, '../../docs', name), 'utf8');
const errors = page('troubleshooting.md');

/** Numbers that pages state and only the code knows. The tables of costs have their own test. */
describe('numbers in the pages', () => {
	it('the time-out of a request, and how long the node looks for a lost record', () => {
		expect(runtime.timeoutMs).toBe(60_000);
		expect(errors).toContain('One request takes at most one minute.');
		const { visibleMs, lateMs } = runtime;
		expect(errors).toContain(
			`It looks for ${lateMs / 1000} seconds, or for ${visibleMs / 1000} seconds if Supercast answered`,
		);
	});

	it.each(['docs/limits.md', 'docs/troubleshooting.md'])(
		'%s: how long the node retries by default',
		(file) => {
			const { options = [] } = optionsCollection();
			const maxWait = options.find(({ name }) => name === 'maxWaitSeconds');
			const seconds = (maxWait as { default: number }).default;
			const text = readFileSync(join(__dirname, '../..', file), 'utf8');
			expect(text).toMatch(new RegExp(`\\b${seconds / 60} minutes(?: by default|, the item|\\.)`));
		},
	);

	it('the server errors after which the node retries', () => {
		const request = listRequest(subscribers);
		const state = { maybeProcessed: false, foreignResponses: 0, mayBeHidden: false };
		const retried = Array.from({ length: 100 }, (_, index) => 500 + index).filter(
			(status) =>
				decide({ kind: 'status', status, body: undefined }, request, state).action !== 'fail',
		);
		const stated = /retries after ([\d, ]+) and (\d+) to (\d+)/.exec(errors)!;
		const single = stated[1]!.split(', ').map(Number);
		const [first, last] = [Number(stated[2]), Number(stated[3])];
		const range = Array.from({ length: last - first + 1 }, (_, index) => first + index);
		expect(retried).toEqual([...single, ...range]);
	});

	it('how many records the trigger remembers', () => {
		const most = (event: keyof typeof EVENTS): string =>
			EVENTS[event]({ states: [], email: '', now: 0 }).maxRecords.toLocaleString('en-US');
		expect(page('trigger.md')).toContain(
			`up to ${most('subscriberCreated')} records, or ${most('subscriberDeleted')} subscribers for **Subscriber Deleted**`,
		);
	});
});
