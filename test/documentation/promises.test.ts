import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string): string => readFileSync(join(__dirname, '../..', path), 'utf8');
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

	it('Reactivate must be added in Create or Update', () => {
		expect(row('Reactivate')).toContain('Without this option, they stay closed.');
	});

	it.each(['README.md', 'docs/glossary.md', 'docs/operations/feed.md'])(
		'%s does not suspend a feed after a failed payment, since no workflow opens it again',
		(page) => {
			const lines = read(page).split('\n');
			expect(lines.filter((line) => /suspend/i.test(line) && /failed payment/.test(line))).toEqual(
				[],
			);
		},
	);
});
