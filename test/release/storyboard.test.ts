import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../../harness/system/paths';
import { storyboard } from '../../scripts/video/storyboard';

const page = readFileSync(join(root, 'docs', 'verification.md'), 'utf8');
const rows = page.split('## The video')[1]!.match(/^\|.*$/gm)!;

it('shows in docs/verification.md the scenes that the video plays', () => {
	const [, , ...scenes] = rows.map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
	expect(scenes).toEqual(
		Object.values(storyboard).map(({ name, does, caption }) => [name, does, caption]),
	);
});

it('speaks slowly enough: each sentence has at most 20 words', () => {
	for (const { caption } of Object.values(storyboard)) {
		expect(caption.split(' ').length).toBeLessThanOrEqual(20);
	}
});
