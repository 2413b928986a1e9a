import { createSandbox, type Sandbox, type SandboxOptions } from '../../simulators/supercast';
import { renewCredentialId } from '../harness/engine/credentialsHelper';

/** The sandbox of a test file. */
export interface TestSandbox {
	readonly current: Sandbox;
	/** Makes the sandbox fresh within a test, as before each test. */
	readonly reset: () => void;
}

/**
 * Starts a separate sandbox for the tests of a file. It is fresh before each test and has no limit.
 */
export function useSandbox(options: SandboxOptions = {}): TestSandbox {
	let sandbox: Sandbox | undefined;
	beforeAll(async () => {
		sandbox = await createSandbox({ rateLimit: 0, ...options });
	});
	const reset = (): void => {
		sandbox?.reset();
		renewCredentialId();
	};
	beforeEach(reset);
	afterAll(async () => await sandbox?.close());
	return {
		get current() {
			if (sandbox === undefined) throw new Error('The sandbox exists only during a test');
			return sandbox;
		},
		reset,
	};
}

/** The credential for a sandbox. It does not pace, since that sandbox has no limit. */
export function credentialOf(sandbox: Sandbox): {
	accessToken: string;
	baseUrl: string;
	requestsPerMinute: number;
} {
	return { accessToken: sandbox.accessToken, baseUrl: sandbox.baseUrl, requestsPerMinute: 0 };
}

/** What a subscriber's podcast player gets: the status of the feed's address. */
export async function feedStatus(feedUrl: string | undefined): Promise<number> {
	if (feedUrl === undefined) throw new Error('There is no feed address');
	return (await fetch(feedUrl)).status;
}
