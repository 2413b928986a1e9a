import { identifierKey } from './identity';
import { asRecord, textOf } from './json';

/** What a credential says about the channel that it opens. */
export interface ChannelAccess {
	baseUrl: string;
	/** The channel of a superapp, or an empty text. */
	subdomain: string;
	credentialId: string;
	/** The manual access token. Empty for OAuth2, whose tokens change. */
	token: string;
}

/** What Supercast says about a channel. */
export interface ChannelFacts {
	/** By what it is recognized, such as `id 7`. */
	identity?: string;
	/** What people call it. */
	name?: string;
}

/** Reads what Supercast says about the channel. Undefined if it says nothing. Does not throw. */
export type AskChannel = () => Promise<ChannelFacts | undefined>;

/** What the record of a channel says. Its fields are not documented. */
export function factsIn(record: unknown): ChannelFacts {
	const shown = asRecord(record);
	const first = (names: readonly string[]): string | undefined =>
		names.find((name) => textOf(shown[name]).trim() !== '');
	const [kind, called] = [
		first(['uuid', 'id', 'subdomain']),
		first(['name', 'title', 'subdomain']),
	];
	return {
		identity: kind && `${kind} ${identifierKey(shown[kind])}`,
		name: called && textOf(shown[called]).trim(),
	};
}

/** What a credential says about the name of its channel. */
export function nameInAddress({ subdomain, baseUrl }: ChannelAccess): string {
	return subdomain || new URL(baseUrl).hostname.replace(/\.supercast\.\w+$/, '');
}
