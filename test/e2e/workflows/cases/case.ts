import { createHmac } from 'node:crypto';

import type { Json } from '../payloads';
import type { Reply } from '../senders';

export type Headers = Record<string, string>;

/** The state of someone's feed in Supercast. `nobody`: there is no subscriber. */
export type Feed = 'available' | 'deactivated' | 'nobody' | 'suspended';

/** One event of a sender, and the expected state of the feed. */
export interface AccessCase {
	event: string;
	/** What happened, in words. */
	when: string;
	body: Json;
	headers?: Headers;
	/** The response of the sender's API at that time. */
	says: Record<string, Reply>;
	before: Feed;
	after: Feed;
	/** The text of the email to a person, if there is one. */
	told?: RegExp;
	/** What Supercast has besides the sender's own email and customer ID. */
	subscriber?: Json;
}

/** A membership system, seen from outside. */
export interface Sender {
	name: string;
	file: string;
	/** The settings that a person fills in. `origin` is the address of the stand-ins. */
	settings: (origin: string) => Record<string, unknown>;
	/** The member in the samples, and their ID in Supercast. */
	email: string;
	customerId: string;
	/** The source of the samples. */
	source: string;
	sign: (body: string, secret: string, headers?: Headers) => Headers;
	/** Whether the sender repeats deliveries that fail. */
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

/** A date this many days ago. */
export const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
