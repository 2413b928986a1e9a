import { createSandbox, type Sandbox, type SandboxOptions } from './index';
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

/** Prints one line of JSON and nothing else to stdout, since other programs read it. */
function announce(sandbox: Sandbox): void {
	const { baseUrl, authUrl, accessTokenUrl, accessToken, clientId, clientSecret } = sandbox;
	const { readOnlyToken, superappClientId, superappClientSecret } = sandbox;
	const line = JSON.stringify({
		baseUrl,
		authUrl,
		accessTokenUrl,
		accessToken,
		clientId,
		clientSecret,
		readOnlyToken,
		superappClientId,
		superappClientSecret,
	});
	process.stdout.write(`${line}\n`);
}

async function main(): Promise<void> {
	const options = flagsOrExit();
	const sandbox = await createSandbox(options).catch((error: unknown) => fail(error, 1));
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => {
			void sandbox.close().then(() => process.exit(0));
		});
	}
	announce(sandbox);
}

void main();
