import { parseArgs } from 'node:util';
import { REQUESTS_PER_MINUTE } from './service';

/** The parsed command line. */
export interface Flags {
	baseUrl: string;
	token: string;
	write?: string;
	json?: string;
	limit: boolean;
	yes: boolean;
	requestsPerMinute: number;
}

export const USAGE = `npm run probe -- --base-url URL --token TOKEN [--write EMAIL] [--limit] [--json FILE] [--yes]

  --base-url URL   the address up to the version, such as https://supercast.tech/api/v1
  --token TOKEN    an access token, safer in the environment variable SUPERCAST_TOKEN
  --write EMAIL    also creates, changes and deletes a subscriber with this address, after asking;
                   choose an address that no subscriber has
  --limit          also sends requests until Supercast refuses one, after asking
  --json FILE      writes a file to attach to an issue, without emails, names, tokens or addresses
  --yes            does not ask
  --requests-per-minute N   ${REQUESTS_PER_MINUTE} by default, at most 50`;

const LOOPBACK = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/;

/**
 * Reads the command line.
 * @param environment Contains the token if the command line doesn't.
 * @throws Error with one sentence about what is wrong.
 */
export function readProbeFlags(
	args: string[],
	environment: Record<string, string | undefined>,
): Flags {
	const { values } = parseArgs({
		args,
		allowPositionals: false,
		options: {
			'base-url': { type: 'string' },
			token: { type: 'string' },
			write: { type: 'string' },
			json: { type: 'string' },
			limit: { type: 'boolean', default: false },
			yes: { type: 'boolean', default: false },
			'requests-per-minute': { type: 'string', default: String(REQUESTS_PER_MINUTE) },
		},
	});
	const baseUrl = checkedUrl(values['base-url'] ?? '');
	const token = (values.token ?? environment.SUPERCAST_TOKEN ?? '').trim();
	if (token === '') throw new Error('--token is missing');
	const { write, json, limit, yes } = values;
	return {
		baseUrl,
		token,
		limit,
		yes,
		requestsPerMinute: checkedPace(values['requests-per-minute'], baseUrl),
		write: write && checkedEmail(write),
		json,
	};
}

function checkedUrl(text: string): string {
	if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) {
		throw new Error(
			'--base-url must be the address up to the version, such as https://supercast.tech/api/v1',
		);
	}
	const { protocol, hostname, origin, pathname } = new URL(text);
	if (protocol === 'http:' && !LOOPBACK.test(hostname)) {
		throw new Error('--base-url starts with http://, so the token would travel unencrypted');
	}
	return `${origin}${pathname}`.replace(/\/+$/, '');
}

function checkedEmail(text: string): string {
	const email = text.trim().toLowerCase();
	if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new Error('--write needs an email address');
	return email;
}

const MOST = 50;

function checkedPace(text: string, baseUrl: string): number {
	const pace = Number(text);
	// A sandbox on this machine affects nobody.
	const most = LOOPBACK.test(new URL(baseUrl).hostname) ? 100_000 : MOST;
	if (Number.isInteger(pace) && pace >= 1 && pace <= most) return pace;
	throw new Error(`--requests-per-minute must be a whole number from 1 to ${MOST}`);
}
