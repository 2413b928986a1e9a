import { nameKey } from '../../../api/identity';
import { REASONS } from './reasons';
import type { KnownSubscriber, SyncSettings } from './types';

const HOUR_MS = 3_600_000;

/** Whether the settings allow Sync to close this subscriber's feeds. */
export function isInScope(subscriber: KnownSubscriber, settings: SyncSettings): boolean {
	return whyOutOfScope(subscriber, settings) === undefined;
}

/**
 * Finds out why Sync does not close the feeds of an available subscriber who is not on the list.
 *
 * @param now Milliseconds since 1970.
 * @returns The reason, or undefined if there is no reason to keep the feeds open.
 */
export function whyNotClosed(
	subscriber: KnownSubscriber,
	settings: SyncSettings,
	now: number,
): string | undefined {
	const outOfScope = whyOutOfScope(subscriber, settings);
	if (outOfScope !== undefined) return outOfScope;
	const email = nameKey(subscriber.email);
	const domain = email.slice(email.lastIndexOf('@'));
	if (settings.neverClose.has(email) || settings.neverClose.has(domain)) return REASONS.neverClose;
	return isNew(subscriber, settings, now) ? REASONS.isNew : undefined;
}

function whyOutOfScope(
	{ customerId, hasPlan }: KnownSubscriber,
	{ close, customerIdPrefix, closeWithPlan }: SyncSettings,
): string | undefined {
	if (close === 'none') return REASONS.closingIsOff;
	if (close === 'withCustomerId' && customerId === '') return REASONS.noCustomerId;
	if (!customerId.startsWith(customerIdPrefix)) return REASONS.otherPrefix;
	return hasPlan && !closeWithPlan ? REASONS.plan : undefined;
}

/** A subscriber of unknown age counts as new, unless Grace Hours is 0. */
function isNew({ createdAt }: KnownSubscriber, { graceHours }: SyncSettings, now: number): boolean {
	if (graceHours === 0) return false;
	return !(now - timeOf(createdAt) >= graceHours * HOUR_MS);
}

/**
 * Converts an ISO 8601 date or seconds since 1970 to milliseconds. Returns NaN for anything else.
 */
function timeOf(text: string): number {
	if (/^\d{9,11}$/.test(text)) return Number(text) * 1000;
	return /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
}
