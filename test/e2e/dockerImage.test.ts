import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ensureN8n, type N8nInstall } from '../harness/n8n/install';
import { createInstance, startN8n } from '../harness/n8n/server';
import { setUpOwner } from '../harness/n8n/setup';
import { ask } from '../harness/system/http';
import { root } from '../harness/system/paths';
import { Cleanup } from './support/cleanup';
import { emptyFolder } from './support/folders';
import { buildWithoutDocker, type Stage } from './support/imageWithoutDocker';

/**
 * The content of the image by the same commands and the same Node, without Docker. What is not here
 * is Alpine, n8n's own image, and its users.
 */
describe('the content of the Docker image', () => {
	const cleanup = new Cleanup();
	let install: N8nInstall;
	let stages: Stage[];

	beforeAll(async () => {
		install = await ensureN8n();
		const folder = emptyFolder('image', cleanup);
		const logFile = join(folder, 'build.log');
		stages = await buildWithoutDocker({ folder, path: install.path, logFile });
	});

	afterAll(async () => await cleanup.run());

	it('is built with the Node of the image, and comes from two stages', () => {
		const [, major] = /^node:(\d+)-alpine$/.exec(stages[0]!.base)!;
		const version = execFileSync(install.node, ['--version'], { encoding: 'utf8' });
		expect(version).toMatch(new RegExp(`^v${major}\\.`));
		expect(stages.map(({ base }) => base)).toEqual([
			expect.stringContaining('node:'),
			'docker.n8n.io/n8nio/n8n:${N8N_VERSION}',
		]);
	});

	it('holds none of the files that only this checkout has', () => {
		const source = join(stages[0]!.files, 'source');
		expect(existsSync(join(source, 'nodes', 'Supercast'))).toBe(true);
		for (const name of ['.git', '.cache', 'tools/docker/.env'])
			expect([name, existsSync(join(source, name))]).toEqual([name, false]);
	});

	it('makes n8n load the package at its start', async () => {
		const { files, user, entrypoint } = stages[1]!;
		expect(user).toBe('node');
		expect(entrypoint).toEqual(['tini', '--', 'with-supercast', '/docker-entrypoint.sh']);
		const home = join(files, 'home', 'node');
		const instance = await createInstance(install, home);
		const script = join(files, 'usr', 'local', 'bin', entrypoint[2]!);
		const said = execFileSync(script, ['node', '--print', '`started by ${process.version}`'], {
			env: { ...instance.env, SUPERCAST_PACKAGE: join(files, 'opt', 'n8n-nodes-supercast.tgz') },
			encoding: 'utf8',
		});
		expect(said).toMatch(/^started by v/m);

		const server = await startN8n(instance);
		cleanup.add(async () => await server.stop());
		const client = await setUpOwner(server);
		const types = await ask(`${server.url}/types/nodes.json`, {
			headers: { cookie: client.cookie },
		});
		const names = (types.body as Array<{ name: string }>).map(({ name }) => name);
		expect(names).toEqual(
			expect.arrayContaining([
				'n8n-nodes-supercast.supercast',
				'n8n-nodes-supercast.supercastTrigger',
			]),
		);
		expect(readFileSync(instance.logFile, 'utf8')).not.toMatch(/error loading package/i);
		const nodes = join(home, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-supercast');
		const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
			version: string;
		};
		expect(JSON.parse(readFileSync(join(nodes, 'package.json'), 'utf8'))).toMatchObject({
			version,
		});
	});
});
