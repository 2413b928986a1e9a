import type { IDataObject } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { proseTextsOf } from '../../scripts/prose/texts';
import { runSupercast } from '../../harness/engine';
import { credentialOf, useSandbox } from '../support/sandbox';

const root = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const filesIn = (folder: string, ending: string): string[] =>
	(readdirSync(join(root, folder), { recursive: true }) as string[])
		.filter((name) => name.endsWith(ending))
		.map((name) => join(folder, name));

const pages = ['README.md', 'workflows/README.md', ...filesIn('docs', '.md')].filter(
	(page) => !page.includes('decisions'),
);
const workflows = filesIn('workflows', '.json');

/** Paragraphs, rows and notes that users read, each with the place where it stands. */
const passages = [...pages, ...workflows, ...filesIn('nodes', '.ts')].flatMap((file) =>
	proseTextsOf(root, file)
		.flatMap(({ kind, text }) =>
			kind === 'comment' ? [text.replaceAll('\n', ' ')] : text.split('\n'),
		)
		.map((text) => ({ file, text })),
);

/** Passages that say something without saying what has to stand beside it. */
function unqualified(claim: RegExp, beside: RegExp): string[] {
	const found = passages.filter(({ text }) => claim.test(text));
	expect(found.length).toBeGreaterThan(0);
	return found.filter(({ text }) => !beside.test(text)).map(({ file, text }) => `${file}: ${text}`);
}

const subscriber = read('docs/operations/subscriber.md');
const row = (label: string): string =>
	subscriber.split('\n').find((line) => new RegExp(`^\\| ${label} +\\|`).test(line)) ?? '';

describe('the pages agree with the node', () => {
	it('Delete is not what ends a membership', () => {
		const text = subscriber.split('\n## Delete\n')[1]!.split('\n## ')[0]!;
		expect(text).toContain('If a membership ends, use Feed: Deactivate instead');
	});

	it.each(['Max Close', 'Max Open'])('%s has no limit unless it is set', (label) => {
		expect(row(label)).toContain('Without this option, there is no such limit.');
		expect(row(label)).not.toContain('Default');
	});

	it('Reactivate must be added in Create or Update, and is on in Sync', () => {
		expect(row('Reactivate')).toContain('Without this option, they stay closed.');
		expect(read('docs/sync.md')).toContain('With **Reactivate** off, it only updates');
	});

	it('no page suspends a feed after a failed payment, since no workflow opens it again', () => {
		const lines = passages.filter(({ text }) => /suspend/i.test(text) && /failed pay/i.test(text));
		expect(lines).toEqual([]);
	});
});

describe('what the node or Supercast may not do is not promised', () => {
	it('a feed that opens again keeps its address: only marked as inferred', () => {
		const claim =
			/\baddress\b[^.|]*\b(?:stays?|remains?)\b|\b(?:keeps?|same)\b (?:\w+ ){0,2}feed address|\breturn\w* [^.|]*\bkeeps? [^.|]*\bfeed/i;
		expect(unqualified(claim, /\binferred\b/)).toEqual([]);
	});

	it('a spent refresh token counts as stolen: only perhaps', () => {
		expect(unqualified(/\bstolen\b|\btheft\b/i, /\bmay\b/)).toEqual([]);
	});

	it('a page has 100 records: only usually', () => {
		const claim = /\b100 (?:records|subscribers)\b|\b100 per (?:page|request\b(?!s))/i;
		expect(unqualified(claim, /\busually\b|\bat most\b/i)).toEqual([]);
	});

	it('not every member gets a feed: some are suspended, pending or could not be charged', () => {
		const claim =
			/\bfeeds? (?:of|to|for) (?:all|every|each)\b[^.|]*members?\b|\b(?:each|every(?:one| member))\b[^.|]* a (?:private )?feed/i;
		const text = passages.filter((one) => claim.test(one.text));
		expect(text.filter((one) => !/\b(?:except|unless)\b/.test(one.text))).toEqual([]);
	});

	it('a dry run needs no nights: an unpublished workflow does not run at night', () => {
		expect(passages.filter(({ text }) => /dry run[^.|]*\bnights?\b/i.test(text))).toEqual([]);
	});
});

describe('the limit of Sync', () => {
	const sandbox = useSandbox({ subscribers: 40 });

	/** Gives Sync one of 40 members, so that it would close the feeds of almost everyone. */
	async function run(dryRun: boolean) {
		const [member] = sandbox.current.state.subscribers;
		return await runSupercast({
			parameters: {
				resource: 'subscriber',
				operation: 'sync',
				email: member!.email,
				close: 'all',
				dryRun,
				options: { output: 'summary', graceHours: 0, closeWithPlan: true },
			},
			credential: credentialOf(sandbox.current),
		});
	}

	it('fails a run, but a dry run only warns, as the page says', async () => {
		expect((await run(false)).error?.message).toMatch(/^Sync would close the feeds of/);
		const { error, output } = await run(true);
		expect(error).toBeUndefined();
		const { limit } = output[0]!.json as { limit: IDataObject };
		expect(limit.exceeded).toMatch(/^Sync would close the feeds of/);
		expect(read('docs/sync.md')).toContain('The node then fails. In a dry run, it only warns.');
	});
});

describe('member workflows', () => {
	const order = [/credential|token/, /Execute workflow/, /turn off \W*Dry Run/i, /publish/i];

	it.each(['README.md', 'docs/day-one.md', 'workflows/stripe.json'])(
		'%s: credentials, a run by hand, no more dry run, and then publish',
		(file) => {
			const [setUp] = proseTextsOf(root, file)
				.map(({ text }) => text)
				.filter((text) => order.every((step) => step.test(text)));
			const steps = setUp!
				.split('\n')
				.filter((line) => /^\d+\. /.test(line))
				.join('\n');
			const places = order.map((step) => steps.search(step));
			expect(places).toEqual([...places].sort((one, other) => one - other));
			expect(places).not.toContain(-1);
		},
	);
});
