import OAuth2Server from '@node-oauth/oauth2-server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context';
import { addMiddleware } from '../server/middleware';
import { readScope } from './model';

/** An OAuth error with its status, as defined in RFC 6749, section 5.2. */
interface Refusal {
	status: number;
	error: string;
	description: string;
}

const refuse = (reply: FastifyReply, { status, error, description }: Refusal): FastifyReply =>
	reply
		.code(status)
		.header('Cache-Control', 'no-store')
		.send({ error, error_description: description });

/** The fields of a token request. Each must be text and appear only once. */
function formFields(body: unknown): Record<string, string> | undefined {
	const entries = Object.entries(typeof body === 'object' && body !== null ? body : {});
	const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
	if (texts.length !== entries.length) return undefined;
	const fields = Object.fromEntries(texts);
	const scope = readScope(fields.scope);
	if (scope === undefined) delete fields.scope;
	else fields.scope = scope;
	return fields;
}

async function answer(
	server: OAuth2Server,
	fields: Record<string, string>,
	request: FastifyRequest,
	reply: FastifyReply,
	context: Context,
): Promise<FastifyReply> {
	const headers = request.headers as Record<string, string>;
	const asked = new OAuth2Server.Request({ headers, method: 'POST', query: {}, body: fields });
	const answered = new OAuth2Server.Response();
	try {
		await server.token(asked, answered);
	} catch (error) {
		const { code, name, message } = error as OAuth2Server.OAuthError;
		// For an unknown application, Doorkeeper responds with 401. The library would send 400.
		const status = name === 'invalid_client' ? 401 : code;
		return await refuse(reply, { status, error: name, description: message });
	}
	context.tokens.countIssued(fields.grant_type ?? '');
	const issued = answered.body as Record<string, unknown>;
	// The library counts from the real clock and rounds down, but the specification gives an exact
	// value.
	const { tokenTtlS } = context.options;
	return await reply
		.header('Cache-Control', 'no-store')
		.send({ ...issued, expires_in: tokenTtlS, created_at: Math.floor(context.now() / 1_000) });
}

/**
 * POST /oauth/token (specification, section 5.2). The body is a form that includes `client_id` and
 * `client_secret`. The sandbox rejects HTTP Basic, which is not in the specification.
 */
export async function registerTokenEndpoint(
	app: FastifyInstance,
	context: Context,
	server: OAuth2Server,
): Promise<void> {
	addMiddleware(app, context, { limited: false, authorised: false });
	app.setErrorHandler((error: Error, _request, reply) =>
		refuse(reply, { status: 400, error: 'invalid_request', description: error.message }),
	);
	app.post('/oauth/token', async (request, reply) => {
		if (request.headers.authorization !== undefined) {
			const description = 'Send client_id and client_secret as form fields';
			return await refuse(reply, { status: 401, error: 'invalid_client', description });
		}
		const fields = formFields(request.body);
		if (!fields) {
			const description = 'Each parameter may appear only once';
			return await refuse(reply, { status: 400, error: 'invalid_request', description });
		}
		return await answer(server, fields, request, reply, context);
	});
}
