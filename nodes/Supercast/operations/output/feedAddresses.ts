import type { IDataObject } from 'n8n-workflow';

import { isRecord } from '../../api/json';

/**
 * Fields that contain private feed addresses, or links to them (Supercast API reference, the
 * subscriber object).
 */
const ADDRESS_FIELD = /feed[\s_-]?(url|token|link|address)|player[\s_-]?link/i;

/**
 * Matches a private feed address anywhere in a text. The format comes from public code. In a link of
 * a podcast app, in JSON or in HTML, some characters are encoded, perhaps repeatedly.
 */
const ADDRESS = new RegExp(
	`${[...'/feeds/'].map(anyForm).join('')}(?:[\\w-]|%(?:25)*[0-9a-f]{2}){8,}`,
	'gi',
);

function anyForm(character: string): string {
	const hex = character.charCodeAt(0).toString(16);
	const forms = [`%(?:25)*${hex}`, `\\\\+u00${hex}`, `&#x0*${hex};`, `&#0*${parseInt(hex, 16)};`];
	return `(?:\\\\*${character}|${forms.join('|')})`;
}

/**
 * Returns the record without private feed addresses, because anyone with such an address can
 * listen.
 */
export function withoutFeedAddresses(record: IDataObject): IDataObject {
	return stripped(record) as IDataObject;
}

/** Replaces the private feed addresses in a text, such as Supercast's reason for a refusal. */
export function maskFeedAddresses(text: string): string {
	return text.replace(ADDRESS, '/feeds/[private]');
}

function stripped(value: unknown): unknown {
	if (Array.isArray(value)) return value.filter((one) => !isAddress(one)).map(stripped);
	if (!isRecord(value)) return value;
	const entries = Object.entries(value).filter(
		([name, one]) => !ADDRESS_FIELD.test(name) && !isAddress(name) && !isAddress(one),
	);
	return Object.fromEntries(entries.map(([name, one]) => [name, stripped(one)]));
}

function isAddress(value: unknown): boolean {
	return typeof value === 'string' && value.search(ADDRESS) >= 0;
}
