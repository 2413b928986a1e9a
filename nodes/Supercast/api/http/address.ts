/** Pure functions that check the credential's addresses and build the paths of requests. */

import { InputError } from '../errors/errors';

const EXAMPLE = 'https://supercast.tech/api/v1';

/**
 * Checks the credential's Base URL and normalizes it, so that paths can be appended.
 *
 * @param baseUrl The URL as the user typed it, with or without a trailing slash.
 * @returns The address without a trailing slash.
 * @throws InputError if the URL is not a web address, or contains a user name, password, query or
 * fragment. Also throws if it uses http:// with a host that is not a loopback address. Over such a
 * connection, others on the network could read the access token.
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
 * @throws InputError if it is not a web address, or uses http:// with a host that is not a loopback
 * address.
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
 * Joins path segments. Encodes each segment, so that user input cannot change the rest of the path.
 *
 * @param segments The unencoded segments, such as `['subscribers', 'a/b@example.com']`.
 * @throws InputError if a segment cannot be encoded: an empty text, `.`, `..`, or invalid Unicode.
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
