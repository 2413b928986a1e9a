import { chmodSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

import { root } from '../../harness/system/paths';
import { run } from '../../harness/system/processes';

/** A stage of a Dockerfile, and the folder that takes the place of its file system. */
export interface Stage {
	/** The image that it begins with. */
	base: string;
	files: string;
	workdir: string;
	user: string | undefined;
	entrypoint: string[];
}

/** How to run the commands of a Dockerfile. */
export interface BuildOptions {
	/** Contains the file systems of all stages. */
	folder: string;
	/** The PATH of its commands. */
	path: string;
	logFile: string;
}

type Instruction = readonly [name: string, rest: string];

/**
 * Does what the instructions of tools/docker/Dockerfile say, each stage in an empty folder instead of a
 * container. The base images are missing: what a command needs from them is on PATH.
 */
export async function buildWithoutDocker(options: BuildOptions): Promise<Stage[]> {
	const stages: Stage[] = [];
	const named = new Map<string, Stage>();
	for (const [name, rest] of instructions()) {
		const stage = stages.at(-1);
		if (name === 'FROM') {
			const [base = '', , alias = ''] = rest.split(' ');
			const files = join(options.folder, `stage-${stages.length}`);
			mkdirSync(files, { recursive: true });
			stages.push({ base, files, workdir: '/', user: undefined, entrypoint: [] });
			named.set(alias, stages.at(-1)!);
		}
		// An ARG comes before the first stage.
		else if (stage !== undefined) await follow([name, rest], stage, named, options);
	}
	return stages;
}

async function follow(
	[name, rest]: Instruction,
	stage: Stage,
	named: Map<string, Stage>,
	{ path, logFile }: BuildOptions,
): Promise<void> {
	if (name === 'WORKDIR') {
		stage.workdir = rest;
		mkdirSync(join(stage.files, rest), { recursive: true });
	} else if (name === 'COPY') copy(rest, stage, named);
	else if (name === 'RUN') {
		// A command of the image sees the folder as its root.
		const command = rest.replace(/(?<=\s)\/(?=\w)/g, `${stage.files}/`);
		const env = { ...machine(), PATH: path, HOME: stage.files };
		const cwd = join(stage.files, stage.workdir);
		await run('sh', ['-c', command], { cwd, env, logFile });
	} else if (name === 'USER') stage.user = rest;
	else if (name === 'ENTRYPOINT') stage.entrypoint = JSON.parse(rest) as string[];
	else throw new Error(`${name} ${rest}: the test does not know this instruction.`);
}

/** The settings of this machine, such as those of its network, and none of the running command. */
function machine(): NodeJS.ProcessEnv {
	const own = /^(npm_(?!config_)|NODE_(?!EXTRA_CA)|INIT_CWD|JEST_)/;
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}

function copy(rest: string, stage: Stage, named: Map<string, Stage>): void {
	const words = rest.split(' ');
	const flags = words.filter((word) => word.startsWith('--'));
	const flag = (name: string) =>
		flags.find((one) => one.startsWith(`--${name}=`))?.slice(name.length + 3);
	const places = words.filter((word) => !word.startsWith('--'));
	const to = places.at(-1)!;
	const from = flag('from');
	const source = from === undefined ? root : named.get(from)!.files;
	const isIgnored = from === undefined ? ignored() : () => false;
	for (const place of places.slice(0, -1)) {
		const origin = join(source, place);
		// Of a folder, Docker copies the content.
		const isInto = to.endsWith('/') && !statSync(origin).isDirectory();
		const into = isInto ? join(to, basename(place)) : to;
		const target = join(stage.files, resolve(stage.workdir, into));
		mkdirSync(dirname(target), { recursive: true });
		const filter = (file: string) => !isIgnored(relative(source, file));
		cpSync(origin, target, { recursive: true, filter });
		const mode = flag('chmod');
		if (mode !== undefined) chmodSync(target, parseInt(mode, 8));
	}
}

function instructions(): Instruction[] {
	const text = readFileSync(join(root, 'tools', 'docker', 'Dockerfile'), 'utf8');
	const lines = text.replace(/^#.*\n/gm, '').replace(/\\\n\s*/g, '');
	return [...lines.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, name, rest]) => [name!, rest!]);
}

/** Which files Docker does not send to the build. */
function ignored(): (file: string) => boolean {
	const text = readFileSync(join(root, 'tools', 'docker', 'Dockerfile.dockerignore'), 'utf8');
	const patterns = text
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => line.replace(/[.]/g, '\\.').replace(/\*\*\/|\*/g, wildcard));
	return (file) => patterns.some((pattern) => new RegExp(`^${pattern}(/|$)`).test(file));
}

function wildcard(sign: string): string {
	return sign === '*' ? '[^/]*' : '(?:.*/)?';
}
