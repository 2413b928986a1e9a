import type { AddressInfo } from 'node:net';
import type { Context } from './context';
import { Controls } from './control/controls';
import { FaultInjector } from './control/faults';
import { buildApp } from './server/app';
import { RequestLog } from './server/requestLog';
import { OWNER } from './oauth/pages';
import { TokenStore } from './oauth/tokenStore';
import { resolveOptions, settingsOf, type Options, type SandboxOptions } from './options';
import type { Settings } from './settings';
import { LimitCounter } from './server/rateLimit';
import { seededRandom } from './data/random';
import { seedDatabase } from './data/seed';
import { stateOf, type SandboxState } from './control/snapshot';

export type { FaultSpec } from './control/faults';
export type { LogEntry, Stats } from './server/requestLog';
export { PERSONALITIES, type PersonalityName } from './personalities';
export type { SandboxOptions } from './options';
export type { Settings } from './settings';
export type * from './data/records';

/** A running sandbox. */
export interface Sandbox {
	/** The API up to the version segment, e.g. `http://127.0.0.1:4010/api/v1`. */
	baseUrl: string;
	origin: string;
	authUrl: string;
	accessTokenUrl: string;
	/** A manual token with the scopes public and write. */
	accessToken: string;
	/** A manual token with the scope public alone. */
	readOnlyToken: string;
	clientId: string;
	clientSecret: string;
	superappClientId: string;
	superappClientSecret: string;
	/** The account for the authorize page. */
	owner: { email: string; password: string };
	/** The current settings of what is inferred. `controls.changeSettings` changes them. */
	readonly settings: Readonly<Settings>;
	/** The current records and request log. */
	state: SandboxState;
	/** The same controls as under `/_sandbox`. */
	controls: Controls;
	stats: Controls['stats'];
	reset(): void;
	close(): Promise<void>;
}

function createContext(options: Options): Context {
	const { now } = options;
	const settings = settingsOf(options);
	return {
		options,
		settings,
		tokens: new TokenStore(options.seed, now),
		log: new RequestLog(options.logSize),
		limiter: new LimitCounter(settings, now),
		faults: new FaultInjector(),
		idempotency: new Map(),
		database: seedDatabase(options, settings),
		origin: '',
		random: seededRandom(options.seed),
		now,
		time: () => new Date(now()).toISOString(),
	};
}

/**
 * Starts a sandbox on 127.0.0.1, in memory, seeded and strict. What works against it has a chance
 * to work against Supercast.
 */
export async function createSandbox(given: SandboxOptions = {}): Promise<Sandbox> {
	const options = resolveOptions(given);
	const context = createContext(options);
	const controls = new Controls(context);
	const app = await buildApp(context, controls);
	await app.listen({ host: '127.0.0.1', port: options.port });
	const { port } = app.server.address() as AddressInfo;
	const origin = `http://127.0.0.1:${port}`;
	context.origin = origin;
	const { application, superapp, manualToken, readOnlyToken } = context.tokens;
	return {
		baseUrl: `${origin}/api/v1`,
		origin,
		authUrl: `${origin}/oauth/authorize`,
		accessTokenUrl: `${origin}/oauth/token`,
		accessToken: manualToken,
		readOnlyToken,
		clientId: application.id,
		clientSecret: application.secret,
		superappClientId: superapp.id,
		superappClientSecret: superapp.secret,
		owner: OWNER,
		settings: context.settings,
		state: stateOf(context),
		controls,
		stats: () => controls.stats(),
		reset: () => controls.reset(),
		close: () => app.close(),
	};
}
