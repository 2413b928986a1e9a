import { asRecord, isRecord, textOf } from '../json';
import { NOT_SENT_CODE, UNKNOWN_CODE, type ApiResponse, type Failure } from '../types';

/** Reads a response with a status of 300 or above. `now` is in milliseconds since 1970. */
export function parseErrorResponse({ status, headers, body }: ApiResponse, now: number): Failure {
	if (isOfAnother(status, body)) {
		return { kind: 'notJson', status, truncated: false, ...barrierIn(body) };
	}
	const sentAt = Date.parse(String(headers.date));
	const retryAfterMs = readRetryAfter(headers['retry-after'], sentAt || now);
	// Supercast's own 404 has a JSON object (vendor's client). Any other 404 may be a gateway's.
	const isBare = status === 404 && !isRecord(body) ? { isBare: true } : {};
	const location = typeof headers.location === 'string' ? headers.location : undefined;
	const isRefused = [400, 403].includes(status) && refusesToken(headers, body);
	const refused = isRefused ? { isTokenRefused: true } : {};
	return { kind: 'status', status, body, location, retryAfterMs, ...isBare, ...refused };
}

/** The code of an invalid token (RFC 6750, section 3.1), and what servers write instead. */
const TOKEN_REFUSED =
	/\b(invalid_token|expired_token|token_expired)\b|\b(access|bearer|oauth) token\b.*\b(expired|invalid|revoked)\b|\btoken (has |is )?expired\b/i;

/** Whether a 400 or 403 means what a 401 should say: the token is not valid, for example expired. */
function refusesToken(headers: ApiResponse['headers'], body: unknown): boolean {
	const { error, error_description: description, message } = asRecord(body);
	const said = [headers['www-authenticate'], error, description, message];
	return said.some((one) => TOKEN_REFUSED.test(textOf(one)));
}

/** Words on pages that keep programs out. */
const BARRIER = /cloudflare|\bcf-|just a moment|captcha|attention required/i;

/** Marks a failure whose page comes from a protection against bots. */
export function barrierIn(page: unknown): { isBarrier?: true } {
	return BARRIER.test(textOf(page)) ? { isBarrier: true } : {};
}

/**
 * Whether the response is a page of a gateway or of another website. Redirects, 401, 407, 408, 429
 * and server errors mean the same, no matter who sent them.
 */
function isOfAnother(status: number, body: unknown): boolean {
	if (status === 404) return typeof body === 'string' && body.trim() !== '';
	const isClients = status >= 400 && status < 500 && ![401, 407, 408, 429].includes(status);
	return isClients && typeof body === 'string' && /^\s*</.test(body);
}

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3) as milliseconds, more than 0. `sentAt` is when
 * Supercast sent the response, by its own clock.
 */
export function readRetryAfter(header: unknown, sentAt: number): number | undefined {
	const text = textOf(header).trim();
	// Date.parse also accepts texts such as "-5".
	const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
	const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : date - sentAt;
	return ms > 0 && Number.isFinite(ms) ? ms : undefined;
}

/**
 * Reads the NodeApiError that `httpRequestWithAuthentication` threw. Only its `cause` is safe to
 * keep: other fields contain the token.
 */
export function parseThrownError(error: unknown, now: number): Failure {
	const kept = answerWithoutCause(error);
	if (kept !== undefined) {
		const { status, body, isCutOff } = kept;
		// Without a JSON object, the response may come from another website.
		if (isCutOff || body === undefined) return { kind: 'notJson', status, truncated: isCutOff };
		return parseErrorResponse({ status, headers: {}, body }, now);
	}
	const causes = causesOf(error);
	const cause = causes.find(({ response }) => response !== undefined) ?? causes.at(-1) ?? {};
	const { status, headers, data: body } = asRecord(cause.response);
	if (typeof status !== 'number') return withoutResponse(error, cause);
	// Here, a response with a success status is an error only if it was cut off.
	if (status < 300) return { kind: 'notJson', status, truncated: true };
	return parseErrorResponse({ status, headers: asRecord(headers), body }, now);
}

function withoutResponse(error: unknown, cause: Record<string, unknown>): Failure {
	const reason = whyNotSent(error);
	if (reason !== undefined) return { kind: 'network', code: NOT_SENT_CODE, reason };
	const code = typeof cause.code === 'string' ? cause.code : codeWithoutCause(error);
	return { kind: 'network', code, isUnsent: isUnsent(cause) || undefined };
}

/**
 * Why n8n itself did not send a request, in n8n's words. n8n may forbid an address, for example.
 * Undefined if it may have been sent.
 */
export function whyNotSent(error: unknown): string | undefined {
	// n8n's UserError. Its other errors have another level, and those of the network have a code.
	const own = causesOf(error).find(({ level, code }) => level === 'info' && code === undefined);
	const description = textOf(own?.description);
	return description === '' ? undefined : `${textOf(own?.message)}. ${description}`;
}

/** An error and at most five causes, the outermost first. */
export function causesOf(error: unknown): Array<Record<string, unknown>> {
	const chain: Array<Record<string, unknown>> = [];
	let next = error;
	while (typeof next === 'object' && next !== null && chain.length < 6) {
		chain.push(asRecord(next));
		next = asRecord(next).cause;
	}
	return chain;
}

function isUnsent({ syscall, errors }: Record<string, unknown>): boolean {
	const failed = [errors].flat();
	const isConnect = (one: unknown): boolean => asRecord(one).syscall === 'connect';
	return syscall === 'connect' || (failed.length > 0 && failed.every(isConnect));
}

/**
 * The response that led to an error without a cause, as in n8n 1.102 to 2.33. Such an error has
 * only messages, sometimes the body, and `httpCode`: the status or the error code. Remove this
 * function once the package requires n8n 2.34 (test/versions/README.md).
 */
export function answerWithoutCause(error: unknown) {
	const { cause, httpCode, context } = asRecord(error);
	const status = Number(httpCode);
	if (cause !== undefined || !(status >= 200)) return undefined;
	const { data } = asRecord(context);
	const body = typeof data === 'object' && data !== null ? data : undefined;
	return { status, body, isCutOff: status < 300 || /\baborted\b/.test(textsOf(error)) };
}

/** The code of an error without a cause, from Node (such as ECONNRESET) or from the HTTP client. */
export function codeWithoutCause(error: unknown): string {
	const { httpCode } = asRecord(error);
	if (typeof httpCode === 'string' && /^[A-Z][A-Z_]+$/.test(httpCode)) return httpCode;
	return /\bE[A-Z_]{4,}\b/.exec(textsOf(error))?.[0] ?? UNKNOWN_CODE;
}

/** The messages that an error still has, one per line. */
export function textsOf(error: unknown): string {
	const { messages, message } = asRecord(error);
	return [messages, message].flat().join('\n');
}
