import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parse } from 'qs';
import type { Context } from '../context';
import { isRegistered, knowsScopes, readScope } from './model';
import { consentPage, oauthErrorPage, loginPage, OWNER } from './pages';
import type { Application } from './tokenStore';

const COOKIE = 'supercast_sandbox_session';

type Parameters = Record<string, string>;

/** An authorization request with a trusted application and redirect address. */
interface Asked {
	application: Application;
	redirectUri: string;
	parameters: Parameters;
	scope: string[];
}

function textsOf(values: unknown): Parameters {
	const entries = Object.entries(typeof values === 'object' && values !== null ? values : {});
	return Object.fromEntries(
		entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
	);
}

const html = (reply: FastifyReply, status: number, page: string): FastifyReply =>
	reply
		.code(status)
		.type('text/html; charset=utf-8')
		.header('Cache-Control', 'no-store')
		.send(page);

/** The login and consent pages of GET /oauth/authorize (specification, section 5.2). */
export class AuthorizePages {
	private readonly sessions = new Set<string>();

	constructor(
		private readonly context: Context,
		private readonly server: OAuth2Server,
	) {}

	register(app: FastifyInstance): void {
		app.get('/oauth/authorize', (request, reply) => this.show(request, reply));
		app.post('/oauth/login', (request, reply) => this.login(request, reply));
		app.post('/oauth/authorize', async (request, reply) => await this.decide(request, reply));
	}

	private show(request: FastifyRequest, reply: FastifyReply): FastifyReply {
		const asked = this.read(textsOf(request.query));
		if (typeof asked === 'string') return html(reply, 400, oauthErrorPage(asked));
		const { application, parameters, scope } = asked;
		if (parameters.response_type !== 'code') {
			return this.sendBack(asked, reply, 'unsupported_response_type');
		}
		if (!knowsScopes(scope)) return this.sendBack(asked, reply, 'invalid_scope');
		if (!this.loggedIn(request)) {
			const query = new URLSearchParams(parameters).toString();
			return html(reply, 200, loginPage(query));
		}
		const channel = this.context.database.channel.title;
		return html(reply, 200, consentPage([application.name, channel], scope, parameters));
	}

	private login(request: FastifyRequest, reply: FastifyReply): FastifyReply {
		const { email = '', password, query = '' } = textsOf(request.body);
		if (email.toLowerCase() !== OWNER.email || password !== OWNER.password) {
			return html(reply, 401, loginPage(query, 'Invalid email or password.'));
		}
		const session = this.context.tokens.secret();
		this.sessions.add(session);
		const again = new URLSearchParams(textsOf(parse(query))).toString();
		return reply
			.header('Set-Cookie', `${COOKIE}=${session}; Path=/oauth; HttpOnly; SameSite=Lax`)
			.redirect(`/oauth/authorize?${again}`, 303);
	}

	private async decide(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
		const { decision, ...parameters } = textsOf(request.body);
		const asked = this.read(parameters);
		if (typeof asked === 'string') return await html(reply, 400, oauthErrorPage(asked));
		if (!this.loggedIn(request)) {
			return await html(reply, 401, loginPage(new URLSearchParams(parameters).toString()));
		}
		const body: Parameters = { ...parameters, scope: asked.scope.join(' ') };
		if (decision !== 'authorize') body.allowed = 'false';
		const method = 'POST';
		const wanted = new OAuth2Server.Request({ headers: {}, method, query: {}, body });
		const answered = new OAuth2Server.Response();
		const authenticateHandler = { handle: () => OWNER };
		// The response already contains the refusal. The sandbox sends it to the application, as it
		// would send a consent.
		await this.server
			.authorize(wanted, answered, { authenticateHandler, allowEmptyState: true })
			.catch(() => undefined);
		const location: unknown = answered.get('location');
		if (typeof location === 'string') return await reply.redirect(location, 303);
		return await html(reply, 400, oauthErrorPage('The authorization request is invalid.'));
	}

	/** Checks what must be correct before the sandbox sends anything to the redirect address. */
	private read(parameters: Parameters): Asked | string {
		const application = this.context.tokens.findApplication(parameters.client_id ?? '');
		if (!application) return 'Client authentication failed due to unknown client.';
		const redirectUri = parameters.redirect_uri ?? '';
		if (!isRegistered(redirectUri, this.context)) {
			return 'The redirect uri included is not valid.';
		}
		const scope = (readScope(parameters.scope) ?? 'public').split(/\s+/);
		return { application, redirectUri, parameters, scope };
	}

	private sendBack(
		{ redirectUri, parameters }: Asked,
		reply: FastifyReply,
		error: string,
	): FastifyReply {
		const target = new URL(redirectUri);
		target.searchParams.set('error', error);
		if (parameters.state !== undefined) target.searchParams.set('state', parameters.state);
		return reply.redirect(target.toString(), 303);
	}

	private loggedIn(request: FastifyRequest): boolean {
		const cookies = (request.headers.cookie ?? '').split('; ');
		return cookies.some((cookie) => {
			const [name, value = ''] = cookie.split('=');
			return name === COOKIE && this.sessions.has(value);
		});
	}
}
