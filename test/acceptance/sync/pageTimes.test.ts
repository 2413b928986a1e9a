import type { IDataObject } from 'n8n-workflow';

import type { RunOptions } from '../../harness/engine';
import { useLaterDates } from '../../support/laterDates';
import { addMembers, memberListOf, runSync } from '../../support/members';
import { useQuickRuntime } from '../../support/quickRuntime';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();
const dates = useLaterDates();
useQuickRuntime({ backoffMs: 1, windowMs: 100, visibleMs: 5 });

const SCHEDULED: Partial<RunOptions> = { startType: 'n8n-nodes-base.scheduleTrigger' };
const BY_HAND: Partial<RunOptions> = { ...SCHEDULED, mode: 'manual' };

let workflow = 0;
let members: IDataObject[];
beforeEach(() => {
	workflow += 1;
	members = memberListOf(addMembers(sandbox.current, 12));
});

/** Runs a check so many minutes after the one before. Returns what the page says, as a text. */
async function check(minutes: number, options: Partial<RunOptions> = SCHEDULED): Promise<string> {
	dates.pass(minutes);
	const parameters = { options: { output: 'summary', maxWaitSeconds: 1 } };
	const how = { workflowId: `times-${workflow}`, onError: 'continueRegularOutput' as const };
	const { output } = await runSync(sandbox.current, members, parameters, { ...how, ...options });
	const summary = output.map(({ json }) => json).find(({ action }) => action === 'summary');
	return String(summary?.text ?? '');
}

/** What the page says of the next check, without the hour of the day. */
function nextIn(text: string): string | undefined {
	return /Next sync run: (.*)/.exec(text)?.[1];
}

/** How many minutes after the last check the next one is promised. */
function gapIn(text: string): number | undefined {
	const [last, next] = [/Last sync run, (\d+):(\d+)/, /Next sync run: about (\d+):(\d+)/].map(
		(pattern) => {
			const [, hours, minutes] = pattern.exec(text) ?? [];
			return Number(hours) * 60 + Number(minutes);
		},
	) as [number, number];
	return Number.isNaN(next) ? undefined : (next - last + 24 * 60) % (24 * 60);
}

describe('a next check is promised only if one comes', () => {
	it('from the second scheduled run on', async () => {
		expect(nextIn(await check(5))).toBeUndefined();
		expect(gapIn(await check(5))).toBe(5);
	});

	it('not by a run by hand, of which n8n does not tell whether the workflow is published', async () => {
		for (let run = 0; run < 3; run++) {
			expect(nextIn(await check(1, BY_HAND))).toBe(
				"when the workflow's schedule says, if it is published",
			);
		}
	});

	it('with the gap of scheduled runs, whatever runs between', async () => {
		await check(5, BY_HAND);
		expect(gapIn(await check(1))).toBeUndefined();
		await check(2, BY_HAND);
		expect(gapIn(await check(3))).toBe(5);
		await check(1, { ...SCHEDULED, mode: 'retry' });
		expect(gapIn(await check(4))).toBe(5);
	});

	it('with the same gap after a check that could not make every change', async () => {
		await check(5);
		members.push({ email: 'new@example.com', id: 'n-1' });
		const creation = { method: 'POST', path: '/subscribers' };
		sandbox.current.controls.addFaults({ kind: 'status', status: 422, ...creation });
		expect(await check(5)).toContain('1 failed');
		const text = await check(5);
		expect(gapIn(text)).toBe(5);
		expect(text).toMatch(/: 1 sync run: /);
	});

	it('not if the workflow is not published, where n8n says so', async () => {
		await check(5);
		const retried = await check(5, { ...SCHEDULED, mode: 'retry', isPublished: false });
		expect(nextIn(retried)).toBe('none, because the workflow is not published');
	});

	it('not if something else than a schedule starts the workflow', async () => {
		for (let run = 0; run < 3; run++) expect(nextIn(await check(5, {}))).toBeUndefined();
	});
});

describe('each time has its time zone', () => {
	const zones = ['Asia/Kolkata', 'Europe/Kyiv', 'America/Argentina/Buenos_Aires', 'Asia/Kathmandu'];

	it.each(zones)('also in %s, which Node.js may list under another name', async (timezone) => {
		const run = { ...SCHEDULED, timezone };
		await check(5, run);
		sandbox.current.controls.addFaults({ kind: 'status', status: 503, times: 200 });
		await check(5, run);
		sandbox.current.controls.clearFaults();
		const text = await check(5, run);
		const now = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, timeStyle: 'short' });
		expect(text).toContain(
			`Last sync run, ${now.format(Date.now()).replace(/^0/, '')} (${timezone})`,
		);
		const times = text.match(/\d+:\d\d.{0,60}/g) ?? [];
		expect(times).toHaveLength(3);
		for (const time of times) expect(time).toContain(`(${timezone})`);
	});

	it('which is UTC if n8n has an unknown one', async () => {
		const hour = new Date(Date.now() + 5 * 60_000).toISOString().slice(11, 16).replace(/^0/, '');
		const text = await check(5, { ...SCHEDULED, timezone: 'Mars/Olympus' });
		expect(text).toContain(`Last sync run, ${hour} (UTC)`);
	});
});
