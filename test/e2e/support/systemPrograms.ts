import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { Problem } from '../../harness/system/problem';

const debianPostgres = '/usr/lib/postgresql';

/** Paths of the programs that queue mode needs besides n8n. */
export interface SystemPrograms {
	initdb: string;
	postgres: string;
	pgIsReady: string;
	psql: string;
	redisServer: string;
	redisCli: string;
}

/** The user who runs a program. Undefined for the current user. */
export interface User {
	uid: number;
	gid: number;
}

/**
 * Finds PostgreSQL and Redis.
 *
 * @throws Problem in one sentence when they are missing.
 */
export function findSystemPrograms(): SystemPrograms {
	const folders = [...pathFolders(), ...debianFolders()];
	const find = (name: string): string => {
		const folder = folders.find((one) => existsSync(join(one, name)));
		if (folder !== undefined) return join(folder, name);
		throw new Problem(
			`The tests of queue mode need PostgreSQL and Redis, and there is no ${name} here (Debian: apt install postgresql redis-server).`,
		);
	};
	return {
		initdb: find('initdb'),
		postgres: find('postgres'),
		pgIsReady: find('pg_isready'),
		psql: find('psql'),
		redisServer: find('redis-server'),
		redisCli: find('redis-cli'),
	};
}

/**
 * The user who runs PostgreSQL, which refuses to run as root.
 *
 * @throws Problem when this is root, and there is no user for PostgreSQL.
 */
export function postgresUser(): User | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const [uid, gid] = ['-u', '-g'].map((flag) => {
		const { stdout, status } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
		return status === 0 ? Number(stdout) : undefined;
	});
	if (uid !== undefined && gid !== undefined) return { uid, gid };
	throw new Problem(
		'PostgreSQL does not run as root, and there is no user "postgres" (Debian: apt install postgresql).',
	);
}

function pathFolders(): string[] {
	return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** Debian keeps each version in a separate folder that is not on PATH. The newest first. */
function debianFolders(): string[] {
	if (!existsSync(debianPostgres)) return [];
	return readdirSync(debianPostgres)
		.sort((one, other) => Number(other) - Number(one))
		.map((version) => join(debianPostgres, version, 'bin'));
}
