import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Part of a payload. The tests do not check it further. */
export type Json = Record<string, unknown>;

/** Reads the body of a sample. The file itself names its source. */
export function sample(name: string): Json {
	const file = join(__dirname, '..', 'payloads', `${name}.json`);
	return (JSON.parse(readFileSync(file, 'utf8')) as { body: Json }).body;
}

/** The source of a sample. */
export function sourceOf(name: string): string {
	const file = join(__dirname, '..', 'payloads', `${name}.json`);
	return (JSON.parse(readFileSync(file, 'utf8')) as { source: string }).source;
}

/** A sample with some values replaced, each named by its path, such as `data.object.status`. */
export function changed(name: string, values: Record<string, unknown>): Json {
	const body = sample(name);
	for (const [path, value] of Object.entries(values)) {
		const keys = path.split('.');
		const last = keys.pop() ?? '';
		const place = keys.reduce<Json>((found, key) => found[key] as Json, body);
		place[last] = value;
	}
	return body;
}
