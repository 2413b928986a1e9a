import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const root = join(__dirname, '..', '..');

function filesUnder(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts') && !/node_modules|\.test\.ts$|\.d\.ts$/.test(file))
		.map((file) => join(root, folder, file));
}

const EXPORT =
	/^export (?:declare |default )?(?:abstract |async )?(?:class|const|enum|function\*?|interface|let|type) (\w+)/gm;

/** Names that a file defines and exports. Re-exports do not count. */
function exportsOf(file: string): string[] {
	return [...readFileSync(file, 'utf8').matchAll(EXPORT)].map(([, name]) => name!);
}

const published = [...filesUnder('nodes'), ...filesUnder('credentials')];
const tools = ['sandbox', 'harness', 'demo', 'scripts', 'bench', 'test/support', 'probe'];
const everything = [
	...published,
	...tools.filter((name) => readdirSync(root).includes(name.split('/')[0]!)).flatMap(filesUnder),
].filter((file) => !file.includes(join('engine', 'cases')));

it('no two exports have the same name', () => {
	const places = new Map<string, string[]>();
	for (const file of everything) {
		for (const name of exportsOf(file)) {
			places.set(name, [...(places.get(name) ?? []), relative(root, file)]);
		}
	}
	const twice = [...places].filter(([, files]) => new Set(files).size > 1);
	expect(twice).toEqual([]);
});

it('no published export is named like a type of n8n', () => {
	const types = readFileSync(
		join(dirname(require.resolve('n8n-workflow/package.json')), 'dist', 'esm', 'interfaces.d.ts'),
		'utf8',
	);
	const taken = new Set(
		[...types.matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => name),
	);
	expect(taken.size).toBeGreaterThan(100);
	const shared = published.flatMap(exportsOf).filter((name) => taken.has(name));
	expect(shared).toEqual([]);
});

it('no folder of the nodes holds more than 12 source files', () => {
	const perFolder = new Map<string, number>();
	for (const file of published) {
		perFolder.set(dirname(file), (perFolder.get(dirname(file)) ?? 0) + 1);
	}
	expect([...perFolder].filter(([, count]) => count > 12)).toEqual([]);
});
