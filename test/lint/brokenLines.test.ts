import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');

interface BrokenLine {
	breaks: string;
	line: string;
	tests: string;
}

const list = readFileSync(join(root, 'scripts', 'brokenLines.json'), 'utf8');
const lines = JSON.parse(list) as BrokenLine[];

const textsIn = (folder: string): string[] =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.map((file) => readFileSync(join(root, folder, file), 'utf8'));

const published = ['nodes', 'credentials'].flatMap(textsIn);
const testFiles = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });

// If you changed the line, change it in scripts/brokenLines.json too.
it.each(lines)('the line by which "$breaks" can be broken is in one file', ({ line, tests }) => {
	expect(published.filter((text) => text.includes(line))).toHaveLength(1);
	for (const path of tests.split(' ')) {
		expect(testFiles.some((file) => `test/${file}`.includes(path))).toBe(true);
	}
});
