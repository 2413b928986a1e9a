import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Systems take the ports of outgoing connections from above this range. So nothing else takes a port
 * from it before the program listens that the port is for.
 */
const LOWEST = 10_000;
const HIGHEST = 32_000;

const MOST_TRIES = 100;

/**
 * Free ports of the loopback interface. They are reserved together, so that no two are the same.
 */
export async function freePorts(count: number): Promise<number[]> {
	const servers = await Promise.all(Array.from({ length: count }, listenAnywhere));
	return await Promise.all(servers.map(close));
}

type Listening = { port: number; close: (done: () => void) => void };

async function listenAnywhere(): Promise<Listening> {
	for (let tried = 0; tried < MOST_TRIES; tried++) {
		const server = await listen(randomInt(LOWEST, HIGHEST));
		if (server !== undefined) return server;
	}
	throw new Error(`None of ${MOST_TRIES} ports from ${LOWEST} to ${HIGHEST} is free`);
}

/** Undefined if another program has the port. */
async function listen(port: number): Promise<Listening | undefined> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', (error: NodeJS.ErrnoException) =>
			error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
		);
		server.listen(port, '127.0.0.1', () => {
			resolve({ port, close: (done) => server.close(done) });
		});
	});
}

async function close(server: Listening): Promise<number> {
	return await new Promise((resolve) => server.close(() => resolve(server.port)));
}
