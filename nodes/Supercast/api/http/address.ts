/** Builds addresses from the credential's base URL and the path of a request. Pure. */

import { InputError } from '../errors/errors';

const EXAMPLE = 'https://supercast.tech/api/v1';

/**
 * Checks the credential's Base URL and brings it into the form that paths are appended to.
 *
 * @param baseUrl As typed, with or without a trailing slash.
 * @returns The address without a trailing slash.
 * @throws InputError when it is no web address, or has a password or a query. Also when it is plain
 * http to another machine, which would expose the access token to everyone on the way.
 */
export function normalizeBaseUrl(baseUrl: string): string {
	const typed = baseUrl.trim();
	const remedy = `Correct 'Base URL' in the credential. It must be the full address including the version, such as ${EXAMPLE}.`;
	if (!URL.canParse(typed) || !/^https?:\/\//i.test(typed)) {
		throw new InputError("The credential's 'Base URL' is not a web address", remedy);
	}
	const url = new URL(typed);
	if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
		throw new InputError(
			"The credential's 'Base URL' is not secure: it begins with http:// instead of https://",
			`The access token would travel unencrypted. ${remedy}`,
		);
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw new InputError(
			"The credential's 'Base URL' contains more than an address",
			`Remove the user name, the password, and everything after "?" or "#". ${remedy}`,
		);
	}
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * Checks the address that receives the client secret.
 *
 * @throws InputError when it is no web address, or plain http to another machine.
 */
export function checkTokenUrl(accessTokenUrl: string): void {
	const remedy =
		"Correct 'Access Token URL' in the credential. It should look like https://supercast.tech/oauth/token.";
	if (!URL.canParse(accessTokenUrl) || !/^https?:\/\//i.test(accessTokenUrl)) {
		throw new InputError("The credential's 'Access Token URL' is not a web address", remedy);
	}
	const { protocol, hostname } = new URL(accessTokenUrl);
	if (protocol === 'http:' && !isLoopback(hostname)) {
		throw new InputError(
			"The credential's 'Access Token URL' is not secure: it begins with http:// instead of https://",
			`The client secret would travel unencrypted. ${remedy}`,
		);
	}
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Joins path segments. Each is encoded, so whatever a person typed stays within its segment.
 *
 * @param segments Unencoded, such as `['subscribers', 'a/b@example.com']`.
 * @throws InputError for a segment that no encoding can carry: empty, `.`, `..`, or broken Unicode.
 */
export function encodePath(segments: readonly string[]): string {
	return segments.map((segment) => `/${encodeSegment(segment)}`).join('');
}

function encodeSegment(segment: string): string {
	// URL parsers resolve "." and ".." even when they are percent-encoded (WHATWG URL, path state).
	const encoded = ['', '.', '..'].includes(segment) ? undefined : tryEncode(segment);
	if (encoded === undefined) {
		throw new InputError(
			`${JSON.stringify(segment)} is not a valid email or ID`,
			'Check the value in this item.',
		);
	}
	return encoded;
}

function tryEncode(text: string): string | undefined {
	try {
		return encodeURIComponent(text);
	} catch {
		// Half of a surrogate pair cannot be encoded.
		return undefined;
	}
}
