import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const ROOT = join(__dirname, '..', '..');

let code: ReadonlyArray<readonly [file: string, text: string]> | undefined;

/** The code of the package, by file. */
export function sources(): NonNullable<typeof code> {
	code ??= ['nodes', 'credentials'].flatMap((folder) =>
		readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.endsWith('.ts'))
			.map((name) => join(ROOT, folder, name))
			.map(
				(path) => [relative(ROOT, path).split(sep).join('/'), readFileSync(path, 'utf8')] as const,
			),
	);
	return code;
}

/** The files of the package that declare this name at their top level. There should be only one. */
export function filesOf(name: string): string[] {
	const kinds = '((async )?function\\*?|const|class|interface|type)';
	const declaration = new RegExp(`^(export )?${kinds} ${name}\\b`, 'm');
	return sources().flatMap(([file, text]) => (declaration.test(text) ? [file] : []));
}

/** The names in a text of `changes.ts` that stand for code, such as `#name`. */
export const NAME = /`#(\w+)`/g;

/** A text of `changes.ts`, with the file added to each name. */
export const withPlaces = (text: string): string =>
	text
		.replace(NAME, (_, name: string) => `${name} (${filesOf(name).join(', ')})`)
		.replace(/`|\*\*/g, '');
