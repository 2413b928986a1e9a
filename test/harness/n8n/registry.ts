import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Problem } from '../system/problem';

/** A local mock of npm's registry, which offers a single package. */
export interface Registry {
	/** Settings that make n8n use this registry. */
	env: NodeJS.ProcessEnv;
	stop: () => Promise<void>;
}

/** The package.json of a packed package. */
function manifestOf(tarball: Buffer): Record<string, unknown> & { name: string; version: string } {
	const archive = gunzipSync(tarball);
	// In a tar archive, each file follows a header of 512 bytes with its name and, in octal, its
	// size.
	for (let at = 0; at + 512 <= archive.length;) {
		const text = (from: number, length: number) =>
			archive.toString('utf8', at + from, at + from + length).replace(/\0.*$/s, '');
		const size = parseInt(text(124, 12), 8) || 0;
		if (text(0, 100) === 'package/package.json') {
			return JSON.parse(archive.toString('utf8', at + 512, at + 512 + size)) as ReturnType<
				typeof manifestOf
			>;
		}
		at += 512 + Math.ceil(size / 512) * 512;
	}
	throw new Problem('The packed package has no package.json.');
}

/**
 * Starts the mock registry with a packed package, so that n8n can install it as if it were published.
 * @param file The packed package.
 */
export async function startRegistry(file: string): Promise<Registry> {
	const tarball = readFileSync(file);
	const manifest = manifestOf(tarball);
	const { name, version } = manifest;
	const server = createServer((request, response) => {
		const [, asked = '', wanted] = decodeURIComponent(request.url ?? '').split('/');
		if (asked !== name) return response.writeHead(404).end('{}');
		if (wanted?.endsWith('.tgz')) return response.end(tarball);
		const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
		const dist = { tarball: `https://registry.npmjs.org/${name}/package.tgz`, integrity };
		const published = { ...manifest, dist };
		const all = { name, 'dist-tags': { latest: version }, versions: { [version]: published } };
		response.setHeader('content-type', 'application/json');
		return response.end(JSON.stringify(wanted === undefined ? all : published));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const stop = async () =>
		await new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	const redirect = join(__dirname, 'registry-redirect.cjs');
	return { env: { NPM_STAND_IN: url, NODE_OPTIONS: `--require ${redirect}` }, stop };
}
