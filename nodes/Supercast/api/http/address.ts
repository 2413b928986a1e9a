import { InputError } from '../errors/errors';
import { textOf } from '../json';

/** The host that the vendor's Ruby client uses for every channel. */
export const SHARED_BASE_URL = 'https://supercast.tech/api/v1';

/** The address of a channel's own host, which is the only host in the public reference. */
export const CHANNEL_BASE_URL = 'https://your-channel.supercast.tech/api/v1';

/** An address that goes on after the version, with what people copy from the API reference. */
const AFTER_VERSION =
	/(\/v\d+)\/(?:channels?|creators|episodes|feeds|invites|questions|roles|subscribers|usage_alerts)(?:\/.*)?$/i;

/** The part of the address that has the version. */
const VERSION_PART = /\/(?:api\/)?v\d+$/i;

/**
 * Checks the credential's Base URL, and removes slashes and paths at its end.
 * @throws InputError if it is insecure, or has a user name, password, query or fragment.
 */
export function normalizeBaseUrl(baseUrl: unknown): string {
	const remedy = `Correct 'Base URL' in the credential. It must be the full address including the version, such as ${SHARED_BASE_URL}.`;
	const url = secureUrl(textOf(baseUrl), "The credential's 'Base URL'", 'access token', remedy);
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw new InputError(
			"The credential's 'Base URL' contains more than an address",
			`Remove the user name, the password, and everything after "?" or "#". ${remedy}`,
		);
	}
	const address = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
	return address
		.replace(AFTER_VERSION, '$1')
		.replace(VERSION_PART, (version) => version.toLowerCase());
}

/** A name between the dots of a host. */
const HOST_NAME = /^[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?$/;

/** The hosts of Supercast. The name before them is that of a channel. */
const CHANNEL_HOST = /^([^.]+)\.supercast\.(?:tech|com)$/;

/**
 * Reads the subdomain of a channel, which people also type as the channel's address. Empty if there is
 * none.
 * @throws InputError if it is neither.
 */
export function readSubdomain(typed: unknown): string {
	const text = textOf(typed).trim().toLowerCase();
	const [host = ''] = text.replace(/^https?:\/\//, '').split(/[/?#:]/);
	const name = CHANNEL_HOST.exec(host)?.[1] ?? host;
	if (text === '' || HOST_NAME.test(name)) return name;
	throw new InputError(
		`The credential's 'Subdomain' is not the subdomain of a channel: "${textOf(typed).trim()}"`,
		`Correct 'Subdomain' in the credential. Enter the first part of the channel's address. For ${CHANNEL_BASE_URL}, it is your-channel.`,
	);
}

/** Checks that the address that receives the client secret is secure. Throws InputError if not. */
export function checkTokenUrl(accessTokenUrl: string): void {
	const remedy =
		"Correct 'Access Token URL' in the credential. It should look like https://supercast.tech/oauth/token.";
	secureUrl(accessTokenUrl, "The credential's 'Access Token URL'", 'client secret', remedy);
}

/** Checks the address of a request that another node sends with this credential. */
export function checkRequestUrl(url: unknown, base: unknown): void {
	const [typed, start] = [textOf(url).trim(), textOf(base).trim()];
	const whole = URL.canParse(typed, start) ? new URL(typed, start).href : typed;
	const remedy = `Use an address that begins with https://, such as ${SHARED_BASE_URL}/channel.`;
	secureUrl(whole, "The request's address", 'access token', remedy);
}

function secureUrl(typed: string, name: string, secret: string, remedy: string): URL {
	const text = typed.trim();
	if (!URL.canParse(text) || !/^https?:\/\//i.test(text)) {
		const start = /^[a-z]+:\/\//i.test(text) ? '' : 'Start it with https://. ';
		throw new InputError(`${name} is not a web address`, `${start}${remedy}`);
	}
	const url = new URL(text);
	const isLoopback = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(url.hostname);
	if (url.protocol === 'http:' && !isLoopback) {
		throw new InputError(
			`${name} is not secure: it begins with http:// instead of https://`,
			`The ${secret} would travel unencrypted. ${remedy}`,
		);
	}
	return url;
}

/** What would change the path if a gateway decoded it, perhaps repeatedly: / \ ? # and dots. */
const SEPARATOR = /[/\\?#]|%(?:25)*(?:2e|2f|3f|23|5c)/i;

/**
 * A dot segment, which even an email can't contain. Before its @, an email may contain the other
 * characters (RFC 5322).
 */
const STEP = /(?:^|[/\\])\.{1,2}(?:[/\\]|$)/;

/**
 * Whether a text can't be one segment of a path. URL parsers resolve "." and ".." even when they are
 * percent-encoded (WHATWG URL, path state), and some gateways decode %2F.
 */
export function breaksPath(segment: string): boolean {
	if (segment === '' || /\p{Cs}/u.test(segment) || STEP.test(segment)) return true;
	return segment.includes('@') ? STEP.test(decoded(segment)) : SEPARATOR.test(segment);
}

/** What a gateway that decodes slashes, backslashes and dots would see. */
function decoded(segment: string): string {
	return segment
		.replace(/%(?:25)*2e/gi, '.')
		.replace(/%(?:25)*2f/gi, '/')
		.replace(/%(?:25)*5c/gi, '\\');
}

/**
 * Joins and encodes path segments, so that user input cannot change the rest of the path.
 * @throws InputError if a segment is empty, or could change the path.
 */
export function encodePath(segments: readonly string[]): string {
	let path = '';
	for (const segment of segments) {
		if (breaksPath(segment)) {
			const message = `${JSON.stringify(segment)} is not a valid email or ID`;
			throw new InputError(message, 'Check the value in this item.');
		}
		path += `/${encodeURIComponent(segment)}`;
	}
	return path;
}
