import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

import { root } from '../../harness/system/paths';

interface Step {
	uses?: string;
	run?: string;
}

interface Pipeline {
	permissions: Record<string, string>;
	jobs: Record<
		string,
		{
			uses?: string;
			needs?: string[] | string;
			permissions?: Record<string, string>;
			steps?: Step[];
		}
	>;
}

const folder = join(root, '.github', 'workflows');
const pipelines = readdirSync(folder).map(
	(file) => [file, parse(readFileSync(join(folder, file), 'utf8')) as Pipeline] as const,
);

describe.each(pipelines)('%s', (_file, { permissions, jobs }) => {
	const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);

	it('uses actions by commit, and runs no program that no lockfile pins', () => {
		const actions = steps.flatMap(({ uses }) => uses ?? []);
		expect(actions.filter((uses) => !/@[\da-f]{40}$/.test(uses))).toEqual([]);
		const commands = steps.flatMap(({ run }) => run ?? []);
		expect(commands.filter((run) => /npx (?!--no-install)/.test(run))).toEqual([]);
	});

	it('may only read, except in jobs that say otherwise', () => {
		expect(permissions).toEqual({ contents: 'read' });
	});
});

it('identifies itself to npm only in the job that publishes, which runs nothing of this repository', () => {
	const { jobs } = Object.fromEntries(pipelines)['release.yml']!;
	const granted = Object.entries(jobs).flatMap(([name, job]) =>
		Object.entries(job.permissions ?? {}).map(([right, level]) => `${name}: ${right} ${level}`),
	);
	expect(granted).toEqual(['publish: id-token write', 'attach: contents write']);
	const { needs, steps = [] } = jobs.publish!;
	expect(needs).toEqual(['build', 'nightly']);
	expect(steps.filter(({ uses = '' }) => uses.startsWith('actions/checkout'))).toEqual([]);
	expect(steps.flatMap(({ run }) => run ?? []).join('\n')).not.toMatch(/npm (run|ci|test)/);
});
