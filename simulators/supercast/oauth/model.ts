import type OAuth2Server from '@node-oauth/oauth2-server';
import type { Context } from '../context';
import type { Application, Code, RefreshToken } from './tokenStore';

/** All scopes (specification, section 5.2). */
const SCOPES = ['public', 'write'];

const CODE_LIFE_MS = 10 * 60_000;

/** n8n's own callback on any loopback port. The default if no address is registered. */
const N8N_CALLBACK =
	/^https?:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?(\/[^?#]*)?\/rest\/oauth2-credential\/callback$/;

/**
 * Scopes are separated by a plus sign or a space (specification, section 5.2). The default is
 * `public`.
 */
export function readScope(scope: unknown): string | undefined {
	return typeof scope === 'string' ? scope.replaceAll('+', ' ').trim() || undefined : undefined;
}

/** Whether every requested scope exists. */
export const knowsScopes = (scope: readonly string[]): boolean =>
	scope.every((one) => SCOPES.includes(one));

/** Whether the application has registered exactly this address. */
export function isRegistered(redirectUri: string, context: Context): boolean {
	const { redirectUris } = context.options;
	return redirectUris.length > 0
		? redirectUris.includes(redirectUri)
		: N8N_CALLBACK.test(redirectUri);
}

/**
 * The sandbox uses its own clock to decide whether a token has expired. The library knows only the
 * real clock, so it always gets a time in the future.
 */
const notYet = (): Date => new Date(Date.now() + 86_400_000);

type Model = OAuth2Server.AuthorizationCodeModel &
	OAuth2Server.ClientCredentialsModel &
	OAuth2Server.RefreshTokenModel;

const asClient = (application: Application): OAuth2Server.Client => ({
	id: application.id,
	grants: ['authorization_code', 'client_credentials', 'refresh_token'],
	redirectUris: ['registered'],
	application,
});

const applicationOf = (client: OAuth2Server.Client): Application =>
	client.application as Application;

/** The family that a new token belongs to. Null with Client Credentials. */
const familyOf = (user: OAuth2Server.User): string | null =>
	typeof user.family === 'string' ? user.family : null;

function tokenMethods({ tokens, options }: Context) {
	return {
		generateAccessToken: async () => tokens.secret(),
		generateRefreshToken: async () => tokens.secret(),
		saveToken: async (
			token: OAuth2Server.Token,
			client: OAuth2Server.Client,
			user: OAuth2Server.User,
		): Promise<OAuth2Server.Token> => {
			const application = applicationOf(client);
			const scope = token.scope ?? ['public'];
			const family = familyOf(user);
			const { accessToken, refreshToken } = token;
			tokens.addAccess(accessToken, application, scope, options.tokenTtlS, family);
			if (refreshToken !== undefined && family !== null) {
				tokens.addRefresh({ token: refreshToken, scope, application, family, spent: false });
			}
			return { ...token, scope, client, user };
		},
		getAccessToken: async () => false as const,
		getUserFromClient: async (client: OAuth2Server.Client) => ({ client: client.id }),
		validateScope: async (
			_user: OAuth2Server.User,
			_client: OAuth2Server.Client,
			scope: string[] = ['public'],
		) => knowsScopes(scope) && [...new Set(scope)],
	};
}

function refreshMethods({ tokens }: Context) {
	return {
		getRefreshToken: async (token: string) => {
			const found = tokens.usableRefresh(token);
			if (!found) return false as const;
			return {
				refreshToken: token,
				refreshTokenExpiresAt: notYet(),
				scope: found.scope,
				client: asClient(found.application),
				user: { family: found.family },
				found,
			};
		},
		// Check once more, because two requests may have sent the same token at the same time.
		revokeToken: async (token: OAuth2Server.RefreshToken) => {
			const found = tokens.usableRefresh((token.found as RefreshToken).token);
			if (found) found.spent = true;
			return found !== undefined;
		},
	};
}

function codeMethods(context: Context) {
	const { tokens } = context;
	return {
		generateAuthorizationCode: async () => tokens.secret(),
		validateRedirectUri: async (redirectUri: string) => isRegistered(redirectUri, context),
		saveAuthorizationCode: async (
			code: Pick<OAuth2Server.AuthorizationCode, 'authorizationCode' | 'redirectUri'> &
				Partial<OAuth2Server.AuthorizationCode>,
			client: OAuth2Server.Client,
			user: OAuth2Server.User,
		): Promise<OAuth2Server.AuthorizationCode> => {
			const { authorizationCode, redirectUri, scope = ['public'] } = code;
			tokens.codes.set(authorizationCode, {
				...code,
				code: authorizationCode,
				scope,
				application: applicationOf(client),
				redirectUri,
				expiresAt: context.now() + CODE_LIFE_MS,
				family: tokens.secret(),
				used: false,
			});
			return { ...code, authorizationCode, redirectUri, expiresAt: notYet(), client, user };
		},
		getAuthorizationCode: async (code: string) => {
			const found = tokens.usableCode(code);
			if (!found) return false as const;
			return {
				authorizationCode: code,
				expiresAt: notYet(),
				redirectUri: found.redirectUri,
				scope: found.scope,
				client: asClient(found.application),
				user: { family: found.family },
				codeChallenge: found.codeChallenge,
				codeChallengeMethod: found.codeChallengeMethod,
				found,
			};
		},
		revokeAuthorizationCode: async (code: OAuth2Server.AuthorizationCode) => {
			const found = tokens.usableCode((code.found as Code).code);
			if (found) found.used = true;
			return found !== undefined;
		},
	};
}

/** The model that the OAuth library needs. It keeps all data in memory. */
export function createModel(context: Context): Model {
	return {
		// The authorization page identifies the application only by its ID, and passes null as the
		// secret.
		getClient: async (id: string, secret: string | null) => {
			const application = context.tokens.findApplication(id);
			if (!application || (secret !== null && secret !== application.secret)) return false;
			return asClient(application);
		},
		...tokenMethods(context),
		...refreshMethods(context),
		...codeMethods(context),
	};
}
