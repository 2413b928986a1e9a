import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

import { freePorts } from '../../harness/system/ports';
import { Problem } from '../../harness/system/problem';
import { lastLines, run, startNode } from '../../harness/system/processes';
import type { Cleanup } from './cleanup';
import { emptyFolder } from './folders';
import { findSystemPrograms, postgresUser, type User } from './systemPrograms';

/** A separate PostgreSQL and Redis, for an n8n instance in queue mode. */
export interface BackingServices {
	/** The settings with which n8n finds them. */
	env: NodeJS.ProcessEnv;
	/** Queries the database. Each row is JSON. */
	query: <Row>(sql: string) => Promise<Row[]>;
}

interface Service {
	name: string;
	command: string;
	args: string[];
	user?: User;
	logFile: string;
	/** A command that succeeds once PostgreSQL or Redis accepts requests. */
	isReady: () => boolean;
}

const guard = join(__dirname, 'guard.cjs');
const patience = 30_000;

/** Starts both on free ports, with data in a folder that is deleted at the end. */
export async function startBackingServices(cleanup: Cleanup): Promise<BackingServices> {
	const programs = findSystemPrograms();
	const user = postgresUser();
	// Not in the checkout, to which PostgreSQL's user may have no access.
	const folder = emptyFolder('services', cleanup);
	chmodSync(folder, 0o711);
	const password = randomBytes(16).toString('hex');
	const [postgresPort = 0, redisPort = 0] = await freePorts(2);
	await startPostgres(programs, user, { folder, password, port: postgresPort }, cleanup);
	await startRedis(programs, { folder, password, port: redisPort }, cleanup);
	const env = {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgresPort),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
		DB_POSTGRESDB_PASSWORD: password,
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		QUEUE_BULL_REDIS_PASSWORD: password,
	};
	const query = async <Row>(sql: string): Promise<Row[]> =>
		await ask(programs.psql, postgresPort, password, sql);
	return { env, query };
}

interface QueuePlace {
	folder: string;
	password: string;
	port: number;
}

async function startPostgres(
	programs: { initdb: string; postgres: string; pgIsReady: string },
	user: User | undefined,
	{ folder, password, port }: QueuePlace,
	cleanup: Cleanup,
): Promise<void> {
	const home = join(folder, 'postgres');
	mkdirSync(home, { mode: 0o700 });
	const passwordFile = join(home, 'password');
	writeFileSync(passwordFile, password, { mode: 0o600 });
	if (user) for (const path of [home, passwordFile]) chownSync(path, user.uid, user.gid);
	const data = join(home, 'data');
	const logFile = join(folder, 'postgres.log');
	const login = ['--username=n8n', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
	const setup = ['--encoding=UTF8', '--locale=C', '--no-sync', ...login, '-D', data];
	const job = JSON.stringify({ command: programs.initdb, args: setup, ...user });
	await run(process.execPath, [guard, job], { cwd: folder, logFile });
	const settings = ['fsync=off', 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
	const service = {
		name: 'PostgreSQL',
		command: programs.postgres,
		args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
		...(user && { user }),
		logFile,
		isReady: () => succeeds(programs.pgIsReady, ['-h', '127.0.0.1', '-p', String(port)]),
	};
	await start(service, folder, cleanup);
}

async function startRedis(
	programs: { redisServer: string; redisCli: string },
	{ folder, password, port }: QueuePlace,
	cleanup: Cleanup,
): Promise<void> {
	const home = join(folder, 'redis');
	mkdirSync(home, { mode: 0o700 });
	const file = join(home, 'redis.conf');
	const settings = [
		'bind 127.0.0.1',
		`port ${port}`,
		`requirepass ${password}`,
		`dir ${home}`,
		'save ""',
		'appendonly no',
	];
	writeFileSync(file, settings.join('\n'), { mode: 0o600 });
	const service = {
		name: 'Redis',
		command: programs.redisServer,
		args: [file],
		logFile: join(folder, 'redis.log'),
		isReady: () => succeeds(programs.redisCli, ['-h', '127.0.0.1', '-p', String(port), 'ping']),
	};
	await start(service, folder, cleanup);
}

async function start(service: Service, cwd: string, cleanup: Cleanup): Promise<void> {
	const { name, command, args, user, logFile, isReady } = service;
	const job = JSON.stringify({ command, args, ...user });
	const env = { PATH: process.env.PATH, LC_ALL: 'C' };
	const program = startNode(process.execPath, [guard, job], { cwd, env, logFile });
	cleanup.add(async () => await program.stop());
	let ended: string | undefined;
	void program.ended.then((how) => (ended = how));
	const deadline = Date.now() + patience;
	while (!isReady()) {
		await sleep(100);
		if (ended === undefined && Date.now() < deadline) continue;
		throw new Problem(`${name} did not start (${ended ?? 'no answer'}):\n${lastLines(logFile, 8)}`);
	}
}

function succeeds(command: string, args: string[]): boolean {
	return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

async function ask<Row>(psql: string, port: number, password: string, sql: string): Promise<Row[]> {
	const url = `postgresql://n8n@127.0.0.1:${port}/postgres`;
	const args = [url, '-XAt', '-v', 'ON_ERROR_STOP=1', '-c', `SELECT to_json(r) FROM (${sql}) r`];
	const env = { PATH: process.env.PATH, PGPASSWORD: password };
	// Not spawnSync, which would stop the sandbox in this process.
	const { stdout } = await promisify(execFile)(psql, args, { env, maxBuffer: 1e9 });
	return stdout
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as Row);
}
