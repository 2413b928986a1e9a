import type { AddressInfo } from 'node:net';
import type { Context } from './context';
import { Controls } from './control/controls';
import { FaultInjector } from './control/faults';
import { buildApp } from './server/app';
import { RequestLog, type Stats } from './server/requestLog';
import { OWNER } from './oauth/pages';
import { TokenStore } from './oauth/tokenStore';
import { resolveOptions, settingsOf, type Options, type SandboxOptions } from './options';
import type { Settings } from './settings';
import { LimitCounter } from './server/rateLimit';
import { seededRandom } from './data/random';
import { seedDatabase } from './resources/seed';
import { stateOf } from './control/snapshot';

export type { FaultSpec } from './control/faults';
export type { LogEntry, Stats } from './server/requestLog';
export { PROFILES, type ProfileName } from './profiles';
export type { SandboxOptions } from './options';
export type { Settings } from './settings';
export type * from './data/records';

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
 * Starts a sandbox on 127.0.0.1, in memory and with seeded records. It is strict, so that what
 * works with it is likely to work with Supercast.
 */
export async function createSandbox(given: SandboxOptions = {}) {
	const options = resolveOptions(given);
	const context = createContext(options);
	const controls = new Controls(context);
	const app = await buildApp(context, controls);
	await app.listen({ host: '127.0.0.1', port: options.port });
	const { port } = app.server.address() as AddressInfo;
	const origin = `http://127.0.0.1:${port}`;
	context.origin = origin;
	const { application, superapp, manualToken, readOnlyToken, secondToken } = context.tokens;
	return {
		/** The API's address, including the version, e.g. `http://127.0.0.1:4010/api/v1`. */
		baseUrl: `${origin}/api/v1`,
		origin,
		authUrl: `${origin}/oauth/authorize`,
		accessTokenUrl: `${origin}/oauth/token`,
		/** A manual token with the scopes public and write. */
		accessToken: manualToken,
		/** A manual token with only the scope public. */
		readOnlyToken,
		/** Another manual token for the same channel, with the scopes public and write. */
		secondToken,
		clientId: application.id,
		clientSecret: application.secret,
		superappClientId: superapp.id,
		superappClientSecret: superapp.secret,
		/** The account for the authorization page. */
		owner: OWNER,
		/** The current settings for inferred behavior. `controls.changeSettings` changes them. */
		settings: context.settings as Readonly<Settings>,
		/** The current records and request log. */
		state: stateOf(context),
		/** Controls, most of which are also under `/_sandbox`. */
		controls,
		stats: (): Stats => controls.stats(),
		reset: (): void => controls.reset(),
		close: async (): Promise<void> => await app.close(),
	};
}

/** A running sandbox. */
export type Sandbox = Awaited<ReturnType<typeof createSandbox>>;
