import { createSandbox, type SandboxOptions } from './index';
import { readFlags } from './flags';

function fail(error: unknown, code: number): never {
	const message = error instanceof Error ? error.message : String(error);
	process.stderr.write(`${message.split('\n')[0] ?? ''}\n`);
	process.exit(code);
}

function flagsOrExit(): SandboxOptions {
	try {
		return readFlags(process.argv.slice(2));
	} catch (error) {
		return fail(error, 2);
	}
}

const ANNOUNCED = [
	...['baseUrl', 'authUrl', 'accessTokenUrl', 'accessToken', 'clientId', 'clientSecret'],
	...['readOnlyToken', 'superappClientId', 'superappClientSecret'],
];

async function main(): Promise<void> {
	const options = flagsOrExit();
	const sandbox = await createSandbox(options).catch((error: unknown) => fail(error, 1));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			void sandbox.close().then(() => process.exit(0));
		});
	}
	// Only one line of JSON, because other programs read it.
	process.stdout.write(`${JSON.stringify(sandbox, ANNOUNCED)}\n`);
}

void main();
