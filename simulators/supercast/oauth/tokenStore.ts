import { hex, seededRandom, type Random } from '../data/random';

/** An OAuth application, as in the owner's dashboard. */
export interface Application {
	id: string;
	secret: string;
	name: string;
	/** Acts for every channel whose owner authorized it (vendor's example). */
	superapp: boolean;
}

/** The result of checking a Bearer token. */
export type TokenCheck =
	| { valid: true; scope: readonly string[]; superapp: boolean }
	| { valid: false; reason: 'unknown' | 'expired' | 'revoked' };

interface AccessToken {
	scope: readonly string[];
	superapp: boolean;
	/** Manual tokens never expire (specification, section 5.1). */
	expiresAt: number | null;
	family: string | null;
	revoked: boolean;
}

export interface RefreshToken {
	token: string;
	scope: string[];
	application: Application;
	family: string;
	spent: boolean;
}

export interface Code {
	code: string;
	scope: string[];
	application: Application;
	redirectUri: string;
	expiresAt: number;
	family: string;
	used: boolean;
	codeChallenge?: string;
	codeChallengeMethod?: string;
}

/** What tests can read about OAuth. */
export interface OAuthCounters {
	/** Successful token requests by grant. */
	issued: Record<string, number>;
	/** How often a used refresh token was sent again. */
	refreshReuse: number;
	/** How often a used authorization code was sent again. */
	codeReuse: number;
	familiesRevoked: number;
}

const noCounts = (): OAuthCounters => ({
	issued: {},
	refreshReuse: 0,
	codeReuse: 0,
	familiesRevoked: 0,
});

/** Tokens, codes and applications. They survive a reset, so that credentials stay valid. */
export class TokenStore {
	readonly counters: OAuthCounters = noCounts();

	readonly application: Application;
	readonly superapp: Application;
	readonly manualToken: string;
	readonly readOnlyToken: string;
	/** Another token of the same owner. */
	readonly secondToken: string;
	readonly codes = new Map<string, Code>();
	private readonly access = new Map<string, AccessToken>();
	private readonly refresh = new Map<string, RefreshToken>();
	private readonly revokedFamilies = new Set<string>();
	private readonly random: Random;

	constructor(
		seed: number,
		private readonly now: () => number,
	) {
		this.random = seededRandom(seed ^ 0x70ce5);
		this.application = this.register('Sandbox application', false);
		this.superapp = this.register('Sandbox superapp', true);
		this.manualToken = this.secret();
		this.readOnlyToken = this.secret();
		this.secondToken = this.secret();
		this.restoreManual();
	}

	/** Restores the manual tokens that existed at the start, even if they were revoked. */
	restoreManual(): void {
		const manual = { superapp: false, expiresAt: null, family: null, revoked: false };
		for (const token of [this.manualToken, this.secondToken]) {
			this.access.set(token, { ...manual, scope: ['public', 'write'] });
		}
		this.access.set(this.readOnlyToken, { ...manual, scope: ['public'] });
	}

	/** A new secret of 43 characters, as long as Doorkeeper's. */
	secret(): string {
		return hex(this.random, 43);
	}

	/** All secrets that were ever issued, for tests that search for leaks. */
	get secrets(): string[] {
		const { application, superapp, access, refresh, codes } = this;
		const issued = [...access.keys(), ...refresh.keys(), ...codes.keys()];
		return [application.secret, superapp.secret, ...issued];
	}

	check(token: string): TokenCheck {
		const found = this.access.get(token);
		if (!found) return { valid: false, reason: 'unknown' };
		const familyRevoked = found.family !== null && this.revokedFamilies.has(found.family);
		if (found.revoked || familyRevoked) return { valid: false, reason: 'revoked' };
		if (found.expiresAt !== null && found.expiresAt <= this.now()) {
			return { valid: false, reason: 'expired' };
		}
		return { valid: true, scope: found.scope, superapp: found.superapp };
	}

	findApplication(id: string): Application | undefined {
		return [this.application, this.superapp].find((application) => application.id === id);
	}

	addAccess(
		token: string,
		{ superapp }: Application,
		scope: string[],
		ttlS: number,
		family: string | null,
	): void {
		const expiresAt = this.now() + ttlS * 1_000;
		this.access.set(token, { scope, superapp, expiresAt, family, revoked: false });
	}

	addRefresh(token: RefreshToken): void {
		this.refresh.set(token.token, token);
	}

	/**
	 * A refresh token that may still be used. If it was already used, this revokes its whole
	 * family, including access tokens. Servers that rotate refresh tokens usually do so.
	 */
	usableRefresh(token: string): RefreshToken | undefined {
		const found = this.refresh.get(token);
		if (!found) return undefined;
		if (found.spent) {
			this.counters.refreshReuse++;
			this.revokeFamily(found.family);
			return undefined;
		}
		return this.revokedFamilies.has(found.family) ? undefined : found;
	}

	/** A code that may still be exchanged. A second use revokes the tokens from the first use. */
	usableCode(code: string): Code | undefined {
		const found = this.codes.get(code);
		if (!found) return undefined;
		if (found.used) {
			this.counters.codeReuse++;
			this.revokeFamily(found.family);
			return undefined;
		}
		return found.expiresAt <= this.now() ? undefined : found;
	}

	/** Revokes all tokens from one authorization. */
	revokeFamily(family: string): void {
		if (this.revokedFamilies.has(family)) return;
		this.revokedFamilies.add(family);
		this.counters.familiesRevoked++;
	}

	/** Makes every OAuth access token expire immediately. Manual tokens never expire. */
	expireAccess(): number {
		const now = this.now();
		let expired = 0;
		for (const access of this.access.values()) {
			if (access.expiresAt === null || access.expiresAt <= now) continue;
			access.expiresAt = now;
			expired++;
		}
		return expired;
	}

	/** Revokes manual tokens, OAuth authorizations, or both, like the owner's settings page. */
	revoke(which: 'manual' | 'oauth' | 'all'): number {
		let revoked = 0;
		for (const access of this.access.values()) {
			const manual = access.expiresAt === null;
			if (access.revoked || (which !== 'all' && manual !== (which === 'manual'))) continue;
			access.revoked = true;
			revoked++;
		}
		if (which === 'manual') return revoked;
		for (const refresh of this.refresh.values()) this.revokeFamily(refresh.family);
		return revoked;
	}

	/** Counts a successful token request. */
	countIssued(grant: string): void {
		this.counters.issued[grant] = (this.counters.issued[grant] ?? 0) + 1;
	}

	resetCounters(): void {
		Object.assign(this.counters, noCounts());
	}

	private register(name: string, superapp: boolean): Application {
		return { id: this.secret(), secret: this.secret(), name, superapp };
	}
}
