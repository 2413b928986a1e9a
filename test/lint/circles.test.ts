import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { preProcessFile } from 'typescript';

const root = join(__dirname, '..', '..');

/** The files of the project that each file imports, also if it imports only types. */
type Imports = Map<string, readonly string[]>;

function importsOf(folders: readonly string[]): Imports {
	const files = folders.flatMap(filesOf);
	return new Map(files.map((file) => [file, importsIn(file)]));
}

function filesOf(folder: string): string[] {
	return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
		const path = join(folder, entry.name);
		if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesOf(path);
		return path.endsWith('.ts') ? [path] : [];
	});
}

function importsIn(file: string): string[] {
	const { importedFiles } = preProcessFile(readFileSync(join(root, file), 'utf8'));
	return importedFiles
		.filter(({ fileName }) => fileName.startsWith('.'))
		.flatMap(({ fileName }) => {
			const path = join(dirname(file), fileName);
			return [`${path}.ts`, join(path, 'index.ts')];
		})
		.filter((path) => existsSync(join(root, path)));
}

/** The files of one circle, in the order of their imports. Undefined if there is none. */
function circleIn(imports: Imports): string[] | undefined {
	const withoutCircle = new Set<string>();
	const search = (file: string, way: readonly string[]): string[] | undefined => {
		if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
		if (withoutCircle.has(file)) return undefined;
		for (const other of imports.get(file) ?? []) {
			const circle = search(other, [...way, file]);
			if (circle !== undefined) return circle;
		}
		withoutCircle.add(file);
		return undefined;
	};
	for (const file of imports.keys()) {
		const circle = search(file, []);
		if (circle !== undefined) return circle;
	}
	return undefined;
}

// The lint rule import/no-cycle does not follow imports of types.
it.each([[['nodes', 'credentials']], [['sandbox']], [['probe']], [['demo']], [['harness']]])(
	'no imports in %j form a circle, not even of types',
	(folders) => {
		const imports = importsOf(folders);
		expect([...imports.values()].flat().length).toBeGreaterThan(5);
		expect(circleIn(imports)).toBeUndefined();
	},
);

it('finds a circle of three files, behind one that is not part of it', () => {
	const circle: Imports = new Map([
		['a', ['b']],
		['b', ['c']],
		['c', ['d']],
		['d', ['b']],
	]);
	expect(circleIn(circle)).toEqual(['b', 'c', 'd', 'b']);
});
