import { createHmac } from 'node:crypto';

import type { Json } from '../payloads';
import type { Reply } from '../senders';

export type Headers = Record<string, string>;

/** How somebody's feed is in Supercast; `nobody`: there is no subscriber. */
export type Feed = 'available' | 'deactivated' | 'nobody' | 'suspended';

/** One event of a sender, and what has to become of the feed. */
export interface AccessCase {
	event: string;
	/** What happened, in words. */
	when: string;
	body: Json;
	headers?: Headers;
	/** What the sender's API says then. */
	says: Record<string, Reply>;
	before: Feed;
	after: Feed;
	/** What the mail to a person says, where one is needed. */
	told?: RegExp;
	/** What Supercast has beside the sender's own email and customer ID. */
	subscriber?: Json;
}

/** A membership system as it is seen from outside. */
export interface Sender {
	name: string;
	file: string;
	/** What a person fills in: `origin` is where the stand-ins are. */
	settings: (origin: string) => Record<string, unknown>;
	/** The member that the samples are about, and under which ID Supercast knows them. */
	email: string;
	customerId: string;
	/** Where the samples come from. */
	source: string;
	sign: (body: string, secret: string, headers?: Headers) => Headers;
	/** Deliveries that fail are repeated by the sender. */
	redelivers: boolean;
	cases: AccessCase[];
	/** The member pays, has ended the membership, has another email. */
	paying: Pick<AccessCase, 'body' | 'headers' | 'says'>;
	ended: Pick<AccessCase, 'body' | 'headers' | 'says'>;
	moved: Pick<AccessCase, 'body' | 'headers' | 'says'>;
}

/** A signature as senders make it. */
export function hmac(
	hash: string,
	encoding: 'base64' | 'hex',
	body: string,
	secret: string,
): string {
	return createHmac(hash, secret).update(body).digest(encoding);
}

/** A date that lies so many days back. */
export const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
