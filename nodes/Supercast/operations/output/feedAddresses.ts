import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../api/json';

/**
 * Fields that contain private feed addresses, or links to them (Supercast API reference, the
 * subscriber object).
 */
const ADDRESS_FIELD = /^(feed_urls?|feed_tokens?|player_links?)$/i;

/** Matches a private feed address anywhere in a text. The format comes from public code. */
const ADDRESS = /\/feeds\/[\w-]{8,}/;

/**
 * Returns the record without private feed addresses, because anyone with such an address can
 * listen.
 */
export function withoutFeedAddresses(record: IDataObject): IDataObject {
	return stripped(record) as IDataObject;
}

function stripped(value: unknown): unknown {
	if (Array.isArray(value)) return value.filter((one) => !isAddress(one)).map(stripped);
	if (!isRecord(value)) return value;
	const entries = Object.entries(value).filter(
		([name, one]) => !ADDRESS_FIELD.test(name) && !isAddress(one),
	);
	return Object.fromEntries(entries.map(([name, one]) => [name, stripped(one)]));
}

function isAddress(value: unknown): boolean {
	return typeof value === 'string' && ADDRESS.test(value);
}
