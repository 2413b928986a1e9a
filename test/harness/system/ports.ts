import { createServer } from 'node:net';

/**
 * Free ports of the loopback interface. They are reserved together, so that no two are the same.
 */
export async function freePorts(count: number): Promise<number[]> {
	const servers = await Promise.all(Array.from({ length: count }, listen));
	return await Promise.all(servers.map(close));
}

type Listening = { port: number; close: (done: () => void) => void };

async function listen(): Promise<Listening> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(0, '127.0.0.1', () => {
			const address = server.address();
			const port = typeof address === 'object' && address !== null ? address.port : 0;
			resolve({ port, close: (done) => server.close(done) });
		});
	});
}

async function close(server: Listening): Promise<number> {
	return await new Promise((resolve) => server.close(() => resolve(server.port)));
}
